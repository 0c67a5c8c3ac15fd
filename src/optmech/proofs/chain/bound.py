"""A lower bound on every private mechanism on a chain of truths, for each threshold.

Law. Write a_f = P_f(response <= r_j) and u_f = 1 - a_f. The loss is const plus, for each step j of the
responses,

    phi_j = sum_(f < k) c_f u_f + sum_(f >= k) d_f a_f,     c_f = c_f(j) >= 0, d_f = -c_f(j) >= 0, k = k_j,

where ``a_f <= K(a_(f+1))`` for all private mechanisms. With any line ``K(x) <= S x + B`` of the curve

    u_f >= (1 - B - S) + S u_(f+1),          a_(f+1) >= (a_f - B) / S,

so that, by induction, u before truth k is at least A + Y u_k, and a behind it at least B + Z a_k. Both are
also at least 0, which is taken where A or B falls below the resolution of the noise. Weighted by c and d
these give an affine minorant of phi_j, a function of x = a_k. Two minorants, with the lines to the left and
to the right of a threshold, have the slopes of phi_j on both sides. Their maximum is least where they cross,
and there it equals phi_j if the threshold is a minimiser. All is rounded down.

Where 0 stays 0, u of the first truth is 0 and its a is 1, which gives a lower bound on x.

Source: the proof of the theorem of chains, `docs/theory/chain.md`; no threshold and no noise need be trusted.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice, pairwise
from operator import mul
from typing import TYPE_CHECKING

from optmech.base.time_left import need_time
from optmech.proofs.chain.steps import most_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from optmech.proofs.chain.curve import Line
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.steps import Step
    from optmech.question.chain_question import ChainQuestion


class Segments(dict[int, tuple["Line | None", "Line | None"]]):
    """Line of the curve between each index and the one before it: the lowest in the middle.

    Any other line might prove less. The first line is for weights that move to higher truths, ``None`` where
    K is 1 and the weights are dropped. The second is for weights that move to lower truths, ``None`` where a
    is 0. Beyond the points of the noise the first and the last line continue.
    """

    def __init__(self, noise: Noise, lines: Sequence[Line]) -> None:
        super().__init__()
        self.bits = lines[0].bits
        self.least = -1 << self.bits + noise.bits  # such a low constant proves nothing
        self._noise, self._envelope = noise, Envelope(lines, noise.bits + 1)
        self._first, self._last = noise.first + 1, noise.last + noise.period

    def __missing__(self, point: int) -> tuple[Line | None, Line | None]:
        """Find a line when it is first read: many never are."""
        noise, listed = self._noise, min(max(point, self._first), self._last)
        (x, _), (beside, _) = noise.below(listed - noise.period), noise.below(listed - noise.period - 1)
        self[point] = self._envelope.at(x + beside)
        return self[point]


class Envelope:
    """The lines of the lower envelope, the steepest first, by multiples of ``2**-bits``.

    A value at most `nothing` of them from 0 or 1 counts as 0 or 1.
    """

    def __init__(self, lines: Sequence[Line], bits: int, *, nothing: int = 0) -> None:
        hull: list[Line] = []
        for line in lines:
            while hull and hull[-1].slope == line.slope:
                hull.pop()  # of one slope the lowest comes last
            while len(hull) > 1 and _is_above(hull[-2], hull[-1], line):
                hull.pop()
            hull.append(line)
        self._lines, self._bits, self._nothing = hull, bits, nothing
        self._one = ((1 << bits) - nothing) << (lines[0].bits if lines else 0)
        # The last multiple at which a line is not above the next.
        self._corners = [
            ((flat.offset - steep.offset) << bits) // (steep.slope - flat.slope)
            for steep, flat in pairwise(hull)
        ]

    def at(self, x: int) -> tuple[Line | None, Line | None]:
        """Return the lowest line twice, as in `Segments`."""
        if not self._lines:
            return None, None
        line = self._lines[bisect_left(self._corners, x)]
        is_one = line.slope * x + (line.offset << self._bits) >= self._one
        return None if is_one else line, line if x > self._nothing else None


def _is_above(steep: Line, middle: Line, flat: Line) -> bool:
    """Whether the middle line is never below both others."""
    up, over = middle.offset - steep.offset, flat.offset - steep.offset
    return up * (steep.slope - flat.slope) >= over * (steep.slope - middle.slope)


def lower_bound(
    question: ChainQuestion, noise: Noise, lines: Sequence[Line], steps: Iterable[Step]
) -> Fraction:
    """Return the proved lower bound on the loss of every private mechanism of the question.

    The noise and the steps select the lines; a poor selection proves little. The caller ensures that each
    line is on or above the curve, the steepest first.
    """
    segments, period = Segments(noise, lines), noise.period
    bits, spare = segments.bits, question.largest.bit_length() + 22
    sums = _RunningSums if question.is_even and not question.keeps_zero else _Sums

    # Most steps have one of few offsets from their turns. In even questions the columns depend on the offset
    # alone.
    @lru_cache(maxsize=2 if sums is _RunningSums else most_held(noise))
    def beside(point: int, _ahead: int) -> _Beside:
        return _Beside(partial(sums, bits=bits, spare=spare), segments, period, point)

    total = 0
    for step in steps:
        need_time("the proof of each threshold")
        turn, (start, stop) = step.turn, step.window
        if turn == question.num_truths or (turn == 0 and not question.keeps_zero):
            continue  # phi is at least 0, and 0 where all are 0, or 1
        column, least = question.column(step.first, start, stop), 0
        if question.keeps_zero and start == 0 and step.threshold <= noise.last:
            least = _least_after_one(segments, period, step.threshold, turn)
            column = [0, *column[1:]] if turn else column  # u of the first truth is 0
        point = step.threshold - period * turn
        ahead = step.first - turn if sums is _RunningSums else 0
        left, right = (beside(point + side, ahead).minorant(column, turn - start) for side in (0, 1))
        total += step.number * max(0, _least_of_larger(left, right, least, bits))
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << bits)


class _Sums:
    """Sums of pairs of constant and share, each pair of a truth further from one, weighed by a column.

    A pair is stored as one number, ``constant + 2**bits share``, so that a weight is multiplied once with
    both. The `spare` bits hold weighted signed sums of 2^20 constants.
    """

    def __init__(self, pairs: Iterator[tuple[int, int]], bits: int, spare: int) -> None:
        self._pairs, self._spare, self._bits = pairs, spare, 2 * bits + spare
        self._both = list[int]()

    def weighed(self, column: Sequence[int]) -> tuple[int, int]:
        """Return both sums; the column begins beside the truth."""
        lacking = len(column) - len(self._both)
        for constant, share in islice(self._pairs, lacking) if lacking > 0 else ():
            needed = constant.bit_length() + self._spare
            if needed > self._bits:
                pairs = [*map(self._apart, self._both)]
                self._bits = 2 * needed
                self._both = [one + (other << self._bits) for one, other in pairs]
            self._both.append(constant + (share << self._bits))
        return self._apart(sum(map(mul, column, self._both)))

    def _apart(self, both: int) -> tuple[int, int]:
        half = 1 << (self._bits - 1)
        one = ((both + half) & (2 * half - 1)) - half
        return one, (both - one) >> self._bits


class _RunningSums:
    """The same where any column begins with each shorter one: sums continue from there."""

    def __init__(self, pairs: Iterator[tuple[int, int]], bits: int, spare: int) -> None:  # noqa: ARG002 - as for `_Sums`
        self._pairs, self._sums = pairs, [(0, 0)]

    def weighed(self, column: Sequence[int]) -> tuple[int, int]:
        """Return both sums."""
        sums, done = self._sums, len(self._sums) - 1
        if done < len(column):
            total, shares = sums[-1]
            for weight, (constant, share) in zip(column[done:], self._pairs, strict=False):
                total += weight * constant
                shares += weight * share
                sums.append((total, shares))
        return sums[len(column)]


class _Beside:
    """Lower bounds of u before a truth, and of a behind it, in terms of both at that truth.

    ``u_(k - d) >= A_d + Y_d u_k`` and ``a_(k + d) >= B_d + Z_d a_k``, in units of those of the lines;
    truth k is at `point`.
    """

    def __init__(
        self,
        sums: Callable[[Iterator[tuple[int, int]]], _Sums | _RunningSums],
        segments: Segments,
        period: int,
        point: int,
    ) -> None:
        self._bits = segments.bits
        self._before = sums(_before(segments, period, point))
        self._behind = sums(_behind(segments, period, point))

    def minorant(self, column: Sequence[int], turn: int) -> tuple[int, int]:
        """Return the height at 0 and the slope of an affine minorant of phi, a function of a_k."""
        constant, left = self._before.weighed(column[:turn][::-1])
        taken, right = self._behind.weighed(column[turn + 1 :])
        right += column[turn] << self._bits
        return constant - taken + left, -left - right


def _before(segments: Segments, period: int, point: int) -> Iterator[tuple[int, int]]:
    """Yield the lower bound of u for each truth before k, at a point: a constant, and a share of u_k."""
    one = 1 << segments.bits
    constant, share = 0, one
    while True:
        point += period
        line, _ = segments[point]
        if line is not None:
            slope, offset, bits = line
            constant = one - offset - slope + (slope * constant >> bits)
            share = slope * share >> bits
        if line is None or constant <= segments.least:
            constant = share = 0
        yield constant, share


def _behind(segments: Segments, period: int, point: int) -> Iterator[tuple[int, int]]:
    """Yield the lower bound of a for each truth behind k, at a point: a constant, and a share of a_k."""
    constant, share = 0, 1 << segments.bits
    while True:
        _, line = segments[point]
        if line is not None:
            constant, share = _further(line, constant, share)
        if line is None or constant <= segments.least:
            constant = share = 0
        yield constant, share
        point -= period


def _further(line: Line, constant: int, share: int) -> tuple[int, int]:
    """Return the lower bound of a where the a before it is at least ``constant + share a_k``."""
    slope, offset, bits = line
    return ((constant - offset) << bits) // slope, (share << bits) // slope


def _least_after_one(segments: Segments, period: int, point: int, turn: int) -> int:
    """Return the lower bound of a at a truth where a of the first truth, at a point, is 1."""
    least = 1 << segments.bits
    for truth in range(turn):
        _, line = segments[point - period * truth]
        if line is None:
            return 0
        least = max(_further(line, least, 0)[0], 0)
    return least


def _least_of_larger(left: tuple[int, int], right: tuple[int, int], least: int, bits: int) -> int:
    """Return the least over x from `least` to 1 of the larger of two affine functions, rounded down.

    All are in units of ``2**-bits``.
    """
    (height, slope), (other, other_slope) = left, right
    if slope * other_slope < 0:
        # Where they cross: height + slope x = other + other_slope x.
        sign = 1 if other_slope > slope else -1
        numerator, denominator = (height - other) * sign, (other_slope - slope) * sign
        if least * denominator <= numerator << bits <= denominator << bits:
            return (height * other_slope - other * slope) // (other_slope - slope)
    return min(
        max(height + (slope * x >> bits), other + (other_slope * x >> bits)) for x in (least, 1 << bits)
    )
