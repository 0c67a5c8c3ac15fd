"""Multipliers without a solver prove what the theorem says of counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.designs.closed_form import closed_forms, priced_by_theorem
from optmech.designs.price_proofs import leaf_of_prices
from optmech.designs.repair.repair import repair
from optmech.proofs.bound import proved_bound
from optmech.proofs.certificate import Certificate
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.multipliers import BITS
from optmech.proofs.violation import objective_of
from optmech.rules import compile_rules


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


@pytest.mark.parametrize("size", [1, 2, 3, 10, 50])
@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "ln 2", "1", "5", "20"])
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
    """Of so many that matrix and multipliers are taken in several blocks of rows."""
    problem = om.croft(om.count(300), epsilon)
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    _, proposal = next(closed_forms(problem))
    certificate = Certificate(
        problem=problem,
        factor=factor,
        matrix=repair(compile_rules(problem), proposal, factor),
        proof=priced_by_theorem(problem),
    )
    assert certificate.relative_gap <= 1e-9


@settings(max_examples=60)
@given(st.integers(1, 7), st.sampled_from([1.5, 3.0]), st.integers(0, 2**32 - 1))
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


@settings(max_examples=60)
@given(
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
