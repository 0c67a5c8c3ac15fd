"""Costs without rounding."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.question.costs import exact_costs, exact_losses, exact_weights
from tests.proofs.by_hand import cost_of, over_one_denominator, problems, random_private_matrix


def whole(table):
    array = np.empty((len(table), len(table[0])), dtype=object)
    array[:] = table
    return array


@pytest.mark.slow
@given(problems(), st.integers(0, 2**32 - 1))
def test_the_cost_of_a_matrix_is_the_sum_by_hand(problem, seed):
    entries = random_private_matrix(problem, Random(seed))  # noqa: S311
    numerators, denominator = over_one_denominator(entries)
    costs = exact_costs(problem.objective, problem.query)
    assert costs.of(whole(numerators), denominator) == cost_of(problem, entries)
    assert all(type(cost) is int for cost in costs.table.ravel().tolist())


def test_a_named_loss_comes_from_the_grid_and_not_from_doubles():
    """Thirds of a mean: |1/3 - 2/3| is one third, which no double is."""
    query = om.mean(3, 1)
    for loss, value in (("absolute", Fraction(1, 3)), ("squared", Fraction(1, 9)), ("zero-one", Fraction(1))):
        losses = exact_losses(om.croft(query, 1, loss=loss).objective, query)
        assert losses[1, 2] == value
        assert losses[1, 1] == 0
    weights = exact_weights(om.croft(om.mean(2, 1), 1, prior="uniform").objective, om.mean(2, 1))
    assert weights.tolist() == [Fraction(1, 3)] * 3


def test_a_typed_loss_is_the_decimal_that_was_typed():
    query = om.count(1)
    problem = om.croft(query, 1, loss=[[0, 0.1], [0.3, 0]], prior=[0.7, 0.3])
    costs = exact_costs(problem.objective, query)
    # Always told the other answer: 0.7 * 0.3 + 0.3 * 0.1 = 0.24.
    assert costs.of(whole([[0, 1], [1, 0]]), 1) == Fraction(24, 100)


def test_loss_to_a_category_is_to_its_midpoint_and_zero_one_to_its_members():
    query = om.Query([0, 1, 2], [(0, 1), (1, 2)], 1)
    absolute = exact_losses(om.croft(query, 1).objective, query)
    assert absolute.tolist() == [
        [Fraction(1, 2), Fraction(1, 2), Fraction(3, 2)],
        [Fraction(3, 2)] + [Fraction(1, 2)] * 2,
    ]
    members = exact_losses(om.croft(query, 1, loss="zero-one").objective, query)
    assert members.tolist() == [[0, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize("cost", ["error-rate", "squared", "circular", "wrapped"])
def test_modular_noise_costs_what_it_costs_at_truth_zero(cost):
    problem = om.kadam(om.residues(5, [1]), 1, "0.1", cost=cost)
    table = {
        "error-rate": [0, 1, 1, 1, 1],
        "squared": [0, 1, 4, 9, 16],
        "circular": [0, 1, 4, 4, 1],
        "wrapped": [0, 4, 6, 6, 4],
    }[cost]
    costs = exact_costs(problem.objective, problem.query)
    for noise in range(5):
        turned = [[int((r - f) % 5 == noise) for f in range(5)] for r in range(5)]
        assert costs.of(whole(turned), 1) == table[noise]
