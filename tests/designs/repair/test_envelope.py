"""The envelope is above, keeps the rules, changes nothing that keeps them, and is the least of its kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import optmech as om
from optmech.designs.repair.pure_matrix import envelope
from optmech.rules import compile_rules
from tests.proofs.by_hand import problems
from tests.search import search

# Dividing by the factor and multiplying again rounds twice.
ROUNDING = 1 + 1e-15
FACTOR = 1.7


def rules_of(query):
    return compile_rules(om.croft(query, "ln 2"))


@search(150, problems(), st.integers(0, 2**32 - 1))
def test_an_envelope_keeps_all_rules_and_is_its_own(problem, seed):
    query, expected = problem.query, problem.properties
    assume(not (expected & {"fair", "column-monotone"} and (query.home < 0).any()))
    rules = compile_rules(problem)
    drawn = np.random.default_rng(seed).random((query.num_responses, query.num_truths)) ** 8
    raised = envelope(drawn, rules, FACTOR)
    assert (raised >= drawn).all()
    assert raised.max() == drawn.max()
    for f, g in query.pairs.tolist():
        assert (raised[:, f] <= FACTOR * ROUNDING * raised[:, g]).all()
    assert all(name.gap(raised, query) == 0 for name in expected)
    assert (envelope(raised, rules, FACTOR) == raised).all()


@search(100, problems(), st.integers(0, 2**32 - 1))
def test_nothing_smaller_will_do(problem, seed):
    """The largest matrix that keeps the rules and is above is above the envelope as well."""
    query, expected = problem.query, problem.properties
    assume(not (expected & {"fair", "column-monotone"} and (query.home < 0).any()))
    rules = compile_rules(problem)
    rng = np.random.default_rng(seed)
    drawn = rng.random((query.num_responses, query.num_truths)) ** 8
    above = envelope(drawn * rng.uniform(1, 3, drawn.shape), rules, FACTOR)
    assert (envelope(drawn, rules, FACTOR) <= above * ROUNDING).all()


def test_an_entry_is_raised_along_a_chain_of_neighbours():
    """With factor 2, one entry of 1 makes 1/2, 1/4, 1/8 beside it, and a response of zeros stays."""
    matrix = np.zeros((2, 4))
    matrix[0, 0] = 1.0
    expected = [[1, 0.5, 0.25, 0.125], [0, 0, 0, 0]]
    line, complete = rules_of(om.count(3)), rules_of(om.extremum(0, 3))
    within = rules_of(om.Query(range(4), [0, 1], neighbours=2))
    assert envelope(matrix, line, 2.0).tolist() == expected
    assert envelope(matrix[:, ::-1], line, 2.0)[0].tolist() == expected[0][::-1]
    assert envelope(matrix, complete, 2.0)[0].tolist() == [1, 0.5, 0.5, 0.5]
    assert envelope(matrix, within, 2.0)[0].tolist() == [1, 0.5, 0.5, 0.25]


def test_an_entry_is_raised_less_beside_heavier_neighbours():
    query = om.Query(range(3), neighbours=[(0, 1, 1), (1, 2, 3)])
    problem = om.question(query, "ln 2", loss="zero-one")
    assert envelope(np.array([[1.0, 0, 0]]), compile_rules(problem), 2.0)[0].tolist() == [1, 0.5, 0.0625]


@pytest.mark.parametrize("expected", [["column-honest"], ["row-honest"], ["column-honest", "row-honest"]])
def test_honest_properties_have_envelopes_too(expected):
    problem = om.question(om.count(6), 1, properties=expected)
    drawn = np.random.default_rng(7).random((7, 7))
    raised = envelope(drawn, compile_rules(problem), FACTOR)
    assert (raised >= drawn).all()
    assert raised.max() == drawn.max()
    assert all(name.gap(raised, problem.query) == 0 for name in problem.properties)


def test_one_sided_neighbours_raise_one_side_only():
    query = om.Query(range(3), neighbours=[(0, 1), (2, 1)], symmetric=False)
    assert envelope(np.array([[1.0, 0, 0]] * 3), rules_of(query), 2.0)[0].tolist() == [1, 0.5, 0]
