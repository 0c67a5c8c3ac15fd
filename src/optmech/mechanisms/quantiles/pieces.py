"""The loss of each value of a range as a quantile, in pieces of equal loss.

    loss(v) = max(#{records < v} - q n, q n - #{records <= v})

It is negative inside a heap of equal records: the deeper q n lies in the heap, the less it is. A record that
comes or goes moves loss by at most max(q, 1 - q), and one that changes by at most 1. Between two records loss
is constant, so that there are at most 2 n + 1 pieces, however fine the range is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction


class Piece(NamedTuple):
    """Values from `start` on, `size` of them, of one loss, times the quantile's denominator."""

    start: int
    size: int
    loss: int


def pieces_of(heaps: Iterable[tuple[int, int]], low: int, high: int, quantile: Fraction) -> list[Piece]:
    """Return the pieces of a range for records in heaps, increasing: a value of the range, and how many.

    >>> from fractions import Fraction
    >>> [(piece.start, piece.loss) for piece in pieces_of([(4, 450), (6, 550)], 4, 6, Fraction(1, 2))]
    [(4, 100), (5, 100), (6, -100)]
    """
    heaps, unit = list(heaps), quantile.denominator
    sought = quantile.numerator * sum(number for _, number in heaps)
    pieces, next_value, below = [], low, 0
    for value, number in heaps:
        if value > next_value:
            pieces.append(Piece(next_value, value - next_value, abs(below - sought)))
        at_most = below + unit * number
        pieces.append(Piece(value, 1, max(below - sought, sought - at_most)))
        next_value, below = value + 1, at_most
    if next_value <= high:
        pieces.append(Piece(next_value, high + 1 - next_value, abs(below - sought)))
    return pieces
