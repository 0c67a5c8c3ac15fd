"""A privacy curve as straight lines, rounded to the safe side for a bound.

Model
-----
    y <= K(x) = min over lines of (slope x + offset),   x = P_(f+1)(S), y = P_f(S), for every set S

(epsilon, delta) gives two lines, of S and of its complement,

    y <= E x + delta,      1 - x <= E (1 - y) + delta,   that is  y <= 1 + (x - (1 - delta)) / E.

With E rounded up, delta rounded up and 1/E rounded down the lines are at least as high as K. The second
passes through (1 - delta, 1): to the left of it a smaller slope is higher, and to the right K is 1. The first
line protects truth f against f + 1, the second f + 1 against f. Where the two directions differ, each line
has its own E; where one is missing, so is its line.

A rounding error grows by up to 1 / delta between delta and 1, and losses may be as small as 1 / E. So lines
have `_MORE_BITS` more bits than both together.
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
"""Slopes and offsets are multiples of ``2**-LINE_BITS`` or finer, see `line_bits`."""
_MORE_BITS = 128


class Line(NamedTuple):
    """``y <= (slope x + offset) / 2**bits``, the slope positive."""

    slope: int
    offset: int
    bits: int = LINE_BITS


def line_bits(pairs: Iterable[Pair]) -> int:
    """Return the bits of the lines of pairs, an e^epsilon and a delta each.

    >>> from fractions import Fraction
    >>> line_bits([(Fraction(3), Fraction(1, 1000))]), line_bits([(Fraction(3), Fraction(1, 10**100))])
    (192, 463)
    """
    factors, deltas = zip(*pairs, strict=True)
    room = int(max(factors)).bit_length() + max(int(1 / (delta or 1)).bit_length() for delta in deltas)
    return max(LINE_BITS, _MORE_BITS + room)


def pairs_around(factor: Enclosure, privacies: Sequence[Privacy]) -> tuple[list[Pair], list[Pair]]:
    """Return (e^epsilon, delta) of each privacy twice: for the mechanism, and for the bound.

    The first pairs have the rationals below e^epsilon, the second those above.
    """
    enclosures = [
        (each, privacy.delta or Fraction(0)) for each, privacy in zip(factor.each, privacies, strict=True)
    ]
    return [(each.lower, delta) for each, delta in enclosures], [
        (each.upper, delta) for each, delta in enclosures
    ]


def lines_of_pairs(pairs: Sequence[Pair]) -> tuple[Line, ...]:
    """Return the lines of pairs that all hold, a rational of e^epsilon or more and delta, the steepest first.

    >>> from fractions import Fraction
    >>> lines = lines_of_pairs([(Fraction(2), Fraction(1, 4))])
    >>> [(line.slope / 2**line.bits, line.offset / 2**line.bits) for line in lines]
    [(2.0, 0.25), (0.5, 0.625)]
    """
    bits = line_bits(pairs)
    lines = {of_pair(*pair, bits) for pair in pairs for of_pair in (steep_line, flat_line)}
    return tuple(sorted(lines, reverse=True))


def steep_line(factor: Fraction, delta: Fraction, bits: int) -> Line:
    """Return the line of all sets: ``E x + delta``."""
    return Line(_above(factor, bits), _above(delta, bits), bits)


def flat_line(factor: Fraction, delta: Fraction, bits: int) -> Line:
    """Return the line of all complements: ``1 + (x - (1 - delta)) / E``."""
    one = 1 << bits
    slope = factor.denominator * one // factor.numerator
    return Line(slope, one - (slope * (one - _above(delta, bits)) >> bits), bits)


def _above(value: Fraction, bits: int) -> int:
    return -((-value.numerator << bits) // value.denominator)
