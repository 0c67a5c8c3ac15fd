"""Intervals of numbers hold the truth with the level at each truth, and posteriors are Bayes' rule."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

import optmech as om
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.numbers import NumberEstimator
from tests.release.estimates.random_mechanisms import draws, random_likelihoods, uniform

LEVELS = (Fraction(1, 2), Fraction(4, 5), Fraction(95, 100))


def test_the_intervals_of_200_mechanisms_hold_each_truth_with_the_level():
    for seed in range(200):
        likelihoods = random_likelihoods(seed)
        estimator = NumberEstimator([likelihoods], uniform(likelihoods))
        for level in LEVELS:
            ends = {(at,): estimator.ends((at,), level) for at in likelihoods.possible}
            for truth, value in enumerate(likelihoods.truths):
                drawn = draws(likelihoods, [truth])
                covered = sum(
                    share for responses, share in drawn if ends[responses][0] <= value <= ends[responses][1]
                )
                assert covered >= level, (seed, truth)


def test_posteriors_and_likeliest_truths_are_those_of_bayes():
    for seed in range(200):
        likelihoods = random_likelihoods(seed)
        prior = [Fraction(at + 1, 1) for at in range(len(likelihoods.truths))]
        prior = [weight / sum(prior) for weight in prior]
        estimator = NumberEstimator([likelihoods], prior)
        for at in likelihoods.possible:
            found = estimator.estimate((at,), LEVELS[0])
            assert sum(found.posterior) == 1
            joint = [weight * likelihoods.probability(at, i) for i, weight in enumerate(prior)]
            assert list(found.posterior) == [share / sum(joint) for share in joint]
            mean = sum(p * t for p, t in zip(found.posterior, likelihoods.truths, strict=True))
            assert found.posterior_mean == mean
            column = [likelihoods.probability(at, i) for i in range(len(prior))]
            best = [t for t, share in zip(likelihoods.truths, column, strict=True) if share == max(column)]
            assert list(found.most_likely) == best


def test_averages_of_releases_are_unbiased_and_their_intervals_hold_the_truth():
    tried = 0
    for seed in range(60):
        first, second = random_likelihoods(seed, 4), random_likelihoods(seed + 500, 4)
        number = min(len(first.truths), len(second.truths))
        first, second = (
            Likelihoods(truths=first.truths[:number], responses=one.responses, weights=one.weights[:number])
            for one in (first, second)
        )
        estimator = NumberEstimator([first, second], uniform(first))
        pairs = list(itertools.product(first.possible, second.possible))
        ends = {pair: estimator.ends(pair, Fraction(4, 5)) for pair in pairs}
        for truth, value in enumerate(first.truths):
            shares = {
                pair: first.probability(pair[0], truth) * second.probability(pair[1], truth) for pair in pairs
            }
            covered = sum(share for pair, share in shares.items() if ends[pair][0] <= value <= ends[pair][1])
            assert covered >= Fraction(4, 5), (seed, truth)
            if estimator.weighted:
                tried += 1
                assert sum(share * estimator.unbiased(pair) for pair, share in shares.items()) == value
                errors = {pair: (estimator.unbiased(pair) - value) ** 2 for pair in pairs}
                assert sum(share * errors[pair] for pair, share in shares.items()) == estimator.variance(
                    truth
                )
    assert tried > 50


def test_an_average_of_equal_releases_has_half_the_variance():
    likelihoods = Likelihoods.of(om.design(om.question(om.count(6), 1)).mechanism)
    one = NumberEstimator([likelihoods], uniform(likelihoods))
    two = NumberEstimator([likelihoods] * 2, uniform(likelihoods))
    assert [two.variance(at) * 2 for at in range(7)] == [one.variance(at) for at in range(7)]
    widths = [NumberEstimator([likelihoods] * n, uniform(likelihoods)).widest(LEVELS[2]) for n in (1, 2, 3)]
    assert widths == sorted(widths, reverse=True)


def test_what_no_truth_leads_to_is_refused():
    likelihoods = Likelihoods(responses=(0, 1, 2), truths=(0, 1), weights=((1, 1, 0), (1, 3, 0)))
    with pytest.raises(om.ProblemError, match="some true answer can lead to; got 2"):
        NumberEstimator([likelihoods], uniform(likelihoods)).estimate((2,), LEVELS[0])


def test_a_prior_must_allow_what_was_released():
    likelihoods = Likelihoods(responses=(0, 1), truths=(0, 1), weights=((1, 0), (0, 1)))
    estimator = NumberEstimator([likelihoods], [Fraction(1), Fraction(0)])
    with pytest.raises(om.ProblemError, match="prior"):
        estimator.estimate((1,), LEVELS[0])
