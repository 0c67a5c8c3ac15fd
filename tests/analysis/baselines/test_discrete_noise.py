"""Discrete Gaussian, binomial and discrete count noise: they have a delta and no epsilon."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from benchmarks.baselines.binomial import binomial_noise, clamped_binomial
from benchmarks.baselines.discrete_count import discrete_count, discrete_count_noise
from benchmarks.baselines.unbounded_gaussian import discrete_gaussian_noise, parameter_of_variance
from optmech.analysis.baselines.discrete_gaussian import clamped_gaussian, discrete_gaussian
from optmech.base.errors import ProblemError
from tests.each import each

FOLDER = Path(__file__).parents[2] / "reference"
BELLET = json.loads((FOLDER / "croft.json").read_text())["bellet"]
COUNT = om.count(5)


@pytest.mark.parametrize("known", BELLET["discrete_gaussian"], ids=lambda known: known["sigma2"])
def test_discrete_gaussian_is_the_known_one(known):
    noise = discrete_gaussian_noise(COUNT, 1, parameter=known["sigma2"])
    assert noise.spent_epsilon == math.inf
    assert noise.spent_delta == pytest.approx(float(known["delta_at_eps1_shift1"]), rel=1e-13)
    assert noise.distribution.variance == pytest.approx(float(known["variance"]), rel=1e-13)
    assert float(noise.distribution.pmf(0)) == pytest.approx(float(known["p0"]), rel=1e-13)


@pytest.mark.parametrize("shift", [1, 3])
def test_delta_of_the_discrete_gaussian_is_its_closed_form(shift):
    parameter, epsilon = 9.7, 0.6
    noise = discrete_gaussian_noise(om.Query(range(20), neighbours=shift), epsilon, parameter=parameter)
    cut = epsilon * parameter / shift
    tails = [float(noise.distribution.sf(math.floor(cut + side * shift / 2))) for side in (-1, 1)]
    assert noise.spent_delta == pytest.approx(tails[0] - math.exp(epsilon) * tails[1], rel=1e-12)


@each("variance", ["1e-9", "0.01", "0.3", "1", "3.38", "100"])
def test_the_parameter_of_a_variance_has_that_variance(variance):
    parameter = parameter_of_variance(variance)
    assert discrete_gaussian(parameter).variance == pytest.approx(float(variance), rel=1e-12)
    assert parameter >= float(variance) * (1 - 1e-12)


@pytest.mark.parametrize("known", BELLET["binomial"], ids=lambda known: f"{known['eps']}-{known['delta']}")
def test_binomial_noise_is_the_known_one(known):
    trials = known["n=ceil(64 ln(2/delta)/eps^2)"]
    noise = binomial_noise(COUNT, known["eps"], trials)
    assert noise.spent_delta == pytest.approx(float(known["exact_delta"]), rel=1e-11)
    assert noise.spent_epsilon == math.inf
    assert noise.spent_delta >= float(known["exact_pure_delta_floor(2^-n)"])
    fewest = known["min_n_exact(bisect)"]
    deltas = [binomial_noise(COUNT, known["eps"], number).spent_delta for number in (fewest - 1, fewest)]
    assert deltas[1] <= float(known["delta"]) < deltas[0]


def test_binomial_noise_protects_both_ways_alike_also_with_an_odd_number_of_coins():
    law = binomial_noise(COUNT, "0.4", 7).distribution
    steps = np.arange(-12, 13)
    ways = [np.maximum(law.pmf(steps) - math.exp(0.4) * law.pmf(steps - way), 0).sum() for way in (1, -1)]
    assert ways[0] == pytest.approx(ways[1], rel=1e-13)
    assert binomial_noise(COUNT, "0.4", 7).spent_delta == pytest.approx(ways[0], rel=1e-13)
    assert law.mean() == 0.5


@pytest.mark.parametrize("trials", [1, 6, 40])
def test_clamped_binomial_columns_sum_to_one(trials):
    baseline = clamped_binomial(COUNT, "0.5", trials)
    assert np.abs(baseline.matrix.sum(axis=0) - 1).max() < 1e-13
    assert baseline.spent_delta <= binomial_noise(COUNT, "0.5", trials).spent_delta + 1e-15


def test_discrete_count_is_the_designed_mechanism_with_its_weights():
    problem = om.sadeghi_symmetric(1, "0.5", 3)
    matrix = om.design(problem, solver="highs").mechanism.matrix
    home = int(problem.query.home[0])
    weights = np.maximum(matrix[home + 1 : home + 4, 0] / 0.25, 0)
    baseline = discrete_count(problem.query, 1, "0.5", weights / weights.sum())
    assert np.abs(baseline.matrix - matrix).max() < 1e-9
    assert baseline.spent_epsilon == math.inf
    unbounded = discrete_count_noise(problem.query, 1, "0.5", weights / weights.sum())
    assert baseline.spent_delta == pytest.approx(unbounded.spent_delta, rel=1e-12)


def test_true_delta_of_discrete_count_noise_is_a_sum_over_outcomes():
    # eta 1/2, alpha (1/2, 1/2): noise (1, 1, 4, 1, 1)/8. At e^epsilon = 2 against a shift by one step:
    # -2: 1/8 - 0, -1: 1/8 - 2/8 < 0, 0: 4/8 - 2/8 = 2/8, 1: 1/8 - 8/8 < 0, 2: 1/8 - 2/8 < 0.
    noise = discrete_count_noise(COUNT, math.log(2), "1/2", [0.5, 0.5])
    assert noise.spent_delta == pytest.approx(float(Fraction(3, 8)), rel=1e-12)


def test_wrong_arguments_are_refused_with_a_remedy():
    with pytest.raises(ProblemError, match="`parameter` must be positive and at most 1e9"):
        clamped_gaussian(COUNT, 1, parameter=0)
    with pytest.raises(ProblemError, match="`variance` must be above 1e-200; got 1e-250"):
        parameter_of_variance("1e-250")
    for trials in (0, True, 1.5):
        with pytest.raises(ProblemError, match="`trials` must be a whole number of at least 1"):
            binomial_noise(COUNT, 1, trials)
    with pytest.raises(ProblemError, match="`accuracy` must lie strictly between 0 and 1; got 1"):
        discrete_count(COUNT, 1, 1, [1])
    for weights in ([0.5, 0.4], [-1, 2], [], [[1]]):
        with pytest.raises(ProblemError, match="`weights` must be one row of non-negative numbers"):
            discrete_count(COUNT, 1, "0.5", weights)
