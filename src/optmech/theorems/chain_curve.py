"""The privacy curve of a question of a chain in doubles: the lines of pairs, or the polygon of a noise.

Model
-----
    K(x)    the most that a set has under one truth, of probability x under the next
    H       the inverse of K;  1 - K(1 - y) is H where both ways of a pair are protected alike
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import trade_offs
from optmech.question.epsilon import exponential

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.problem import Problem

    Pair = tuple[float, float]

# Values of kinks, and steps from 1 to 0: beyond, seconds pass.
_MOST_KINKS, _NOTHING = 200_000, 1e-17
_ROUNDING, _SAME = 1e-12, 1e-13


class ChainCurve(ABC):
    """One privacy curve, in doubles."""

    pairs: tuple[Pair, ...] = ()
    """``e^epsilon`` and delta of each pair, where it is one of pairs."""

    @abstractmethod
    def above(self, shares: Floats) -> Floats:
        """Return K."""

    @abstractmethod
    def beside(self, shares: Floats) -> Floats:
        """Return H."""

    @abstractmethod
    def mirrored(self, shares: Floats) -> Floats:
        """Return ``1 - K(1 - y)``, which keeps the digits of what is near 1."""

    @abstractmethod
    def kinks(self, number: int) -> Floats:
        """Return the values, 0 and 1 included, between which every phi of `number` truths is linear."""

    def without_corners(self, number: int) -> str | None:  # noqa: ARG002 - pairs always have some
        """Return why doubles do not distinguish its corners, ``None`` where they do."""
        return None


class PairCurve(ChainCurve):
    """The least of two lines for each pair."""

    def __init__(self, pairs: tuple[Pair, ...]) -> None:
        self.pairs = pairs
        self._lines = [
            line
            for factor, delta in pairs
            for line in ((factor, delta), (1 / factor, 1 - (1 - delta) / factor))
        ]

    def above(self, shares: Floats) -> Floats:
        """Return K."""
        lines = [slope * shares + offset for slope, offset in self._lines]
        heights: Floats = np.minimum(1.0, np.min(lines, axis=0))
        return heights

    def beside(self, shares: Floats) -> Floats:
        """Return H."""
        lines = [(shares - offset) / slope for slope, offset in self._lines]
        places: Floats = np.maximum(0.0, np.max(lines, axis=0))
        # At one the line through (1, 1 - delta) would be off by its rounding, which further steps multiply.
        return np.where(shares >= 1, 1 - min(delta for _, delta in self.pairs), places)

    def mirrored(self, shares: Floats) -> Floats:
        """Return H: pairs hold both ways."""
        return self.beside(shares)

    @cached_property
    def _corners(self) -> list[float]:
        corners = [0.0, float(self.beside(np.array(1.0)))]
        for (slope, offset), (other, height) in combinations(self._lines, 2):
            if slope != other:
                x = (height - offset) / (slope - other)
                if 0 < x < 1 and abs(slope * x + offset - self.above(np.array(x))) < _ROUNDING:
                    corners.append(x)
        return corners

    def kinks(self, number: int) -> Floats:
        """Return the orbits of all corners, up and down."""
        kinks = [np.array([0.0, 1.0])]
        for move in (self.above, self.beside):
            values = np.array(self._corners)
            for _ in range(min(number, _MOST_KINKS)):
                values = values[(values > _NOTHING) & (values < 1 - _NOTHING)] if len(kinks) > 1 else values
                if not len(values):
                    break
                kinks.append(values)
                values = move(values)
        values = np.unique(np.concatenate(kinks))
        # The first of several values that differ by rounding stands for all.
        return values[np.diff(values, prepend=-1.0) > _SAME]


class LawCurve(ChainCurve):
    """The polygon through (F(i-1), F(i)) of a noise."""

    def __init__(self, law: NoiseLaw) -> None:
        self._law = law

    @cached_property
    def _values(self) -> tuple[list[float], list[float]]:
        """The corners of K, and those of the mirrored curve, from 0 on."""
        floats = self._law.floats
        below = np.cumsum(floats)
        inside = (below > _NOTHING) & (below < 1 - 10 * _NOTHING)
        rests = [0.0, *(np.cumsum(floats[::-1])[::-1] - floats)[inside][::-1].tolist(), 1.0]
        return [*below[inside].tolist(), 1.0], rests

    def above(self, shares: Floats) -> Floats:
        """Return K."""
        values, _ = self._values
        return np.interp(shares, [0.0, *values], [*values, 1.0])

    def beside(self, shares: Floats) -> Floats:
        """Return H."""
        values, _ = self._values
        return np.interp(shares, values, [0.0, *values[:-1]])

    def mirrored(self, shares: Floats) -> Floats:
        """Return ``1 - K(1 - y)``."""
        _, rests = self._values
        return np.interp(shares, rests, [0.0, *rests[:-1]])

    def kinks(self, number: int) -> Floats:  # noqa: ARG002 - the orbits of corners are corners
        """Return the corners."""
        return np.array([0.0, *self._values[0]])

    def without_corners(self, number: int) -> str | None:
        """Return why doubles do not distinguish its corners."""
        if self._law.no_corners or any(_SAME < kink < 1 - _SAME for kink in self.kinks(number)):
            return self._law.no_corners
        return "its noise is so narrow that doubles do not tell its orbits from 0 and 1"


def curve_of(problem: Problem) -> ChainCurve:
    """Return the privacy curve of a problem of a chain."""
    law = problem.privacy.curve
    if law is not None:
        return LawCurve(law)
    return PairCurve(tuple((exponential(epsilon), float(delta)) for epsilon, delta in trade_offs(problem)))
