"""Whole tables drawn coordinate by coordinate: sums along each axis first, then their parts.

Law
---
    coordinate c has the mean  sum_(S not empty) -(-1)^|S| prod_(a in S) (left_a / size_a) R_S,
    R_S the sum of the region of c along the axes in S, and of its left part along the others

given all coordinates at lower depths, for every law that is exchangeable along each axis (an interaction has
one variance). Coordinates of one depth do not depend on each other, so they are drawn together. `base` moves
the law: R_S is then the sum of what was drawn less the base, and the mean has the base added.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Protocol

import numpy as np

from optmech.mechanisms.tables.axis_tree import axis_tree
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from optmech.base.arrays import Integers, Whole
    from optmech.mechanisms.tables.axis_tree import AxisTree
    from optmech.question.tables.margins import Axes

_ROOM = 1 << 62
"""Whole numbers of NumPy are used below this size, those of Python beyond."""


class LevelStep(Protocol):
    """Draws numbers around their means."""

    def __call__(self, parts: Whole, wholes: Whole, at: Sequence[Integers]) -> Integers:
        """Return a whole number for each mean ``parts / wholes``; `at` has the coordinate on each axis."""
        ...


def trees_of(sizes: Sequence[int], block: int = 1) -> tuple[AxisTree, ...]:
    """Return the tree of each axis; a table of no axes has one of one category."""
    return tuple(axis_tree(size, min(block, size)) for size in sizes or (1,))


def draw_sums(
    trees: Sequence[AxisTree],
    step: LevelStep,
    base: tuple[Integers, int] | None = None,
    asked: Collection[Axes] | None = None,
) -> Integers:
    """Return the coordinates of a table.

    Parameters
    ----------
    trees : sequence of AxisTree
        The coordinates of each axis.
    step : LevelStep
        Draws a number around its mean.
    base : tuple of ndarray and int, optional
        Numerators and their denominator: the table that the means are moved by.
    asked : collection of frozenset, optional
        The margins of which the coordinates are drawn; all if left out. The others stay zero.
    """
    shape = tuple(len(tree.size) for tree in trees)
    moved, one = (np.zeros(shape, dtype=np.int64), 1) if base is None else base
    for axis, tree in enumerate(trees):
        moved = tree.sums(moved, axis)
    moved = moved.reshape(-1)
    every = frozenset(range(len(shape)))
    drawn = np.zeros(prod(shape), dtype=np.int64)
    rests = {axes: np.zeros(prod(shape), dtype=np.int64) for axes in subsets(every)}
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    for here in _levels(trees, shape, asked):
        at = np.unravel_index(here, shape)
        active = [index > 0 for index in at]
        for axes in list(subsets(every))[1:]:
            axis = min(axes)
            on = np.logical_and.reduce([active[each] for each in axes])
            tree, index = trees[axis], at[axis][on]
            parent = here[on] + (tree.parent[index] - index) * strides[axis]
            part = rests[axes - {axis}][parent]
            rests[axes][here[on]] = np.where(tree.is_left[index], part, rests[axes][parent] - part)
        whole, rest = np.divmod(moved[here], one)
        parts, wholes = _means(trees, at, active, {axes: rests[axes][here] for axes in rests}, rest, one)
        number = step(parts, wholes, at)
        drawn[here] = whole + number
        rests[frozenset()][here] = one * number - rest
    return drawn.reshape(shape)


def _levels(
    trees: Sequence[AxisTree], shape: Sequence[int], asked: Collection[Axes] | None
) -> list[Integers]:
    """Return the places of the coordinates of each depth, in order."""
    depths = np.zeros(shape, dtype=np.int16)
    kept = np.full(shape, asked is None)
    for axis, tree in enumerate(trees):
        depths += tree.depth.astype(np.int16).reshape(
            [-1 if each == axis else 1 for each in range(len(shape))]
        )
    for margin in asked or ():
        kept[tuple(slice(None) if axis in margin else 0 for axis in range(len(shape)))] = True
    places = np.flatnonzero(kept.reshape(-1))
    ordered = places[np.argsort(depths.reshape(-1)[places], kind="stable")]
    most = sum(tree.levels - 1 for tree in trees)
    cuts = np.searchsorted(depths.reshape(-1)[ordered], np.arange(1, most + 1))
    return [here for here in np.split(ordered, cuts) if here.size]


def _means(  # noqa: PLR0917 - one level, in its parts
    trees: Sequence[AxisTree],
    at: Sequence[Integers],
    active: Sequence[Whole],
    rests: dict[Axes, Integers],
    rest: Integers,
    one: int,
) -> tuple[Whole, Whole]:
    """Return the means, less their whole base, as parts of wholes."""
    sizes = [tree.size[index] for tree, index in zip(trees, at, strict=True)]
    lefts = [tree.left[index] for tree, index in zip(trees, at, strict=True)]
    widest = prod(int(size.max()) for size in sizes)
    # The largest value of all below: each rest weighs at most the product of the sizes.
    most = widest * (one + sum(int(np.abs(each).max()) for each in rests.values()))
    kind = np.int64 if most < _ROOM else object
    wholes = np.ones(len(rest), dtype=kind)
    for size in sizes:
        wholes = wholes * size
    parts = rest.astype(kind) * wholes
    for axes, each in rests.items():
        on = np.logical_and.reduce([active[axis] for axis in axes]) if axes else np.zeros(len(rest), bool)
        if on.any():
            weight = each[on].astype(kind)
            for axis in range(len(sizes)):
                weight = weight * (lefts[axis] if axis in axes else sizes[axis])[on]
            parts[on] += weight if len(axes) % 2 else -weight
    return parts, wholes * one


def tables_of(trees: Sequence[AxisTree], sums: Integers, margin: Axes) -> Integers:
    """Return one margin of the table that has these coordinates."""
    chosen = sums[tuple(slice(None) if axis in margin else 0 for axis in range(sums.ndim))]
    for place, axis in enumerate(sorted(margin)):
        chosen = trees[axis].categories(chosen, place)
    return chosen
