"""Estimates from perturbation tables are of all counts, listed or not: responses are enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import optmech as om
from optmech.base.errors import ProblemError
from optmech.release.estimates.all_counts import AllCountsEstimator
from optmech.release.tables.column_of_source import column_mechanism

LEVEL = Fraction(9, 10)
MOST = 14
ASKED = {
    "biased": {"within": 2, "variance": 2, "zero_stays_zero": True},
    "unbiased": {"within": 2, "variance": 2, "unbiased": True, "zero_stays_zero": True},
    "without": {"within": 3, "variance": 3, "without": [1], "zero_stays_zero": True},
    "corrected": {"within": 1, "variance": 1, "same_noise_from": 4},
}


@pytest.fixture(scope="module", params=ASKED)
def column(request):
    asked = dict(ASKED[request.param])
    return column_mechanism(om.design(om.p_table(asked.pop("within"), 1, **asked)).certificate)


@pytest.mark.parametrize("shown_only", [False, True])
def test_limits_hold_every_count_and_unbiased_estimates_are(column, shown_only):
    for releases in (1, 2):
        estimator = AllCountsEstimator([column] * releases, None, shown_only=shown_only)
        for count in range(MOST):
            shares = estimator.noises[0].released(count)
            if not shares:
                continue
            assert sum(shares.values()) == 1
            held, mean = Fraction(0), Fraction(0)
            for released in product(shares, repeat=releases):
                chance = Fraction(1)
                for one in released:
                    chance *= shares[one]
                low, high = estimator.ends(released, LEVEL)
                assert releases > 1 or high - low <= estimator.widest(LEVEL)
                held += chance * (low <= count <= high)
                mean += chance * (estimator.unbiased(released) or 0)
            assert held >= LEVEL, (count, releases, float(held))
            assert estimator.reason or mean == count
            assert estimator.reason or estimator.variance(count) == _variance(estimator, count, releases)


def _variance(estimator, count, releases):
    shares = estimator.noises[0].released(count)
    single = AllCountsEstimator(estimator.releases[:1], None, shown_only=estimator.shown_only)
    one = sum(share * (single.unbiased((released,)) - count) ** 2 for released, share in shares.items())
    return one / releases


def test_the_likeliest_count_is_the_likeliest_of_all(column):
    estimator = AllCountsEstimator([column], None, shown_only=False)
    for released in range(MOST):
        shares = {count: estimator.noises[0].released(count).get(released, 0) for count in range(2 * MOST)}
        if any(shares.values()):
            most = tuple(count for count, share in shares.items() if share == max(shares.values()))
            found = estimator.estimate((released,), LEVEL)
            assert found.most_likely == most
            total = sum(shares.values())
            assert found.posterior_mean == sum(count * share for count, share in shares.items()) / total


def test_a_count_beyond_the_listed_ones_is_estimated_as_any_other():
    question = om.p_table(2, 1, variance=2, zero_stays_zero=True)
    design = om.design(question)
    six, far = om.estimate([6, 5006], design).of("cell")
    assert (far.low - six.low, far.high - six.high) == (5000, 5000)
    assert six.low <= 8 <= six.high
    assert tuple(count + 5000 for count in six.most_likely) == far.most_likely
    with pytest.raises(ProblemError, match="all counts from 0 on"):
        om.estimate([3], design, shares=True)


def test_a_prior_may_be_of_as_many_counts_as_there_are():
    design = om.design(om.p_table(2, 1, variance=2, zero_stays_zero=True))
    (row,) = om.estimate([6], design, prior=[0] * 7 + ["1/4", "3/4"]).of("cell")
    assert 7 <= row.posterior_mean <= 8
    with pytest.raises(ProblemError, match="give some probability"):
        om.estimate([6], design, prior=["1/2", "1/2"])
