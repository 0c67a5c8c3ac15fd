"""Decaying sums of weighted loss differences over truths, in constant time each.

Model
-----
    D(j, h) = sum_(f <= h) a^(h-f) c_f(j),     c_f(j) = w_f (l(|j+1-f|) - l(|j-f|))

    m(h) = sum_(f <= h) a^(h-f) w_f,     M(x) = a^(h-x) m(x) for 0 <= x <= h, and 0 for x < 0
    D(j, h) = sum_t b_t M(min(j-t, h)) - sum_(t < h-j) b_t (m(h) - M(j+t))
    D(j, h) = (2 (j-h) + 1) m(h) + 2 sum_(f <= h) a^(h-f) w_f (h-f)          where l is the squared distance

The second difference of the loss at distance t is b_t: ``l(t+1) - l(t) = b_0 + ... + b_t``. Sums and powers
are recursive, and are multiples of ``2**-bits``, rounded down: sums by less than r, a whole number of at
least ``1 + a + a^2 + ...``, powers too, and so their products M by less than ``w r^2 + r + 2``, w the largest
weight.
"""

from __future__ import annotations

from itertools import pairwise
from operator import sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.question.chain_question import ChainQuestion


# `check_noise.py` computes with this many more bits, and must group the same steps.
_SPARE_BITS = 24


class DecayingSums:
    """The sums D of a question with losses by distance, for one decay ``numerator / 2**bits``, at most 1.

    A true value exceeds that of `of` by at most `width`; with a decay of 1 it is exact. With equal weights, D
    depends on the distance of j and h alone from `settled` on.
    """

    def __init__(self, question: ChainQuestion, weights: Sequence[int], numerator: int, bits: int) -> None:
        heights, number = question.heights, question.num_truths
        self._heights, self._bits, one = heights, bits, 1 << bits
        alike = question.is_even
        reach = number if numerator == one else min(number, one // (one - numerator) + 1)
        self._scale = squared_scale(heights)
        self._bends = [] if self._scale else bends_of(heights)
        self._moments, self._arms = _moments(weights, numerator, bits, alike=alike, arms=bool(self._scale))
        error = 0 if numerator == one else max(weights) * reach * reach + reach + 2
        if self._scale:
            self.of = self._squared
            error *= 4 * self._scale * (2 * number + 3)
        else:
            self.of = self._bent
            error *= 3 * sum(abs(bend) for _, bend in self._bends)
        self._powers = [] if self._scale else list(_powers(numerator, bits, number))
        self._error, self.width = error, 2 * error
        self.settled = max(len(self._moments), rest_of(question, numerator, bits))
        self.settled += self._bends[-1][0] if self._bends else 0

    def _squared(self, step: int, truth: int) -> int:
        if truth < 0:
            return -self._error
        moment, arm = _at(self._moments, truth), _at(self._arms, truth)
        return self._scale * ((2 * (step - truth) + 1) * moment + 2 * arm) - self._error

    def _bent(self, step: int, truth: int) -> int:
        total = -self._error
        if truth < 0:
            return total
        ahead, heights, decayed = step - truth, self._heights, self._decayed
        own = _at(self._moments, truth)
        if ahead >= 0:
            total += (heights[ahead + 1] - heights[ahead]) * own
            for distance, bend in self._bends:
                if distance > step:
                    break
                if distance > ahead:
                    total += bend * decayed(step - distance, truth)
            return total
        total -= (heights[-ahead] - heights[-ahead - 1]) * own
        for distance, bend in self._bends:
            near = distance <= step
            if not near and distance >= -ahead:
                break
            if near:
                total += bend * decayed(step - distance, truth)
            if distance < -ahead:
                total += bend * decayed(step + distance, truth)
        return total

    def _decayed(self, index: int, truth: int) -> int:
        """Return M of an index before the truth."""
        away, powers = truth - index, self._powers
        return powers[away] * _at(self._moments, index) >> self._bits if away < len(powers) else 0


def rest_of(question: ChainQuestion, numerator: int, bits: int, smoothing: int = 0) -> int:
    """Return the truth from which sums of equal weights are constant, also with 24 more bits.

    Weights may have `smoothing` more bits.

    The change falls by the decay with each truth until rounding. A change of d then lasts for at most ``r /
    d`` truths, with `r` = ``1 / (1 - a)``. Without equal weights or a decay, all truths are before it.
    """
    number, one = question.num_truths, 1 << bits
    if not question.is_even or numerator == one:
        return number
    reach = one // (one - numerator) + 1
    halvings = bits + smoothing + max(question.weights).bit_length() + 4 * reach.bit_length()
    halvings += _SPARE_BITS + 8
    return min(number, reach * halvings * 3 // 4)


def bends_of(heights: Sequence[int]) -> list[tuple[int, int]]:
    """Return the non-zero second differences of a loss with their distances.

    >>> bends_of([0, 1, 2, 2, 2])
    [(0, 1), (2, -1)]
    """
    rises = [0, *map(sub, heights[1:], heights)]
    return [
        (distance, after - before)
        for distance, (before, after) in enumerate(pairwise(rises))
        if before != after
    ]


def squared_scale(heights: Sequence[int]) -> int:
    """Return s if all losses are s times the squared distance and s is not 0, else 0.

    >>> squared_scale([0, 3, 12, 27]), squared_scale([0, 1, 2, 3])
    (3, 0)
    """
    scale = heights[1] if len(heights) > 2 else 0  # noqa: PLR2004 - of one distance nothing is squared
    return scale if all(loss == scale * at * at for at, loss in enumerate(heights)) else 0


def _at(numbers: Sequence[int], index: int) -> int:
    """Return a number of a list, or its last beyond the end."""
    return numbers[index] if index < len(numbers) else numbers[-1]


def _moments(
    weights: Sequence[int], numerator: int, bits: int, *, alike: bool, arms: bool
) -> tuple[list[int], list[int]]:
    """Return ``sum a^(h-f) w_f`` for each truth h and, if asked, ``sum a^(h-f) w_f (h-f)``.

    With equal weights, both lists end where the values become constant.
    """
    moments, listed_arms, last, arm = list[int](), list[int](), 0, 0
    for weight in weights:
        following = (last * numerator >> bits) + (weight << bits)
        further = (arm + last) * numerator >> bits if arms else 0
        if alike and (following, further) == (last, arm):
            break
        last, arm = following, further
        moments.append(last)
        listed_arms.append(arm)
    return moments, listed_arms if arms else []


def _powers(numerator: int, bits: int, number: int) -> Iterator[int]:
    """Yield the positive powers of a decay."""
    last = 1 << bits
    for _ in range(number):
        if not last:
            break
        yield last
        last = last * numerator >> bits
