"""Multipliers without a solver prove what theorems say of counts, and where all truths are neighbours."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

import optmech as om
from optmech.designs.closed_form import closed_forms, priced_by_theorem
from optmech.designs.design import solved_design
from optmech.designs.price_proofs import leaf_for_all_pairs, leaf_of_prices, prices_for_all_pairs
from optmech.designs.repair.repair import repair
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.multipliers import BITS
from optmech.proofs.violation import objective_of
from optmech.rules import compile_rules
from tests.each import each
from tests.search import search

EPSILONS = ("0.02", "0.5", "2", "9")


def proved(problem):
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    return proved_bound(compile_rules(problem), priced_by_theorem(problem), factor)


def test_a_proof_worked_out_by_hand():
    """A count of 0..1 at ln 3, as in the tests of the bound: prices of 1/4 each, and multipliers 1/4.

    Row 0 has costs (0, 1) less prices: (-1/4, 3/4). Its home is truth 0; what truth 1 has left over,
    3/4, meets x[0] <= 3 x[1] with 1/4, which is worth 1/4 at truth 0. Nothing is lacking.
    """
    costs = np.array([[0.0, 1.0], [1.0, 0.0]])
    leaf = leaf_of_prices(costs, np.array([0.25, 0.25]), 3.0)
    rule = leaf.rules["privacy"]
    assert sorted(rule.places.tolist()) == [[0, 0, 1], [1, 1, 0]]
    problem = om.croft(om.count(1), "ln 3")
    assert proved_bound(
        compile_rules(problem), leaf, enclose_exponential(problem.privacy.epsilon, 240)
    ) == Fraction(1, 2)


@each("size", [1, 2, 3, 10, 50])
@each("epsilon", ["0.01", "0.1", "ln 2", "1", "5", "20"])
def test_the_theorem_on_counts_is_proved_without_a_solver(size, epsilon):
    problem = om.croft(om.count(size), epsilon)
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    _, proposal = next(closed_forms(problem))
    rules = compile_rules(problem)
    objective = objective_of(rules, repair(rules, proposal, factor), factor)
    bound = proved(problem)
    # Prices and sums are doubles near one: each column may lose a few roundings.
    assert 0 <= objective - bound <= objective * Fraction(1, 10**8) + Fraction(64 * size, 2**53)


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "2"])
def test_a_certificate_of_many_counts_needs_no_solver(epsilon):
    """There are so many that matrix and multipliers are taken in several blocks of rows."""
    problem = om.croft(om.count(300), epsilon)
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    _, proposal = next(closed_forms(problem))
    certificate = MatrixCertificate(
        problem=problem,
        factor=factor,
        matrix=repair(compile_rules(problem), proposal, factor),
        proof=priced_by_theorem(problem),
    )
    assert certificate.relative_gap <= 1e-9


@search(60, st.integers(1, 7), st.sampled_from([1.5, 3.0]), st.integers(0, 2**32 - 1))
def test_multipliers_cancel_all_but_the_truth_that_is_answered_best(size, factor, seed):
    rng = np.random.default_rng(seed)
    costs, prices = rng.integers(0, 9, (size, size)) / 4, rng.integers(0, 9, size) / 4
    leaf = leaf_of_prices(costs, prices, factor)
    left = costs - prices
    rule = leaf.rules["privacy"]
    for (row, truth, other), weight in zip(rule.places.tolist(), rule.weights.tolist(), strict=True):
        assert weight > 0
        left[row, truth] += weight / 2**BITS
        left[row, other] -= factor * weight / 2**BITS
    left[np.arange(size), costs.argmin(axis=1)] = 0
    assert np.abs(left).max() <= 1e-12 * factor**size


@search(
    60,
    st.integers(1, 6),
    st.sampled_from(["0.1", "ln 2", "2", "10"]),
    st.lists(st.floats(0, 5), min_size=7, max_size=7),
)
def test_prices_that_ask_too_much_prove_less_and_nothing_false(size, epsilon, prices):
    problem = om.croft(om.count(size), epsilon)
    costs = problem.objective.loss * problem.objective.weights
    leaf = leaf_of_prices(costs, np.array(prices[: size + 1]), problem.privacy.factor)
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    bound = proved_bound(compile_rules(problem), leaf, factor)
    _, proposal = next(closed_forms(problem))
    rules = compile_rules(problem)
    assert bound <= objective_of(rules, repair(rules, proposal, factor), factor)


@pytest.mark.parametrize(
    "problem",
    [
        om.croft(om.count(3), 1, variant=2),
        om.croft(om.mean(2, 2), 1),
        om.kadam(om.residues(4, [1]), 1, 0),
        om.croft(om.count(3), 1, loss=np.arange(16.0).reshape(4, 4)),
    ],
)
def test_of_other_questions_the_theorem_says_nothing(problem):
    assert priced_by_theorem(problem) is None


def bound_of(problem, leaf):
    return float(
        proved_bound(compile_rules(problem), leaf, enclose_exponential(problem.privacy.epsilon, 240))
    )


@pytest.mark.slow
@each("epsilon", EPSILONS)
@each("loss", ["absolute", "squared", "zero-one"])
@each("variant", [1, 2])
@each("largest", [1, 4, 9])
def test_an_extremum_is_proved_optimal_without_a_solver(epsilon, loss, variant, largest):
    problem = om.croft(om.extremum(0, largest), epsilon, variant, loss)
    design = om.design(problem, engine="closed-form")
    assert design.certificate.relative_gap < 1e-9
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)


@each("seed", range(8))
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
