"""Coordinates of a table have the means and parameters of the conditional normal law, computed densely."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest

from optmech.mechanisms.tables.lattice_draws import LatticeDraws
from optmech.mechanisms.tables.sums import draw_sums, tables_of, trees_of
from optmech.mechanisms.tables.table_noise import LatticeNoise
from optmech.question.tables.margins import subsets
from tests.each import each

SIZES = [(2,), (5,), (7,), (2, 3), (4, 5), (3, 2, 4), (2, 2, 3, 2)]


def dense(sizes, variances):
    """Return the covariance of the cells, exactly."""

    def projection(axes):
        parts = [
            np.array([[Fraction(int(i == j)) - Fraction(1, n) for j in range(n)] for i in range(n)])
            if axis in axes
            else np.full((n, n), Fraction(1, n))
            for axis, n in enumerate(sizes)
        ]
        return reduce(np.kron, parts)

    return sum(variance * projection(axes) for axes, variance in variances.items())


def rows_of(tree):
    rows = np.zeros((len(tree.size), len(tree.size)), dtype=object)
    for number, (start, stop) in enumerate(zip(tree.start, tree.stop, strict=True)):
        rows[number, start:stop] = 1
    return rows


@each(("sizes", "block"), [(sizes, block) for sizes in SIZES for block in (1, 2, 100)], every=3)
def test_means_and_parameters_are_those_of_the_dense_law(sizes, block):
    generator = np.random.default_rng(len(sizes))
    every = frozenset(range(len(sizes)))
    variances = {axes: Fraction(int(generator.integers(1, 9)), 2) for axes in subsets(every)}
    draws = LatticeDraws(LatticeNoise(sizes, {axes: variance * 9 for axes, variance in variances.items()}))
    trees = trees_of(sizes, block)
    object.__setattr__(draws, "trees", trees)
    order, means, parameters, numbers = [], [], [], []

    def step(parts, wholes, at):
        drawn = generator.integers(-9, 10, len(parts))
        for index in range(len(parts)):
            order.append(tuple(int(each[index]) for each in at))
            means.append(Fraction(int(parts[index]), int(wholes[index])))
            parameters.append(draws._parameter(at, index) / 9)
        numbers.extend(drawn.tolist())
        return drawn

    drawn = draw_sums(trees, step)
    assert [drawn[place] for place in order] == numbers
    rows = reduce(np.kron, [rows_of(tree) for tree in trees])
    rows = rows.reshape(*sizes, -1)
    matrix = np.array([rows[place] for place in order])
    covariance = matrix @ dense(sizes, variances) @ matrix.T
    residuals = [number - mean for number, mean in zip(numbers, means, strict=True)]
    # the unit triangular factor of the covariance, in fractions
    for place in range(len(order)):
        assert covariance[place, place] == parameters[place]
        ahead = covariance[place + 1 :, place] / covariance[place, place]
        covariance[place + 1 :, place + 1 :] -= np.outer(ahead, covariance[place, place + 1 :])
        for after in range(place + 1, len(order)):
            means[after] -= ahead[after - place - 1] * residuals[place]
    assert not any(means)
    table = tables_of(trees, drawn, every)
    assert (matrix @ table.reshape(-1) == numbers).all()


def test_a_base_moves_the_means_and_margins_that_nobody_asks_for_are_not_drawn():
    trees = trees_of((3, 4))
    base = np.arange(12).reshape(3, 4) - 5, 7
    means = {}

    def step(parts, wholes, at):
        for place, part, whole in zip(zip(*at, strict=True), parts, wholes, strict=True):
            means[tuple(map(int, place))] = Fraction(int(part), int(whole))
        return (parts // wholes).astype(np.int64)

    drawn = draw_sums(trees, step, base, [frozenset({0})])
    assert {place[1] for place in means} == {0}
    assert (drawn[:, 1:] == 0).all()
    sums = base[0].sum(axis=1)
    assert means[0, 0] == Fraction(int(sums.sum()) % 7, 7)
    total = Fraction(int(sums.sum()), 7)
    left = trees[0].stop[1]
    expected = Fraction(int(sums[:left].sum()), 7) + Fraction(int(left), 3) * (drawn[0, 0] - total)
    whole = int(sums[:left].sum()) // 7
    assert means[1, 0] + whole == expected


@pytest.mark.parametrize("sizes", [(), (2,), (3, 5), (4, 2, 3)])
def test_sums_and_cells_determine_each_other(sizes):
    table = np.random.default_rng(1).integers(-50, 50, sizes or (1,))
    for block in (1, 3, 100):
        trees = trees_of(sizes, block)
        sums = table
        for axis, tree in enumerate(trees):
            sums = tree.sums(sums, axis)
        for margin in subsets(frozenset(range(table.ndim))):
            others = tuple(axis for axis in range(table.ndim) if axis not in margin)
            assert (tables_of(trees, sums, margin) == table.sum(axis=others)).all()


def test_blocks_leave_most_coordinates_their_variance():
    for size, block in product((5, 17, 100), (1, 4, 16)):
        (tree,) = trees_of((size,), block)
        halves = (tree.size == 2).sum()
        assert halves <= size / max(block, 1) + 1 if block > 1 else halves <= size / 2
