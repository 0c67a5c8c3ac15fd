"""Bias is exactly zero wherever an estimator is returned, and where none is there is none."""

from __future__ import annotations

from fractions import Fraction

import optmech as om
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.localised import localised_estimates
from optmech.release.estimates.unbiased import NoUnbiasedEstimator, unbiased_estimator
from tests.each import each
from tests.release.estimates.random_mechanisms import random_likelihoods, rank, uniform


def mean(likelihoods, truth, values):
    weights = likelihoods.weights[truth]
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0)) / sum(
        weights
    )


def values_of(likelihoods):
    """Return the truths, and the indicator of the first."""
    number = len(likelihoods.truths)
    return list(likelihoods.truths), [Fraction(at == 0) for at in range(number)]


def test_the_bias_of_200_mechanisms_is_exactly_zero_or_there_is_no_estimator():
    found = 0
    for seed in range(200):
        likelihoods = random_likelihoods(seed)
        for values in values_of(likelihoods):
            estimator = unbiased_estimator(likelihoods, values, uniform(likelihoods))
            rows = [[Fraction(weight, sum(column)) for weight in column] for column in likelihoods.weights]
            exists = rank(rows) == rank([[*row, value] for row, value in zip(rows, values, strict=True)])
            assert exists != isinstance(estimator, NoUnbiasedEstimator), seed
            if exists:
                found += 1
                for truth, value in enumerate(values):
                    assert mean(likelihoods, truth, estimator.estimates) == value == estimator.mean(truth)
                    squares = [(estimate - value) ** 2 for estimate in estimator.estimates]
                    assert estimator.variance(truth) == mean(likelihoods, truth, squares)
            else:
                multipliers = estimator.multipliers
                assert all(
                    not sum(y * row[at] for y, row in zip(multipliers, rows, strict=True))
                    for at in range(len(rows[0]))
                )
                assert sum(y * value for y, value in zip(multipliers, values, strict=True)) == 1
                assert str(sum(map(bool, multipliers))) in str(estimator)
    assert 100 < found < 300  # of both there are many


def test_no_other_unbiased_estimator_has_a_smaller_expected_variance():
    """Each is orthogonal, under the prior, to every function of the response with mean zero at all truths."""
    tried = 0
    for seed in range(200):
        likelihoods = random_likelihoods(seed)
        prior = [Fraction(1 + at) for at in range(len(likelihoods.truths))]
        prior = [weight / sum(prior) for weight in prior]
        estimator = unbiased_estimator(likelihoods, likelihoods.truths, prior)
        if isinstance(estimator, NoUnbiasedEstimator):
            continue
        rows = [[Fraction(weight, sum(column)) for weight in column] for column in likelihoods.weights]
        for zero in null_space(rows):
            tried += any(zero)
            products = [a * b for a, b in zip(estimator.estimates, zero, strict=True)]
            weighed = sum(weight * mean(likelihoods, truth, products) for truth, weight in enumerate(prior))
            assert weighed == 0, seed
    assert tried > 30


def null_space(rows):
    """Return vectors that span what a matrix takes to zero, without those of its zero columns."""
    rows, pivots, width = [list(row) for row in rows], [], len(rows[0])
    for column in range(width):
        pivot = next((at for at in range(len(pivots), len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        at = len(pivots)
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][column]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
        pivots.append(column)
    for free in set(range(width)) - set(pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for at, pivot in enumerate(pivots):
            vector[pivot] = -rows[at][free]
        yield vector


def test_a_prior_without_some_truths_still_gives_an_unbiased_estimator():
    likelihoods = Likelihoods(
        responses=(0, 1, 2), truths=(Fraction(0), Fraction(1)), weights=((1, 1, 0), (0, 1, 1))
    )
    estimator = unbiased_estimator(likelihoods, likelihoods.truths, [Fraction(1), Fraction(0)])
    assert [estimator.mean(truth) for truth in (0, 1)] == [0, 1]


@each(
    "problem", [om.croft(om.count(4), "0.5"), om.question(om.count(6), 1), om.question(om.mean(4, 1, 3), 2)]
)
def test_designed_mechanisms_have_the_estimator_that_their_rank_allows(problem):
    likelihoods = Likelihoods.of(om.design(problem).mechanism)
    estimator = unbiased_estimator(likelihoods, likelihoods.truths, uniform(likelihoods))
    rows = [[Fraction(weight, sum(column)) for weight in column] for column in likelihoods.weights]
    exists = rank(rows) == rank([[*row, v] for row, v in zip(rows, likelihoods.truths, strict=True)])
    assert exists != isinstance(estimator, NoUnbiasedEstimator)
    if exists:
        assert [estimator.mean(at) for at in range(len(rows))] == list(likelihoods.truths)


def test_noise_without_a_matrix_has_the_estimator_of_its_matrix():
    design = om.design(om.question(om.count(400), 1))
    assert design.certificate.noise.is_all_tails
    mechanism = NoiseMechanism(certificate=design.certificate)
    estimates = localised_estimates(mechanism)
    for truth in (0, 1, 17, 200, 399, 400):
        found = sum(p * g for p, g in zip(mechanism.column(truth).tolist(), estimates, strict=True))
        assert abs(found - truth) < 1e-9
    wide = om.design(om.question(om.count(2000), "0.1")).certificate
    assert localised_estimates(NoiseMechanism(certificate=wide)) is None  # its ends are merged
