"""Enumerate the code of a library over all draws of a uniform double.

Python's ``SystemRandom.random()`` is ``k / 2**53`` for a whole number k below ``2**53``, each alike. A
library that takes such a generator is given one that answers with chosen k, so that the probability of an
output is a number of k over ``2**53``, exactly.

`branches` follows code that compares its draws, or multiplies and then cuts them: each draw is a range of k,
and each comparison cuts it in two. `steps` runs code on plain doubles and finds by bisection where its output
changes; the output must be monotone in k on each of the ranges that are given, which is checked around each
change.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

GRID = 2**53
"""Number of the values of a draw."""
# Paths that are less likely than this are not followed: their mass is returned.
_LEAST_PATH = Fraction(1, 2**64)
# Draws beside a change of output that must keep their order.
_NEAR = 16


class _TooUnlikely(Exception):  # noqa: N818 - it ends a path, and is no error
    """The end of a path that is not followed."""


class Path:
    """A path through code: at each fork a given choice, then the first of all."""

    def __init__(self, given: list[int]) -> None:
        self.taken, self.forks, self.mass = given, 0, Fraction(1)
        self.open: list[list[int]] = []

    def choose(self, counts: list[int]) -> int:
        """Return which of several parts of a range is taken; of one that is empty never."""
        possible = [index for index, count in enumerate(counts) if count]
        if len(possible) == 1:
            return possible[0]
        if self.forks == len(self.taken):
            first, *others = possible
            self.open += [[*self.taken, other] for other in others]
            self.taken = [*self.taken, first]
        chosen = self.taken[self.forks]
        self.forks += 1
        self.mass *= Fraction(counts[chosen], sum(counts))
        if self.mass < _LEAST_PATH:
            raise _TooUnlikely
        return chosen


class PathDraws(random.SystemRandom):
    """A generator whose draws are ranges, which narrow along a path."""

    path = Path([])

    def random(self) -> Any:  # noqa: ANN401 - it stands for a double
        """Return a draw of which nothing is known."""
        return RangeOfDraws(self.path, [0, GRID])


class RangeOfDraws:
    """A draw that is known to lie in a range of k, times factors: it narrows as it is compared."""

    def __init__(self, path: Path, ends: list[int], factors: tuple[float, ...] = ()) -> None:
        self._path, self._ends, self._factors = path, ends, factors

    def __mul__(self, factor: float) -> RangeOfDraws:
        return RangeOfDraws(self._path, self._ends, (*self._factors, float(factor)))

    def __le__(self, limit: float) -> bool:
        return self._split([self._first_above(limit)]) == 0

    def __lt__(self, limit: float) -> bool:
        return self._split([self._first_above(math.nextafter(limit, -math.inf))]) == 0

    def __gt__(self, limit: float) -> bool:
        return not self <= limit

    def __ge__(self, limit: float) -> bool:
        return not self < limit

    def __int__(self) -> int:
        low, high = self._ends
        first, last = int(self._value(low)), int(self._value(high - 1))
        below = [math.nextafter(whole, -math.inf) for whole in range(first + 1, last + 1)]
        return first + self._split([self._first_above(limit) for limit in below])

    def _value(self, k: int) -> float:
        value = k / GRID
        for factor in self._factors:
            value *= factor
        return value

    def _first_above(self, limit: float) -> int:
        """Return the first k of the range whose value exceeds a limit; all factors are positive."""
        low, high = self._ends
        if not self._factors:  # a comparison of k with a rational
            return min(max(math.floor(Fraction(limit) * GRID) + 1, low), high)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._value(middle) > limit else (middle + 1, high)
        return low

    def _split(self, inner: list[int]) -> int:
        """Cut the range, keep the part that is chosen, and return its index."""
        cuts = [self._ends[0], *inner, self._ends[1]]
        part = self._path.choose([end - start for start, end in pairwise(cuts)])
        self._ends[:] = cuts[part : part + 2]
        return part


def branches(source: PathDraws, run: Callable[[], Hashable]) -> tuple[dict[Hashable, Fraction], Fraction]:
    """Return the probability of each output, and the mass of the paths that were not followed.

    `run` releases one answer with the draws of `source`.
    """
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    left, waiting = Fraction(0), [list[int]()]
    while waiting:
        path = source.path = Path(waiting.pop())
        try:
            found[run()] += path.mass
        except _TooUnlikely:
            left += path.mass
        waiting += path.open
    return dict(found), left


class OneDraw(random.SystemRandom):
    """A generator whose next draw is chosen."""

    k = 0

    def random(self) -> float:
        """Return the chosen draw."""
        return self.k / GRID


def steps(
    run: Callable[[int], Hashable], ranges: Iterable[tuple[int, int]] = ((0, GRID),)
) -> list[tuple[int, int, Hashable]]:
    """Return the ranges of k on which the output stays the same, with that output.

    Raises
    ------
    ProblemError
        If the output is not monotone around a change.
    """
    found: list[tuple[int, int, Hashable]] = []
    for low, high in ranges:
        start = low
        while start < high:
            out = run(start)
            last, beyond = start, high
            while beyond - last > 1:
                middle = (last + beyond) // 2
                last, beyond = (middle, beyond) if run(middle) == out else (last, middle)
            if beyond < high:
                near = range(max(start, beyond - _NEAR), min(high, beyond + _NEAR))
                sides = [run(k) == out for k in near]
                if sides != sorted(sides, reverse=True):
                    message = "the output must be monotone in the draw; around a change it is not."
                    raise ProblemError(message)
            found.append((start, beyond, out))
            start = beyond
    return found
