"""The matrix, and what is read off it."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.question.properties import PROPERTIES
from tests.each import each

HALF = [[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]]


def mechanism(matrix, responses=None, truths=None):
    matrix = np.array(matrix, float)
    return om.MatrixMechanism(
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
    honest = {"column-honest", "row-honest", "weakly-honest"}
    fair = mechanism([[0.5, 0.3, 0.1], [0.4, 0.5, 0.4], [0.1, 0.2, 0.5]])
    assert fair.properties(query) == {"fair", "row-monotone", "column-monotone"} | honest
    turned = mechanism([[0.6, 0.25, 0.1], [0.3, 0.5, 0.3], [0.1, 0.25, 0.6]])
    assert turned.properties(query) == {"symmetric", "row-monotone", "column-monotone"} | honest
    assert mechanism(np.full((3, 3), 1 / 3)).properties(query) == set(PROPERTIES) - {
        "unbiased",
        "zero-stays-zero",
    }
    spiked = mechanism([[0.5, 0.2, 0.4], [0.1, 0.6, 0.1], [0.4, 0.2, 0.5]])
    assert spiked.properties(query) == {"symmetric"} | honest


def test_properties_follow_coarse_categories_and_their_closed_ends():
    # Truth 2 is the common end: it is in the upper category. Inside one, (12) and (13) ask for equality.
    query = om.Query(range(4), [(0, 2), (2, 4)], 1)
    level = mechanism([[0.6, 0.6, 0.4, 0.4], [0.4, 0.4, 0.6, 0.6]], (1, 3), range(4))
    assert "row-monotone" in level.properties(query)
    stepped = mechanism([[0.6, 0.5, 0.4, 0.4], [0.4, 0.5, 0.6, 0.6]], (1, 3), range(4))
    assert "row-monotone" not in stepped.properties(query)


YES_OR_NO = [[0.75, 0.25], [0.25, 0.75]]


def test_a_sample_follows_the_matrix():
    drawn = mechanism([[0.75, 0.0], [0.25, 1.0]]).sample([0] * 4000 + [1] * 1000)
    # 1000 + 1000 ones in expectation; seven standard deviations of the binomial are 192.
    assert abs(int(drawn.sum()) - 2000) < 192
    assert drawn.shape == (5000,)


def test_a_response_of_probability_zero_is_never_drawn():
    assert set(mechanism([[0.0, 1.0], [1.0, 0.0]]).sample([0] * 200).tolist()) == {1}


@each(
    ("truths", "size", "shape"),
    [
        ([0, 1, 1], None, (3,)),
        (0, 4, (4,)),
        (0, (2, 3), (2, 3)),
        ([0, 1, 1], 4, (4, 3)),
        ([[0, 1], [1, 0]], (5,), (5, 2, 2)),
        (np.array([0, 1]), 0, (0, 2)),
        ([], None, (0,)),
        ((truth for truth in (0, 1)), None, (2,)),
        (range(2), None, (2,)),
    ],
)
def test_a_sample_has_the_shape_of_size_then_truths(truths, size, shape):
    drawn = mechanism(YES_OR_NO).sample(truths, size)
    assert isinstance(drawn, np.ndarray)
    assert (drawn.shape, drawn.dtype) == (shape, np.int64)


def test_each_column_of_a_sample_belongs_to_its_truth():
    certain = mechanism([[0.0, 1.0], [1.0, 0.0]])
    assert certain.sample([0, 1, 1], 2).tolist() == [[1, 0, 0], [1, 0, 0]]
    assert certain.sample([0, 1, 1], 2, constant_time=True).tolist() == [[1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("constant_time", [False, True])
def test_one_truth_gives_one_number(constant_time):
    whole = mechanism(np.eye(2)).sample(1, constant_time=constant_time)
    assert type(whole) is int
    assert whole == 1
    half = mechanism(np.eye(2), responses=(0, "0.5")).sample(np.int8(1), constant_time=constant_time)
    assert type(half) is float
    assert half == 0.5


THIRDS = (0, Fraction(1, 3), Fraction(2, 3), 1)
FAR = (0, 2**53, 2**53 + 1)


@each("constant_time", [False, True])
@each(
    ("grid", "truths", "positions"),
    [
        (THIRDS, [1 / 3, 1.0, 0.0], [1, 3, 0]),
        (THIRDS, [Fraction(2, 3), 1, "1/3"], [2, 3, 1]),
        (("0.1", "0.2", "0.3"), np.array([0.3, 0.1]), [2, 0]),
        (("0.1", "0.2", "0.3"), np.array([0.3, 0.1], np.float32), [2, 0]),
        (("0.1", "0.2", "0.3"), ["0.3", "0.1"], [2, 0]),
        (range(3), np.array([2, 0], np.uint8), [2, 0]),
        (range(3), [Fraction(2), True + 1], [2, 2]),
        (FAR, [2**53 + 1, 2**53], [2, 1]),
    ],
)
def test_truths_are_recognised_however_they_are_written(grid, truths, positions, constant_time):
    certain = mechanism(np.eye(len(grid)), truths=grid)
    assert certain.sample(truths, constant_time=constant_time).tolist() == positions


@each("constant_time", [False, True])
@each(
    ("truths", "sentence"),
    [
        ([7], "`truths` must be among 0..1 of this mechanism; got 7. Round or clamp it first."),
        ([0, -1], "`truths` must be among 0..1 of this mechanism; got -1. Round or clamp it first."),
        (0.5, "`truths` must be among 0..1 of this mechanism; got 0.5. Round or clamp it first."),
        (math.nan, "`truths` must be among 0..1 of this mechanism; got nan. Round or clamp it first."),
        ([0, 2**60], f"`truths` must be among 0..1 of this mechanism; got {2**60}. Round or clamp it first."),
        (["0", "1/7"], "`truths` must be among 0..1 of this mechanism; got 1/7. Round or clamp it first."),
        ([True], "`truths` must be a finite number; got np.True_."),
        ([None], "`truths` must be a finite number; got None."),
        ([[0, 1], [0]], "`truths` must be a number or numbers in equal rows; got rows of different lengths."),
    ],
)
def test_what_is_no_truth_is_refused(truths, sentence, constant_time):
    with pytest.raises(om.ProblemError) as refusal:
        mechanism(YES_OR_NO).sample(truths, constant_time=constant_time)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("size", [-1, 1.5, (2, -1), "3"])
def test_what_is_no_size_is_refused(size):
    with pytest.raises(om.ProblemError) as refusal:
        mechanism(YES_OR_NO).sample(0, size)
    sentence = f"`size` must be a whole number, zero or more, or a tuple of them; got {size!r}."
    assert sentence in str(refusal.value)


def test_constant_time_is_refused_where_a_column_has_no_such_law():
    uneven = mechanism([[0.1, 0.5], [0.2, 0.25], [0.7, 0.25]])  # 0.1 + 0.2 + 0.7 of doubles is not 1
    assert uneven.sample(0) in {0, 1, 2}
    with pytest.raises(om.NotAcceptedError, match=r"a power of two; got .* in column 0"):
        uneven.sample(1, constant_time=True)


def test_a_seeded_sample_repeats_and_warns_where_it_was_asked_for():
    sampled = mechanism(YES_OR_NO)
    drawn = []
    for seed in (1, 1, 2):
        with pytest.warns(NotPrivateWarning, match="NOT private") as warned:
            drawn.append(sampled.sample(0, 100, seed=seed).tolist())
        assert [warning.filename for warning in warned] == [__file__]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_sampler_of_a_mechanism_is_built_once(monkeypatch):
    sampled = mechanism(YES_OR_NO)
    sampled.sample(0)
    monkeypatch.delattr("optmech.mechanisms.matrix_mechanism.Release")
    monkeypatch.delattr("optmech.mechanisms.matrix_mechanism.whole_weights")
    assert sampled.sample(0) in {0, 1}


def test_a_mechanism_that_has_been_sampled_can_be_copied_and_pickled():
    sampled = mechanism([[0.0, 1.0], [1.0, 0.0]])
    sampled.sample(0)
    for twin in (pickle.loads(pickle.dumps(sampled)), copy.deepcopy(sampled), replace(sampled)):  # noqa: S301
        assert twin.sample([0, 1]).tolist() == [1, 0]


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


def test_a_mechanism_with_labels_is_drawn_from_by_label():
    colours = ("red", "green")
    certain = om.MatrixMechanism(matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1), labels=colours)
    assert certain.sample("red") == "green"
    assert certain.sample(["red", "green", "red"]).tolist() == ["green", "red", "green"]
    assert certain.sample([["red"], ["green"]], size=2).shape == (2, 2, 1)
    assert certain.sample("green", constant_time=True) == "red"


def test_what_is_no_label_is_refused():
    certain = om.MatrixMechanism(
        matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1), labels=("red", "green")
    )
    with pytest.raises(om.ProblemError, match="must be among red, green of this mechanism; got 'blue'"):
        certain.sample(["red", "blue"])
    with pytest.raises(om.ProblemError, match="must be labels of this mechanism, as text; got 1"):
        certain.sample(1)
    with pytest.raises(om.ProblemError, match="`labels` must be one for each of 2 truths; got 1"):
        om.MatrixMechanism(matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1), labels=("red",))


def test_where_labels_are_numbers_a_truth_is_given_by_its_label():
    certain = om.MatrixMechanism(matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1), labels=("1", "2"))
    assert certain.sample(["1", "2"]).tolist() == ["2", "1"]
    for truths in (1, [1], np.array([0, 1])):
        with pytest.raises(om.ProblemError, match="must be labels of this mechanism, as text"):
            certain.sample(truths)


def test_a_matrix_on_categories_has_no_properties_of_order():
    query = om.Query(range(3), neighbours="all", labels="abc")
    even = mechanism(np.full((3, 3), 1 / 3))
    assert even.properties(query) == {"fair", "column-honest", "row-honest", "weakly-honest"}
