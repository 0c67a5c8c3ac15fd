"""The density of staircase noise, and its mean: what the formulas of Croft et al. 2020 are compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.continuous_noise import StaircaseNoise

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats

__all__ = ["StaircaseDensity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaircaseDensity(StaircaseNoise):
    """The staircase distribution with its density."""

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
