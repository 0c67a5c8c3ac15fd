"""Laws of noise on all whole numbers, symmetric: discrete Gaussian and Skellam."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text
from optmech.question.privacy.noise_law import NoiseLaw, number_between
from optmech.question.privacy.of_sigma import OfSigma

if TYPE_CHECKING:
    from flint import arb

    from optmech.base.arrays import Floats


__all__ = ["DiscreteGaussian", "Skellam"]


@dataclass(frozen=True)
class DiscreteGaussian(OfSigma):
    """Weights ``exp(-z^2 / (2 sigma^2))``; sigma is the standard deviation, or a little more."""

    word = "discrete-gaussian"
    limits = Fraction(1, 20), 5000

    def __str__(self) -> str:
        return f"discrete Gaussian noise of sigma {as_text(self.sigma)}"

    def balls(self, most: int) -> list[arb]:
        """Return ``exp(-z^2 / (2 sigma^2))``."""
        from flint import arb, fmpq  # noqa: PLC0415 - a fifth of a second that few questions need

        rate = 1 / (2 * self.sigma**2)
        return [arb(fmpq(-z * z * rate.numerator, rate.denominator)).exp() for z in range(most + 1)]

    def _masses(self, values: Floats) -> Floats:
        masses: Floats = np.exp(-((values / float(self.sigma)) ** 2) / 2)
        return masses


@dataclass(frozen=True)
class Skellam(NoiseLaw):
    """The difference of two Poisson variables, each of this mean."""

    rate: Fraction

    word, parameter = "skellam", "rate"

    def __post_init__(self) -> None:
        """Keep the rate exactly as given."""
        least, most = Fraction(1, 10**6), 10**7
        object.__setattr__(self, "rate", number_between(self.rate, "rate", least, most))

    def __str__(self) -> str:
        return f"Skellam noise of rate {as_text(self.rate)}"

    @property
    def value(self) -> Fraction:
        """The rate."""
        return self.rate

    @property
    def variance(self) -> Fraction:
        """Twice the rate."""
        return 2 * self.rate

    @property
    def spread(self) -> float:
        """The standard deviation."""
        return math.sqrt(2 * self.rate)

    def balls(self, most: int) -> list[arb]:
        """Return the modified Bessel functions I_z(2 rate).

        From above by ``I_(z-1) = I_(z+1) + (z / rate) I_z``: all is positive, so that balls stay small.
        """
        from flint import arb, fmpq  # noqa: PLC0415

        rate = arb(fmpq(self.rate.numerator, self.rate.denominator))
        values = [(2 * rate).bessel_i(arb(most + 1)), (2 * rate).bessel_i(arb(most))]
        for z in range(most, 0, -1):
            values.append(values[-2] + values[-1] * z / rate)
        return values[:0:-1]

    def _masses(self, values: Floats) -> Floats:
        from scipy.special import ive  # noqa: PLC0415 - for these few questions alone

        masses: Floats = ive(np.abs(values), 2 * float(self.rate))
        return masses
