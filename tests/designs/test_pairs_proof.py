"""Where all truths are neighbours, mechanism and proof need no solver."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs.closed_form import closed_forms, priced_by_theorem
from optmech.designs.design import solved_design
from optmech.designs.price_proofs import leaf_for_all_pairs, prices_for_all_pairs
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclose_exponential
from optmech.rules import compile_rules

EPSILONS = ("0.02", "0.5", "2", "9")


def bound_of(problem, leaf):
    return float(
        proved_bound(compile_rules(problem), leaf, enclose_exponential(problem.privacy.epsilon, 240))
    )


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
@pytest.mark.parametrize("variant", [1, 2])
@pytest.mark.parametrize("largest", [1, 4, 9])
def test_an_extremum_is_proved_optimal_without_a_solver(epsilon, loss, variant, largest):
    problem = om.croft(om.extremum(0, largest), epsilon, variant, loss)
    design = om.design(problem)
    assert design.engine == "closed-form"
    assert design.certificate.relative_gap < 1e-9
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_priors_and_uneven_answers_are_proved_as_well(seed):
    rng = np.random.default_rng(seed)
    truths = sorted(rng.choice(50, 9, replace=False).tolist())
    responses = sorted(rng.choice(np.arange(-5, 60), 12, replace=False).tolist())
    prior = rng.dirichlet(np.ones(9))
    problem = om.croft(om.Query(truths, responses, "all"), rng.choice(EPSILONS), loss="squared", prior=prior)
    _, matrix = next(closed_forms(problem))
    least = problem.objective.value(matrix)
    assert bound_of(problem, priced_by_theorem(problem)) == pytest.approx(least, rel=1e-10)


def test_prices_sum_to_no_more_than_the_least_loss_says():
    """A value below the least loss gives prices that prove it, one above it prices that do not."""
    problem = om.croft(om.extremum(0, 7), 1)
    costs, factor = problem.objective.loss, float(np.e)
    least = om.design(problem).objective
    for claimed in (0.5 * least, 0.99 * least, least):
        prices = prices_for_all_pairs(costs, claimed, factor)
        assert prices.sum() >= claimed * (1 - 1e-12)
        assert bound_of(problem, leaf_for_all_pairs(costs, prices, factor)) <= least * (1 + 1e-12)
    above = prices_for_all_pairs(costs, 1.01 * least, factor)
    assert above.sum() < 1.01 * least


def test_costs_without_intervals_have_no_greedy_prices():
    assert prices_for_all_pairs(np.array([[0.0, 1], [2, 1], [1, 0]]), 0.5, 2.0) is None


def test_prices_that_are_too_high_prove_little_and_nothing_false():
    problem = om.croft(om.extremum(0, 5), 1)
    costs = problem.objective.loss
    least = om.design(problem).objective
    rng = np.random.default_rng(2)
    for _ in range(20):
        leaf = leaf_for_all_pairs(costs, rng.uniform(0, 5, 6), float(np.e))
        assert bound_of(problem, leaf) <= least
