"""Geometric noise on margins, least squares, rounding with coins: what it spends, and the variances.

    privacy     product over the asked margins of a_S^(-rows) <= e^epsilon
    interaction s_A = sum_S c[A,S]^2 v_S / (4^bits out_S),   v_S = 2 a_S / (1 - a_S)^2,
                or the parameter of normal noise
    rounding    adds at most 1/4 prod_(i in S) H2(n_i) to a number of margin S,
                H2(n) = 1 + 1/4 + ... + 1/n^2;  nothing where only cells are asked, whose sums are whole

`check_table.py` computes the same digits.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import prod
from typing import TYPE_CHECKING

from optmech.proofs.tables.count_bound import decimal, precise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.tables.margins import Axes, Margins

_SLACK, _LISTED = Decimal(10) ** -24, 32


def keeps(ratios: Mapping[Axes, Fraction], rows: int, epsilon: Fraction) -> bool:
    """Return whether noise of these ratios keeps epsilon for changes of so many rows.

    >>> [keeps({frozenset(): Fraction(1, n)}, 1, Fraction(1)) for n in (2, 3)]
    [True, False]
    """
    with localcontext(precise()):
        spent = -rows * sum((decimal(ratio).ln() for ratio in ratios.values()), Decimal(0))
        return spent * (1 + _SLACK) <= decimal(epsilon)


def interactions(
    shape: Margins, spreads: Mapping[Axes, Fraction], weights: Mapping[tuple[Axes, Axes], int], bits: int
) -> dict[Axes, Fraction]:
    """Return s_A of the least squares for each interaction of the asked margins, by the noise of a number."""
    sums: dict[Axes, Fraction] = {}
    for (part, margin), weight in weights.items():
        own = Fraction(weight**2, 4**bits * shape.out(margin)) * spreads[margin]
        sums[part] = sums.get(part, Fraction()) + own
    return sums


def rounding(shape: Margins, margin: Axes) -> Fraction:
    """Return the most that rounding adds to the variance of a number of a margin.

    >>> from optmech.question.tables.margins import Margins
    >>> rounding(Margins((2, 3)), frozenset({0}))
    Fraction(5, 16)
    """
    return Fraction(prod((_squares(shape.sizes[axis]) for axis in margin), start=Fraction(1, 4)))


@cache
def _squares(size: int) -> Fraction:
    """Return 1 + 1/4 + ... + 1/n^2, or a little more: beyond some terms by an integral."""
    listed = min(size, _LISTED)
    return sum((Fraction(1, j * j) for j in range(1, listed + 1)), Fraction(1, listed) - Fraction(1, size))
