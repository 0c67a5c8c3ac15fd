"""Sums of one without loosening a rule, where a solver's answer allows it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from scipy import sparse

import optmech as om
from optmech.designs.design import solved_design
from optmech.designs.repair.pure_matrix import envelope, with_sums_of_one
from optmech.designs.repair.sums import balance
from optmech.question.properties import FAIR, SYMMETRIC
from optmech.rules import compile_rules
from tests.proofs.by_hand import problems
from tests.search import search

# Sums of a few dozen doubles.
SUM = 1e-13
# A ratio that was tight stays so but for the rounding of two products.
RATIO = 1 + 1e-12


@search(60, problems(), st.integers(0, 2**32 - 1))
def test_a_balanced_matrix_keeps_its_rules_and_gains_sums_of_one_or_nothing_changes(problem, seed):
    """The optimum moved by a solver's tolerance."""
    try:
        best = solved_design(problem).mechanism.matrix
    except om.NotAcceptedError:
        assume(condition=False)
    query, expected = problem.query, problem.properties
    factor = problem.privacy.factor * (1 - 1e-13)
    moved = best * (1 + 1e-9 * np.random.default_rng(seed).standard_normal(best.shape)) + 2.0**-64
    rules = compile_rules(problem)
    raised = envelope(moved, rules, factor)
    balanced = with_sums_of_one(raised, rules, factor)
    for f, g in query.pairs.tolist():
        assert (balanced[:, f] <= factor * RATIO * balanced[:, g]).all()
    # Entries that were equal are scaled by one factor, and so still equal.
    assert all(name.gap(balanced, query) == 0 for name in expected & {SYMMETRIC, FAIR})
    off = np.abs(balanced.sum(axis=0) - 1).max()
    before = np.abs(raised.sum(axis=0) - 1).max()
    assert off <= SUM or (balanced == raised).all() or off <= before
    assert np.abs(balanced / raised - 1).max() <= 1e-6


def test_the_optimum_of_a_count_is_balanced_to_the_last_digit():
    problem = om.croft(om.count(20), "0.5")
    factor = problem.privacy.factor
    moved = solved_design(problem).mechanism.matrix * (
        1 + 1e-9 * np.random.default_rng(1).standard_normal((21, 21))
    )
    rules = compile_rules(problem)
    raised = envelope(np.maximum(moved, 2.0**-64), rules, factor)
    balanced = with_sums_of_one(raised, rules, factor)
    assert np.abs(raised.sum(axis=0) - 1).max() > 1e-10
    assert balanced.sum(axis=0) == pytest.approx(np.ones(21), abs=SUM)


def test_values_that_are_linked_are_held_together():
    """Two columns 0.4 + 0.6 and 0.4 + 0.6 + 1e-9, loose in every rule; the first row is linked."""
    values, sums = np.array([0.4, 0.4, 0.6, 0.6 + 1e-9]), sparse.csr_array([[1.0, 0, 1, 0], [0, 1, 0, 1]])
    balanced = balance(values, sums, np.ones(2), lambda *_: (np.array([0]), np.array([1])))
    assert balanced[0] == balanced[1]
    assert sums @ balanced == pytest.approx(np.ones(2), abs=1e-15)


def test_what_is_far_off_is_left_as_it_is():
    matrix = np.array([[0.5, 0.3], [0.4, 0.6]])
    assert (with_sums_of_one(matrix, compile_rules(om.croft(om.count(1), 4)), 50.0) == matrix).all()
