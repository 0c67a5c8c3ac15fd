"""Loss and bound of noise that consists of tails, under pure privacy: a few sums for each threshold.

Model
-----
    F(first - d) = t^d F(first),  1 - F(last + d) = t^d (1 - F(last)),  d >= 0,  last = first + 1

Loss. A threshold at point T has the draw ``g = T - last``: truths up to g are on one side of it, the others
on the other. With P the plain sum of ``c_f`` of the truths from after g to j, or less those from after j to
g,

    phi_j = P + (1 - F(last)) D(j, g) + F(first) D'(j', g')

D being that of `decaying_sums` with the decay t, D' that of the mirrored question, ``j' = N - 2 - j`` and
``g' = N - 2 - g`` of N truths.

Bound. With a decay ``a <= e^-epsilon`` all private mechanisms have ``a_f <= a_(f+1) / a``, and ``u_f >= a
u_(f+1)``, and ``a_(f+1) >= a a_f``, in the terms of `bound`, and mirrored. Let k be j + 1 and h any truth up
to k. For the z >= 0 with ``a_k = a^(k-h) z``

    u_f >= 1 - z a^(f-h) for h <= f < k,    u_f >= (1 - z) a^(h-f) for f < h,    a_f >= z a^(f-h) for f >= k

    phi_j >= P_h + D(j, h) - z S_h,     S_h = D(j, h) - a D'(j', h').

Mirrored, for h >= k, it is the same line, in ``1 - z >= 0`` with ``u_k = a^(h-k) (1 - z)``. The lines of g
and of g + 1 are seen from one number; the larger of both is least where they cross, if one rises and one
falls. Where that number is a_k or u_k itself it is at most 1. Heights and slopes are rounded down: as the
number is not negative, so are the lines.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import VerificationError
from optmech.proofs.chain.decaying_sums import DecayingSums, bends_of, rest_of, squared_scale
from optmech.proofs.chain.price_bound import price_bound
from optmech.proofs.chain.steps import runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.price_bound import TruthPrices
    from optmech.question.chain_question import ChainQuestion

    _Line = tuple[int, int]

# Units of some tenths of a nanosecond: a fixed limit, and more for each written number.
_WORK, _WORK_OF_A_RUN, _WORK_OF_A_BIT, _WORK_OF_A_LISTED = 2**33, 2**11, 2**8, 3 * 2**15
_PRODUCT, _SQUARE, _WORK_OF_A_TRUTH = 512, 2048, 2**12
_MOST_LISTED_BITS = 2**29
# Products of integers for each threshold, further ones for each bend of the loss (more where weights differ),
# and for each number in a list.
_PRODUCTS, _PRODUCTS_OF_A_BEND, _PRODUCTS_OF_AN_UNEVEN_BEND, _PRODUCTS_OF_A_LISTED = 40, 8, 11, 8

# The nearer epsilon is to 0, the more bits take the sums, and the more true answers look different.
_REMEDY = "Take fewer answers, or an epsilon nearer to 1."


class TailWalk:
    """The sums of one question, noise and thresholds, and their bound for a rational above e^epsilon.

    VerificationError: they would take too long, if that is limited.
    """

    def __init__(
        self,
        question: ChainQuestion,
        noise: Noise,
        thresholds: Sequence[int],
        upper: Fraction,
        *,
        extras: Sequence[int] = (),
        is_limited: bool = True,
    ) -> None:
        self._question, self._noise, self._thresholds = question, noise, thresholds
        self._never, self._always = noise.ends(question.num_truths)
        self._decay = int((1 << noise.bits) / upper)
        self._mirrored_weights = question.weights[::-1]
        self._work = 0
        self._most_work = most_work(question, noise, thresholds, extras) if is_limited else None
        self._num_bends = 0 if squared_scale(question.heights) else len(bends_of(question.heights))
        self._spend(_WORK_OF_A_TRUTH * question.num_truths)
        self._smoothing = 0
        self._need_short_lists(noise.tail)
        self._plain = None if question.is_even else DecayingSums(question, question.weights, 1, 0)

    def objective(self) -> Fraction:
        """Return an upper bound on the loss of the mechanism, equal up to rounding."""
        question, noise = self._question, self._noise
        left, right = self._both(noise.tail)
        before, after = noise.one - noise.cumulative[-1], noise.cumulative[0]
        plain = sums = 0
        last = question.num_truths - 2
        for step, point, many in self._groups(left, right, mirrors=before == after):
            draw = self._draw(point)
            plain += many * self._between(step, draw)
            if self._never < point < self._always:
                own = left.of(step, draw) + left.width
                other = right.of(last - step, last - draw) + right.width
                sums += many * (before * own + after * other)
        total = (question.const + plain << 2 * noise.bits) + sums
        return Fraction(total, question.unit << 2 * noise.bits)

    def bound(self) -> Fraction:
        """Return the proved lower bound on the loss of every private mechanism."""
        question, bits, decay = self._question, self._noise.bits, self._decay
        if not decay:
            return Fraction(question.const, question.unit)
        left, right = self._both(decay)
        # Truths before the first positive weight, and after the last, cost nothing.
        weighty = np.flatnonzero([weight > 0 for weight in question.weights])
        most = question.num_truths - 2
        first = min(int(weighty[0]), most)
        last = max(first, int(weighty[-1]) - 1)
        own_width, other_width = left.width + 1, right.width + 1
        total = 0
        for step, point, many in self._groups(left, right, mirrors=True):
            draw = min(max(self._draw(point), first), last)
            (cost,) = question.column(step, draw + 1, draw + 2)
            # D of h = g and h = g + 1, and those of the other side, each from the one before it.
            own, other_next = left.of(step, draw), right.of(most - step, most - draw - 1)
            own_next = (own * decay >> bits) + (cost << bits)
            other = (other_next * decay >> bits) - (cost << bits)
            plain = self._between(step, draw)
            height, height_next = plain << bits, plain - cost << bits
            if near := draw <= step:
                height += own
                height_next += own_next
                slope = (((other * decay >> bits) - own - own_width) << bits) // decay
                slope_next = (other_next * decay >> bits) - own_next - own_width
            else:
                height += other * decay >> bits
                height_next += other_next * decay >> bits
                slope = own + (-(other + other_width) * decay >> bits)
                slope_next = (own_next + (-(other_next + other_width) * decay >> bits) << bits) // decay
            lines = (height, slope), (height_next, slope_next)
            total += many * max(0, _least_of_larger(*lines, to_one=(draw if near else draw - 1) == step))
        return Fraction(question.const, question.unit) + Fraction(total, question.unit << bits)

    def price_bound(self, prices: TruthPrices) -> Fraction:
        """Return the bound that prices prove, with the answers to draws from the thresholds."""
        question, number = self._question, self._question.num_truths
        self._smoothing = prices.smoothing or 0
        self._spend_lists(self._decay)
        self._spend_steps(2 * number)
        draws = np.array(self._thresholds, dtype=np.int64) - self._noise.last
        answers: list[int] = draws.searchsorted(np.arange(number)).tolist()
        return price_bound(question, self._decay, self._noise.bits, answers, prices)

    def _both(self, decay: int) -> tuple[DecayingSums, DecayingSums]:
        question, bits = self._question, self._noise.bits
        self._spend_lists(decay)
        left = DecayingSums(question, question.weights, decay, bits)
        if self._mirrored_weights == question.weights:
            return left, left
        return left, DecayingSums(question, self._mirrored_weights, decay, bits)

    def _draw(self, point: int) -> int:
        """Return the last truth on one side of a threshold: none below all points, every one beyond them."""
        number = self._question.num_truths
        if point <= self._never:
            return -1
        return number - 1 if point >= self._always else point - self._noise.last

    def _between(self, step: int, draw: int) -> int:
        """Return the sum of the c of truths after a draw up to `step`, or less that of those after `step`."""
        question = self._question
        if self._plain is None:
            return question.weights[0] * (question.heights[abs(step - draw)] - question.heights[0])
        return self._plain.of(step, step) - self._plain.of(step, draw)

    def _groups(
        self, left: DecayingSums, right: DecayingSums, *, mirrors: bool
    ) -> list[tuple[int, int, int]]:
        """Return the first of equal steps in a row, its threshold, and their number.

        If thresholds and weights are symmetric, the first half represents both, provided that the requested
        quantity `mirrors` as well.
        """
        question, points, last = self._question, self._thresholds, self._question.num_truths - 2
        number = half = len(points)
        draws = np.array(points, dtype=np.int64) - self._noise.last
        if mirrors and left is right and not (draws + draws[::-1] != last).any():
            half = number - number // 2
        starts = np.arange(half)
        if question.is_even:
            settled, steps = max(left.settled, right.settled), np.arange(number)
            inner = (np.minimum(draws, steps) >= settled) & (last - np.maximum(draws, steps) >= settled)
            ahead = draws - steps
            alike = inner[1:] & inner[:-1] & (ahead[1:] == ahead[:-1])
            starts = np.flatnonzero(~np.concatenate(([False], alike[: half - 1])))
        stops = [*starts[1:].tolist(), half]
        self._spend_steps(len(starts))
        twice = number - half
        return [
            (start, points[start], stop - start + max(0, min(stop, twice) - start))
            for start, stop in zip(starts.tolist(), stops, strict=True)
        ]

    @property
    def _product(self) -> int:
        """Return the work of a product of two numbers."""
        size = self._size
        return _PRODUCT + size + size * size // _SQUARE

    @property
    def _size(self) -> int:
        """Number of bits of the numbers that are multiplied."""
        question, noise = self._question, self._noise
        reach = min(question.num_truths, noise.one // (noise.one - noise.tail) + 1)
        return noise.bits + question.largest.bit_length() + 2 * reach.bit_length() + self._smoothing

    def _need_short_lists(self, decay: int) -> int:
        """Return the length of lists of sums; refuse too long ones."""
        question = self._question
        length, size = rest_of(question, decay, self._noise.bits, self._smoothing), self._size
        if length * size > _MOST_LISTED_BITS:
            message = (
                "sums over the true answers must fit into the memory of a reader, in at most "
                f"{_MOST_LISTED_BITS // length:,} bits for {question.num_truths:,} of them; got {size:,}. "
                f"{_REMEDY}"
            )
            raise VerificationError(message)
        return length

    def _spend_lists(self, decay: int) -> None:
        """Refuse lists of sums that are too long, or take too much work."""
        length, question = self._need_short_lists(decay), self._question
        sides = 1 if self._mirrored_weights == question.weights else 2
        self._spend(sides * length * _PRODUCTS_OF_A_LISTED * self._product)

    def _spend_steps(self, steps: int) -> None:
        """Refuse sums at too many thresholds."""
        each = _PRODUCTS_OF_A_BEND if self._question.is_even else _PRODUCTS_OF_AN_UNEVEN_BEND
        self._spend(steps * (_PRODUCTS + each * self._num_bends) * self._product)

    def _spend(self, work: int) -> None:
        """Refuse more work than is allowed."""
        self._work += work
        if self._most_work is not None and self._work > self._most_work:
            message = (
                "sums over the true answers must take a reader no more work than "
                f"{self._most_work:,}; they take {self._work:,}, as thresholds look too little alike, or "
                f"numbers are too long. {_REMEDY}"
            )
            raise VerificationError(message)


def most_work(
    question: ChainQuestion, noise: Noise, thresholds: Sequence[int], extras: Sequence[int] = ()
) -> int:
    """Return the limit on the work of sums, which grows with the written numbers."""
    runs = [*runs_of(noise.cumulative), *runs_of(thresholds), *(extra for extra, _ in groupby(extras))]
    bits = sum(map(int.bit_length, runs))
    written = _WORK_OF_A_RUN * len(runs) + _WORK_OF_A_BIT * bits
    return _WORK + written + _WORK_OF_A_LISTED * sum(map(bool, question.weights[: question.num_listed]))


def _least_of_larger(line: _Line, other: _Line, *, to_one: bool) -> int:
    """Return the least of the larger of two lines, given heights at 0 and slopes, over numbers from 0 on.

    The range may end at 1. If both lines fall without end there is no bound.
    """
    (low, falling), (high, rising) = sorted((line, other), key=lambda each: each[1])
    if rising >= 0 and (falling >= 0 or low <= high):
        return max(low, high)
    if to_one and low + falling >= high + rising:
        return low + falling
    if rising < 0:
        return high + rising if to_one else 0
    return (low * rising - high * falling) // (rising - falling)
