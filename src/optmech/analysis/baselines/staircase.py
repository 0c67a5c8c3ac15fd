"""Staircase noise, the additive noise of least expected error, snapped to the boundary.

The density is constant on steps. With ``gamma = 1 / (1 + e^(epsilon/2))`` and Delta the sensitivity it is

    y e^(-k epsilon)          for k Delta <= |x| < (k + gamma) Delta
    y e^(-(k+1) epsilon)      for (k + gamma) Delta <= |x| < (k + 1) Delta,     k = 0, 1, 2, ...

Croft's recursion (20) needs three corrections to say this: ``|f(D) - x|`` inside its third case, k from 1
on, and intervals that do not share their ends. This gamma is best for the absolute error only.

Source: Geng, Viswanath 2014; Croft, Sack, Shi 2020, Mechanism 2, (20)-(21).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import baseline, positive_epsilon, sensitivity
from optmech.analysis.baselines.cells import SNAPPED, edge_offsets, snap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Staircase:
    """The staircase distribution centred at zero; `delta_f` is the sensitivity, in units of the answer."""

    epsilon: float
    delta_f: float

    @property
    def gamma(self) -> float:
        """Part of each stair that is high: the choice of least expected absolute error."""
        return 1.0 / (1.0 + math.exp(self.epsilon / 2))

    @property
    def height(self) -> float:
        """Density at zero: (21), where everything but ``sinh(epsilon / 2) / Delta`` cancels."""
        return math.sinh(self.epsilon / 2) / self.delta_f

    @property
    def mean_absolute_error(self) -> float:
        """Expected absolute value of the noise, ``Delta e^(epsilon/2) / (e^epsilon - 1)``."""
        return self.delta_f / (2 * math.sinh(self.epsilon / 2))

    def pdf(self, noise: ArrayLike, /) -> Floats:
        """Density, per unit of the answer."""
        stair, place = self._stair(np.abs(np.asarray(noise, dtype=float)))
        density: Floats = self.height * np.exp(-self.epsilon * (stair + (place >= self.gamma)))
        return density

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that."""
        values = np.asarray(noise, dtype=float)
        tail = self._tail(np.abs(values))
        return np.where(values >= 0, tail, 1.0 - tail)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-np.asarray(noise, dtype=float))

    def _stair(self, distance: Floats) -> tuple[Floats, Floats]:
        stair = np.floor(distance / self.delta_f)
        return stair, distance / self.delta_f - stair

    def _tail(self, distance: Floats) -> Floats:
        # What is left of this stair, and half of e^(-(k+1) epsilon) for all stairs beyond it: no difference.
        stair, place = self._stair(distance)
        decay = math.exp(-self.epsilon)
        left = np.maximum(self.gamma - place, 0.0) + decay * (1.0 - np.maximum(place, self.gamma))
        tail: Floats = np.exp(-self.epsilon * stair) * (math.sinh(self.epsilon / 2) * left + decay / 2)
        return tail


def staircase_noise(query: Query, epsilon: Number) -> Staircase:
    """Return staircase noise for the sensitivity of `query`: it spends exactly epsilon."""
    return Staircase(epsilon=float(positive_epsilon(epsilon)), delta_f=float(sensitivity(query)))


@baseline("snapped staircase", "Croft et al. 2020 (16), (20)-(21), the recursion corrected")
def snapped_staircase(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return staircase noise snapped to the nearest response, Croft (16) with (20)-(21)."""
    noise = staircase_noise(query, epsilon)
    says = f"adds staircase noise with stairs of width {noise.delta_f:.6g}{SNAPPED}"
    return says, snap(noise, edge_offsets(query))
