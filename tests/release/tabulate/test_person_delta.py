"""Epsilon and delta of a person, held against the exact privacy of all cells together."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from tests.each import each


def bound_of(num_groups, rows, in_one):
    return om.release.PersonBound(
        person="p", groups=("g",), num_groups=num_groups, at_most=rows, at_most_per_group=in_one, rule=""
    )


def spreads(rows, in_one, cells):
    """Return all ways to spread so many rows over cells, as many as can be counted."""
    ways = [way for way in itertools.product(range(in_one + 1), repeat=cells) if sum(way) <= rows]
    return [way for way in ways if any(way)]


def delta_of_product(matrix, change, epsilon):
    """Return the delta at epsilon of one draw for each cell, over all counts that differ by a change."""
    most = 0.0
    truths = matrix.shape[1]
    starts = [range(truths - apart) if apart else [0] for apart in change]
    for start in itertools.product(*starts):
        with_person, without = np.ones(1), np.ones(1)
        for low, apart in zip(start, change, strict=True):
            if apart:  # a cell that does not change has the same law on both sides
                with_person = np.outer(with_person, matrix[:, low + apart]).ravel()
                without = np.outer(without, matrix[:, low]).ravel()
        for one, other in ((with_person, without), (without, with_person)):
            most = max(most, np.maximum(one - math.exp(epsilon) * other, 0).sum())
    return most


@each(
    ("rows", "in_one", "cells", "reach", "num_groups"),
    [
        (2, 1, 2, 1, 2),
        (2, 2, 2, 1, None),
        (3, 3, 3, 1, None),
        (3, 2, 2, 1, 2),
        (3, 1, 3, 1, None),
        (3, 3, 1, 1, 1),
        (4, 3, 2, 2, 2),
        (3, 3, 2, 3, 2),
        (3, 3, 3, 2, None),
    ],
    every=2,
)
def test_all_cells_together_spend_no_more_than_was_asked_and_hardly_less(
    rows, in_one, cells, reach, num_groups
):
    bound = bound_of(num_groups, rows, in_one)
    epsilon, delta = bound.cell_epsilon("1.2", reach=reach), bound.cell_delta("1.2", "0.01", reach=reach)
    query = bound.query(5, reach=reach)
    design = om.design(om.question(query, epsilon, delta=delta, properties=["zero-stays-zero"]))
    matrix = design.mechanism.matrix[(design.mechanism.matrix > 0).any(axis=1)]
    measured = max(delta_of_product(matrix, change, 1.2) for change in spreads(rows, in_one, cells))
    loss = bound.loss(epsilon, delta, reach=reach)
    assert loss.epsilon == pytest.approx(1.2)
    assert measured <= loss.delta + 1e-12
    assert loss.delta <= 0.01
    if reach == 1 or reach >= in_one:  # from counts of 0, up to products of deltas
        assert measured > 0.99 * 0.01


@pytest.mark.parametrize("reach", [1, 2, 3, 5])
def test_delta_is_that_of_the_worst_way_to_spread_rows(reach):
    """With e^epsilon = 2 a chain of u steps has 2^u - 1 times delta."""
    for groups, rows, most in itertools.product((1, 2, 3), (1, 2, 3, 5, 6), (1, 2, 3, 5)):
        in_one = min(most, rows)
        bound = bound_of(groups, rows, in_one)
        worst = max(sum(2 ** -(-own // reach) - 1 for own in way) for way in spreads(rows, in_one, groups))
        factor = bound.loss("ln 2", "1e-6", reach=reach).delta * 10**6
        assert factor >= worst
        if reach == 1 or reach >= in_one:
            assert factor == worst


def test_a_delta_of_a_cell_that_protects_nobody_is_refused():
    bound = bound_of(None, 3, 1)
    assert bound.loss(1, "0.33").delta == pytest.approx(0.99)
    with pytest.raises(om.ProblemError, match="one person spends less than 1; at 1/3 for a cell 3 steps"):
        bound.loss(1, "1/3")


@pytest.mark.parametrize("delta", ["1e-9", "1/3", "0.123456789012345678", "1e-300"])
def test_a_divided_delta_is_a_decimal_that_is_never_too_large(delta):
    bound = bound_of(None, 7, 3)
    share = bound.cell_delta("0.7", delta)
    spent = bound.loss(bound.cell_epsilon("0.7"), share).delta
    exact_delta = Fraction(delta)
    assert exact_delta * (1 - 1e-10) < spent <= exact_delta
