"""Shares of categories: exact bias, exact variance, and joint coverage over all data sets of a few people."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import comb

from optmech.release.estimates.binomial import limits_of_number, limits_of_probability
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.shares import ShareEstimator
from tests.release.estimates.random_mechanisms import datasets, draws, random_likelihoods, uniform

LEVEL = Fraction(3, 4)


def randomised_response(number, odds):
    """Return randomised response on some answers: the truth with these odds to each other answer."""
    weights = tuple(tuple(odds if r == t else 1 for r in range(number)) for t in range(number))
    names = tuple(map(Fraction, range(number)))
    return Likelihoods(responses=names, truths=names, weights=weights)


MECHANISMS = [
    randomised_response(2, 3),
    randomised_response(3, 4),
    *(random_likelihoods(seed, 3) for seed in range(8)),
]


def counts_of(likelihoods, responses):
    counted = Counter(responses)
    return [counted[at] for at in range(len(likelihoods.responses))]


def test_shares_of_all_data_sets_are_unbiased_and_their_limits_hold_together():
    two_valued = 0
    for likelihoods in MECHANISMS:
        estimator = ShareEstimator(likelihoods, uniform(likelihoods))
        number, known = len(likelihoods.truths), {}
        for size in (1, 2, 3, 4) if number == 2 else (1, 2, 3):
            for data in datasets(likelihoods, size):
                wanted = [Fraction(data.count(at), size) for at in range(number)]
                covered = Fraction(0)
                means, products = [Fraction(0)] * number, Counter()
                estimated = Counter()
                for responses, share in draws(likelihoods, data):
                    counts = tuple(counts_of(likelihoods, responses))
                    if counts not in known:
                        found = estimator.shares(counts, LEVEL)
                        covariances = {
                            pair: estimator.covariance(counts, *pair)
                            for pair in itertools.product(range(number), repeat=2)
                        }
                        known[counts] = found, covariances
                    found, covariances = known[counts]
                    covered += share * all(
                        one.low <= value <= one.high for one, value in zip(found, wanted, strict=True)
                    )
                    for at, one in enumerate(found):
                        if one.estimate is not None:
                            means[at] += share * one.estimate
                    for pair, value in covariances.items():
                        if value is not None:
                            errors = [found[at].estimate - wanted[at] for at in pair]
                            products[pair] += share * errors[0] * errors[1]
                            estimated[pair] += share * value
                assert covered >= LEVEL, data
                reasons = [one.reason for one in found]
                two_valued += not any(reasons)
                assert [m for m, why in zip(means, reasons, strict=True) if not why] == [
                    value for value, why in zip(wanted, reasons, strict=True) if not why
                ]
                if not any(reasons):  # the estimated covariance is unbiased, too
                    assert products == estimated
    assert two_valued > 50


def test_shares_of_a_population_hold_whatever_the_population_is():
    for likelihoods in MECHANISMS[:8]:
        estimator = ShareEstimator(likelihoods, uniform(likelihoods))
        number = len(likelihoods.truths)
        weights = range(0, 5, 2) if number == 3 else range(5)
        populations = [
            [Fraction(weight, sum(all_of)) for weight in all_of]
            for all_of in itertools.product(weights, repeat=number)
            if any(all_of)
        ]
        limits = {}
        for shares in populations:
            covered, means = Fraction(0), [Fraction(0)] * number
            released = [
                sum(share * likelihoods.probability(at, t) for t, share in enumerate(shares))
                for at in range(len(likelihoods.responses))
            ]
            for responses in itertools.product(likelihoods.possible, repeat=3):
                probability = released[responses[0]] * released[responses[1]] * released[responses[2]]
                counts = tuple(counts_of(likelihoods, responses))
                if counts not in limits:
                    limits[counts] = estimator.shares(counts, LEVEL, sampled=True)
                found = limits[counts]
                inside = all(one.low <= share <= one.high for one, share in zip(found, shares, strict=True))
                covered += probability * inside
                for at, one in enumerate(found):
                    means[at] += probability * (one.estimate or 0)
            assert covered >= LEVEL
            for one, mean, share in zip(found, means, shares, strict=True):
                assert one.reason or mean == share


def test_the_variance_of_drawn_people_is_unbiased_and_larger():
    likelihoods = randomised_response(2, 3)
    estimator = ShareEstimator(likelihoods, uniform(likelihoods))
    share = Fraction(1, 3)
    chance = share * Fraction(3, 4) + (1 - share) * Fraction(1, 4)
    mean = variance = Fraction(0)
    for first in range(5):
        probability = comb(4, first) * chance**first * (1 - chance) ** (4 - first)
        mean += probability * estimator.covariance([first, 4 - first], 0, 0, sampled=True)
        variance += probability * (estimator.shares([first, 4 - first], LEVEL)[0].estimate - share) ** 2
    assert mean == variance
    assert estimator.shares([70, 30], LEVEL, sampled=True)[0].standard_error > (
        estimator.shares([70, 30], LEVEL)[0].standard_error
    )


def test_limits_of_a_number_are_the_exact_test_inverted():
    share, other, tail = Fraction(3, 4), Fraction(1, 5), Fraction(1, 20)

    def at_least(released, m, people):
        total = Fraction(0)
        for a, b in itertools.product(range(m + 1), range(people - m + 1)):
            if a + b >= released:
                first = comb(m, a) * share**a * (1 - share) ** (m - a)
                total += first * comb(people - m, b) * other**b * (1 - other) ** (people - m - b)
        return total

    for people in (1, 2, 7):
        for released in range(people + 1):
            kept = [
                m
                for m in range(people + 1)
                if at_least(released, m, people) >= tail and 1 - at_least(released + 1, m, people) >= tail
            ]
            assert limits_of_number(released, people, share, other, tail) == (kept[0], kept[-1])


def test_limits_of_many_people_are_close_to_the_normal_ones():
    low, high = limits_of_number(400_000, 1_000_000, Fraction(3, 4), Fraction(1, 4), Fraction(1, 40))
    assert abs((low + high) / 2 - 300_000) < 2
    assert abs((high - low) / 2 - 1.96 * (1_000_000 * 3 / 16) ** 0.5 / 0.5) < 5
    low, high = limits_of_probability(0, 10, Fraction(1, 20))
    assert low == 0
    assert abs((1 - high) ** 10 - 0.05) < 1e-6
