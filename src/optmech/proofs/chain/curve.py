"""A privacy curve as straight lines, on the side that is safe for a bound.

Model
-----
    y <= K(x) = min over lines of (slope x + offset),   x = P_(f+1)(S), y = P_f(S), for every set S

(epsilon, delta) gives two lines, of S and of its complement,

    y <= E x + delta,      1 - x <= E (1 - y) + delta,   that is  y <= 1 + (x - (1 - delta)) / E.

With E rounded up, delta rounded up and 1/E rounded down the lines stand higher or as high wherever K does:
the second passes through (1 - delta, 1), to the left of which a smaller slope is higher, and to the right of
which K is 1. The first is what protects truth f against f + 1, the second f + 1 against f: where both ways
differ, or one is missing, each line has an E of its own, or is missing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.proofs.enclosure import Enclosure
    from optmech.question.privacy import Privacy

    Pair = tuple[Fraction, Fraction]

LINE_BITS = 192
"""Slopes and offsets are multiples of ``2**-LINE_BITS``."""


class Line(NamedTuple):
    """``y <= (slope x + offset) / 2**LINE_BITS``, the slope positive."""

    slope: int
    offset: int


def pairs_around(factor: Enclosure, privacies: Sequence[Privacy]) -> tuple[list[Pair], list[Pair]]:
    """Return (e^epsilon, delta) of each privacy twice: what a mechanism must keep, and what a bound may use.

    The first are with the rationals below e^epsilon, the second with those above.
    """
    enclosures = [
        (each, privacy.delta or Fraction(0)) for each, privacy in zip(factor.each, privacies, strict=True)
    ]
    return [(each.lower, delta) for each, delta in enclosures], [
        (each.upper, delta) for each, delta in enclosures
    ]


def lines_of_pairs(pairs: Iterable[Pair]) -> tuple[Line, ...]:
    """Return the lines of pairs that all hold, a rational of e^epsilon or more and delta, the steepest first.

    >>> from fractions import Fraction
    >>> [[part / 2**LINE_BITS for part in line] for line in lines_of_pairs([(Fraction(2), Fraction(1, 4))])]
    [[2.0, 0.25], [0.5, 0.625]]
    """
    lines = {of_pair(*pair) for pair in pairs for of_pair in (steep_line, flat_line)}
    return tuple(sorted(lines, reverse=True))


def steep_line(factor: Fraction, delta: Fraction) -> Line:
    """Return the line of all sets: ``E x + delta``."""
    return Line(_above(factor), _above(delta))


def flat_line(factor: Fraction, delta: Fraction) -> Line:
    """Return the line of all complements: ``1 + (x - (1 - delta)) / E``."""
    one = 1 << LINE_BITS
    slope = factor.denominator * one // factor.numerator
    return Line(slope, one - (slope * (one - _above(delta)) >> LINE_BITS))


def _above(value: Fraction) -> int:
    return -((-value.numerator << LINE_BITS) // value.denominator)
