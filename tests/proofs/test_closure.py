"""The envelope is above, keeps the rules, changes nothing that keeps them, and is the least of its kind."""

from __future__ import annotations

import numpy as np
from by_hand import problems
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.designs.repair.closure import closure

# Dividing by the factor and multiplying again rounds twice.
ROUNDING = 1 + 1e-15
FACTOR = 1.7


@settings(max_examples=150)
@given(problems(), st.integers(0, 2**32 - 1))
def test_a_closure_keeps_all_rules_and_is_its_own(problem, seed):
    query, wanted = problem.query, problem.properties
    assume(not (wanted & {"fair", "column-monotone"} and (query.home < 0).any()))
    drawn = np.random.default_rng(seed).random((query.num_responses, query.num_truths)) ** 8
    raised = closure(drawn, query, FACTOR, wanted)
    assert (raised >= drawn).all()
    assert raised.max() == drawn.max()
    for f, g in query.pairs.tolist():
        assert (raised[:, f] <= FACTOR * ROUNDING * raised[:, g]).all()
    assert all(name.gap(raised, query) == 0 for name in wanted)
    assert (closure(raised, query, FACTOR, wanted) == raised).all()


@settings(max_examples=100)
@given(problems(), st.integers(0, 2**32 - 1))
def test_nothing_smaller_will_do(problem, seed):
    """The largest matrix that keeps the rules and is above is above the closure as well."""
    query, wanted = problem.query, problem.properties
    assume(not (wanted & {"fair", "column-monotone"} and (query.home < 0).any()))
    rng = np.random.default_rng(seed)
    drawn = rng.random((query.num_responses, query.num_truths)) ** 8
    above = closure(drawn * rng.uniform(1, 3, drawn.shape), query, FACTOR, wanted)
    assert (closure(drawn, query, FACTOR, wanted) <= above * ROUNDING).all()


def test_an_entry_is_raised_along_a_chain_of_neighbours():
    """With factor 2, one entry of 1 makes 1/2, 1/4, 1/8 beside it, and a response of zeros stays."""
    matrix = np.zeros((2, 4))
    matrix[0, 0] = 1.0
    expected = [[1, 0.5, 0.25, 0.125], [0, 0, 0, 0]]
    assert closure(matrix, om.count(3), 2.0, frozenset())[:, :].tolist()[:2] == expected
    assert closure(matrix[:, ::-1], om.count(3), 2.0, frozenset())[0].tolist() == expected[0][::-1]
    assert closure(matrix, om.extremum(0, 3), 2.0, frozenset())[0].tolist() == [1, 0.5, 0.5, 0.5]
    assert closure(matrix, om.Query(range(4), neighbours=2), 2.0, frozenset())[0].tolist() == [
        1,
        0.5,
        0.5,
        0.25,
    ]


def test_one_sided_neighbours_raise_one_side_only():
    query = om.Query(range(3), neighbours=[(0, 1), (2, 1)], symmetric=False)
    assert closure(np.array([[1.0, 0, 0]] * 3), query, 2.0, frozenset())[0].tolist() == [1, 0.5, 0]
