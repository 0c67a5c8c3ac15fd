"""Limits that hold for sums with noise of one law, and for the mean that they tell, whatever its people.

Model
-----
    S_j = true sum + Z_j,   N = sum_j S_j,   m the places: at the true place p of the mean
    sum_j (m_j - p) S_j = sum_j (m_j - p) Z_j      whatever the number of people
    normal      (sum_j m_j S_j - p N)^2 <= 2 s ln(2/alpha) sum_j (m_j - p)^2: Fieller's quadratic
    geometric   Z is Laplace noise X of scale b = -1 / ln a, pushed onto whole numbers: |Z - X| <= 1 - d,
                d = b ln(2 / (1 + a)); and sums of Laplace noise of different scales c_i have the tail
                sum_i w_i exp(-t / c_i),  w_i = prod_(k != i) c_i^2 / (c_i^2 - c_k^2)

Equal scales are made a little different, upwards, and in an interval of places each scale is at its largest:
a larger scale has larger tails, as all laws here are symmetric with one mode. So all limits err outwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, log, log1p, sqrt
from typing import TYPE_CHECKING

from optmech.mechanisms.tables.table_noise import MarginNoise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from optmech.mechanisms.tables.table_noise import TableNoise

_SAFE, _TINY = 1 + 1e-9, 1e-12
# Equal scales are this part apart; an interval of places is halved so often.
_APART, _HALVINGS, _STEPS = 1e-4, 24, 200


@dataclass(frozen=True)
class SumLimits:
    """Limits of sums whose noise has one law and is independent.

    >>> from fractions import Fraction
    >>> from optmech.mechanisms.tables.table_noise import LatticeNoise
    >>> noise = LatticeNoise((), {frozenset(): Fraction(10000)})
    >>> round(SumLimits(noise, 0.05).of_sum([1, 0]), 1), SumLimits(noise, 0.05).of_place([6000, 4000], [1, 0])
    (271.6, (0.5805..., 0.6197...))
    """

    noise: TableNoise
    sure: float

    @property
    def _is_normal(self) -> bool:
        return not isinstance(self.noise, MarginNoise)

    @cached_property
    def _parameter(self) -> Fraction:
        noise = self.noise
        (parameter,) = {*(noise.ratios if isinstance(noise, MarginNoise) else noise.variances).values()}
        return parameter

    @property
    def variance(self) -> Fraction:
        """The variance of one sum, or a little more."""
        a = self._parameter
        return a if self._is_normal else 2 * a / (1 - a) ** 2

    @property
    def _square(self) -> float:
        """The square of the limit of normal noise on one sum."""
        return 2 * float(self._parameter) * log(2 / self.sure) * _SAFE

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """Return b, and 1 - d."""
        rest = float(1 - self._parameter)
        scale = -1 / log1p(-rest)
        return scale * _SAFE, (1 + scale * log1p(-rest / 2)) * _SAFE

    def of_sum(self, weights: Sequence[float]) -> float:
        """Return the error that a sum with these weights stays within."""
        sizes = [abs(float(weight)) for weight in weights if weight]
        if self._is_normal:
            return sqrt(self._square * sum(size**2 for size in sizes))
        scale, moved = self._scale
        scales: list[float] = []
        for size in sorted(sizes):
            scales.append(max(size, scales[-1] * (1 + _APART)) if scales else size)
        return scale * _quantile(tuple(scales), self.sure) + moved * sum(sizes)

    def of_place(self, sums: Sequence[int], places: Sequence[float]) -> tuple[float, float] | None:
        """Return the limits of the mean's place in its range, 0 to 1; None where no place fits the sums."""
        total = sum(sums)
        if total <= 0:
            return 0.0, 1.0
        places = [float(place) for place in places]
        middle = sum(m * s for m, s in zip(places, sums, strict=True)) / total
        if self._is_normal:
            return _fieller(middle, self._square / total**2, places)

        def fits(low: float, high: float) -> bool:
            nearest = min(max(middle, low), high)
            widest = [max(abs(m - low), abs(m - high)) for m in places]
            return abs(middle - nearest) * total <= self.of_sum(widest) * _SAFE

        low, high = (_outermost(fits, 0.0, 1.0, side, _HALVINGS) for side in (0, 1))
        return None if low is None or high is None else (low, high)


def _outermost(
    fits: Callable[[float, float], bool], low: float, high: float, side: int, halvings: int
) -> float | None:
    """Return the outer end of the first interval that may fit, of many, from one side."""
    if not fits(low, high):
        return None
    if not halvings:
        return (low, high)[side]
    middle = (low + high) / 2
    halves = [(low, middle), (middle, high)]
    for half in reversed(halves) if side else halves:
        found = _outermost(fits, *half, side, halvings - 1)
        if found is not None:
            return found
    return None


def _fieller(middle: float, k: float, places: Sequence[float]) -> tuple[float, float] | None:
    """Return the p of 0..1 with ``(middle - p)^2 <= k sum (m - p)^2``; all where they are no interval."""
    number, first, second = len(places), sum(places), sum(place**2 for place in places)
    lead = 1 - number * k
    if lead <= 0:
        return 0.0, 1.0
    inner = k * (second - 2 * middle * first + number * middle**2) + k**2 * (first**2 - number * second)
    root, centre = sqrt(max(inner, 0.0)), middle - k * first
    low, high = ((centre + sign * root) / lead + sign * _TINY for sign in (-1, 1))
    return None if high < 0 or low > 1 else (max(low, 0.0), min(high, 1.0))


def _quantile(scales: tuple[float, ...], sure: float) -> float:
    """Return t with a tail of at most `sure` of the sum of Laplace noise of different scales."""
    weights = []
    for i, own in enumerate(scales):
        weight = 1.0
        for k, other in enumerate(scales):
            if k != i:
                weight *= own**2 / (own**2 - other**2)
        weights.append(weight)
    low, high = 0.0, sum(scales) * log(len(scales) / sure) * 2
    for _ in range(_STEPS):
        t = (low + high) / 2
        if sum(weight * exp(-t / scale) for weight, scale in zip(weights, scales, strict=True)) > sure:
            low = t
        else:
            high = t
        if high - low <= high * 1e-10:
            break
    return high
