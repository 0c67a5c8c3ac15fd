"""Cuts: limits on whole counts by level, checked by counting.

At one distance let E_l values leak on level l, in the sense of `optmech.proofs.levels.grid`. Then E_l is a
whole number and ``sum a^l E_l <= delta T``, which is at most ``delta' T'`` for all noises of a proof.

Let N_l be the number of values on level l, from 2 on. Then ``1 + a |D| + sum a^l N_l <= T``, for the values
of level 1 are the distances.

A limit ``sum c_l E_l <= b``, c >= 0, holds for all these noises if it holds for all whole points of the first
inequality, and ``sum c_l N_l <= b`` if for all of the second. Powers of a that are rounded down admit more
points.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from optmech.proofs.multipliers import require

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.proofs.levels.tree import CountingCut

BITS = 192
"""Powers of e^-epsilon are whole numbers over ``2**BITS``."""
MOST_CUTS, MOST_COEFFICIENTS, MOST_POINTS = 2**6, 2**3, 2**17
"""Cuts of a sort, coefficients of a cut, and whole points that are counted for all cuts of a sort."""


def powers_below(upper: Fraction, most: int) -> list[int]:
    """Return ``upper**-l`` for l = 0..most, whole numbers over ``2**BITS``, each rounded down from the last.

    >>> from fractions import Fraction
    >>> [power >> BITS - 4 for power in powers_below(Fraction(2), 4)]
    [16, 8, 4, 2, 1]
    """
    powers = [1 << BITS]
    for _ in range(most):
        powers.append(powers[-1] * upper.denominator // upper.numerator)
    return powers


def check_cuts(cuts: Sequence[CountingCut], powers: list[int], room: int, first: int) -> None:
    """Refuse cuts of a sort that some whole point with ``sum powers[l] * count(l) <= room`` breaks.

    `first` is the least level that a cut may count. All levels of a cut but the last are counted through:
    as many points as the product of one more than each count alone can be.
    """
    require(len(cuts) <= MOST_CUTS, f"there must be at most {MOST_CUTS} cuts of a sort")
    require(room >= 0 or not cuts, "cuts need whole points: the cap is below that of any noise")
    points = 0
    for cut in cuts:
        coefficients = cut.coefficients
        sound = cut.first >= first and coefficients and min(coefficients) >= 0 and cut.most >= 0
        require(
            sound and coefficients[0] and coefficients[-1],
            f"a cut counts levels from {first} on, with coefficients of 0 or more, neither end 0",
        )
        inside = len(coefficients) <= MOST_COEFFICIENTS and cut.first + len(coefficients) <= len(powers)
        require(inside, f"a cut counts at most {MOST_COEFFICIENTS} levels, all of which the proof looks at")
        counted = [(powers[cut.first + i], c) for i, c in enumerate(coefficients) if c]
        require(counted[-1][0] > 0, "a level that weighs nothing cannot be counted")
        points += prod(room // power + 1 for power, _ in counted[:-1])
        require(points <= MOST_POINTS, f"the cuts of a sort must have at most {MOST_POINTS:,} whole points")
        require(_most(counted, room) <= cut.most, "a whole point breaks a cut")


def _most(counted: list[tuple[int, int]], room: int) -> int:
    """Return the most that whole counts come to, each with its power and coefficient."""
    (power, coefficient), *rest = counted
    most = room // power
    if not rest:
        return most * coefficient
    return max(count * coefficient + _most(rest, room - count * power) for count in range(most + 1))
