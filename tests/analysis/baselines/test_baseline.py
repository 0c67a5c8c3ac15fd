from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.baseline import measure_baseline, sensitivity
from optmech.analysis.baselines.registry import BASELINES
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from tests.each import each

QUERIES = {
    "count": om.count(12),
    "two answers": om.count(1),
    "mean": om.mean(3, 4),
    "max": om.extremum(1, 6),
}
# Columns of a few dozen doubles.
ROUNDING = 1e-13


@each("epsilon", ["0.000001", "0.5", "3", "20"], every=2)
@each("query", QUERIES.values())
@each("name", BASELINES)
def test_columns_sum_to_one_and_no_more_than_asked_is_spent(name, query, epsilon):
    baseline = BASELINES[name](query, epsilon)
    assert baseline.matrix.shape == (query.num_responses, query.num_truths)
    assert (baseline.matrix >= 0).all()
    assert np.abs(baseline.matrix.sum(axis=0) - 1).max() < ROUNDING
    assert baseline.spent_epsilon <= float(epsilon) + 1e-9
    assert baseline.spent_delta == 0.0
    assert baseline.asked_epsilon == Fraction(epsilon)
    assert all([baseline.name, baseline.source, baseline.says])


@pytest.mark.parametrize("name", ["truncated-geometric", "explicit-fair", "randomized-response"])
def test_geometric_and_randomized_response_spend_all_of_epsilon_on_a_count(name):
    assert BASELINES[name](om.count(9), "0.7").spent_epsilon == pytest.approx(0.7, abs=1e-12)


def test_spent_values_are_those_of_the_mechanism():
    query = om.mean(4, 4)
    matrix = np.random.default_rng(1).dirichlet(np.ones(17), size=17).T
    baseline = measure_baseline(name="n", source="s", says="y", matrix=matrix, query=query, epsilon="0.5")
    mechanism = MatrixMechanism(matrix=matrix, responses=query.truths, truths=query.truths)
    assert baseline.spent_epsilon == mechanism.effective_epsilon(query)
    assert baseline.spent_delta == mechanism.hockey_stick_delta(query, "0.5")


def test_an_impossible_response_is_an_infinite_loss_with_a_delta():
    # Columns (1, 0) and (1/2, 1/2): the second response betrays, with probability 1/2 and at any epsilon.
    baseline = measure_baseline(
        name="n",
        source="s",
        says="y",
        matrix=np.array([[1, 0.5], [0, 0.5]]),
        query=om.count(1),
        epsilon=1,
    )
    assert baseline.spent_epsilon == math.inf
    assert baseline.spent_delta == 0.5


def test_a_baseline_cannot_be_changed():
    baseline = BASELINES["uniform"](om.count(3), 1)
    with pytest.raises(ValueError, match="read-only"):
        baseline.matrix[0, 0] = 1


def test_sensitivity_needs_neighbours():
    assert sensitivity(om.mean(10, 4)) == Fraction(2, 5)
    with pytest.raises(ProblemError, match="`query` must have neighbours, whose distance sets the noise"):
        sensitivity(om.Query(range(3), neighbours=()))


@each("name", BASELINES)
def test_a_baseline_at_a_logarithm_is_that_at_its_decimal(name):
    at_ln_2, beside = (BASELINES[name](om.count(3), e) for e in ("ln 2", "0.69314718055994530942"))
    assert np.abs(at_ln_2.matrix - beside.matrix).max() < 1e-12
    assert str(at_ln_2.asked_epsilon) == "ln 2"
    assert at_ln_2.spent_delta == pytest.approx(beside.spent_delta, abs=1e-12)


@each("name", BASELINES)
def test_an_epsilon_that_is_not_positive_is_refused(name):
    with pytest.raises(ProblemError, match="`epsilon` must be positive; got -1"):
        BASELINES[name](om.count(3), -1)


LABELLED = {
    "categories": om.categories(["red", "green", "blue"]),
    "graph": om.graph([("home", "shop", 1), ("shop", "work", 2)]),
    "vectors": om.vector((3, 3), [1], "apart"),
}


@pytest.mark.parametrize("query", LABELLED.values(), ids=LABELLED)
def test_noise_on_a_number_is_refused_where_answers_are_no_numbers(query):
    for name in set(BASELINES) - {"randomized-response", "data-independent", "uniform"}:
        with pytest.raises(NotAcceptedError, match="answers that are numbers"):
            BASELINES[name](query, 1)


def test_what_a_baseline_spends_is_told_for_an_epsilon_of_weight_one():
    far = om.graph([("home", "shop", 2)])  # two epsilon apart
    spent = BASELINES["randomized-response"](far, 1)
    assert spent.spent_epsilon == pytest.approx(1 / 2)
    two_to_one = measure_baseline(
        name="", source="", says="", matrix=np.array([[0.75, 0.25], [0.25, 0.75]]), query=far, epsilon="0.5"
    )
    assert two_to_one.spent_delta == pytest.approx(0.75 - math.e * 0.25)
