"""Sums, differences and shares of a total: exact bias and variance, and coverage over all data sets."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction

from optmech.release.estimates.numbers import NumberEstimator
from optmech.release.estimates.sums import Addend, share_of, sum_of
from tests.release.estimates.random_mechanisms import draws, random_likelihoods, uniform

LEVEL = Fraction(4, 5)


def addend(estimator, responses, coefficient=1):
    return Addend(estimator=estimator, numbers=Counter((at,) for at in responses), coefficient=coefficient)


def check(estimator, likelihoods, signs):
    """Enumerate all true numbers with these signs, and all that they can lead to."""
    known = {}
    for truths in itertools.product(range(len(likelihoods.truths)), repeat=len(signs)):
        value = sum(sign * likelihoods.truths[at] for sign, at in zip(signs, truths, strict=True))
        covered, mean, square, total = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
        for responses, share in draws(likelihoods, truths):
            apart = tuple(
                tuple(sorted(at for at, own in zip(responses, signs, strict=True) if own == sign))
                for sign in (1, -1)
            )
            if apart not in known:
                parts = zip(apart, (1, -1), strict=True)
                known[apart] = sum_of([addend(estimator, listed, sign) for listed, sign in parts], LEVEL)
            found = known[apart]
            covered += share * (found.low <= value <= found.high)
            total += share
            if found.estimate is not None:
                mean += share * found.estimate
                square += share * (found.estimate - value) ** 2
        assert total == 1
        assert covered >= LEVEL
        if estimator.weighted:
            assert mean == value
            assert square == sum(estimator.variance(at) for at in truths)


def test_sums_and_differences_hold_all_that_they_say():
    kinds = Counter()
    for seed in range(9):
        likelihoods = random_likelihoods(seed, 3)
        estimator = NumberEstimator([likelihoods], uniform(likelihoods))
        kinds[bool(estimator.weighted)] += 1
        for signs in ((1,), (1, 1), (1, -1), (1, 1, -1)):
            check(estimator, likelihoods, signs)
    assert len(kinds) == 2


def test_shares_of_a_total_hold_the_share():
    tried = 0
    for seed in range(24):
        likelihoods = random_likelihoods(seed, 3)
        if likelihoods.truths[0] < 0:
            continue
        estimator, known = NumberEstimator([likelihoods], uniform(likelihoods)), {}
        for truths in itertools.product(range(len(likelihoods.truths)), repeat=3):
            values = [likelihoods.truths[at] for at in truths]
            if not sum(values):
                continue
            tried += 1
            covered = Fraction(0)
            for responses, share in draws(likelihoods, truths):
                parts = responses[:1], tuple(sorted(responses[1:]))
                if parts not in known:
                    known[parts] = share_of(*([addend(estimator, part)] for part in parts), LEVEL)
                found = known[parts]
                covered += share * (found.low <= values[0] / sum(values) <= found.high)
            assert covered >= LEVEL
    assert tried > 30


def test_functions_biased_to_one_side_are_never_below_the_number():
    for seed in range(100):
        likelihoods = random_likelihoods(seed, 5)
        estimator = NumberEstimator([likelihoods], uniform(likelihoods))
        for sign in (1, -1):
            found = estimator.biased(sign, 50, Fraction(1, 40))
            assert found.spread >= max(found.values[at] for at in likelihoods.possible) - min(
                found.values[at] for at in likelihoods.possible
            )
            for truth, value in enumerate(likelihoods.truths):
                mean = sum(
                    likelihoods.probability(at, truth) * found.values[at] for at in likelihoods.possible
                )
                assert mean >= sign * value


def test_a_sum_without_an_unbiased_estimate_still_narrows_with_its_length():
    likelihoods = random_likelihoods(3, 5)
    estimator = NumberEstimator([likelihoods], uniform(likelihoods))
    assert not estimator.weighted
    rng = random.Random(7)  # noqa: S311 - no secret
    missed = 0
    for _ in range(20):
        truths = rng.choices(range(len(likelihoods.truths)), k=200)
        columns = [likelihoods.weights[at] for at in truths]
        released = [rng.choices(range(len(column)), column)[0] for column in columns]
        found = sum_of([addend(estimator, released)], LEVEL)
        missed += not found.low <= sum(likelihoods.truths[at] for at in truths) <= found.high
        range_of_all = 200 * (likelihoods.truths[-1] - likelihoods.truths[0])
        assert found.high - found.low < range_of_all / 2
    assert missed <= 4


def test_long_sums_are_bounded_together_and_short_ones_apart():
    likelihoods = random_likelihoods(8, 3)
    estimator = NumberEstimator([likelihoods], uniform(likelihoods))
    assert estimator.weighted
    for number in (1, 4, 400):
        found = sum_of([addend(estimator, [0] * number)], LEVEL)
        assert found.cells == number
        assert number * likelihoods.truths[0] <= found.low <= found.high <= number * likelihoods.truths[-1]
    wide = sum_of([addend(estimator, [0] * 400)], LEVEL)
    ends = estimator.ends((0,), 1 - (1 - LEVEL) / 400)
    assert wide.high - wide.low <= 400 * (ends[1] - ends[0])
