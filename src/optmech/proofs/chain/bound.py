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

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.chain.curve import LINE_BITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.chain.curve import Line
    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion

    Lines = tuple[Line | None, ...]

__all__ = ["Segments", "listed_truths", "lower_bound", "segments_of"]

_ONE = 1 << LINE_BITS
# Of so few lines each is looked at.
_FEW = 64
_LARGEST_EXTRA = 1 << 4096


@dataclass(frozen=True, slots=True)
class Segments:
    """Which line of the curve lies between two neighbouring places of the noise.

    Attributes
    ----------
    first : int
        The place before which `up` and `across` begin.
    up : tuple of Line or None
        For weights that move to higher truths, by place: between it and the place before it; ``None`` drops
        them, where K is 1.
    across : tuple of Line or None
        For weights that move to lower truths; ``None`` where a is 0.
    """

    first: int
    up: Lines
    across: Lines

    def along(self, lines: Lines, place: int, period: int, number: int) -> Lines:
        """Return the line before a place, and those of further truths; beyond both ends the last one."""
        at, last = place - self.first, len(lines) - 1
        above = min(max(-((last - at) // period), 0), number)
        inside = lines[at - period * above :: -period][: number - above] if at >= period * above else ()
        return (*[lines[-1]] * above, *inside, *[lines[0]] * (number - above - len(inside)))


def segments_of(noise: Noise, lines: Sequence[Line]) -> Segments:
    """Return the lowest line in the middle between neighbouring places: of any other less might follow."""
    up: list[Line | None] = []
    across: list[Line | None] = []
    listed, period = noise.cumulative, noise.period
    before = [noise.below(place)[0] for place in range(noise.first - period, noise.first)]
    earlier = [*before, *listed]
    shift = noise.bits + 1
    kept, at = list(lines) if len(lines) <= _FEW else _envelope(lines), 0
    for place in range(noise.first + 1, noise.last + period + 1):
        x = earlier[place - noise.first - 1] + earlier[place - noise.first]
        if len(kept) <= _FEW:
            heights = [_height(line, x, shift) for line in kept]
            at = heights.index(min(heights))
        # Places rise with x, so that the lowest line never gets steeper.
        while at + 1 < len(kept) and _height(kept[at + 1], x, shift) < _height(kept[at], x, shift):
            at += 1
        lowest, height = kept[at], _height(kept[at], x, shift)
        up.append(None if height >= _ONE else lowest)
        across.append(None if x == 0 else lowest)
    return Segments(noise.first + 1, tuple(up), tuple(across))


def _height(line: Line, x: int, shift: int) -> int:
    return (line.slope * x >> shift) + line.offset


def _envelope(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, the steepest first, that are the lowest somewhere."""
    kept: list[Line] = []
    for line in lines:
        while kept and kept[-1].slope == line.slope:
            kept.pop()  # of one slope the lowest comes last
        while len(kept) > 1 and _is_above(kept[-2], kept[-1], line):
            kept.pop()
        kept.append(line)
    return kept


def _is_above(steep: Line, middle: Line, flat: Line) -> bool:
    """Whether the middle line is nowhere below both others."""
    up, over = middle.offset - steep.offset, flat.offset - steep.offset
    return up * (steep.slope - flat.slope) >= over * (steep.slope - middle.slope)


def lower_bound(
    question: ChainQuestion, noise: Noise, lines: Sequence[Line], thresholds: Sequence[int]
) -> Fraction:
    """Return what is proved: no private mechanism of the question loses less.

    Parameters
    ----------
    question : ChainQuestion
        The question.
    noise : Noise
        Says with `thresholds` which lines to take; poor ones prove little.
    lines : sequence of Line
        Each on or above the curve, the steepest first, which the caller sees to.
    thresholds : sequence of int, length num_steps
    """
    segments = segments_of(noise, lines)
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    total = 0
    for step, place in enumerate(thresholds):
        turn = question.signs[step]
        if turn == question.num_truths or (turn == 0 and not question.keeps_zero):
            continue  # phi is 0 at least, and 0 where all are 0, or 1
        start, stop = _window(noise, place, turn, question.num_truths)
        column = tuple(question.column(step, start, stop))
        key = place - noise.period * start, (turn - start, *column)
        certain = question.keeps_zero and start == 0 and place <= noise.last
        if certain:
            total += _least_from_one(segments, noise.period, place, column, turn)
            continue
        if key not in known:
            known[key] = _least(segments, noise.period, key[0], column, turn - start)
        total += known[key]
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << 2 * LINE_BITS)


def listed_truths(noise: Noise, place: int, number: int) -> tuple[int, int]:
    """Return the first truth, and the one after the last, at which F(place - period f) is listed."""
    start = min(max(-(-(place - noise.last) // noise.period), 0), number)
    return start, min(max((place - noise.first) // noise.period + 1, start), number)


def _window(noise: Noise, place: int, turn: int, number: int) -> tuple[int, int]:
    """Return the truths that count, turn and the one before among them.

    Where the threshold is beyond all places, as many on both sides as places are listed for.
    """
    start, stop = listed_truths(noise, place, number)
    never, always = noise.ends(number)
    if not never < place < always:
        listed = len(noise.cumulative) // noise.period + 1
        start, stop = turn - listed, turn + listed
    return max(min(start, turn - 1), 0), min(max(stop, turn + 1), number)


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
    extra = 1
    while extra < _LARGEST_EXTRA:
        heavier = [column[0] + extra, *column[1:]]
        left = _minorant(segments, period, place, heavier, turn)
        if left[1] < 0:
            return _crossing(left, right)
        extra <<= 8
    return _crossing(right, right)


def _minorant(
    segments: Segments, period: int, place: int, column: Sequence[int], turn: int
) -> tuple[int, int]:
    """Return A and Z - Y of an affine minorant, in units of ``2**(-2 LINE_BITS)`` and ``2**-LINE_BITS``."""
    constant, left = 0, 0
    for cost, line in zip(column[:turn], segments.along(segments.up, place, period, turn), strict=True):
        left += cost << LINE_BITS
        if line is None:
            left = 0
        else:
            slope, offset = line
            constant += left * (_ONE - offset - slope)
            left = left * slope >> LINE_BITS
    right, others = 0, column[:turn:-1]
    lines = segments.along(segments.across, place - period * turn, period, len(others))
    for cost, line in zip(others, reversed(lines), strict=True):
        right -= cost << LINE_BITS
        if line is None:
            right = 0
        else:
            slope, offset = line
            right = (right << LINE_BITS) // slope
            constant -= right * offset
    right -= column[turn] << LINE_BITS
    return constant + (left << LINE_BITS), right - left
