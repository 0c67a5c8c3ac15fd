"""A lower bound on every private mechanism on a chain of truths, threshold by threshold.

Law. Write a_f = P_f(response <= r_j) and u_f = 1 - a_f. The loss is const plus, for each step j of the
responses,

    phi_j = sum_(f < k) c_f u_f + sum_(f >= k) d_f a_f,     c_f = c_f(j) >= 0, d_f = -c_f(j) >= 0, k = k_j,

where ``a_f <= K(a_(f+1))`` for all private mechanisms. With any line ``K(x) <= S x + B`` of the curve

    u_f >= (1 - B - S) + S u_(f+1),          a_(f+1) >= (a_f - B) / S,

so that weight Y on u_f may move to u_(f+1) as Y S, and Z on a_(f+1) to a_f as Z / S, for what is left over.
Weights move to truth k from both sides, each over lines of its choice, or are dropped, for u and a are not
negative; what is there is an affine minorant ``A + (Z - Y) x`` of phi_j at x = a_k. Two of them, with the
lines to the left and to the right of a threshold, have the slopes of phi_j to its left and right: the larger
of both is least where they cross, and there it is phi_j itself if the threshold is a minimiser. All is
rounded down.

Source: the proof of the theorem of chains, `docs/theory/chain.md`; no threshold and no noise need be trusted.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.chain.curve import LINE_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.proofs.chain.curve import Line
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.steps import Step
    from optmech.question.chain_question import ChainQuestion

__all__ = ["Segments", "envelope", "lines_at", "lower_bound"]

_ONE = 1 << LINE_BITS
_MOST_EXTRA_BITS = 4096


class Segments(dict[int, tuple["Line | None", "Line | None"]]):
    """Which line of the curve lies between a place and the one before it, by place: the lowest in the middle.

    Of any other less might follow. The first is for weights that move to higher truths, and ``None`` drops
    them, where K is 1; the second for those that move to lower ones, ``None`` where a is 0.

    Attributes
    ----------
    first, last : int
        The places that have a line; beyond them the line there goes on.
    """

    def __init__(self, noise: Noise, lines: Sequence[Line]) -> None:
        super().__init__()
        self._noise, self._lines = noise, envelope(lines)
        self.first, self.last = noise.first + 1, noise.last + noise.period

    def __missing__(self, place: int) -> tuple[Line | None, Line | None]:
        """Look for a line when it is first asked for: many places are never."""
        noise = self._noise
        x = sum(noise.below(place - noise.period - back)[0] for back in (1, 0))
        self[place] = lines_at(self._lines, x, noise.bits + 1)
        return self[place]

    def at(self, place: int) -> tuple[Line | None, Line | None]:
        """Return both lines between a place and the one before it."""
        return self[min(max(place, self.first), self.last)]


def lines_at(
    lines: Sequence[Line], x: int, bits: int, *, nothing: int = 0
) -> tuple[Line | None, Line | None]:
    """Return the lowest of lines at ``x / 2**bits`` twice, as in `Segments`.

    `lines` are an `envelope`; what is up to `nothing` from 0 or 1 counts as that.
    """
    if not lines:
        return None, None

    def rises(at: int) -> bool:
        line, following = lines[at], lines[at + 1]
        return (following.offset - line.offset) << bits >= (line.slope - following.slope) * x

    line = lines[bisect_left(range(len(lines) - 1), 1, key=rises)]
    is_one = line.slope * x + (line.offset << bits) >= ((1 << bits) - nothing) << LINE_BITS
    # A slope of nothing, where E is beyond all digits, takes no weight to lower truths.
    return None if is_one else line, line if x > nothing and line.slope else None


def envelope(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, the steepest first, that are the lowest somewhere."""
    hull: list[Line] = []
    for line in lines:
        while hull and hull[-1].slope == line.slope:
            hull.pop()  # of one slope the lowest comes last
        while len(hull) > 1 and _is_above(hull[-2], hull[-1], line):
            hull.pop()
        hull.append(line)
    return hull


def _is_above(steep: Line, middle: Line, flat: Line) -> bool:
    """Whether the middle line is nowhere below both others."""
    up, over = middle.offset - steep.offset, flat.offset - steep.offset
    return up * (steep.slope - flat.slope) >= over * (steep.slope - middle.slope)


def lower_bound(
    question: ChainQuestion, noise: Noise, lines: Sequence[Line], steps: Iterable[Step]
) -> Fraction:
    """Return what is proved: no private mechanism of the question loses less.

    Parameters
    ----------
    question : ChainQuestion
        The question.
    noise : Noise
        Says with thresholds which lines to take; poor ones prove little.
    lines : sequence of Line
        Each on or above the curve, the steepest first, which the caller sees to.
    steps : iterable of Step
    """
    segments, period = Segments(noise, lines), noise.period
    minima: dict[tuple[int, tuple[int, ...]], int] = {}
    total = 0
    for step in steps:
        turn, (start, stop) = step.turn, step.window
        if turn == question.num_truths or (turn == 0 and not question.keeps_zero):
            continue  # phi is 0 at least, and 0 where all are 0, or 1
        column = tuple(question.column(step.first, start, stop))
        if question.keeps_zero and start == 0 and step.place <= noise.last:
            total += _least_from_one(segments, period, step.place, column, turn)
            continue
        key = step.place - period * start, (turn - start, *column)
        if key not in minima:
            minima[key] = _least(segments, period, key[0], column, turn - start)
        total += step.number * minima[key]
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << 2 * LINE_BITS)


def _least(segments: Segments, period: int, place: int, column: Sequence[int], turn: int) -> int:
    """Return the least that the larger of the two minorants can be, in units of ``2**(-2 LINE_BITS)``."""
    left, right = (_minorant(segments, period, place + side, column, turn) for side in (0, 1))
    return _crossing(left, right)


def _crossing(left: tuple[int, int], right: tuple[int, int]) -> int:
    """Return the least over x from 0 to 1 of the larger of two affine functions, rounded down."""
    (height, slope), (other, other_slope) = left, right
    ends = [max(height, other), max(height + (slope << LINE_BITS), other + (other_slope << LINE_BITS))]
    if slope * other_slope < 0:
        # Where they cross: height + slope x = other + other_slope x.
        ends.append((height * other_slope - other * slope) // (other_slope - slope))
        inside = (
            0
            <= (height - other) * (1 if other_slope > slope else -1)
            <= abs(other_slope - slope) << LINE_BITS
        )
        return ends[2] if inside else min(ends[:2])
    return min(ends)


def _least_from_one(segments: Segments, period: int, place: int, column: Sequence[int], turn: int) -> int:
    """Return the same where a of the first truth is 1: its weight is of no account, and may be any.

    To the left of the threshold it is taken so large that the minorant falls; the truth that all weights move
    to is the first one itself where no other comes before it.
    """
    if turn == 0:
        height, slope = _minorant(segments, period, place + 1, column, 0)
        return height + (slope << LINE_BITS)
    right = _minorant(segments, period, place + 1, column, turn)

    def left(power: int) -> tuple[int, int]:
        return _minorant(segments, period, place, [column[0] + (1 << power), *column[1:]], turn)

    # The more it weighs, the more the minorant falls.
    powers = range(0, _MOST_EXTRA_BITS, 8)
    at = bisect_left(powers, 1, key=lambda power: left(power)[1] < 0)
    return _crossing(left(powers[at]) if at < len(powers) else right, right)


def _minorant(
    segments: Segments, period: int, place: int, column: Sequence[int], turn: int
) -> tuple[int, int]:
    """Return A and Z - Y of an affine minorant, in units of ``2**(-2 LINE_BITS)`` and ``2**-LINE_BITS``."""
    first, last = segments.first, segments.last
    constant = left = right = 0
    at = place
    for cost in column[:turn]:
        left += cost << LINE_BITS
        line, _ = segments[at if first <= at <= last else first if at < first else last]
        at -= period
        if line is None:
            left = 0
        else:
            constant += left * (_ONE - line.offset - line.slope)
            left = left * line.slope >> LINE_BITS
    at = place - period * (len(column) - 2)
    for cost in column[:turn:-1]:
        right -= cost << LINE_BITS
        _, line = segments[at if first <= at <= last else first if at < first else last]
        at += period
        if line is None:
            right = 0
        else:
            slope, offset = line
            right = (right << LINE_BITS) // slope
            constant -= right * offset
    right -= column[turn] << LINE_BITS
    return constant + (left << LINE_BITS), right - left
