"""The noise of a privacy curve: the orbits through its corners, all their values in order.

An orbit is a sequence with ``a_f = K(a_(f+1))``. The least loss is attained with thresholds on orbits through
corners of K alone, and truth by truth they are the same sequence; so their values, sorted, are the cumulative
probabilities of one noise, with as many points from truth to truth as there are such orbits.

Orbits are of a curve a hair more private than is asked, so that rounded numbers keep what is asked. Where one
orbit leads through several corners, that hair makes it several. All are kept: that of 0 has no truth with a
value of 1 where the one that reaches 1 has.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil, log, log2
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.chain.curve import Line
from optmech.proofs.chain.noise import Noise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.proofs.chain.curve import Pair

# Epsilon, as a factor, and delta are reduced by this much, so that rounded numbers keep them.
_SLACK_BITS = 80
_SPARE_BITS = 40
# Bits of an E with enough precision.
_FEW_BITS = 32
# A value this near to 0 or 1, in units, is 0 or 1 but for rounding.
_DUST = 1 << 20
# A tail is cut off where a relative rounding of 2**-_SLACK_BITS of its weights shows.
_TAIL_BITS = 100
# Only a tiny epsilon and delta need orbits with more steps to the middle.
_MOST_STEPS = 200_000
WHOLE_TAILS = 300
"""The largest number of truths with tails listed in full, so that there is a matrix."""
# The largest number of bits of their integers, beyond those in the middle.
_MOST_TAIL_BITS = 8192
# A crossing of lines so near to K, beside 1, lies on it.
_SAME_BITS = 64


class Curve:
    """K and its inverse H in multiples of ``2**-bits``, rounded to the nearest or nearly so.

    They are of the (e^epsilon, delta) that protect a truth against the next, `up`, and the next against it,
    `down`. Without any K is 1, and H is 0.
    """

    def __init__(self, up: Iterable[Pair], down: Iterable[Pair], bits: int) -> None:
        self.bits, self.one = bits, 1 << bits
        lines = {Line(self._of(factor), self._of(delta), bits) for factor, delta in up}
        for factor, delta in down:
            slope = self._of(1 / factor)
            lines.add(Line(slope, self.one - (slope * (self.one - self._of(delta)) >> bits), bits))
        self.lines = sorted(lines, reverse=True)

    def _of(self, value: Fraction) -> int:
        return round(value * self.one)

    def above(self, x: int) -> int:
        """Return K at x."""
        bits = self.bits
        return min([self.one, *[(slope * x >> bits) + offset for slope, offset, _ in self.lines]])

    def beside(self, y: int) -> int:
        """Return H at y."""
        bits = self.bits
        return max([0, *[((y - offset) << bits) // slope for slope, offset, _ in self.lines]])

    def corners(self) -> list[int]:
        """Return the x of corners of K, and the x at which it reaches 1, and 0."""
        crossings = {0, self.beside(self.one)}
        for line, other in combinations(self.lines, 2):
            if line.slope == other.slope:
                continue
            x = ((other.offset - line.offset) << self.bits) // (line.slope - other.slope)
            on = (line.slope * x >> self.bits) + line.offset
            if 0 < x < self.one and abs(self.above(x) - on) < 1 << (self.bits - _SAME_BITS):
                crossings.add(x)
        return sorted(crossings)


def lists_tails(number: int, epsilon: float) -> bool:
    """Whether tails of pure privacy are listed in full for `number` truths.

    >>> lists_tails(100, 1.0), lists_tails(100, 50.0), lists_tails(1_000, 1.0)
    (True, False, False)
    """
    return number <= WHOLE_TAILS and _tail_bits(number + 1, epsilon / log(2)) <= _MOST_TAIL_BITS


def _tail_bits(steps: int, bits: float) -> int:
    """Return the bits of a tail of `steps` steps, for the bits of its factor."""
    return 2 * ceil(steps * bits)


def noise_of_pairs(pairs: Sequence[Pair], largest: int, *, has_tails: bool) -> Noise:
    """Return the noise of the trade-off of pairs that all hold, each a rational up to e^epsilon and delta.

    At most `largest` steps between truths matter: without a delta all are listed, or tails continue by a
    ratio.
    """
    # Losses at a large epsilon are as small as 1 / E: a share of delta would be more than all of them.
    slack_bits = _SLACK_BITS + max(0, ceil(log2(max(factor for factor, _ in pairs))) - _FEW_BITS)
    shrink = 1 - Fraction(1, 2**slack_bits)
    stricter = [(max(Fraction(1), factor * shrink), delta * shrink) for factor, delta in pairs]
    least = min((delta for _, delta in stricter), default=Fraction(0))
    smallest = Fraction(1, 2**_TAIL_BITS) if least == 0 else min(least, Fraction(1, 2))
    most = max(factor for factor, _ in stricter)
    bits = slack_bits + _SPARE_BITS + ceil(log2(most)) + ceil(-log2(smallest)) + largest.bit_length()
    if least == 0:
        bits += _TAIL_BITS
        if not has_tails:
            bits += _tail_bits(largest + 2, log2(most))
    bits = 8 * ceil(bits / 8)
    curve = Curve(stricter, stricter, bits)
    starts = _starts(curve, slack_bits + _SPARE_BITS // 2)
    if not starts:
        message = f"the curve must lead from 0 to 1 in {_MOST_STEPS:,} steps; epsilon and delta are too small"
        raise VerificationError(message)
    values, origin = _values(curve, starts, largest + 2, has_tails=has_tails)
    period = len(values[0])
    flat = [value for row in values for value in row]
    if least > 0:
        flat = [0 if value < _DUST else curve.one if curve.one - value < _DUST else value for value in flat]
    first = -origin * period
    if least > 0 and flat[0] == 0 and flat[-1] == curve.one:
        low = max(point for point, value in enumerate(flat) if value == 0)
        high = min(point for point, value in enumerate(flat) if value == curve.one)
        return Noise(period, first + low, tuple(flat[low : high + 1]), bits)
    # Each factor is kept in the tails, so the least of them is.
    factor = min(factor for factor, delta in stricter if delta == 0 or least > 0)
    tail = -((-factor.denominator << bits) // factor.numerator)
    return Noise(period, first, tuple(flat), bits, tail)


def _starts(curve: Curve, same_bits: int) -> list[int]:
    """Return the values of all orbits through corners above H(t) and up to t, in order: one of each.

    With t at least K(0) an orbit that is 0 up to some truth has one, too. Values so near to each other,
    relatively, are the same but for rounding.
    """
    top = max(curve.one >> 1, curve.above(0))
    bottom = curve.beside(top)
    starts: list[int] = []
    for corner in curve.corners():
        value = corner
        for _ in range(_MOST_STEPS):
            if bottom < value <= top:
                starts.append(value)
                break
            following = curve.beside(value) if value > top else curve.above(value)
            if following == value:
                break  # 0 and 1 stay where they are under pure privacy
            value = following
    different: list[int] = []
    for value in sorted(starts):
        if not different or value - different[-1] > max(1, value >> same_bits):
            different.append(value)
    return different


def _values(curve: Curve, starts: list[int], most: int, *, has_tails: bool) -> tuple[list[list[int]], int]:
    """Return the values of the orbits at each truth, and the index of those between.

    They end at 0 and 1, or with tails so far beyond the corners that all truths are in the tail at once, or
    where nothing is left of them.
    """
    floor = curve.one >> _TAIL_BITS
    if curve.above(0):
        floor, most = 0, _MOST_STEPS
    elif not has_tails:
        floor = 0
    inner = [corner for corner in curve.corners() if 0 < corner < curve.beside(curve.one)]
    least, largest = (inner[0], curve.above(inner[-1])) if inner else (curve.one >> 1, curve.one >> 1)
    rows, beyond = [starts], 0
    while rows[-1][0] < curve.one - floor and beyond < most:
        rows.append([curve.above(value) for value in rows[-1]])
        beyond += rows[-1][0] > largest
    before: list[list[int]] = []
    row, beyond = starts, 0
    while row[-1] > floor and beyond < most:
        row = [curve.beside(value) for value in row]
        before.append(row)
        beyond += row[-1] < least
    return before[::-1] + rows, len(before)
