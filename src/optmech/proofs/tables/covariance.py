"""Covariances of the kind sum_A s_A P_A: their variances, their privacy, and the least that any of them has.

Source: Xiao, He, Zhang, Kifer 2023; Lebeda, Nikolov, Tang 2025. With prices c_S of one number of margin S,

    v_A = r_A sum_(S containing A) c_S out_S,   p_A = r_A / N,   F = (sum_A sqrt(v_A p_A))^2,

no covariance for which one row spends Q(e)/2 <= rho has a smaller weighted sum of variances than F / (2 rho).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.tables.margins import Axes, Margins
    from optmech.question.tables.person import TablePerson

_ROOT_BITS = 96


def variance(shape: Margins, variances: Mapping[Axes, Fraction], margin: Axes) -> Fraction:
    """Return the variance of one number of a margin."""
    total = sum(shape.freedom(part) * variances[part] for part in subsets(margin))
    return Fraction(shape.out(margin), shape.cells(margin)) * total


def spent(shape: Margins, variances: Mapping[Axes, Fraction], person: TablePerson) -> Fraction:
    """Return the rho that one person spends at most: half of Q at the largest change.

    >>> from optmech.question.tables.margins import Margins
    >>> from optmech.question.tables.person import TablePerson
    >>> spent(Margins(()), {frozenset(): Fraction(5)}, TablePerson())
    Fraction(1, 10)
    """
    own = sum((shape.price(part) / value for part, value in variances.items()), Fraction())
    if person.is_heaped:
        return own * person.at_most**2 / 2
    others = max((abs(value) for apart, value in _products(shape, variances).items() if apart), default=0)
    return (person.squares * (own - others) + person.at_most**2 * others) / 2


def _products(shape: Margins, variances: Mapping[Axes, Fraction]) -> dict[Axes, Fraction]:
    """Return e_i' Q e_j by the axes along which cells i and j are apart."""
    values = {part: 1 / value for part, value in variances.items()}
    for axis, size in enumerate(shape.sizes):
        one = frozenset({axis})
        values = {
            part: values[part - one] / size
            + values[part | one] * Fraction(-1 if one <= part else size - 1, size)
            for part in values
        }
    return values


def least_loss(shape: Margins, prices: Mapping[Axes, Fraction]) -> Fraction:
    """Return F, or a little less: its roots are rounded down.

    >>> from optmech.question.tables.margins import Margins
    >>> least_loss(Margins(()), {frozenset(): Fraction(4)})
    Fraction(4, 1)
    """
    scaled = {margin: price * shape.out(margin) for margin, price in prices.items()}
    roots = Fraction()
    for part in subsets(shape.every):
        weight = sum((value for margin, value in scaled.items() if part <= margin), Fraction())
        roots += shape.freedom(part) * root_below(weight / shape.cells(shape.every))
    return roots**2


def root_below(value: Fraction) -> Fraction:
    """Return the square root of a number, rounded down."""
    return Fraction(isqrt((value.numerator << 2 * _ROOT_BITS) // value.denominator), 1 << _ROOT_BITS)
