"""Draws of noise on margins: noise on each number, exact least squares, and rounding with coins.

Release
-------
    y_S = margin S of the counts + noise     for each asked margin S
    t   = sum_A P_A sum_(S containing A) c[A, S] lift(y_S) / out_S     the table of least squares
    z   = t rounded, coordinate by coordinate of `sums`: up with the probability of the fraction

z depends on y and on coins alone, so a mistake here would cost accuracy, never privacy. A whole table that
is added to the counts is added to z: first the noisy cells are taken off, and they come back at the end.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.tables.coins import rounded_up, two_sided
from optmech.mechanisms.tables.normal_draws import normal_numbers
from optmech.mechanisms.tables.sums import draw_sums, tables_of, trees_of
from optmech.mechanisms.tables.table_noise import MarginNoise
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from fractions import Fraction

    from optmech.base.arrays import Integers, Whole
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.mechanisms.tables.axis_tree import AxisTree
    from optmech.mechanisms.tables.table_noise import NormalMargins
    from optmech.question.tables.margins import Axes

_ROOM = 1 << 62


def margin_noise(noise: MarginNoise | NormalMargins, random_bytes: RandomBytes) -> dict[Axes, Integers]:
    """Return the noise of each number of each asked margin."""
    numbers = {margin: _cells(noise.sizes, margin) for margin in noise.spreads}
    if isinstance(noise, MarginNoise):
        drawn = {m: two_sided(ratio, numbers[m], random_bytes) for m, ratio in noise.ratios.items()}
    else:
        drawn = {m: _normal(spread, numbers[m], random_bytes) for m, spread in noise.spreads.items()}
    return {m: each.reshape([noise.sizes[axis] for axis in sorted(m)]) for m, each in drawn.items()}


def _normal(spread: Fraction, number: int, random_bytes: RandomBytes) -> Integers:
    """Return whole-number normal noise of a parameter."""
    zeros, ones = np.zeros(number, dtype=np.int64), np.ones(number, dtype=np.int64)
    return normal_numbers(zeros, ones, float(spread) * np.ones(number), lambda _: spread, random_bytes)[0]


def margin_sums(table: Integers, margin: Axes) -> Integers:
    """Return one margin of a table."""
    sums: Integers = table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in margin))
    return np.asarray(sums)


def whole_margins(
    noise: MarginNoise | NormalMargins, noisy: Mapping[Axes, Integers], random_bytes: RandomBytes
) -> dict[Axes, Integers]:
    """Return the largest asked margins of the whole-number table that noisy margins stand for."""
    every = frozenset(range(len(noise.sizes)))
    cells = noisy.get(every)
    if cells is None:
        return rounded_margins(noise.sizes, *least_squares(noise, noisy), noise.spreads, random_bytes)
    left = {margin: each - margin_sums(cells, margin) for margin, each in noisy.items()}
    rounded = rounded_margins(noise.sizes, *least_squares(noise, left), noise.spreads, random_bytes)
    return {every: cells + rounded[every]}


def least_squares(noise: MarginNoise | NormalMargins, noisy: Mapping[Axes, Integers]) -> tuple[Whole, int]:
    """Return the table of least squares as numerators over one denominator."""
    sizes, count = noise.sizes, prod(noise.sizes)
    largest = max(int(np.abs(each).max(initial=0)) for each in noisy.values())
    kind = np.int64 if (largest + 1) * count << (noise.bits + 2 * len(sizes)) < _ROOM else object
    total = np.zeros(sizes, dtype=kind)
    for part in subsets(frozenset(range(len(sizes)))):
        mixed = [
            noise.weights[part, margin]
            * each.astype(kind).sum(
                axis=tuple(place for place, axis in enumerate(sorted(margin)) if axis not in part)
            )
            for margin, each in noisy.items()
            if part <= margin
        ]
        if not mixed:  # no asked margin has this interaction
            continue
        centred = np.asarray(sum(mixed[1:], start=mixed[0]))
        for place, axis in enumerate(sorted(part)):
            centred = sizes[axis] * centred - centred.sum(axis=place, keepdims=True)
        total = total + centred.reshape([size if axis in part else 1 for axis, size in enumerate(sizes)])
    return total, count << noise.bits


def rounded_margins(
    sizes: Sequence[int],
    numerators: Whole,
    denominator: int,
    asked: Collection[Axes],
    random_bytes: RandomBytes,
) -> dict[Axes, Integers]:
    """Return the largest asked margins of a rational table, rounded without bias.

    A number of margin S gets a variance of at most 1/4 prod_(a in S) (1 + 1/4 + ... + 1/n_a^2).
    """

    def step(parts: Whole, wholes: Whole, at: Sequence[Integers]) -> Integers:
        del at
        whole = parts // wholes
        return whole.astype(np.int64) + rounded_up(parts - whole * wholes, wholes, random_bytes)

    nearest = (2 * numerators + denominator) // (2 * denominator)
    rest = (numerators - nearest * denominator).astype(np.int64)
    trees, whole = trees_of(sizes), nearest.astype(np.int64)
    shape = tuple(len(tree.size) for tree in trees)
    sums = draw_sums(trees, step, (rest.reshape(shape), denominator), asked)
    largest = [margin for margin in asked if not any(margin < other for other in asked)]
    return {margin: margin_sums(whole, margin) + _margin(trees, sums, margin, sizes) for margin in largest}


def _margin(trees: Sequence[AxisTree], sums: Integers, margin: Axes, sizes: Sequence[int]) -> Integers:
    return tables_of(trees, sums, margin).reshape([sizes[axis] for axis in sorted(margin)])


def _cells(sizes: Sequence[int], margin: Axes) -> int:
    return prod(sizes[axis] for axis in margin)
