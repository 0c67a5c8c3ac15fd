"""The continuous Gaussian: a law whose own trade-off curve is that of Gaussian differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text
from optmech.question.privacy.of_sigma import OfSigma

if TYPE_CHECKING:
    from flint import arb

    from optmech.base.arrays import Floats


__all__ = ["Gaussian"]


@dataclass(frozen=True)
class Gaussian(OfSigma):
    """The normal law of this standard deviation: ``K(x) = Phi(Phi^-1(x) + 1 / sigma)``.

    Dong, Roth, Su 2022 call that Gaussian differential privacy of parameter ``1 / sigma``.
    """

    word = "gaussian"
    limits = Fraction(1, 10), 1000
    is_continuous = True

    def __str__(self) -> str:
        return f"Gaussian noise of sigma {as_text(self.sigma)}"

    @property
    def deviation(self) -> Fraction:
        """Sigma."""
        return self.sigma

    @property
    def nearest_doubles(self) -> tuple[int, Floats]:
        """The least value that a double can show, and the probabilities from there on, rounded."""
        from scipy.special import ndtr  # noqa: PLC0415

        most = math.ceil(38 * self.spread)
        below = ndtr((np.arange(-most - 1, 1) + 0.5) / self.spread)  # P(rounded <= z), z = -most - 1, ..., 0
        half: Floats = np.diff(below)
        return -most, np.concatenate([half, half[-2::-1]])

    def delta(self, factor: float) -> float:
        """Return the delta of Gaussian noise, Balle and Wang 2018."""
        from scipy.special import ndtr  # noqa: PLC0415 - for these few questions alone

        half, epsilon = 1 / (2 * self.spread), math.log(factor)
        low, high = -half - epsilon * self.spread, half - epsilon * self.spread
        return max(float(ndtr(high) - factor * ndtr(low)), 0.0)

    def above(self, shares: Floats) -> Floats:
        """Return ``Phi(Phi^-1(x) + 1 / sigma)``."""
        from scipy.special import ndtr, ndtri  # noqa: PLC0415

        heights: Floats = ndtr(ndtri(shares) + 1 / self.spread)
        return heights

    def balls(self, most: int) -> list[arb]:
        """Refuse: it has no probabilities of single values."""
        raise NotImplementedError

    def _masses(self, values: Floats) -> Floats:
        raise NotImplementedError
