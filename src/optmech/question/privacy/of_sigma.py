"""What both normal laws have: a sigma, kept exactly as it was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from optmech.question.privacy.noise_law import NoiseLaw, number_between

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["OfSigma"]


@dataclass(frozen=True)
class OfSigma(NoiseLaw):
    """A law with a sigma, from the one end of its `limits` to the other."""

    sigma: Fraction

    parameter = "sigma"
    limits: ClassVar[tuple[Fraction, int]]

    def __post_init__(self) -> None:
        """Keep sigma exactly as given."""
        object.__setattr__(self, "sigma", number_between(self.sigma, "sigma", *self.limits))

    @property
    def value(self) -> Fraction:
        """Sigma."""
        return self.sigma

    @property
    def variance(self) -> Fraction:
        """The square of sigma."""
        return self.sigma**2

    @property
    def spread(self) -> float:
        """Sigma, as a double."""
        return float(self.sigma)
