"""Losses, priors and costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.question.loss import noise_cost
from optmech.question.prior import truth_weights
from tests.each import each


def test_absolute_loss_is_the_nearest_double_to_the_exact_distance():
    query = om.mean(10, 4)
    expected = [[float(abs(r - f)) for f in query.truths] for r in query.truths]
    assert om.loss_matrix("absolute", query).tolist() == expected


def test_loss_is_measured_to_midpoints():
    query = om.Query(range(4), [(0, 2), (2, 4)], 1)
    assert om.loss_matrix("absolute", query).tolist() == [[1, 0, 1, 2], [3, 2, 1, 0]]
    assert om.loss_matrix("squared", query).tolist() == [[1, 0, 1, 4], [9, 4, 1, 0]]


def test_zero_one_loss_is_zero_where_the_category_holds_the_truth():
    query = om.Query(range(4), [(0, 2), (2, 4)], 1)
    assert om.loss_matrix("zero-one", query).tolist() == [[0, 0, 1, 1], [1, 1, 0, 0]]


def test_numbers_too_long_for_exact_doubles_still_have_a_distance():
    query = om.Query([Fraction(1, 3**40), 1], neighbours=1)
    assert om.loss_matrix("absolute", query)[0, 1] == pytest.approx(1.0)


@each(
    ("ask", "sentence"),
    [
        (lambda q: om.loss_matrix("cubic", q), "`loss` must be one of absolute, squared, zero-one"),
        (
            lambda q: om.loss_matrix(np.zeros((3, 2)), q),
            "`loss` must have shape (3, 3) to match the query; got (3, 2). Rows are responses",
        ),
        (lambda q: om.loss_matrix(-np.eye(3), q), "`loss` must be zero or more; got -1.0 at [0, 0]"),
        (lambda q: om.loss_matrix(np.full((3, 3), np.nan), q), "`loss` must be finite; got nan at [0, 0]"),
        (lambda q: om.loss_matrix([[1], [2, 3]], q), "`loss` must hold numbers in equal rows"),
        (lambda q: truth_weights("normal", q), "`prior` must be 'uniform' or one probability"),
        (lambda q: truth_weights([0.5, 0.5], q), "`prior` must have 3 entries"),
        (lambda q: truth_weights([0.5, 0.6, -0.1], q), "`prior` must be zero or more; got -0.1 at truth 2"),
        (lambda q: truth_weights([0.5, 0.5, 0.5], q), "`prior` must sum to one; got 1.5"),
        (lambda _: noise_cost("cubic", 3), "`cost` must be one of error-rate, squared, circular, wrapped"),
        (lambda _: noise_cost([0, 1], 3), "`cost` must have 3 entries"),
        (lambda _: noise_cost([0, -1, 0], 3), "`cost` must be zero or more; got -1.0 for noise 1"),
    ],
)
def test_a_loss_that_does_not_fit_says_why(ask, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        ask(om.count(2))
    assert sentence in str(refusal.value)


def test_weights_are_one_without_a_prior_and_a_mean_with_the_uniform_one():
    assert truth_weights(None, om.count(3)).tolist() == [1, 1, 1, 1]
    assert truth_weights("uniform", om.count(3)).tolist() == [0.25] * 4
