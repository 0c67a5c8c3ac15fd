"""The laws that a mechanism may be as private as: a part of `check_noise.py`; see docs/certificate.md.

A curve says how well a set may tell neighbouring truths apart: `holds` decides it of a set, `delta` what follows at one
epsilon, and `lines` lie on or above it. The normal distribution, and sums of those on whole numbers, are enclosed.
"""

from bisect import bisect_right
from collections import defaultdict
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import ceil, exp, floor, isqrt, log, pi, sqrt
from statistics import NormalDist
from typing import Any

from check_certificate import (
    SMALLEST,
    Guarantee,
    cut,
    exponential,
    form,
    need,
    number,
    spelled,
    text_of,
    whole,
)
from check_noise import Noise, in_order, sums

ONE_BITS = 192  # of the fixed point in which lines are written
SPARE_BITS = 24  # of the normal distribution, beyond those that are asked for
LAWS = {  # each with what its number is called, the least and the most of it
    "discrete-gaussian": ("discrete Gaussian noise of sigma {}", "sigma", Fraction(1, 20), 5_000),
    "skellam": ("Skellam noise of rate {}", "rate", Fraction(1, 10**6), 10**7),
    "binomial": ("binomial noise of {} fair coins", "trials", 1, 10_000),
    "gaussian": ("Gaussian noise of sigma {}", "sigma", Fraction(1, 10), 1_000),
}
VALUES = 10_000  # of noise with listed weights
CURVE_BITS, WIDE_BITS = 2**13, 3 * 2**19  # of noise beside a law; times the standard deviation of that
TINY_BITS = 1_100  # to know a delta below 2^-128, down to 10^-300
WIDE_WORK = 2**29  # the squared bits of noise times that standard deviation
GAUSSIAN_WORK = 2**25  # different values of F times the squared bits of noise, besides what is written out
PLACE_BITS = 96  # of where tangents touch


def curve_of(part: dict[str, Any], noise: Noise, least: int = ONE_BITS) -> "Lattice | Gaussian":
    """Return the curve y <= K(x) of a law: what tells neighbouring truths apart, x = P_(f+1)(S) and y = P_f(S).

    It is known to 64 bits more than the noise has, or the least number of bits.
    """
    law = part.get("law")
    if law == "weights":
        _, listed = in_order(part, "law", "weights")
        weights = [whole(x) for x in text_of(listed).split(",")]
        need(2 <= len(weights) <= VALUES and min(weights) > 0, "weights must be positive, two or more")
        need(
            all(b * b >= a * c for a, b, c in zip(weights, weights[1:], weights[2:])),
            "weights must be log-concave",
        )
        return Lattice(f"noise of {len(weights)} values with weights {cut(listed)}", sums(weights))
    need(law in LAWS, f"a law must be weights, {', '.join(LAWS)}")
    words, name, smallest, largest = LAWS[law]
    value = number(in_order(part, "law", name)[1])
    words = words.format(cut(spelled(value)))
    need(value >= smallest, f"{name} must be at least {smallest}")
    form(value <= largest, f"{name} must be at most {largest}")
    if law == "binomial":
        need(value.denominator == 1, "trials must be a whole number")
        row = [1]
        for k in range(int(value)):
            row.append(row[-1] * (int(value) - k) // (k + 1))
        return Lattice(words, sums(row))
    variance = 2 * value if law == "skellam" else value * value
    fits = noise.bits <= CURVE_BITS and noise.bits**2 * variance <= WIDE_BITS**2
    known = max(noise.bits, least if least > ONE_BITS else 0)
    fits &= law == "gaussian" or known**4 * variance <= WIDE_WORK**2
    form(fits, "the noise must not have too many bits beside so wide a law")
    bits = max(noise.bits, least) + 64
    if law == "gaussian":
        work = len({*noise.listed}) * noise.bits**2
        form(
            work <= GAUSSIAN_WORK + 8 * noise.bits * noise.digits,
            "the noise must not have too many different shares",
        )
        return Gaussian(words, value, bits)
    return Lattice(words, enclosed(law, value, bits), 1 << bits)


def ratios(law: str, number: Fraction, count: int, bits: int) -> list[tuple[int, int]]:
    """Return numbers around P(z) / P(z-1), z = 1 to `count`, in units of 2^-bits; they only fall.

    Discrete Gaussian: e^(-(2z-1) / (2 sigma^2)). Skellam: P(z-1) = P(z+1) + (z / rate) P(z), so that each ratio is
    1 / (z / rate + the next one), and the one beyond all is something from 0 to 1.
    """
    one, listed = 1 << bits, []
    if law == "discrete-gaussian":
        low, high = exponential(-1 / (2 * number * number), bits=bits)
        low, high = int(low * one), int(high * one) + 1
        down, up = low * low >> bits, -(-high * high >> bits)
        for _ in range(count):
            listed.append((low, high))
            low, high = low * down >> bits, -(-high * up >> bits)
        return listed
    low, high, (top, bottom) = 0, one, number.as_integer_ratio()
    for z in range(count, 0, -1):
        share = (z * bottom << bits) // top
        low, high = (one << bits) // (share + 1 + high), min(-(-(one << bits) // (share + low)), one)
        listed.append((low, high))
    return listed[::-1]


def enclosed(law: str, number: Fraction, bits: int) -> list[int]:
    """Return [2^bits F(i)] of a symmetric law, from the last place where that is 0 to the first where it is 2^bits - 1.

    With so many bits more as it takes to know what is rounded down.
    """
    more, count = 64, 64
    while True:
        inner = bits + more
        one, masses = 1 << inner, []
        low = high = one
        for down, up in ratios(law, number, count, inner):
            low, high = low * down >> inner, -(-high * up >> inner)
            masses.append((low, high))
            if low == 0 and up < one:
                break
        else:
            count *= 2
            continue
        # The mass beyond is at most r / (1 - r) of the last mass, r its ratio to the one before.
        low, high, far = 0, high * up // (one - up) + 1, []
        for down, up in reversed(masses):
            low, high = low + down, high + up
            far.append((low, high))
        least, most = one + 2 * low, one + 2 * high
        left = [((a << bits) // most, -(-(b << bits) // least)) for a, b in far]
        if all(above - below == 1 for below, above in left):
            below = [x for x, _ in left]
            below = below[below.count(0) - 1 :]
            return below + [(1 << bits) - 1 - x for x in reversed(below)]
        more *= 2


def follows(curve: "Lattice | Gaussian", own: Guarantee) -> bool:
    """Whether delta is what the law spends at epsilon, a billionth more and rounded up to six digits."""
    said = []
    for delta in curve.delta(*own.enclosed):
        value = max(delta * (1 + Fraction(1, 10**9)), SMALLEST)
        with localcontext(prec=6, rounding=ROUND_CEILING):
            said.append(min(Fraction(Decimal(value.numerator) / Decimal(value.denominator)), Fraction(1)))
    return said == [own.delta, own.delta]


class Lattice:
    """The curve of noise on whole numbers: the polygon through (F(i-1), F(i)), with F between `low` and `high`."""

    def __init__(self, words: str, low: list[int], unit: int = 0) -> None:
        """Take [unit F], or of finitely many values F itself, over their sum."""
        self.words, self.low, self.unit = words, low, unit or low[-1]
        self.high = [x + 1 for x in low] if unit else low
        # A point below the polygon through these corners is below K.
        self.xs = [0, *self.high[:-1], self.unit]
        self.ys = [0 if unit else low[0], *low[1:], self.unit]

    def delta(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return numbers around the most that F(i) - e^epsilon F(i-1) is, or the same of 1 - F the other way round."""
        low, high, unit, found = self.low, self.high, self.unit, []
        least = zip([high[0] if high != low else 0, *high], [*low, unit])
        most = zip([0, *low], [*high, unit])
        for pairs, (top, bottom) in ((least, upper.as_integer_ratio()), (most, lower.as_integer_ratio())):
            spent = max(max(bottom * y - top * x, bottom * (unit - x) - top * (unit - y)) for x, y in pairs)
            found.append(Fraction(max(spent, 0), bottom * unit))
        return found[0], found[1]

    def holds(self, x: int, y: int, unit: int) -> bool:
        """Whether y / unit is at most K(x / unit), for certain."""
        at = min(bisect_right(self.xs, x * self.unit // unit), len(self.xs) - 1) - 1
        (a, c), (b, d) = self.xs[at : at + 2], self.ys[at : at + 2]
        return (y * self.unit - b * unit) * (c - a) <= (d - b) * (x * self.unit - a * unit)

    def lines(self, _: Noise) -> set[tuple[int, int]]:
        """Return lines y <= (s x + o) / 2^192 on or above K: one of slope 1, and one for each edge that is wide enough."""
        low, slopes = self.low, {1 << ONE_BITS}
        for before, here, after in zip([0, *low], low, low[1:]):
            run, rise = here - before, after - here
            if min(run, rise) > 0 and max(run, rise) > self.unit >> ONE_BITS + 8:
                slopes.add(max(1, (rise << ONE_BITS) // run))
        corners: list[tuple[int, int]] = []  # of the polygon around all that may be corners of K
        for x, y in zip([0, *low], [*self.high, self.unit]):
            while len(corners) > 1:
                (a, b), (c, d) = corners[-2:]
                if (d - b) * (x - a) > (y - b) * (c - a):
                    break
                corners.pop()
            corners.append((x, y))
        lines, at = set(), 0
        for s in sorted(
            slopes, reverse=True
        ):  # the flatter, the farther to the right is the corner that is touched
            above = [(y << ONE_BITS) - s * x for x, y in corners[at : at + 2]]
            while len(above) > 1 and above[1] >= above[0]:
                at += 1
                above = [(y << ONE_BITS) - s * x for x, y in corners[at : at + 2]]
            lines.add((s, -(-above[0] // self.unit)))
        return lines


class Gaussian:
    """The curve of continuous Gaussian noise: y = P(v), x = P(v - 1/sigma), P the normal distribution."""

    def __init__(self, words: str, sigma: Fraction, bits: int) -> None:
        """Take sigma, and how many bits are enough for probabilities."""
        self.words, self.sigma, self.bits = words, sigma, bits + 128
        self.tables: dict[int, Normals] = {}

    def _normals(self, bits: int) -> "Normals":
        """Return the normal distribution to so many bits, with what is known of it."""
        return self.tables.setdefault(bits, Normals(bits))

    def delta(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return numbers around the most that P(v) - e^epsilon P(v - 1/sigma) is: where the curve has that slope."""
        bits = 1200 + (upper.numerator // upper.denominator).bit_length()
        with localcontext(prec=200):
            near = Fraction((Decimal(lower.numerator) / Decimal(lower.denominator)).ln())
        v = Fraction(floor((1 / (2 * self.sigma) - near * self.sigma) * 2**400) + 2, 2**400)
        flat, steep = self.slope(v, bits)
        need(steep <= lower, "the factors around e^epsilon must be narrow")
        (low, high), (below, above) = normal(v, bits), normal(v - 1 / self.sigma, bits)
        # All of the curve is below the tangent at v, which is no steeper than e^epsilon.
        return (low - upper * above) / 2**bits, (high - flat * below) / 2**bits

    def slope(self, v: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Return numbers around the slope of K at x = P(v - 1/sigma)."""
        return exponential((1 / (2 * self.sigma) - v) / self.sigma, bits=bits)

    def holds(self, x: int, y: int, unit: int) -> bool:
        """Whether y / unit is at most K(x / unit), for certain: both are beside P(v) and P(v - 1/sigma) of some v."""
        if y == 0 or x == unit:
            return True
        if x == 0 or y == unit:
            return False
        for times in (1, 2, 4):
            bits, places = times * self.bits, 110 * times
            normals = self._normals(bits)
            v = quantile(y, unit, normals, places)
            for side in (v + Fraction(1, 2**places), v - Fraction(1, 2**places)):
                (low, high), (below, above) = normals.at(side), normals.at(side - 1 / self.sigma)
                if low * unit >= y << bits and above * unit <= x << bits:
                    return True
                if high * unit <= y << bits and below * unit > x << bits:
                    return False
        return False

    def lines(self, noise: Noise) -> set[tuple[int, int]]:
        """Return tangents y <= (s x + o) / 2^192 beside all values of F, but those next to 0 and 1."""
        narrow, one = noise.one >> ONE_BITS + 8, 1 << ONE_BITS
        shares = {x for x in noise.listed if narrow < x < noise.one - narrow} or {noise.one >> 1}
        lines = set()
        for v in sorted({self._place(share, noise.one) for share in sorted(shares)}):
            # Rounded up, once there are bits enough to know how.
            for bits in (self.bits, 2 * self.bits, 4 * self.bits):
                normals = self._normals(bits)
                (low, high), (below, above) = normals.at(v), normals.at(v - 1 / self.sigma)
                flat, steep = self.slope(v, bits)
                s, o = ceil(flat * one), ceil((low - steep * above) * one / 2**bits)
                if (s, o) == (ceil(steep * one), ceil((high - flat * below) * one / 2**bits)):
                    break
            else:
                need(holds=False, rule="a tangent must be one that can be rounded")
            lines.add((s, o))
        return lines

    def _place(self, share: int, one: int) -> Fraction:
        """Return the multiple of 2^-96 at which P is the share, or next below it."""
        if 2 * share == one:
            return Fraction(0)
        normals = self._normals(self.bits)
        near = floor(quantile(share, one, normals, PLACE_BITS) * 2**PLACE_BITS)
        for m in (near, near - 1, near + 1):
            v, beyond = Fraction(m, 2**PLACE_BITS), Fraction(m + 1, 2**PLACE_BITS)
            if normals.at(v)[1] * one <= share << self.bits < normals.at(beyond)[0] * one:
                return v
        need(holds=False, rule="a tangent must be one that can be placed")
        return near


class Normals:
    """The normal distribution to so many bits, at many places.

    Beside a place where they are known P and its density p follow from

    p(v + h) = p(v) sum d_k,   P(v + h) = P(v) + p(v) h sum d_k / (k + 1),   d_0 = 1, d_1 = -v h,
    (k + 1) d_(k+1) = -v h d_k - h^2 d_(k-1),   for |h| <= 1 and |v h| <= 1, so that no d_k is above 1.
    """

    def __init__(self, bits: int) -> None:
        """Know nothing yet."""
        self.bits, self.inner = bits, bits + SPARE_BITS
        self.known: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)

    def at(self, v: Fraction) -> tuple[int, int]:
        """Return numbers around 2^bits P(v)."""
        low, high, *_ = self._around((v.numerator << self.inner) // v.denominator)
        return low >> SPARE_BITS, -(-high >> SPARE_BITS)

    def with_density(self, m: int, places: int) -> tuple[int, int]:
        """Return a number below 2^bits P(v), and about 2^bits p(v), v = m / 2^places."""
        low, _, _, above = self._around(m << self.inner >> places)
        return low >> SPARE_BITS, above >> SPARE_BITS

    def _around(self, place: int) -> tuple[int, ...]:
        """Return numbers around P(v), and around p(v), in units of 2^-inner, v from a place to before the next."""
        one = 1 << self.inner
        # A place of |v| is less than a unit from it, and so are P and p there from what they are at |v|.
        low, high, below, above = self._known_at(abs(place))
        low, high, below, above = low - 1, high + 1, below - 1, above + 1
        return (low, high, below, above) if place >= 0 else (one - high, one - low, below, above)

    def _known_at(self, place: int) -> tuple[int, ...]:
        """Return the same at a place, from one that is known and near, if any."""
        cell, one = place >> self.inner - 3, 1 << self.inner
        near = [
            x
            for c in (cell, cell - 1, cell + 1)
            for x in self.known[c]
            if x[0] * abs(place - x[0]) <= one * one
        ]
        if near:
            found = self._beside(place, min(near, key=lambda x: abs(place - x[0])))
        else:
            v = Fraction(place, one)
            found = (*normal(v, self.inner), *density(v, self.inner))
        self.known[cell] = [*self.known[cell][-1:], (place, *found)]
        return found

    def _beside(self, place: int, near: tuple[int, ...]) -> tuple[int, ...]:
        """Return the same at a place from a known one.

        The error of each d_k is at most 8 units: (e_k + e_(k-1) + 2) / (k + 1) + 2 is no more. Beyond two of them of
        9 units in a row, k being 4 or more, all together are at most 36 units, for each two fall to half of the last.
        """
        start, low, high, below, above = near
        inner, h = self.inner, place - start
        vh, hh = start * h >> inner, h * h >> inner
        before, d, k = 0, 1 << inner, 0
        grown = lifted = 0  # the sums of d_k, and of d_k / (k + 1)
        while k < 4 or abs(d) > 1 or abs(before) > 1:
            k += 1
            grown, lifted = grown + d, lifted + d // k
            before, d = d, -(vh * d + hh * before >> inner) // k
        wrong = 9 * k + 40
        lift = h * lifted >> inner
        ends = [p * x >> inner for p in (below, above) for x in (lift - wrong, lift + wrong)]
        return (
            low + min(ends), high + max(ends) + 1,
            below * (grown - wrong) >> inner, (above * (grown + wrong) >> inner) + 1,
        )  # fmt: skip


def normal(v: Fraction, bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits P(v): of v >= 0 it is 1/2 + p(v) (v + v^3 / 3 + v^5 / (3 5) + ...), p the density."""
    if v < 0:
        low, high = normal(-v, bits)
        return (1 << bits) - high, (1 << bits) - low
    if v * v > 2 * bits:
        return (1 << bits) - 1, 1 << bits  # beyond v lies less than e^(-v^2 / 2)
    inner = bits + int(v * v) + 40  # the sum is at most e^(v^2 / 2) or so
    down = int(v * 2**inner)
    squared, long = int(v * v * 2**inner), 2 * int(v * v) + 2
    low = high = 0
    up, k = down + 1, 1
    while up > 1 or k < long:
        low, high, k = low + down, high + up, k + 2
        down = (down * squared >> inner) // k
        up = -((-up * (squared + 1) >> inner) // k)
    below, above = density(v, inner)
    half, less = 1 << bits - 1, 2 * inner - bits
    # The rest falls by half each time.
    return half + (low * below >> less), half - (-(high + 2) * above >> less)


def density(v: Fraction, bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits p(v), p(v) = e^(-v^2 / 2) / sqrt(2 pi)."""
    (low, high), (below, above) = exponential(-v * v / 2, bits=bits), root_of_two_pi(bits)
    return int(low * 4**bits) // above, int(high * 4**bits) // below + 1


@cache
def root_of_two_pi(bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits sqrt(2 pi), by pi / 4 = 4 arctan(1/5) - arctan(1/239) (Machin)."""
    inner = bits + 32

    def arctan(n: int) -> int:
        total, power, k = 0, (1 << inner) // n, 1
        while power:
            total, power, k = total + power // k, -power // (n * n), k + 2
        return total

    around, wrong = (
        16 * arctan(5) - 4 * arctan(239),
        40 * inner,
    )  # two units for each term, of which there are fewer
    return isqrt(2 * (around - wrong) << inner) >> 32, (isqrt(2 * (around + wrong) << inner) >> 32) + 1


def quantile(share: int, unit: int, normals: Normals, places: int) -> Fraction:
    """Return about where P is share / unit, by Newton's method from a double; how near it is, is not told."""
    if 2 * share > unit:
        return -quantile(unit - share, unit, normals, places)
    small = log(share) - log(unit)
    if small > -600:
        start = NormalDist().inv_cdf(exp(small))
    else:
        t = sqrt(-2 * small)
        for _ in range(20):
            odds = t  # p(t) / P(-t) as a continued fraction
            for k in range(99, 0, -1):
                odds = t + k / odds
            t += (-t * t / 2 - log(2 * pi) / 2 - log(odds) - small) / odds
        start = -t
    more, wanted, right = places + 20, (share << normals.bits) // unit, 40
    m = floor(Fraction(start) * 2**more)
    while right < more:
        low, rise = normals.with_density(m, more)
        m, right = m + (wanted - low << more) // max(rise, 1), 2 * right
    return Fraction(m, 2**more)
