"""A lower bound on every private mechanism on a chain of truths, threshold by threshold.

Law. Write a_f = P_f(response <= r_j) and u_f = 1 - a_f. The loss is const plus, for each step j of the
responses,

    phi_j = sum_(f < k) c_f u_f + sum_(f >= k) d_f a_f,     c_f = c_f(j) >= 0, d_f = -c_f(j) >= 0, k = k_j,

where ``a_f <= K(a_(f+1))`` for all private mechanisms. With any line ``K(x) <= S x + B`` of the curve

    u_f >= (1 - B - S) + S u_(f+1),          a_(f+1) >= (a_f - B) / S,

so that, line after line, u before truth k is at least A + Y u_k, and a behind it at least B + Z a_k; or 0,
for u and a are not negative. Weighed by c and d these are an affine minorant of phi_j, a function of
x = a_k. Two of them, with the lines to the left and to the right of a threshold, have the slopes of phi_j to
its left and right: the larger of both is least where they cross, and there it is phi_j itself if the
threshold is a minimiser. All is rounded down.

Where 0 stays 0, u of the first truth is 0 and its a is 1, so that x is at least what follows from that.

Source: the proof of the theorem of chains, `docs/theory/chain.md`; no threshold and no noise need be trusted.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache, partial
from operator import mul
from typing import TYPE_CHECKING

from optmech.proofs.chain.curve import LINE_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.proofs.chain.curve import Line
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.steps import Step
    from optmech.question.chain_question import ChainQuestion

_ONE = 1 << LINE_BITS


class Segments(dict[int, tuple["Line | None", "Line | None"]]):
    """Which line of the curve lies between a place and the one before it, by place: the lowest in the middle.

    Of any other less might follow. The first is for weights that move to higher truths, and ``None`` drops
    them, where K is 1; the second for those that move to lower ones, ``None`` where a is 0. Beyond the places
    of the noise the first line and the last go on.
    """

    def __init__(self, noise: Noise, lines: Sequence[Line]) -> None:
        super().__init__()
        self._noise, self._lines = noise, envelope(lines)
        self._first, self._last = noise.first + 1, noise.last + noise.period

    def __missing__(self, place: int) -> tuple[Line | None, Line | None]:
        """Look for a line when it is first asked for: many places are never."""
        noise, listed = self._noise, min(max(place, self._first), self._last)
        (x, _), (beside, _) = noise.below(listed - noise.period), noise.below(listed - noise.period - 1)
        self[place] = lines_at(self._lines, x + beside, noise.bits + 1)
        return self[place]


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
    # Steps in a row mostly stand at one place, seen from their turns.
    beside = lru_cache(maxsize=2)(partial(_Beside, segments, period))
    total = 0
    for step in steps:
        turn, (start, stop) = step.turn, step.window
        if turn == question.num_truths or (turn == 0 and not question.keeps_zero):
            continue  # phi is 0 at least, and 0 where all are 0, or 1
        column, least = question.column(step.first, start, stop), 0
        if question.keeps_zero and start == 0 and step.place <= noise.last:
            least = _least_after_one(segments, period, step.place, turn)
            column = [0, *column[1:]] if turn else column  # u of the first truth is 0
        place = step.place - period * turn
        left, right = (beside(place + side).minorant(column, turn - start) for side in (0, 1))
        total += step.number * max(0, _least_of_larger(left, right, least))
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << LINE_BITS)


class _Beside:
    """What u before a truth, and a behind it, are at least, in terms of both at that truth.

    ``u_(k - d) >= A_d + Y_d u_k`` and ``a_(k + d) >= B_d + Z_d a_k``, in units of ``2**-LINE_BITS``.

    Parameters
    ----------
    segments : Segments
    period : int
    place : int
        That of truth k.
    """

    def __init__(self, segments: Segments, period: int, place: int) -> None:
        self._segments, self._period, self._place = segments, period, place
        self._before: tuple[list[int], list[int]] = [], []
        self._behind: tuple[list[int], list[int]] = [], []

    def minorant(self, column: Sequence[int], turn: int) -> tuple[int, int]:
        """Return the height at 0 and the slope of an affine minorant of phi, a function of a_k."""
        before, behind = column[:turn], column[turn + 1 :]
        self._extend(len(before), len(behind))
        constants, shares = self._before
        constant = sum(map(mul, reversed(before), constants))
        left = sum(map(mul, reversed(before), shares))
        constants, shares = self._behind
        constant -= sum(map(mul, behind, constants))
        right = sum(map(mul, behind, shares)) + (column[turn] << LINE_BITS)
        return constant + left, -left - right

    def _extend(self, before: int, behind: int) -> None:
        constants, shares = self._before
        constant, share = (constants[-1], shares[-1]) if shares else (0, _ONE)
        for distance in range(len(shares) + 1, before + 1):
            line, _ = self._segments[self._place + self._period * distance]
            constant, share = (0, 0) if line is None else _before(line, constant, share)
            constants.append(constant)
            shares.append(share)
        constants, shares = self._behind
        constant, share = (constants[-1], shares[-1]) if shares else (0, _ONE)
        for distance in range(len(shares), behind):
            _, line = self._segments[self._place - self._period * distance]
            constant, share = (0, 0) if line is None else _behind(line, constant, share)
            constants.append(constant)
            shares.append(share)


def _before(line: Line, constant: int, share: int) -> tuple[int, int]:
    """Return what u is at least where the next u is at least ``constant + share u_k``."""
    slope, offset = line
    return _ONE - offset - slope + (slope * constant >> LINE_BITS), slope * share >> LINE_BITS


def _behind(line: Line, constant: int, share: int) -> tuple[int, int]:
    """Return what a is at least where the a before it is at least ``constant + share a_k``."""
    slope, offset = line
    return ((constant - offset) << LINE_BITS) // slope, (share << LINE_BITS) // slope


def _least_after_one(segments: Segments, period: int, place: int, turn: int) -> int:
    """Return what a is at least at a truth where a of the first truth, that of a place, is 1."""
    least = _ONE
    for truth in range(turn):
        _, line = segments[place - period * truth]
        if line is None:
            return 0
        least, _ = _behind(line, least, 0)
    return max(least, 0)


def _least_of_larger(left: tuple[int, int], right: tuple[int, int], least: int) -> int:
    """Return the least over x from `least` to 1 of the larger of two affine functions, rounded down."""
    (height, slope), (other, other_slope) = left, right
    if slope * other_slope < 0:
        # Where they cross: height + slope x = other + other_slope x.
        sign = 1 if other_slope > slope else -1
        numerator, denominator = (height - other) * sign, (other_slope - slope) * sign
        if least * denominator <= numerator << LINE_BITS <= denominator << LINE_BITS:
            return (height * other_slope - other * slope) // (other_slope - slope)
    return min(
        max(height + (slope * x >> LINE_BITS), other + (other_slope * x >> LINE_BITS)) for x in (least, _ONE)
    )
