"""Integer bounds on the trade-off curve of a noise, and the proof that another noise keeps it.

Model
-----
    C = {(x, y): y <= K(x)},     K the polygon through the corners (F(i-1), F(i)),  F(i) = P(noise <= i)
    low_i <= unit F(i) <= high_i

C is convex, for the noise is log-concave, and with (x, y) it holds all points to the right of it and below.
*Inner*: (high_(i-1), low_i) lies in C, so the polygon through these points does, and through (0, 0) or
(0, F of the least value), and (1, 1). *Outer*: of a slope S no point of C is higher above S x than the
highest of the corners (low_(i-1), high_i).

A noise keeps the curve if its worst sets are in C: `worst_sets`.

Where the values are finitely many, `low` and `high` are one, and all is exact; else they are the whole
numbers next to ``unit F(i)``, from ball arithmetic that is repeated with more bits until they are certain,
with a geometric bound on what lies beyond the last value: ratios of a log-concave law only fall.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, groupby
from math import ceil, isqrt, sqrt
from typing import TYPE_CHECKING

from flint import ctx

from optmech.base.errors import VerificationError
from optmech.proofs.chain.curve import LINE_BITS, Line
from optmech.proofs.chain.gaussian_curve import GaussianCurve
from optmech.proofs.chain.noise import worst_sets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flint import arb

    from optmech.proofs.chain.noise import Noise
    from optmech.question.privacy.noise_law import NoiseLaw

    Step = tuple[int, int]

SPARE_BITS = 64
"""The bits of a curve beyond those of the noise that is compared with it."""

_GUARD_BITS = 48
# Narrower edges are below the resolution of a line.
_EDGE_BITS = LINE_BITS + 8
_MOST_BITS = 2**13
# Times the standard deviation: with more bits a forged file takes too long to refuse.
_MOST_WIDE_BITS = 3 * 2**19
_MOST_WIDE_WORK = 2**29  # squared bits times the standard deviation
_WORK = 2**25
# The bits needed to compute a tiny delta, down to 1e-300.
_TINY, _TINY_BITS = Fraction(1, 2**128), 1_100


@dataclass(frozen=True, eq=False)
class NoiseCurve:
    """Integer bounds on F of a noise."""

    first: int  # the point of the first of `low` and `high`; before it F is 0, or negligible
    low: tuple[int, ...]  # lower bounds on `unit` times F
    high: tuple[int, ...]  # and at most
    unit: int
    has_tails: bool  # whether there are values beyond

    @cached_property
    def corners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The corners of the inner polygon, in units of ``1 / unit``: x, never falling, and y."""
        start = 0 if self.has_tails else self.low[0]
        return (0, *self.high[:-1], self.unit), (start, *self.low[1:], self.unit)

    def lines(self, noise: Noise) -> tuple[Line, ...]:  # noqa: ARG002 - its points are corners of the curve
        """Return lines on or above the curve, of each edge wide enough and one more, the steepest first."""
        low, unit = self.low, self.unit
        slopes, least = {1 << LINE_BITS}, unit >> _EDGE_BITS
        for before, here, after in zip((0, *low), low, low[1:], strict=False):
            run, rise = here - before, after - here
            if min(run, rise) > 0 and max(run, rise) > least:
                slopes.add(max(1, (rise << LINE_BITS) // run))
        corners = _hull(zip((0, *low), (*self.high, unit), strict=True))
        lines, at = [], 0
        for slope in sorted(slopes, reverse=True):
            # The flatter a line, the farther to the right is the corner that it touches.
            while at + 1 < len(corners) and _above(corners[at + 1], slope) >= _above(corners[at], slope):
                at += 1
            lines.append(Line(slope, -(-_above(corners[at], slope) // unit)))
        return tuple(lines)

    def keeps(self, noise: Noise) -> bool:
        """Whether one shift of a noise keeps the curve, proved."""
        xs, ys = self.corners
        edge, unit = 0, noise.one << (noise.bits if noise.tail else 0)
        for x, y in worst_sets(noise):
            while edge < len(xs) - 2 and xs[edge + 1] * unit <= x * self.unit:
                edge += 1
            # y / unit <= height of the chord from `edge` to the corner after it, at x / unit.
            run, rise = xs[edge + 1] - xs[edge], ys[edge + 1] - ys[edge]
            height = ys[edge] * unit * run + rise * (x * self.unit - xs[edge] * unit)
            if y * self.unit * run > height:
                return False
        return True

    def above(self, x: int, unit: int) -> int:
        """Return the height of the inner polygon at ``x / unit``, in the same units, rounded down."""
        xs, ys = self.corners
        edge = min(bisect_right(xs, x * self.unit // unit), len(xs) - 1) - 1
        return _chord(x, unit, (xs[edge], ys[edge]), (xs[edge + 1], ys[edge + 1]), self.unit)


def _chord(x: int, unit: int, start: Step, end: Step, other: int) -> int:
    run, rise = end[0] - start[0], end[1] - start[1]
    return (start[1] * unit * run + rise * (x * other - start[0] * unit)) // (run * other)


def _above(corner: Step, slope: int) -> int:
    """Return the height of a corner above the line of a slope through 0, times ``2**LINE_BITS``."""
    return (corner[1] << LINE_BITS) - slope * corner[0]


def _hull(corners: Iterable[Step]) -> list[Step]:
    """Return the corners of the least concave polygon above all, from left to right."""
    hull: list[Step] = []
    for x, y in corners:
        while len(hull) > 1:
            (a, b), (c, d) = hull[-2:]
            if (d - b) * (x - a) > (y - b) * (c - a):
                break
            hull.pop()
        hull.append((x, y))
    return hull


def curve_beside(law: NoiseLaw, noise: Noise, delta: Fraction = Fraction(1)) -> NoiseCurve | GaussianCurve:
    """Return the curve of a distribution with enough bits to prove a noise and lines.

    VerificationError: the noise has too many bits, or the distribution is too wide to compute a tiny `delta`.
    """
    bits = max(noise.bits, LINE_BITS) + SPARE_BITS
    return _smooth_curve(law, noise, bits) if law.is_continuous else _polygon(law, noise, bits, delta)


def _polygon(law: NoiseLaw, noise: Noise, bits: int, delta: Fraction) -> NoiseCurve:
    if law.weights is None:
        known = isqrt(isqrt(_MOST_WIDE_WORK**2 // law.variance))  # bits of its values
        _need_bits(law, noise, known)
        if delta <= _TINY and known < _TINY_BITS:
            message = f"delta must be above 2^-128 of noise as wide as {law}; got {float(delta):.3g}."
            raise VerificationError(message)
    return curve_of(law, bits)


def _smooth_curve(law: NoiseLaw, noise: Noise, bits: int) -> GaussianCurve:
    _need_bits(law, noise, _MOST_BITS)
    num_bits = sum(rise.bit_length() for rise, _ in groupby(noise.rises))
    work, most = len({*noise.cumulative}) * noise.bits**2, _WORK + 8 * noise.bits * num_bits
    if work > most:
        message = (
            f"different shares times squared bits must be at most {most:,} by what is written; got {work:,}."
        )
        raise VerificationError(message)
    return GaussianCurve(law.deviation, bits)


def _need_bits(law: NoiseLaw, noise: Noise, most: int) -> None:
    most = min(most, _MOST_BITS, isqrt(_MOST_WIDE_BITS**2 // law.variance))
    if noise.bits > most:
        message = f"the noise must have at most {most:,} bits beside {law}; got {noise.bits:,}."
        raise VerificationError(message)


@lru_cache(maxsize=8)
def curve_of(law: NoiseLaw, bits: int) -> NoiseCurve:
    """Return the curve of a noise, in units of ``2**-bits`` or exactly.

    >>> from optmech.question.privacy.noise_laws import noise_law
    >>> curve_of(noise_law("binomial", trials=2), 8)
    NoiseCurve(first=-1, low=(1, 3, 4), high=(1, 3, 4), unit=4, has_tails=False)
    >>> curve_of(noise_law("discrete-gaussian", sigma=1), 8).low
    (0, 1, 14, 76, 179, 241, 254, 255)
    """
    if law.weights is not None:
        exact = tuple(accumulate(law.weights))
        return NoiseCurve(law.first, exact, exact, exact[-1], has_tails=False)
    unit, guard = 1 << bits, _GUARD_BITS
    while True:
        most, low, high = _enclosed(law, bits, guard)
        if all(above - below == 1 for below, above in zip(low, high, strict=True)):
            break
        guard *= 2
    # From the last point with a negligible F to the first with F of nearly one.
    start, stop = max(at for at, below in enumerate(low) if below == 0), low.index(unit - 1) + 1
    return NoiseCurve(start - most, tuple(low[start:stop]), tuple(high[start:stop]), unit, has_tails=True)


def _enclosed(law: NoiseLaw, bits: int, guard: int) -> tuple[int, list[int], list[int]]:
    """Return the range of values on both sides, and integers below and above F of all of them."""
    inner, unit = bits + guard, 1 << bits
    most = ceil(law.spread * sqrt(1.4 * inner)) + 8
    while True:
        with ctx.workprec(inner + 32):
            balls = law.balls(most)
            masses = [_ends(ball / balls[0], inner) for ball in balls]
            # The mass beyond is at most rho / (1 - rho) of the last mass, rho the last ratio.
            _, beyond = _ends(balls[-1] ** 2 / (balls[-2] - balls[-1]) / balls[0], inner)
        if 0 <= beyond <= 1 << (guard // 2):
            break
        most *= 2
    masses = masses[:0:-1] + masses
    below = list(accumulate(low for low, _ in masses))
    above = list(accumulate((high for _, high in masses), initial=beyond))[1:]
    least, largest = below[-1], above[-1] + beyond
    low = [(value << bits) // largest for value in below]
    return most, low, [min(unit, -((-value << bits) // least)) for value in above]


def _ends(ball: arb, bits: int) -> Step:
    """Return whole numbers below and above a ball, in units of ``2**-bits``."""
    (low, down), (high, up) = ball.lower().man_exp(), ball.upper().man_exp()
    return _shift(int(low), int(down) + bits), -_shift(-int(high), int(up) + bits)


def _shift(value: int, bits: int) -> int:
    return value << bits if bits >= 0 else value >> -bits
