"""Counting cuts: so many steps leak at each level, so many values stand on it, and numbers are whole."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.levels.tree import CountingCut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Integers

# The last level that a cut counts, and counts of a level that are gone through.
_LAST, _MOST_COUNTED = 3, 200
# Cuts of a sort, and whole points of all of them together: half of what readers of a proof take.
_MOST_CUTS, _MOST_POINTS = 32, 60_000
# Facets with larger whole numbers are left out.
_LARGEST = 60
# Rounding of doubles: of a sum at a point, and of a coefficient of a facet.
_SUM, _NEAR = 1e-12, 1e-6


def counting_cuts(ratio: float, first: int, most: float, last: int) -> tuple[CountingCut, ...]:
    """Return facets of the hull of counts at levels from `first` on, of weights `ratio**level` up to `most`.

    They count levels up to `last`, and at most up to 3.

    >>> [(cut.coefficients, cut.most) for cut in counting_cuts(0.5, 1, 1.2, 9)]
    [((1,), 2), ((2, 1), 4), ((4, 2, 1), 9)]
    """
    if most <= _NEAR:  # nothing to count, or only rounding says that there is
        return ()
    found: dict[CountingCut, None] = {}
    last_of_all, points_left = min(last, _LAST), _MOST_POINTS
    while ratio**first > most and first < last_of_all:
        first += 1
    for end in range(first, last_of_all + 1):
        weights = [ratio**level for level in range(first, end + 1)]
        if most / weights[-1] > _MOST_COUNTED:
            break
        points_of_cut = prod(int(most / weight) + 2 for weight in weights[:-1])
        points = np.array(list(_largest_points(weights, most)), dtype=np.int64)
        for coefficients, right in _facets(points):
            points_left -= points_of_cut
            if points_left < 0 or len(found) == _MOST_CUTS:
                return tuple(found)
            used = np.flatnonzero(coefficients)
            inside = coefficients[used[0] : used[-1] + 1]
            found[CountingCut(first=first + int(used[0]), coefficients=inside, most=right)] = None
    return tuple(found)


def _largest_points(weights: Sequence[float], most: float) -> Iterator[tuple[int, ...]]:
    """Yield the whole points of weighted sum at most `most` with the largest last coordinate."""
    largest = int(most / weights[0] + _SUM)
    if len(weights) == 1:
        yield (largest,)
        return
    for number in range(largest + 1):
        for rest in _largest_points(weights[1:], most - number * weights[0]):
            yield (number, *rest)


def _facets(points: Integers) -> list[tuple[tuple[int, ...], int]]:
    """Return the facets of all whole points that are no larger than one of the given ones."""
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415 - it takes a moment

    dimension = points.shape[1]
    if dimension == 1:
        return [((1,), int(points.max()))]
    below = np.vstack([points * np.array(kept) for kept in product((0, 1), repeat=dimension)])
    try:
        equations = ConvexHull(np.unique(below, axis=0)).equations
    except QhullError:
        return []
    found = set()
    for *normal, _ in equations:
        coefficients = _whole(normal)
        if coefficients is not None:
            found.add((coefficients, int((points @ np.array(coefficients)).max())))
    return sorted(found)


def _whole(normal: Sequence[float]) -> tuple[int, ...] | None:
    """Return whole numbers in the ratios of a normal, ``None`` where it looks down or they are large."""
    largest = max(normal)
    if largest <= _NEAR or min(normal) < -_NEAR:
        return None
    shares = [Fraction(each / largest).limit_denominator(_LARGEST) for each in normal]
    scale = lcm(*(share.denominator for share in shares))
    whole = tuple(int(share * scale) for share in shares)
    is_near = all(abs(each / largest - share) < _NEAR for each, share in zip(normal, shares, strict=True))
    return whole if is_near and max(whole) <= _LARGEST else None
