"""The curves of Kadam et al. at their ends: the epsilons where delta jumps, and answers without number.

As the modulus grows at delta = 0, the error rate rises to a limit. Kadam (44), (48) cut the limits at 1/2 for
small epsilon; that is wrong, as nothing keeps ``f(0)`` above 1/2. (52), (53) are misprinted.

Source: Kadam et al. 2024, (22), (25) and section "Optimal error rates as n -> infinity", (44)-(54).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from optmech.theorems.kadam_powers import Balls, Doubles

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from optmech.theorems.kadam_powers import Powers

__all__ = [
    "bounded_limit",
    "bounded_limit_mass",
    "bounded_limit_printed",
    "section_limit",
    "section_limit_printed",
    "single_limit",
    "single_limit_floor",
    "single_limit_mass",
    "single_limit_printed",
    "threshold",
    "threshold_ball",
]

Amount = TypeVar("Amount", float, "arb")

# Halving an interval of length 1 so often leaves less than a double resolves.
_HALVINGS = 120


def threshold(masses: int, accuracy: Fraction) -> float:
    """Return the epsilon at which so many masses give ``f(0) = accuracy``, Kadam (22), (25).

    It is 0 where no positive root exists. For one distance with a walk of N steps, ``N - k`` masses give the
    paper's epsilon_k.

    Examples
    --------
    >>> round(threshold(2, Fraction(3, 4)), 12)  # 1 / (1 + e^-epsilon) = 3/4 at epsilon = ln 3
    1.098612288668
    """
    low, high = _bracket(masses, accuracy, _HALVINGS, Doubles)
    return float((low + high) / 2)


def threshold_ball(masses: int, accuracy: Fraction, digits: int) -> arb:
    """Return the same epsilon as a ball of radius below ``10**-digits``."""
    import flint  # noqa: PLC0415 - only who wants balls needs python-flint

    halvings = 4 * digits + _HALVINGS
    with flint.ctx.workprec(2 * halvings):
        low, high = _bracket(masses, accuracy, halvings, Balls)
        left = flint.arb(low.numerator) / low.denominator
        return left.union(flint.arb(high.numerator) / high.denominator)


def _bracket(
    masses: int, accuracy: Fraction, halvings: int, numbers: Callable[[Fraction], Powers[Amount]]
) -> tuple[Fraction, Fraction]:
    if masses * accuracy <= 1 or masses == 1:
        return Fraction(0), Fraction(0)

    def enough(epsilon: Fraction) -> bool:
        powers = numbers(epsilon)
        return powers.at_most(powers.terms(masses) * powers.number(accuracy), powers.number(1))  # (25)

    low, high = Fraction(0), Fraction(1)
    while not enough(high):
        low, high = high, 2 * high
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low, high


def single_limit(powers: Powers[Amount]) -> Amount:
    """Return the limit of the error rate for one distance: ``e^-epsilon`` for every epsilon."""
    return powers.power(1)


def single_limit_printed(powers: Powers[Amount]) -> Amount:
    """Return the limit as printed, Kadam (44): cut at 1/2, which is wrong below epsilon = ln 2."""
    return powers.smaller(powers.number(Fraction(1, 2)), single_limit(powers))


def single_limit_mass(powers: Powers[Amount], steps: int) -> Amount:
    """Return the limit of the mass `steps` distances from 0, Kadam (45) with the corrected limit."""
    return powers.complement() * powers.power(steps)


def single_limit_floor(powers: Powers[Amount], kept: int) -> Amount:
    """Return the least error rate while the mass `kept` steps from 0 is the last one, Kadam (51)."""
    return powers.power(1) * powers.terms(kept) / powers.terms(kept + 1)


def bounded_limit(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit of the error rate for the distances up to `largest`, Kadam (47), every epsilon."""
    near = largest * powers.power(1)
    return near / (near + powers.complement())


def bounded_limit_printed(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit as printed, Kadam (48): cut at 1/2, wrong below ``ln(1 + largest)``."""
    return powers.smaller(powers.number(Fraction(1, 2)), bounded_limit(powers, largest))


def bounded_limit_mass(powers: Powers[Amount], largest: int, noise: int) -> Amount:
    """Return the limit of one mass for the distances up to `largest`, Kadam (50) with (47)."""
    level = -(-noise // largest)
    return powers.complement() / (largest * powers.power(1) + powers.complement()) * powers.power(level)


def section_limit(powers: Powers[Amount], largest: int, back: int, j: int) -> Amount:
    """Return the limit of ``f(0)`` in the section ``h = b - back``, `j` below h, corrected (53).

    The lengths (31) give beta -> ``1 + e^(-(c+j+1) epsilon) - e^(-(c+1) epsilon) / (1 - e^-epsilon)``. It
    is the limit of a formula only: with `largest` fixed, b -> infinity leaves the domain of Theorem 3.
    """
    gap = powers.complement()
    return gap / (largest * powers.power(1) + gap * (1 + powers.power(back + j + 1)) - powers.power(back + 1))


def section_limit_printed(powers: Powers[Amount], largest: int, back: int, j: int) -> Amount:
    """Return the same limit as printed, Kadam (53), which is wrong."""
    inner = 1 - powers.power(1) * (1 + powers.power(back + j))
    return powers.complement() / (largest * powers.power(1) + inner)
