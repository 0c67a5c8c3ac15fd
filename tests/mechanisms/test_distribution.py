"""A distribution is read like the matrix that it stands for: errors, composition, other libraries."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.analysis.utility import error_quantiles, errors_by_truth, probability_within
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.reports.charts.errors import probability_of_error
from tests.each import each
from tests.path import distribution

QUESTIONS = {
    "delta": {"epsilon": 1, "delta": "1e-4"},
    "several": {"privacy": [("0.5", "0.02"), ("1.5", "0.001")], "loss": "squared"},
    "keys": {"epsilon": "0.7", "delta": "0.01", "properties": ["zero-stays-zero"]},
    "prior": {"epsilon": 2, "delta": "0.05", "prior": [0, 0.25, 0.25, 0, *[0.5 / 22] * 22]},
    "pure": {"epsilon": "0.3"},
    "all tails": None,
}


@pytest.fixture(scope="module", params=QUESTIONS)
def both(request):
    """A distribution, and the matrix that its certificate has beside it."""
    settings = QUESTIONS[request.param]
    if settings is None:
        law = distribution(25, "0.4", "absolute", None)
    else:
        certificate = om.design(om.question(om.count(25), **settings), engine="chain").certificate
        law = NoiseMechanism(certificate=certificate)
    matrix = [[float(law.probability(response, truth)) for truth in range(26)] for response in range(26)]
    return law, om.MatrixMechanism(matrix=matrix, responses=range(26), truths=range(26))


LEVELS = (0.1, 0.5, 0.9, 0.999, 1 - 1e-9)


@each("signed", [False, True])
def test_quantiles_of_errors_are_those_of_the_matrix(both, signed):
    of_tails, of_entries = (error_quantiles(each, LEVELS, signed=signed) for each in both)
    np.testing.assert_array_equal(of_tails, of_entries)


def test_means_of_errors_are_those_of_the_matrix(both):
    of_tails, of_entries = map(errors_by_truth, both)
    for name in ("bias", "variance", "mean_absolute_error"):
        np.testing.assert_allclose(getattr(of_tails, name), getattr(of_entries, name), rtol=1e-11, atol=1e-12)
    for distance in (0, 3, "7.5", 100):
        law, matrix = (probability_within(each, distance) for each in both)
        np.testing.assert_allclose(law, matrix, atol=1e-13)
    law, matrix = map(probability_of_error, both)
    np.testing.assert_allclose(law, matrix, atol=1e-13)


def test_tails_keep_their_digits(both):
    law, matrix = both
    truths = np.arange(26)
    for place in (-1, 0, 12, 25):
        below, above = law.tails(np.full(26, place), truths)
        np.testing.assert_allclose(below, matrix.matrix[: place + 1].sum(axis=0), rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(above, matrix.matrix[place + 1 :].sum(axis=0), rtol=1e-12, atol=1e-300)


@pytest.mark.slow
def test_curves_and_compositions_are_those_of_the_matrix(both):
    law, _ = both
    query = law.certificate.problem.query
    held_curve = om.analysis.privacy_curve((law, query))
    exact = [[law.probability(response, truth) for truth in range(26)] for response in range(26)]
    for epsilon in ("ln 1", "ln 3/2", "ln 2", "ln 4", "ln 9"):
        factor = Fraction(epsilon[3:])
        spent = max(
            sum(max(0, row[truth] - factor * row[beside]) for row in exact)
            for truth, beside in query.pairs.tolist()
        )
        assert held_curve.delta(epsilon) == spent
    twice = om.compose([(law, query)] * 2, queries="repeated")
    assert twice.attained.delta("ln 2") <= twice.delta("ln 2")
    assert twice.delta("ln 2") <= om.compose((law, query), uses=2).delta("ln 2")


@each("epsilon", ["0.1", "0.5", "1", "3"], every=12, slow_every=3)
def test_no_neighbours_spend_more_than_a_shift_of_the_noise(both, epsilon):
    law, matrix = both
    spent_delta = law.shift_delta(Fraction(epsilon))
    assert spent_delta >= matrix.hockey_stick_delta(om.count(25), epsilon) - 1e-15
    factor = float(np.exp(float(epsilon)))
    noise = law.certificate.noise
    places = range(noise.first - 400 * noise.period, noise.last + 400 * noise.period)
    weights = np.diff([float(noise.share(place)) for place in places])
    period = noise.period
    here, beside = np.array(weights[period:]), np.array(weights[:-period])
    ways = [np.maximum(one - factor * other, 0).sum() for one, other in ((here, beside), (beside, here))]
    assert spent_delta == pytest.approx(max(ways), abs=1e-12)


def test_a_query_with_other_neighbours_is_refused(both):
    law, _ = both
    with pytest.raises(om.ProblemError, match="`query` must have the truths of count"):
        om.compose((law, om.count(24)))


@each("truth", [2**70, -(2**70)])
def test_a_truth_beyond_64_bits_is_refused_as_any_beyond_the_range(both, truth):
    with pytest.raises(om.ProblemError, match=r"`truths` must be in .*Clamp them first"):
        both[0].sample(truth)


@each(("positions", "source", "named"), [([0], b"bytes", "random_bytes"), ([0.5], bytes, "positions")])
def test_a_draw_of_what_cannot_be_drawn_is_refused(both, positions, source, named):
    with pytest.raises(om.ProblemError, match=f"`{named}` must"):
        both[0].draw(positions, source)
