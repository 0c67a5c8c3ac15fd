"""Laws of noise on all whole numbers, or on all numbers: discrete Gaussian, Skellam, Gaussian."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from optmech.base.numbers import as_text
from optmech.question.privacy.noise_law import NoiseLaw, number_between

if TYPE_CHECKING:
    from flint import arb

    from optmech.base.arrays import Floats


@dataclass(frozen=True)
class OfSigma(NoiseLaw):
    """A distribution with a sigma between its `limits`."""

    sigma: Fraction

    parameter = "sigma"
    limits: ClassVar[tuple[Fraction, int]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", number_between(self.sigma, "sigma", *self.limits))

    @property
    def variance(self) -> Fraction:
        """The square of sigma."""
        return self.sigma**2

    @property
    def spread(self) -> float:
        """Sigma, as a double."""
        return float(self.sigma)


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
        ball = arb(fmpq(rate.numerator, rate.denominator))  # of any number of digits
        return [(-z * z * ball).exp() for z in range(most + 1)]

    def _masses(self, values: Floats) -> Floats:
        masses: Floats = np.exp(-((values / float(self.sigma)) ** 2) / 2)
        return masses


@dataclass(frozen=True)
class Skellam(NoiseLaw):
    """The difference of two Poisson variables, each of this mean."""

    rate: Fraction

    word, parameter = "skellam", "rate"

    def __post_init__(self) -> None:
        least, most = Fraction(1, 10**6), 10**7
        object.__setattr__(self, "rate", number_between(self.rate, "rate", least, most))

    def __str__(self) -> str:
        return f"Skellam noise of rate {as_text(self.rate)}"

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


@dataclass(frozen=True)
class Gaussian(OfSigma):
    """The normal law of this standard deviation: ``K(x) = Phi(Phi^-1(x) + 1 / sigma)``.

    Dong, Roth, Su 2022 call that Gaussian differential privacy of parameter ``1 / sigma``.
    """

    word = "gaussian"
    limits = Fraction(1, 10), 1000
    is_continuous = True
    no_corners = "its curve has no corners"
    into_range = "rounded, clamped"

    def __str__(self) -> str:
        return f"Gaussian noise of sigma {as_text(self.sigma)}"

    @property
    def deviation(self) -> Fraction:
        """Sigma."""
        return self.sigma

    def mean_power(self, power: int) -> float:
        """Return the mean size of a value, or with a power of 2 of its square."""
        return self.spread * math.sqrt(2 / math.pi) if power == 1 else self.spread**power

    def mean_loss(self, losses: Floats) -> None:
        """Return ``None``: losses at whole sizes are not those of all numbers."""

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
