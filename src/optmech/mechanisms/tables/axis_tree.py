"""The order in which the sums along one axis are drawn: the total, then a part of each region.

Coordinate 0 is the sum over the whole axis. Every other coordinate splits a region of categories next to each
other, and is the sum over its left part; the right part is the rest. So sums and categories determine each
other, in whole numbers. Where the sum of a region is known, its left part is expected to have the share
``left / size`` of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Marks, Whole


@dataclass(frozen=True, slots=True, eq=False)
class AxisTree:
    """The coordinates of an axis, each behind its parent.

    Attributes
    ----------
    size, left : ndarray of int, shape (number of categories,)
        Categories in the region of a coordinate and in its left part; 1 and 0 for the whole axis.
    start, stop : ndarray of int
        The left part: categories from `start` to before `stop`.
    parent : ndarray of int
        The coordinate that made the region.
    is_left : ndarray of bool
        Whether the region is the left part of its parent.
    depth : ndarray of int
        Number of parents.
    """

    size: Integers
    left: Integers
    start: Integers
    stop: Integers
    parent: Integers
    is_left: Marks
    depth: Integers

    @property
    def levels(self) -> int:
        """Number of depths."""
        return int(self.depth.max()) + 1

    def sums(self, table: Whole, axis: int) -> Whole:
        """Return the sum of each left part along an axis; the whole sum first.

        >>> axis_tree(3, 1).sums(np.array([5, 7, 1]), 0).tolist()
        [13, 5, 7]
        """
        first = np.moveaxis(table, axis, 0)
        ahead = np.concatenate([np.zeros_like(first[:1]), np.cumsum(first, axis=0)])
        return np.moveaxis(ahead[self.stop] - ahead[self.start], 0, axis)

    def categories(self, sums: Whole, axis: int) -> Whole:
        """Return the categories of which `sums` gives the sums.

        >>> axis_tree(3, 1).categories(np.array([13, 5, 7]), 0).tolist()
        [5, 7, 1]
        """
        first = np.moveaxis(sums, axis, 0)
        region, table = np.empty_like(first), np.empty_like(first)
        region[0] = first[0]
        region[1:2] = first[:1]
        for depth in range(2, self.levels):
            here = np.flatnonzero(self.depth == depth)
            region[here] = self._part(first, region, self.parent[here], self.is_left[here])
        splits = np.arange(len(self.size)) > 0
        single = np.flatnonzero(splits & (self.left == 1))
        table[self.start[single]] = first[single]
        rest = np.flatnonzero(splits & (self.size - self.left == 1))
        table[self.stop[rest]] = region[rest] - first[rest]
        return np.moveaxis(table if len(splits) > 1 else first, 0, axis)

    @staticmethod
    def _part(sums: Whole, region: Whole, parent: Integers, is_left: Marks) -> Whole:
        left = is_left.reshape(-1, *[1] * (sums.ndim - 1))
        return np.where(left, sums[parent], region[parent] - sums[parent])


@lru_cache(maxsize=64)
def axis_tree(categories: int, block: int) -> AxisTree:
    """Return the tree that halves an axis down to `block` categories, which it splits one by one.

    Halves make the fewest depths; single categories leave the largest variance to each coordinate.

    >>> [axis_tree(1000, block).levels for block in (1, 8, 1000)]
    [11, 15, 1000]
    """
    rows = [(1, 0, 0, categories, 0, True, 0)]
    regions = [(0, categories, 0, True, 1)] if categories > 1 else []
    while regions:
        following = []
        for start, stop, parent, is_left, depth in regions:
            size, number = stop - start, len(rows)
            left = 1 if size <= block else max(block, size // (2 * block) * block)
            rows.append((size, left, start, start + left, parent, is_left, depth))
            parts = (start, start + left, True), (start + left, stop, False)
            following += [(low, high, number, side, depth + 1) for low, high, side in parts if high - low > 1]
        regions = following
    columns = np.array(rows).T
    for column in columns:
        column.setflags(write=False)
    size, left, start, stop, parent, side, depth = columns
    return AxisTree(size, left, start, stop, parent, side.astype(bool), depth)
