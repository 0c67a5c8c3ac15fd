"""The limits of the error rates of Kadam et al. as the modulus grows, at delta = 0.

Kadam (44), (48) cut the limits at 1/2 for small epsilon; that is wrong, as nothing keeps ``f(0)`` above 1/2.

Source: Kadam et al. 2024, section "Optimal error rates as n -> infinity", (44)-(48).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from flint import arb

    from optmech.theorems.kadam_powers import Powers

__all__ = ["bounded_limit", "bounded_limit_printed", "single_limit", "single_limit_printed"]

Amount = TypeVar("Amount", float, "arb")


def single_limit(powers: Powers[Amount]) -> Amount:
    """Return the limit of the error rate for one distance: ``e^-epsilon`` for every epsilon."""
    return powers.power(1)


def single_limit_printed(powers: Powers[Amount]) -> Amount:
    """Return the limit as printed, Kadam (44): cut at 1/2, which is wrong below epsilon = ln 2."""
    return powers.smaller(powers.number(Fraction(1, 2)), single_limit(powers))


def bounded_limit(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit of the error rate for the distances up to `largest`, Kadam (47), every epsilon."""
    near = largest * powers.power(1)
    return near / (near + powers.complement())


def bounded_limit_printed(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit as printed, Kadam (48): cut at 1/2, wrong below ``ln(1 + largest)``."""
    return powers.smaller(powers.number(Fraction(1, 2)), bounded_limit(powers, largest))
