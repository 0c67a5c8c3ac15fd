"""The matrix, and what is read off it."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om

HALF = [[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]]


def mechanism(matrix, responses=None, truths=None):
    matrix = np.array(matrix, float)
    return om.Mechanism(
        matrix=matrix,
        responses=tuple(range(matrix.shape[0])) if responses is None else responses,
        truths=tuple(range(matrix.shape[1])) if truths is None else truths,
    )


def test_effective_epsilon_is_the_largest_log_ratio():
    query = om.Query([0, 1], [0, 1, 2], 1)
    assert mechanism(HALF).effective_epsilon(query) == pytest.approx(math.log(2), abs=1e-15)


def test_a_zero_beside_a_positive_entry_is_an_infinite_privacy_loss():
    almost = [[1.0, 1 - 1e-300], [0.0, 1e-300]]
    assert mechanism(almost).effective_epsilon(om.count(1)) == math.inf


def test_two_zeros_beside_each_other_reveal_nothing():
    assert mechanism([[1.0, 1.0], [0.0, 0.0]]).effective_epsilon(om.count(1)) == 0.0


def test_only_neighbours_count():
    truth = mechanism(np.eye(3))
    far = om.Query([0, 1, 2], neighbours=[(0, 2)])
    nobody = om.Query([0, 1, 2], neighbours=[])
    assert truth.effective_epsilon(far) == math.inf
    assert truth.effective_epsilon(nobody) == 0.0


def test_the_order_of_a_one_sided_pair_matters():
    query = om.Query([0, 1], neighbours=[(0, 1)], symmetric=False)
    zero_on_the_right = mechanism([[0.5, 0.0], [0.5, 1.0]])
    assert zero_on_the_right.effective_epsilon(query) == math.inf
    assert mechanism([[0.0, 0.5], [1.0, 0.5]]).effective_epsilon(query) == pytest.approx(math.log(2))


def test_the_three_deltas_of_a_small_matrix_are_as_computed_by_hand():
    # Columns (.6, .3, .1) and (.2, .2, .6), E = 2: excesses .2, -.1, -1.1 one way and -1, -.4, .4 the other.
    matrix = mechanism([[0.6, 0.2], [0.3, 0.2], [0.1, 0.6]])
    query = om.Query([0, 1], [0, 1, 2], 1)
    epsilon = math.log(2)
    assert matrix.per_outcome_delta(query, epsilon) == pytest.approx(0.4)
    assert matrix.hockey_stick_delta(query, epsilon) == pytest.approx(0.4)
    assert matrix.probabilistic_delta(query, epsilon) == pytest.approx(0.6)


def test_deltas_are_ordered_as_the_definitions_are():
    random = np.random.default_rng(1)
    for _ in range(50):
        matrix = mechanism(random.dirichlet(np.ones(5), size=4).T)
        query = om.Query(range(4), range(5), "all")
        single, whole, leak = (
            getattr(matrix, name)(query, "0.3")
            for name in ("per_outcome_delta", "hockey_stick_delta", "probabilistic_delta")
        )
        assert single <= whole + 1e-15 <= leak + 2e-15


def test_a_ratio_at_the_limit_does_not_leak():
    keep = math.exp(0.5) / (1 + math.exp(0.5))
    matrix = mechanism([[keep, 1 - keep], [1 - keep, keep]])
    assert matrix.probabilistic_delta(om.count(1), "0.5") == 0.0


def test_losses_are_weighted_as_asked():
    matrix = mechanism([[1.0, 0.5], [0.0, 0.5]])
    assert matrix.expected_loss("absolute", None) == 0.5
    assert matrix.expected_loss("absolute") == 0.25
    assert matrix.expected_loss("zero-one", [0.9, 0.1]) == pytest.approx(0.05)
    assert matrix.expected_loss([[0, 3], [1, 0]], "uniform") == pytest.approx(0.75)
    assert matrix.worst_case_loss("squared") == 0.5


def test_a_mechanism_is_frozen():
    matrix = mechanism(HALF)
    with pytest.raises(ValueError, match="read-only"):
        matrix.matrix[0, 0] = 1.0
    with pytest.raises(AttributeError):
        matrix.truths = ()


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[0.5, 0.5], [0.4, 0.5]], "each column of `matrix` must sum to one; got 0.9 in column 0 (truth 0)"),
        ([[1.5, 1.0], [-0.5, 0.0]], "`matrix` must hold probabilities; got -0.5 at [1, 0]"),
        ([[math.nan, 1.0], [0.0, 0.0]], "`matrix` must hold probabilities; got nan at [0, 0]"),
    ],
)
def test_what_is_no_distribution_is_refused(matrix, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        mechanism(matrix)
    assert sentence in str(refusal.value)


def test_a_query_of_another_shape_is_refused():
    with pytest.raises(
        om.ProblemError, match="must have 3 responses and 2 truths like the matrix; got 3 and 3"
    ):
        mechanism(HALF).effective_epsilon(om.count(2))


def test_a_negative_epsilon_is_refused():
    with pytest.raises(om.ProblemError, match="`epsilon` must be zero or more; got -1"):
        mechanism(HALF).hockey_stick_delta(om.Query([0, 1], [0, 1, 2], 1), -1)


def test_properties_are_told_apart():
    query = om.count(2)
    fair = mechanism([[0.5, 0.3, 0.1], [0.4, 0.5, 0.4], [0.1, 0.2, 0.5]])
    assert fair.properties(query) == {"fair", "row-monotone", "column-monotone"}
    turned = mechanism([[0.6, 0.25, 0.1], [0.3, 0.5, 0.3], [0.1, 0.25, 0.6]])
    assert turned.properties(query) == {"symmetric", "row-monotone", "column-monotone"}
    assert mechanism(np.full((3, 3), 1 / 3)).properties(query) == set(om.Property)
    spiked = mechanism([[0.5, 0.2, 0.4], [0.1, 0.6, 0.1], [0.4, 0.2, 0.5]])
    assert spiked.properties(query) == {"symmetric"}


def test_properties_follow_coarse_categories_and_their_closed_ends():
    # Truth 2 is the common end: it is in the upper category. Inside one, (12) and (13) ask for equality.
    query = om.Query(range(4), [(0, 2), (2, 4)], 1)
    level = mechanism([[0.6, 0.6, 0.4, 0.4], [0.4, 0.4, 0.6, 0.6]], (1, 3), range(4))
    assert "row-monotone" in level.properties(query)
    stepped = mechanism([[0.6, 0.5, 0.4, 0.4], [0.4, 0.5, 0.6, 0.6]], (1, 3), range(4))
    assert "row-monotone" not in stepped.properties(query)


def test_a_sample_follows_the_matrix():
    drawn = Counter(mechanism([[0.75, 0.0], [0.25, 1.0]]).sample([0] * 4000 + [1] * 1000))
    # 1000 + 1000 ones in expectation; four standard deviations of the binomial are 110.
    assert abs(drawn[Fraction(1)] - 2000) < 110
    assert sum(drawn.values()) == 5000


def test_a_response_of_probability_zero_is_never_drawn():
    assert set(mechanism([[0.0, 1.0], [1.0, 0.0]]).sample([0] * 200)) == {1}


def test_a_truth_outside_the_range_is_refused():
    with pytest.raises(om.ProblemError, match=r"must be among 0\.\.1 of this mechanism; got 7"):
        mechanism([[0.5, 0.5], [0.5, 0.5]]).sample([7])


@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_remapping_responses_never_helps_an_attacker(num_responses, num_truths, seed):
    random = np.random.default_rng(seed)
    matrix = random.dirichlet(np.ones(num_responses), size=num_truths).T
    merged = matrix.copy()
    merged[0] += merged[1]
    merged[1] = 0.0
    query = om.Query(range(num_truths), range(num_responses), "all")
    before, after = mechanism(matrix), mechanism(merged)
    assert after.effective_epsilon(query) <= before.effective_epsilon(query) + 1e-12
    assert after.hockey_stick_delta(query, "0.5") <= before.hockey_stick_delta(query, "0.5") + 1e-12
