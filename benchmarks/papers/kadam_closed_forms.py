"""Numbers that Kadam et al. 2024 print beside their theorems: jumps of delta, limits, vectors, flat regions.

(52), (53) and, for ``j = h``, (34)-(36) are misprinted. The statements on optima are in `optmech.theorems`.

Source: Kadam et al. 2024, (22), (25), (34)-(36), (57), and "Optimal error rates as n -> infinity", (44)-(54).
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import flint

from optmech.theorems.powers import Doubles, Exact, at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.theorems.kadam_staircase import Levels
    from optmech.theorems.powers import Powers

__all__ = [
    "bounded_limit_mass",
    "joint_levels",
    "printed_zero_mass",
    "section_limit",
    "section_limit_printed",
    "single_limit_floor",
    "single_limit_mass",
    "threshold",
    "threshold_ball",
]

Amount = TypeVar("Amount", float, "flint.arb")

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


def threshold_ball(masses: int, accuracy: Fraction, digits: int) -> flint.arb:
    """Return the same epsilon as a ball of radius below ``10**-digits``."""
    halvings = 4 * digits + _HALVINGS
    with flint.ctx.workprec(2 * halvings):
        low, high = _bracket(masses, accuracy, halvings, Exact)
        left = flint.arb(low.numerator) / low.denominator
        return left.union(flint.arb(high.numerator) / high.denominator)


def _bracket(
    masses: int, accuracy: Fraction, halvings: int, numbers: Callable[[Fraction], Powers[Amount]]
) -> tuple[Fraction, Fraction]:
    if masses * accuracy <= 1 or masses == 1:
        return Fraction(0), Fraction(0)

    def enough(epsilon: Fraction) -> bool:
        powers = numbers(epsilon)
        return at_most(powers.terms(masses) * powers.number(accuracy), powers.number(1))  # (25)

    low, high = Fraction(0), Fraction(1)
    while not enough(high):
        low, high = high, 2 * high
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low, high


def single_limit_mass(powers: Powers[Amount], steps: int) -> Amount:
    """Return the limit of the mass `steps` distances from 0, Kadam (45) with the corrected limit."""
    return powers.complement() * powers.power(steps)


def single_limit_floor(powers: Powers[Amount], kept: int) -> Amount:
    """Return the least error rate while the mass `kept` steps from 0 is the last one, Kadam (51)."""
    return powers.power(1) * powers.terms(kept) / powers.terms(kept + 1)


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


def joint_levels(moduli: Sequence[int], steps: Sequence[Sequence[int]]) -> Levels:
    """Return the same for vectors of noise, each coordinate with its modulus, the last one fastest.

    Examples
    --------
    >>> joint_levels((2, 3), [(0, 1), (1, 2)])
    (0, 1, 2, 2, 3, 1)
    """
    size = 1
    for modulus in moduli:
        size *= modulus
    levels: list[int | None] = [None] * size
    levels[0] = 0
    waiting = deque([((0,) * len(moduli), 0)])
    while waiting:
        place, level = waiting.popleft()
        for step in steps:
            there = tuple((at + by) % modulus for at, by, modulus in zip(place, step, moduli, strict=True))
            position = 0
            for at, modulus in zip(there, moduli, strict=True):
                position = position * modulus + at
            if levels[position] is None:
                levels[position] = level + 1
                waiting.append((there, level + 1))
    return tuple(levels)


def printed_zero_mass(powers: Powers[Amount], n: int, largest: int, h: int, j: int) -> Amount:
    """Return ``f(0)`` of the flat region (h, j) by Kadam (34)-(36) as printed.

    For ``j = h`` it is wrong: the masses with the lengths (31) then sum to more than one. The correct value
    is one over the sum of ``length * e^(-i epsilon)``.
    """
    b, r = divmod(n, largest)
    u = int(j != h)
    alpha = powers.power(1) * powers.terms(b) - (1 - u) * powers.power(b - h + j + 1)  # (35)
    beta = 1 + powers.power(b - h + 1) * (powers.power(j) - powers.terms(h))  # (36)
    beta = beta + (r + h - u) * powers.power(b + 1)
    return 1 / (largest * alpha + beta)  # (34)
