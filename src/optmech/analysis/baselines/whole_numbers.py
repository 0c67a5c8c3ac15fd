"""Laws of noise on the whole numbers, with tails that do not cancel, and the delta that they spend."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from optmech.analysis.baselines.lattice import WholeNumberNoise

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["SymmetricNoise", "TwoSidedGeometric", "noise_delta"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSidedGeometric:
    """``P(k) = (1 - a) / (1 + a) a^|k|`` with ``a = e^-rate``, on all whole numbers.

    It is ``scipy.stats.dlaplace(rate)``, whose upper tail is ``1 - cdf`` and cancels.
    """

    rate: float

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        probability: Floats = math.tanh(self.rate / 2) * np.exp(-self.rate * np.abs(_whole(noise)))
        return probability

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that: ``a^(k+1) / (1 + a)`` from -1 on."""
        values = _whole(noise)
        total = 1.0 + math.exp(-self.rate)
        upper = np.exp(-self.rate * np.maximum(values + 1, 0)) / total
        lower = np.exp(-self.rate * np.maximum(-values, 0)) / total
        return np.where(values >= 0, upper, 1.0 - lower)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-_whole(noise) - 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SymmetricNoise:
    """Symmetric noise by its table: `half` has the probabilities of 0, 1, …, width."""

    half: Floats
    _tails: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sum the tails from their ends, smallest first."""
        half = np.array(self.half, dtype=float)
        tails = np.append(np.cumsum(half[::-1])[::-1], 0.0)
        for name, array in (("half", half), ("_tails", tails)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def width(self) -> int:
        """Largest noise of the table."""
        return len(self.half) - 1

    @property
    def variance(self) -> float:
        """Mean squared noise."""
        return float(2 * (np.arange(len(self.half), dtype=float) ** 2 @ self.half))

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        distance = np.abs(_whole(noise))
        half = np.append(self.half, 0.0)
        probability: Floats = half[np.minimum(distance, self.width + 1)]
        return probability

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that."""
        values = _whole(noise)
        beyond = np.clip(np.where(values >= 0, values + 1, -values), 0, self.width + 1)
        tails: Floats = self._tails[beyond]
        return np.where(values >= 0, tails, 1.0 - tails)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-_whole(noise) - 1)


def noise_delta(noise: WholeNumberNoise, width: int, epsilon: float, distances: Iterable[int]) -> float:
    """Return the hockey-stick divergence of noise from itself shifted, the largest over `distances`.

    The noise is symmetric about zero or about one half, with no mass beyond `width`: both directions are then
    equal. Distances are positive steps between neighbours.
    """
    deltas = []
    for distance in distances:
        here = np.arange(-width - distance, width + distance + 1)
        excess = noise.pmf(here) - math.exp(epsilon) * noise.pmf(here - distance)
        deltas.append(float(np.maximum(excess, 0.0).sum()))
    return max(deltas)


def _whole(noise: ArrayLike) -> Integers:
    return np.asarray(noise, dtype=np.int64)
