"""Noise on a lattice in integers, and the exact check that its shifts are private.

Model
-----
    one truth further is `period` points further,      F(l) = P(noise is at point l or before it)
    F(l) = cumulative[l - first] / 2**bits             first <= l <= last
    F(l - period) = tail F(l),  1 - F(l + period) = tail (1 - F(l))      beyond both ends, tail = 0 or a decay

The release is a function of truth times `period` plus noise; what one shift of the noise keeps, every
such mechanism keeps, for any set of responses is a set of points (post-processing).

(E, delta) is kept where ``sum_l max(0, p(l) - E p(l - period)) <= delta``, both ways, p the single
probabilities. In the tails each is `tail` times the one a truth further in: a tail spends ``1 - E tail`` of
its mass, and nothing if ``tail E >= 1``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import VerificationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    _Point = tuple[int, int]

MOST_BITS = 2**15
MOST_POINTS = 2**20


@dataclass(frozen=True, eq=False)
class Noise:
    """An exact distribution on integers; other numbers raise VerificationError."""

    period: int  # points from one truth to the next
    first: int  # the point of the first of `cumulative`
    cumulative: tuple[int, ...]  # never decreasing, in units of 2**-bits; without tails from 0 to 2**bits
    bits: int
    tail: int = 0  # the decay of the tails from truth to truth, in the same units; 0 without tails

    def __post_init__(self) -> None:
        one, cumulative = self.one, self.cumulative
        right = (
            0 < self.bits <= MOST_BITS
            and 0 < self.period < len(cumulative) <= MOST_POINTS
            and abs(self.first) <= MOST_POINTS
            and 0 <= self.tail < one
            and cumulative[0] >= 0
            and cumulative[-1] <= one
            and all(after >= before for before, after in pairwise(cumulative))
        )
        if right and self.tail:
            # The values of one period before the first, and after the last, must stay in order.
            left, reach = (
                self.tail * cumulative[self.period - 1],
                self.tail * (one - cumulative[-self.period]),
            )
            right = left <= cumulative[0] << self.bits and reach <= one - cumulative[-1] << self.bits
        elif right:
            right = cumulative[0] == 0 and cumulative[-1] == one
        if not right:
            message = "the noise must be a distribution in whole numbers; it is not."
            raise VerificationError(message)

    @cached_property
    def one(self) -> int:
        """Certainty, in units of ``2**-bits``."""
        return 1 << self.bits

    @cached_property
    def last(self) -> int:
        """The point of the last of `cumulative`."""
        return self.first + len(self.cumulative) - 1

    def below(self, point: int) -> tuple[int, int]:
        """Return F at a point in units of ``2**-bits``, rounded down and up."""
        if self.first <= point <= self.last:
            exact = self.cumulative[point - self.first]
            return exact, exact
        if point < self.first:
            steps = -(-(self.first - point) // self.period)
            return self._shrunk(self.cumulative[point + steps * self.period - self.first], steps)
        steps = -(-(point - self.last) // self.period)
        low, high = self._shrunk(self.one - self.cumulative[point - steps * self.period - self.first], steps)
        return self.one - high, self.one - low

    @property
    def is_all_tails(self) -> bool:
        """Whether only two points, a truth apart, are listed, so that tails give all else."""
        return bool(self.tail) and self.period == 1 and len(self.cumulative) == 2  # noqa: PLR2004 - both ends

    @property
    def rises(self) -> tuple[int, ...]:
        """The first of `cumulative`, and the differences between neighbours."""
        return self.cumulative[0], *self.weights()

    def share(self, point: int) -> Fraction:
        """Return F at a point exactly; far out in a tail that is a rational of many bits."""
        if point < self.first:
            steps = -(-(self.first - point) // self.period)
            inside = self.cumulative[point + steps * self.period - self.first]
            return Fraction(inside, self.one) * Fraction(self.tail, self.one) ** steps
        if point > self.last:
            steps = -(-(point - self.last) // self.period)
            inside = self.cumulative[point - steps * self.period - self.first]
            return 1 - Fraction(self.one - inside, self.one) * Fraction(self.tail, self.one) ** steps
        return Fraction(self.cumulative[point - self.first], self.one)

    def ends(self, number: int) -> tuple[int, int]:
        """Return two points for `number` truths: no noise is below the first, all is below the second.

        The tails are left out there: a threshold of minus infinity, or of plus infinity.
        """
        return self.first - 1, self.last + self.period * (number - 1) + 1

    def _shrunk(self, amount: int, steps: int) -> tuple[int, int]:
        if not self.tail or not amount:
            return 0, 0
        power = self._power(steps)
        # Each rounding has added less than one unit.
        return max(0, amount * (power - steps) >> self.bits), -(-amount * power >> self.bits)

    def _power(self, steps: int) -> int:
        """Return a power of the tail, rounded up; earlier powers are cached while they change."""
        powers = self._powers
        while len(powers) <= steps and (len(powers) == 1 or powers[-1] < powers[-2]):
            powers.append(-(-powers[-1] * self.tail >> self.bits))
        return powers[min(steps, len(powers) - 1)]

    @cached_property
    def _powers(self) -> list[int]:
        return [self.one]

    def matrix(self, thresholds: Sequence[int], number: int) -> NDArray[Any]:
        """Return the probability of each response at each of `number` truths, in units of ``2**-bits``.

        Points in a tail are rounded, and columns still sum to one.
        """
        never, always = self.ends(number)
        ends = np.array(thresholds)
        points = ends[:, None] - self.period * np.arange(number)
        # All points, or none, are below an infinite threshold.
        points[ends <= never], points[ends >= always] = self.first - 1, self.last + 1
        cumulative = np.array([0, *self.cumulative, self.one], dtype=object)
        inside = cumulative[np.clip(points - self.first + 1, 0, len(cumulative) - 1)]
        if self.tail:
            beyond = (points < self.first) | (points > self.last)
            beyond &= ((never < ends) & (ends < always))[:, None]
            inside[beyond] = [self.below(each)[0] for each in points[beyond].tolist()]
        below = np.zeros((len(ends) + 2, number), dtype=object)
        below[1:-1], below[-1] = inside, self.one
        return np.diff(below, axis=0)

    def weights(self) -> list[int]:
        """Return the probabilities of points ``first + 1`` to ``last``, in units of ``2**-bits``."""
        return [after - before for before, after in zip(self.cumulative, self.cumulative[1:], strict=False)]

    def tail_weights(self) -> tuple[list[int], list[int]]:
        """Return the probabilities of the points of one period before ``first + 1``, and after `last`.

        In units of ``2**(-2 bits)``; a period further out each is `tail` times as much.
        """
        one, cumulative, period = self.one, self.cumulative, self.period
        before = [*(share * self.tail for share in cumulative[:period]), cumulative[0] << self.bits]
        beyond = [one - share for share in cumulative[-period:]]
        after = [beyond[-1] << self.bits, *(share * self.tail for share in beyond)]
        return [high - low for low, high in pairwise(before)], [high - low for high, low in pairwise(after)]

    @cached_property
    def step_pairs(self) -> tuple[Counter[tuple[int, int]], tuple[int, int]]:
        """Multiplicities of pairs of probabilities, at an index and a period before it; those of both tails.

        In units of ``2**-bits``, squared where there are tails.
        """
        period, cumulative = self.period, self.cumulative
        scale = self.bits if self.tail else 0
        # One more point at both ends; beyond it both a point and the point a period away are in a tail.
        before = self.tail * cumulative[period - 1]
        after = (self.one << scale) - self.tail * (self.one - cumulative[-period])
        points = [before, *(value << scale for value in cumulative), after]
        weights = [high - low for low, high in pairwise(points)]
        if not self.tail:
            weights = [0] * period + weights + [0] * period
        pairs = Counter(zip(weights[period:], weights, strict=False))
        return pairs, (cumulative[period - 1], self.one - cumulative[-period])

    def delta_spent(self, factor: Fraction) -> Fraction:
        """Return the exact delta of one shift of the noise at `factor`, in the worse direction."""
        top, bottom = factor.as_integer_ratio()
        pairs, tails = self.step_pairs
        tail_excess = max(0, (bottom << self.bits) - top * self.tail) if self.tail else 0
        here, beside = (tail_excess * tail for tail in tails)
        for (p, q), number in pairs.items():
            here += number * max(0, bottom * p - top * q)
            beside += number * max(0, bottom * q - top * p)
        return Fraction(max(here, beside), bottom * self.one << (self.bits if self.tail else 0))


def worst_sets(noise: Noise) -> Iterator[_Point]:
    """Return (P_(f+1)(S), P_f(S)) of the sets of points with a ratio of probabilities above a number.

    A noise keeps a trade-off curve if these points lie under it, for those of all other sets S lie below the
    polygon through theirs (Neyman, Pearson 1933). Tails have one ratio each. Complements are sets too, so
    that this is both ways between neighbours. In units of ``2**-bits``, squared where there are tails.
    """
    x = y = 0
    for _, alike in groupby(_in_order(noise), key=cmp_to_key(_after)):
        for point in alike:
            x, y = x + point[0], y + point[1]
        yield x, y


def _in_order(noise: Noise) -> list[_Point]:
    """Return (P_(f+1), P_f) of points, by decreasing ratio P_f / P_(f+1)."""
    pairs, (left, right) = noise.step_pairs
    points = [(number * beside, number * here) for (here, beside), number in pairs.items()]
    if noise.tail:
        points += [(noise.tail * left, left << noise.bits), (right << noise.bits, noise.tail * right)]
    return sorted((point for point in points if any(point)), key=cmp_to_key(_after))


def _after(point: _Point, other: _Point) -> int:
    """Return a positive number where another point has the larger ratio."""
    return point[0] * other[1] - other[0] * point[1]
