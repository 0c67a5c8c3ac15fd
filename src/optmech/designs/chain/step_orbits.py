"""The orbits through the corners of all curves, where these differ from step to step of a chain of truths.

Orbits can be compared, coordinate by coordinate (Lemma 1), so that their sums sort them. Each is computed
from its corner towards both ends with a rounding at each step; of two that rounding makes cross, the larger
value at each truth is taken. As K does not decrease, that is an orbit again, but for as much rounding.

A little less delta is spent than is asked, which leaves room for rounding. Where delta is 0, a little of the
same distribution for every truth is mixed in for that.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.time_left import need_time
from optmech.designs.chain.orbits import Curve
from optmech.designs.chain.thresholds import with_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.proofs.chain.curve import Pair
    from optmech.question.chain_question import ChainQuestion

    Protection = Sequence[Sequence[Pair]]
    _Orbit = tuple[int, ...]

# Delta spent is less by this share, and this share of one distribution is mixed in: 2**-_SLACK_BITS.
_SLACK_BITS = 100
_SPARE_BITS = 32
# Values so near to each other would be the same but for that and for rounding.
_SAME_BITS = 80
# This many orbits on both sides of a threshold are columns of a mixture as well.
_BESIDE = 3


class StepOrbits:
    """The values of all orbits through corners, in order, in whole numbers.

    For each step `ups` and `downs` say what protects a truth against the next, and the next against it:
    e^epsilon, or a little less, and delta. The values, shape (number of orbits, num_truths), are in units of
    ``2**-bits``, from all 0 to all 1: none falls from orbit to orbit. A value of at most `nothing` is there
    by rounding alone; `first_certain` is the least orbit that is 1 at the first truth.
    """

    def __init__(self, ups: Protection, downs: Protection, num_responses: int) -> None:
        pairs = {pair for protection in (ups, downs) for step in protection for pair in step}
        self._is_pure = any(delta == 0 for _, delta in pairs)
        self.bits, self.nothing = _bits(pairs, len(ups) + num_responses)
        self.one = 1 << self.bits
        curves = [
            Curve(_with_less(up), _with_less(down), self.bits) for up, down in zip(ups, downs, strict=True)
        ]
        number = len(curves) + 1
        certain = _orbit(curves, 0, curves[0].beside(self.one))
        ends = {(0,) * number, (self.one,) * number, certain}
        orbits = ends.union(
            _orbit(curves, index, corner) for index, curve in enumerate(curves) for corner in curve.corners()
        )
        in_order = _different(
            sorted(orbits, key=lambda orbit: (sum(orbit), orbit)), ends, self.one >> _SAME_BITS
        )
        self.first_certain = in_order.index(certain)
        self.values: Whole = np.maximum.accumulate(np.array(in_order, dtype=object), axis=0)
        self._rises = np.diff(self.values, axis=0).tolist()
        self._doubles: Floats = (self.values / self.one).astype(float)

    def best(self, question: ChainQuestion) -> list[int]:
        """Return the orbit that is the threshold of each step of the responses, never decreasing.

        phi_j falls along the orbits, but for stretches where it stays, and then rises; of equally good ones
        the last is taken. As in `best_thresholds` the walk goes on from step to step, Lemma 3.
        """
        number, last = question.num_truths, len(self._rises)
        start = orbit = self.first_certain if question.keeps_zero else 0
        orbits = []
        for step, turn in enumerate(question.signs):
            if turn in (0, number):
                orbits.append(last if turn else start)
                continue
            need_time("the best threshold for each step of the responses")
            column = question.column(step, 0, number)
            while orbit < last and sum(map(mul, column, self._rises[orbit])) >= 0:
                orbit += 1
            orbits.append(orbit)
        return list(accumulate(orbits, max))

    def beside(self, orbit: int, turn: int) -> tuple[int, int]:
        """Return the higher ones of two pairs of orbits in a row: those to the left and right of an orbit.

        Where a of truth `turn` is 0 or 1 other truths alone differ for a while, and only one side is left.
        """
        if not turn:
            return max(orbit, 1), min(orbit + 1, len(self._rises))
        moves = [at + 1 for at, rises in enumerate(self._rises) if rises[turn] > self.nothing]
        left = max((at for at in moves if at <= orbit), default=0)
        right = min((at for at in moves if at > orbit), default=0)
        return left or right, right or left

    def near(self, orbits: Sequence[int]) -> Integers:
        """Return the orbits of all steps and those near them, as pairs of step and orbit."""
        return with_steps(orbits, _BESIDE, 0, len(self._rises))

    def below(self, orbits: Integers) -> Floats:
        """Return the values of orbits in doubles."""
        return self._doubles[orbits]

    def matrix(self, orbits: Sequence[int]) -> Whole:
        """Return the probability of each response at each truth, in units of ``2**-bits``."""
        number = self.values.shape[1]
        ends = [[0] * number, *self.values[list(orbits)].tolist(), [self.one] * number]
        return np.diff(np.array(ends, dtype=object), axis=0)

    def private(self, numerators: Whole, denominator: int) -> tuple[Whole, int]:
        """Return a matrix, made private by a mixture where delta is 0, and its denominator.

        Responses that are never given are left out of the mixture.
        """
        if not self._is_pure:
            return numerators, denominator
        used = np.array([[int(any(row))] for row in numerators.tolist()], dtype=object)
        number = int(used.sum())
        share = numerators * (((1 << _SLACK_BITS) - 1) * number)
        return share + denominator * used, (denominator * number) << _SLACK_BITS


def _with_less(pairs: Sequence[Pair]) -> list[Pair]:
    return [(factor, delta * (1 - Fraction(1, 2**_SLACK_BITS))) for factor, delta in pairs]


def _different(orbits: list[_Orbit], ends: set[_Orbit], near: int) -> list[_Orbit]:
    """Return of sorted orbits that rounding alone may set apart the ends among them, or one."""
    sums = [sum(orbit) for orbit in orbits]
    starts = [0, *(at + 1 for at, (before, after) in enumerate(pairwise(sums)) if after - before > near)]
    groups = [orbits[start:stop] for start, stop in pairwise([*starts, len(orbits)])]
    return [orbit for group in groups for orbit in [own for own in group if own in ends] or group[-1:]]


def _bits(pairs: set[Pair], rounded: int) -> tuple[int, int]:
    """Return the bits that suffice for a number of rounded values, and the resulting zero tolerance."""
    most = max((factor for factor, _ in pairs), default=Fraction(1))
    room = [delta or factor - 1 for factor, delta in pairs if delta or factor > 1]
    least = min(room, default=Fraction(1))
    smallest = max(least.denominator.bit_length() - least.numerator.bit_length(), 0)
    largest = (most.numerator // most.denominator).bit_length()
    besides = _SPARE_BITS + 2 * largest + rounded.bit_length()
    return _SLACK_BITS + smallest + besides, 1 << _SLACK_BITS - _SAME_BITS + besides


def _orbit(curves: Sequence[Curve], step: int, corner: int) -> _Orbit:
    """Return the orbit through the point of a curve at x = corner, which is that of truth ``step + 1``."""
    need_time("the orbits of each step between truths")
    one = curves[step].one
    is_end = corner == curves[step].beside(one)
    lower = [one if is_end else curves[step].above(corner)]
    for curve in curves[:step][::-1]:
        lower.append(curve.above(lower[-1]))
    higher = [corner]
    for curve in curves[step + 1 :]:
        higher.append(curve.beside(higher[-1]))
    return (*lower[::-1], *higher)
