"""Mechanisms without a matrix: their bounds hold, and their intervals cover."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import optmech as om
from optmech.release.estimates.large import LargeEstimator
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.sums import Addend, sum_of
from optmech.release.estimates.tails import EstimateErrors
from optmech.release.estimates.unbiased import unbiased_estimator
from tests.each import each

LEVEL = Fraction(95, 100)


def large(mechanism, *, shown_only=False):
    number = len(mechanism.truths)
    return LargeEstimator(mechanism, np.full(number, 1 / number), shown_only=shown_only)


@each("epsilon", ["1", "0.7"])
def test_errors_near_the_truth_bound_those_of_the_whole_matrix(epsilon):
    mechanism = om.design(om.question(om.count(300), epsilon)).mechanism
    estimator = large(mechanism)
    estimates = [float(estimator.unbiased((at,))) for at in range(301)]
    errors = np.subtract.outer(np.array(estimates), np.arange(301.0))
    whole = EstimateErrors(probabilities=mechanism.matrix, errors=errors)
    assert np.abs((mechanism.matrix * errors).sum(axis=0)).max() < 1e-9  # no bias
    (term,) = estimator.terms
    for factor in (0.01, -0.2, 0.3, -0.5):
        exact = np.log((mechanism.matrix * np.exp(factor * errors)).sum(axis=0))
        bound = term.errors.log_means(factor)
        assert (bound >= exact[term.errors.truths] - 1e-13).all()
        assert bound.max() >= exact.max() - 1e-13
        assert (bound <= whole.log_means(factor)[term.errors.truths] + 2e-6).all()


def test_the_sum_of_many_large_counts_is_bounded_as_tightly_as_that_of_small_ones():
    found = []
    for number in (30, 600):
        design = om.design(om.question(om.count(number), 1))
        frame = [number // 2] * 50
        found.append(om.estimate(frame, design).of("sum")[0])
    widths = [float(row.high - row.low) for row in found]
    assert abs(widths[0] / widths[1] - 1) < 1e-2
    assert widths[0] < 6 * found[0].standard_error


def test_intervals_cover_each_truth_and_large_noise_agrees_with_its_matrix():
    mechanism = om.design(om.question(om.count(120), 1)).mechanism
    estimator = large(mechanism)
    ends = [estimator.ends((at,), LEVEL) for at in range(121)]
    for truth in range(0, 121, 10):
        inside = [low <= truth <= high for low, high in ends]
        assert mechanism.column(truth) @ inside >= 0.95
    small = om.design(om.question(om.count(30), 1)).mechanism
    likelihoods = Likelihoods.of(small)
    exact = unbiased_estimator(likelihoods, likelihoods.truths, [Fraction(1, 31)] * 31)
    for wide in (estimator, large(om.design(om.question(om.count(300), 1)).mechanism), large(small)):
        assert [round(float(value), 9) for value in exact.estimates[:3]] == [
            round(float(wide.unbiased((at,))), 9) for at in range(3)
        ]
        middle = len(wide.truths) // 2
        assert abs(float(exact.variance(15)) - float(wide.variance(middle))) < 1e-6


def test_what_has_no_unbiased_estimate_still_has_limits():
    mechanism = om.design(om.question(om.count(300), 1)).mechanism
    estimator = large(mechanism, shown_only=True)
    assert "no unbiased estimate is computed" in estimator.reason
    found = estimator.estimate((150,), LEVEL)
    assert found.unbiased is None
    assert found.low <= 150 <= found.high
    assert abs(sum(found.posterior) - 1) < 1e-9
    total = sum_of([Addend(estimator=estimator, numbers={(150,): 3})], LEVEL)
    assert total.estimate is None
    assert total.low <= 450 <= total.high
