"""Probabilities of a noise in doubles, each computed from the nearer tail.

Model
-----
    F(l) = P(Z <= l) is listed; beyond both ends F, and 1 - F, shrink by `tail` from period to period

Limits of `FAR` and minus `FAR` are infinite: the noise stays between them.
"""

from __future__ import annotations

from math import inf, log, log1p
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.proofs.chain.noise import Noise

FAR = 1 << 62
"""Beyond any lattice point of the noise, and far from the ends of 64 bits."""


class NoiseShares:
    """The distribution function of a noise, from both sides, in doubles."""

    def __init__(self, noise: Noise) -> None:
        self._noise = noise
        self._below = np.array([value / noise.one for value in noise.cumulative])
        self._above = np.array([(noise.one - value) / noise.one for value in noise.cumulative])
        self._logarithm = _logarithm(noise)

    def sides(self, points: Integers) -> tuple[Floats, Floats]:
        """Return the probabilities of noise up to points, and beyond them."""
        noise = self._noise
        left = np.maximum(-((points - noise.first) // noise.period), 0)
        right = np.maximum(-((noise.last - points) // noise.period), 0)
        inside = points - noise.first + noise.period * (left - right)
        below, above = self._below[inside] * self._power(left), self._above[inside] * self._power(right)
        return np.where(right > 0, 1 - above, below), np.where(left > 0, 1 - below, above)

    def between(self, low: Integers, high: Integers) -> Floats:
        """Return the probabilities of noise beyond one point and up to another.

        For noise that consists of tails it is accurate to the last digits: on one side of the list it is
        ``share t^near (1 - t^length)``, without a difference of numbers.
        """
        return self._tails_between(low, high) if self._noise.is_all_tails else self._listed_between(low, high)

    def _listed_between(self, low: Integers, high: Integers) -> Floats:
        (below, above), (below_high, above_high) = self.sides(low), self.sides(high)
        between: Floats = np.where(below_high < 0.5, below_high - below, above - above_high)  # noqa: PLR2004
        return between

    def _tails_between(self, low: Integers, high: Integers) -> Floats:
        noise = self._noise
        starts, stops = (np.clip(limit, -FAR, FAR) for limit in (low, high))
        beside = []
        for share, near, far in (
            (self._below[0], noise.first - np.minimum(stops, noise.first), noise.first - starts),
            (self._above[-1], np.maximum(starts, noise.last) - noise.last, stops - noise.last),
        ):
            inside = -np.expm1(self._logarithm * np.maximum(far - near, 0))
            length = np.where(far < FAR // 4, inside, far > near)
            beside.append(share * self._power(near) * length)
        middle = (starts < noise.last) & (stops >= noise.last)
        left, right = beside
        between: Floats = left + right + middle * ((noise.cumulative[1] - noise.cumulative[0]) / noise.one)
        return between

    def _power(self, steps: Integers) -> Floats:
        # No mass lies beyond an infinite limit, however slowly a tail shrinks.
        finite = steps < FAR // (4 * self._noise.period)
        powers: Floats = np.where(steps > 0, np.exp(self._logarithm * np.maximum(steps, 1)) * finite, 1.0)
        return powers


def _logarithm(noise: Noise) -> float:
    """Return an accurate logarithm of a tail's decay, minus infinity without a tail."""
    if not noise.tail:
        return -inf
    near_one = 2 * noise.tail > noise.one
    return log1p(-(noise.one - noise.tail) / noise.one) if near_one else log(noise.tail / noise.one)
