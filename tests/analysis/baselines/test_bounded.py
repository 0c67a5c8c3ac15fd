"""Noise kept in a range by folding or drawing again, and calibrated Gaussian noise, against brute force."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

import optmech as om
from optmech.analysis.baselines.cells import range_offsets
from optmech.analysis.baselines.continuous_noise import bounded_laplace, folded_laplace
from optmech.analysis.baselines.discrete_gaussian import calibrated_gaussian, discrete_gaussian
from optmech.analysis.baselines.whole_number_noise import folded_geometric, noise_delta, truncated_geometric
from optmech.base.errors import NotAcceptedError, ProblemError
from tests.each import each

QUERIES = [om.count(1), om.count(6), om.count(9, smallest=4), om.extremum(0, 4), om.mean(2, 3)]
# Sums of some thousand doubles.
ROUNDING = 1e-11


def fold(value, lower, upper):
    """Reflect at the ends, one step after the other, as a reader of the definition would."""
    while not lower <= value <= upper:
        value = 2 * lower - value if value < lower else 2 * upper - value
    return value


@each("epsilon", ["0.3", "2"], slow_every=2)
@each("query", QUERIES, every=12)
def test_folding_step_by_step_gives_the_folded_geometric(query, epsilon):
    size = query.num_truths
    step = query.truths[1] - query.truths[0]
    moved = max(abs(query.truths[f] - query.truths[g]) for f, g in query.pairs.tolist()) / step
    decay = math.exp(-float(epsilon) / float(moved))
    expected = np.zeros((size, size))
    for truth in range(size):
        for noise in range(-1500, 1501):
            place = fold(truth + noise, 0, size - 1)
            expected[place, truth] += (1 - decay) / (1 + decay) * decay ** abs(noise)
    assert np.abs(folded_geometric(query, epsilon).matrix - expected).max() < ROUNDING


@each("epsilon", ["0.3", "2"])
@each("query", QUERIES)
def test_folding_the_line_piece_by_piece_gives_the_folded_laplace(query, epsilon):
    values = query.truth_values
    lower, upper = values[0], values[-1]
    width = upper - lower
    scale = np.abs(np.subtract.outer(values, values))[tuple(query.pairs.T)].max() / float(epsilon)
    edges = [lower, *(values[:-1] + values[1:]) / 2, upper]
    expected = np.zeros((len(values), len(values)))
    for truth, value in enumerate(values):
        law = laplace(loc=value, scale=scale)
        pieces = np.arange(-1200, 1201)  # of the line, from lower + piece * width on, every second one turned
        starts = lower + pieces * width
        for row, (left, right) in enumerate(pairwise(edges)):
            lows = starts + np.where(pieces % 2, upper - right, left - lower)
            expected[row, truth] = (law.cdf(lows + right - left) - law.cdf(lows)).sum()
    assert np.abs(folded_laplace(query, epsilon).matrix - expected).max() < ROUNDING


@each("epsilon", [0.3, 2.0])
@each("query", QUERIES)
def test_the_bounded_laplace_has_the_scale_of_its_paper_and_its_density(query, epsilon):
    values = query.truth_values
    width = values[-1] - values[0]
    apart = np.abs(np.subtract.outer(values, values))[tuple(query.pairs.T)].max()
    scale = apart / epsilon
    for _ in range(2000):  # Holohan et al. 2020: the fixed point of apart / (epsilon - log Delta C)
        growth = 2 - math.exp(-apart / scale) - math.exp(-(width - apart) / scale)
        scale = apart / (epsilon - math.log(growth / -math.expm1(-width / scale)))
    baseline = bounded_laplace(query, epsilon)
    assert float(baseline.says.split("scale ")[1].split()[0]) == pytest.approx(scale, rel=1e-5)
    edges = [values[0], *(values[:-1] + values[1:]) / 2, values[-1]]
    truth = 1
    pieces = [
        quad(lambda x: math.exp(-abs(x - values[truth]) / scale), low, high, points=[values[truth]])[0]
        for low, high in pairwise(edges)
    ]
    assert baseline.matrix[:, truth] == pytest.approx(np.array(pieces) / sum(pieces), abs=1e-9)


def test_noise_of_epsilon_and_delta_spends_delta_and_no_more():
    for epsilon, delta in ((1, "1e-6"), ("0.1", "1e-4"), (3, "0.01"), (2, "0.999")):
        baseline = calibrated_gaussian(om.count(60), epsilon, delta)
        variance = float(baseline.says.split("variance ")[1].split()[0])
        assert baseline.spent_delta <= float(delta)
        assert baseline.spent_epsilon > float(epsilon)
        if float(delta) < 0.5:
            # A little less noise spends more than delta. From 1 on parameter and variance are the same.
            less = discrete_gaussian(variance * 0.99) if variance > 1 else discrete_gaussian(0.49)
            assert noise_delta(less, less.width, float(epsilon), [1]) > float(delta)


def test_clamping_leaves_half_of_the_line_at_each_end_and_folding_brings_it_back():
    # So that folding is the worse of the two under absolute loss: what fell outside comes back too far.
    query, losses = om.count(20), om.loss_matrix("absolute", om.count(20))
    folded, truncated = (make(query, 1).matrix for make in (folded_geometric, truncated_geometric))
    assert (losses * folded).sum() > (losses * truncated).sum()
    assert np.abs(folded[5:15, 10] - truncated[5:15, 10]).max() < 1e-4


def test_wrong_arguments_are_refused_with_a_remedy():
    short = om.Query([0, 1, 2, 3], [1, 2], 1)
    with pytest.raises(NotAcceptedError, match="folded noise needs every truth between the first and the"):
        folded_geometric(short, 1)
    for make in (folded_laplace, bounded_laplace):
        with pytest.raises(NotAcceptedError, match="noise kept in a range needs two or more responses, with"):
            make(short, 1)
    with pytest.raises(NotAcceptedError, match="Add responses until they cover the truths"):
        range_offsets(om.Query([1, 2], [1], 1))
    with pytest.raises(ProblemError, match="`delta` must lie strictly between 0 and 1; got 0"):
        calibrated_gaussian(om.count(3), 1, 0)
    with pytest.raises(NotAcceptedError, match=r"1e-05 and 1e-06 need more\. Use a larger delta"):
        calibrated_gaussian(om.count(3), "1e-5", "1e-6")
