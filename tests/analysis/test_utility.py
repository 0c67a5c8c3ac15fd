from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from benchmarks.papers.utility import expected_loss_after_guess_as_printed
from optmech.analysis.utility import (
    bayesian_guess,
    error_quantiles,
    errors_by_truth,
    probability_within,
    utility_measures,
)
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism

# By hand: truths 0, 1, 2, two responses 0 and 4.
SMALL = MatrixMechanism(matrix=[[0.9, 0.5, 0.2], [0.1, 0.5, 0.8]], responses=(0, 4), truths=(0, 1, 2))


def random_mechanism(seed, responses=5, truths=4):
    matrix = np.random.default_rng(seed).dirichlet(np.full(responses, 0.4), size=truths).T
    return MatrixMechanism(matrix=matrix, responses=range(responses), truths=range(truths))


def test_the_four_measures_are_those_done_by_hand():
    # |0-f|: 0 1 2, |4-f|: 4 3 2. (23): (0.9*0 + 0.1*4 + 0.5*1 + 0.5*3 + 2) / 3.
    # (25): response 0 has weights .9 .5 .2: guess 0 costs .9, 1 costs 1.1, 2 costs 2.3;
    #       response 4 has weights .1 .5 .8: guess 0 costs 2.1, 1 costs .9, 2 costs .7.
    # (26): response 0: 0 costs .5+.8, 1 costs .9+.2, 2 costs 3.6+.5; response 4: 2.1+1.6, .1+.8, .4+.5.
    measures = utility_measures(SMALL)
    assert measures.error == pytest.approx(4.4 / 3)
    assert measures.squared_error == pytest.approx((1.6 + 0.5 + 4.5 + 4) / 3)
    assert measures.error_after_guess == pytest.approx((0.9 + 0.7) / 3)
    assert measures.squared_error_after_guess == pytest.approx((1.1 + 0.9) / 3)
    # As printed: times Pr(r) = 1.6/3 and 1.4/3.
    printed = expected_loss_after_guess_as_printed(SMALL, "absolute")
    assert printed == pytest.approx((0.9 * 1.6 + 0.7 * 1.4) / 9)


def test_a_prior_and_a_loss_of_ones_own_count():
    # Prior (0, 0, 1): the reader knows the answer.
    sure = bayesian_guess(SMALL, "absolute", [0, 0, 1])
    assert sure.expected_loss == 0
    assert [int(guess) for guess in sure.guesses] == [2, 2]
    # Guessing 2 costs nothing, whatever is true.
    own = bayesian_guess(SMALL, [[1, 1, 1], [1, 1, 1], [0, 0, 0]])
    assert (own.expected_loss, [int(guess) for guess in own.guesses]) == (0, [2, 2])
    # The plain sum is the number of truths times the average.
    assert utility_measures(SMALL, None).error == pytest.approx(3 * utility_measures(SMALL).error)
    with pytest.raises(ProblemError, match=r"`loss` must have shape \(3, 3\) to match the query"):
        bayesian_guess(SMALL, [[1, 0, 0], [0, 1, 0]])


def test_zero_one_loss_after_a_guess_is_one_minus_the_largest_posterior():
    assert bayesian_guess(SMALL, "zero-one").expected_loss == pytest.approx(1 - (0.9 + 0.8) / 3)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), loss=st.sampled_from(["absolute", "squared", "zero-one"]))
def test_a_guess_never_loses_against_face_value_where_responses_are_truths(seed, loss):
    mechanism = random_mechanism(seed, 4, 4)
    guess = bayesian_guess(mechanism, loss)
    assert guess.expected_loss <= mechanism.expected_loss(loss) + 1e-12
    # The guesses attain what is claimed.
    matrix = np.zeros((4, 4))
    for row, value in zip(mechanism.matrix, guess.guesses, strict=True):
        matrix[int(value)] += row
    remapped = MatrixMechanism(matrix=matrix, responses=range(4), truths=range(4))
    assert remapped.expected_loss(loss) == pytest.approx(guess.expected_loss)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_mixing_responses_never_helps_a_guess(seed):
    mechanism = random_mechanism(seed)
    mixing = np.random.default_rng(seed + 1).dirichlet(np.ones(5), size=5).T
    blurred = MatrixMechanism(matrix=mixing @ mechanism.matrix, responses=range(5), truths=range(4))
    for loss in ("absolute", "squared"):
        sharp = bayesian_guess(mechanism, loss).expected_loss
        assert sharp <= bayesian_guess(blurred, loss).expected_loss + 1e-12


def test_the_optimum_cannot_be_guessed_better_for_the_loss_it_was_made_for():
    problem = om.croft(om.count(6), "0.7")
    mechanism = om.design(problem, solver="highs").mechanism
    guessed = bayesian_guess(mechanism, "absolute").expected_loss
    assert guessed == pytest.approx(mechanism.expected_loss("absolute"), abs=1e-9)


def test_errors_by_truth_are_those_done_by_hand():
    errors = errors_by_truth(SMALL)
    assert errors.bias.tolist() == pytest.approx([0.4, 1, 1.2])  # mean responses 0.4, 2, 3.2
    assert errors.variance.tolist() == pytest.approx([16 * 0.09, 16 * 0.25, 16 * 0.16])
    assert errors.mean_absolute_error.tolist() == pytest.approx([0.4, 2, 2])
    squared = errors.variance + errors.bias**2
    assert squared.mean() == pytest.approx(SMALL.expected_loss("squared"))
    with pytest.raises(ValueError, match="read-only"):
        errors.bias[0] = 1


def test_quantiles_are_the_smallest_errors_that_reach_the_level():
    # Distances: truth 0: 0 (.9), 4 (.1); truth 1: 1 (.5), 3 (.5); truth 2: 2 and 2.
    quantiles = error_quantiles(SMALL, [0.5, 0.9, 0.95, 1])
    assert quantiles.tolist() == [[0, 1, 2], [0, 3, 2], [4, 3, 2], [4, 3, 2]]
    signed = error_quantiles(SMALL, [0.2, 0.5, 1], signed=True)
    assert signed.tolist() == [[0, -1, -2], [0, -1, 2], [4, 3, 2]]


def test_the_largest_quantile_ignores_responses_that_never_come():
    mechanism = MatrixMechanism(matrix=[[1.0], [0.0], [0.0]], responses=(0, 1, 2), truths=(0,))
    assert error_quantiles(mechanism, [1.0]).tolist() == [[0]]
    thirds = MatrixMechanism(matrix=np.full((3, 1), 1 / 3), responses=(0, 1, 2), truths=(0,))
    assert error_quantiles(thirds, [1 / 3, 2 / 3, 1]).tolist() == [[0], [1], [2]]


def test_probability_within_counts_the_border():
    assert probability_within(SMALL, 2).tolist() == [0.9, 0.5, 1]
    assert probability_within(SMALL, "1.99").tolist() == [0.9, 0.5, 0]
    tenths = MatrixMechanism(matrix=np.eye(4)[:, [3]], responses=("0", "0.1", "0.2", "0.3"), truths=("0.2",))
    # 0.3 - 0.2 is below 0.1 in doubles and 0.1 exactly.
    assert probability_within(tenths, "0.1").tolist() == [1]


def test_wrong_arguments_are_refused_with_a_remedy():
    with pytest.raises(ProblemError, match=r"`levels` must lie above 0 and at most at 1; got 0.0"):
        error_quantiles(SMALL, [0.5, 0])
    with pytest.raises(ProblemError, match="`distance` must be zero or more; got -1"):
        probability_within(SMALL, -1)
