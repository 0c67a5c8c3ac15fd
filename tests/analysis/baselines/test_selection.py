from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gumbel_r

import optmech as om
from benchmarks.baselines.added_gumbel import gumbel_noise, snapped_gumbel
from benchmarks.baselines.modular import modular
from optmech.analysis.baselines.selection import (
    data_independent,
    exponential,
    gumbel_max,
    randomized_response,
    uniform,
)
from optmech.base.errors import NotAcceptedError, ProblemError

COARSE = om.Query(range(6), [(0, 2), (2, 4), (4, 6)], 1)


@pytest.mark.parametrize("query", [om.count(4), COARSE], ids=["points", "categories"])
def test_the_largest_noisy_score_is_the_exponential_mechanism(query):
    epsilon = 0.9
    scores = -om.loss_matrix("absolute", query)
    noise = gumbel_r(scale=2 / epsilon)

    def wins(response, truth):
        others = np.delete(scores[:, truth], response)
        return quad(
            lambda z: noise.pdf(z - scores[response, truth]) * np.prod(noise.cdf(z - others)),
            -40,
            120,
            limit=200,
        )[0]

    matrix = gumbel_max(query, epsilon).matrix
    truths = [0, query.num_truths // 2]
    for truth in truths:
        results = [wins(response, truth) for response in range(query.num_responses)]
        assert results == pytest.approx(matrix[:, truth].tolist(), abs=1e-7)
    assert matrix.tolist() == exponential(query, epsilon).matrix.tolist()


@pytest.mark.parametrize(("scale", "apart"), [(2, 1), (0.5, 1), (3, 4)])
def test_delta_of_added_gumbel_noise_is_the_integral_of_the_excess(scale, apart):
    query = om.Query(range(9), neighbours=apart)
    noise = gumbel_noise(query, "0.3", scale)
    law, factor = noise.distribution, math.exp(0.3)
    ways = [
        quad(lambda x, s=s: max(law.pdf(x) - factor * law.pdf(x - s), 0), -20 * scale, 60 * scale, limit=500)
        for s in (apart, -apart)
    ]
    assert noise.spent_delta == pytest.approx(max(way[0] for way in ways), rel=1e-5)
    assert noise.spent_epsilon == math.inf
    assert snapped_gumbel(query, "0.3", scale).spent_delta <= noise.spent_delta + 1e-12


def test_randomized_response_on_all_pairs_is_the_fair_optimum_without_spread():
    baseline = randomized_response(om.extremum(0, 4), math.log(3))
    assert baseline.matrix[0].tolist() == pytest.approx([3 / 7, 1 / 7, 1 / 7, 1 / 7, 1 / 7])
    assert baseline.spent_epsilon == pytest.approx(math.log(3))


def test_randomized_response_tells_the_category_that_holds_the_truth():
    matrix = randomized_response(COARSE, 1).matrix
    assert (matrix.argmax(axis=0) == COARSE.home).all()
    with pytest.raises(NotAcceptedError, match='truth 1 of custom query "query" has none'):
        randomized_response(om.Query([0, 1], [0, 2], 1), 1)


def test_uniform_spends_nothing():
    assert uniform(COARSE, 1).spent_epsilon == 0


def test_data_independent_noise_is_randomized_response_unless_its_error_rate_is_another():
    query = om.residues(8, [1, 3])
    assert data_independent(query, "0.8").matrix == pytest.approx(randomized_response(query, "0.8").matrix)
    # rho = 0.3, n = 7 of Kadam's figure 7b: loss log(0.7 * 7 / 0.3).
    baseline = modular(query, "0.8", [0.7, *[0.3 / 7] * 7])
    assert baseline.spent_epsilon == pytest.approx(math.log(0.7 * 7 / 0.3))
    assert baseline.spent_delta == pytest.approx(0.7 - math.exp(0.8) * 0.3 / 7)


def test_modular_noise_adds_positions_on_a_circle():
    law = np.array([0.4, 0.3, 0.2, 0.1])
    matrix = modular(om.residues(4, [1]), 1, law).matrix
    assert all(matrix[(q + e) % 4, q] == law[e] for q in range(4) for e in range(4))


def test_wrong_arguments_are_refused_with_a_remedy():
    query = om.residues(4, [1])
    with pytest.raises(ProblemError, match="`probabilities` must be 4 non-negative numbers that sum to one"):
        modular(query, 1, [0.5, 0.5])
    with pytest.raises(NotAcceptedError, match="noise modulo the number of answers needs responses that are"):
        modular(COARSE, 1, [1 / 6] * 6)
    with pytest.raises(ProblemError, match="`scale` must be positive; got -1"):
        gumbel_noise(om.count(3), 1, -1)
