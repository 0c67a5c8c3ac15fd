"""One certificate as a matrix and as noise with thresholds: both mechanisms answer the same."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import find_source, mechanism_of
from tests.each import each

SIZE = 12
QUERY = om.count(SIZE)
CLOSE = {"rtol": 1e-9, "atol": 1e-15}


@cache
def both() -> tuple[MatrixMechanism, NoiseMechanism]:
    certificate = om.design(om.question(QUERY, "0.7", delta="1e-3"), engine="chain").certificate
    return MatrixMechanism.certified(certificate), NoiseMechanism(certificate=certificate)


def share(columns: tuple[list[int], list[int]]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return what both columns have of each ratio: noise puts equal ratios together."""
    first, second = columns
    shares: dict[Fraction | None, list[Fraction]] = {}
    for p, q in zip(first, second, strict=True):
        if p or q:
            of_ratio = shares.setdefault(Fraction(p, q) if q else None, [Fraction(0), Fraction(0)])
            of_ratio[0] += Fraction(p, sum(first))
            of_ratio[1] += Fraction(q, sum(second))
    return tuple(sorted(map(tuple, shares.values())))


ANSWERS = {
    "column": lambda each: np.column_stack([each.column(truth) for truth in range(SIZE + 1)]),
    "row": lambda each: np.vstack([each.row(response) for response in range(SIZE + 1)]),
    "matrix": lambda each: each.matrix,
    "moments": lambda each: np.vstack(each.moments()),
    "quantiles": lambda each: each.error_quantiles([0.5, 0.9, 0.99], signed=False),
    "signed quantiles": lambda each: each.error_quantiles([0.25, 0.5, 0.9], signed=True),
    "within": lambda each: np.vstack([each.probability_within(Fraction(distance)) for distance in range(4)]),
    "beyond": lambda each: np.vstack([each.probability_beyond(Fraction(distance)) for distance in range(4)]),
    "losses": lambda each: each.loss_by_truth(np.arange(SIZE + 2.0) ** 2),
    "expected loss": lambda each: np.array([each.expected_loss("absolute"), each.expected_loss("squared")]),
}
EXACT = {
    "grid": lambda each: (each.truths, each.responses, each.labels, each.is_certified),
    "probability": lambda each: [each.probability(response, 3) for response in range(SIZE + 1)],
    "weights": lambda each: [Fraction(weight, sum(each.weights(5))) for weight in each.weights(5)],
    "epsilon": lambda each: each.effective_epsilon(QUERY),
    "columns": lambda each: [
        share(each.columns_of_pairs(QUERY, 10**6).columns[index])
        for index in each.columns_of_pairs(QUERY, 10**6).indices
    ],
}


@each("name", ANSWERS)
def test_a_matrix_and_noise_answer_alike(name):
    matrix, noise = both()
    np.testing.assert_allclose(ANSWERS[name](matrix), ANSWERS[name](noise), **CLOSE)


@each("name", EXACT)
def test_a_matrix_and_noise_answer_the_same(name):
    matrix, noise = both()
    assert EXACT[name](matrix) == EXACT[name](noise)


def test_probabilities_of_a_truth_sum_to_one_and_follow_the_doubles():
    for mechanism in both():
        shares = [mechanism.probability(response, SIZE) for response in range(SIZE + 1)]
        assert sum(shares) == 1
        np.testing.assert_allclose(list(map(float, shares)), mechanism.column(SIZE), rtol=1e-12)


def test_doubles_count_over_their_own_sum():
    thirds = MatrixMechanism(
        matrix=[[1 / 3] * 2, [1 / 3] * 2, [1 / 3] * 2], responses=range(3), truths=(0, 1)
    )
    assert thirds.probability(2, 1) == Fraction(1, 3)
    assert not thirds.is_certified
    named = MatrixMechanism(
        matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1), labels=("no", "yes")
    )
    assert named.probability("no", "yes") == Fraction(1, 4)
    assert named.row("yes").tolist() == [0.25, 0.75]
    for strange in ("maybe", 0):
        with pytest.raises(om.ProblemError, match=r"`truth` must be among no, yes of this mechanism"):
            named.column(strange)
    with pytest.raises(om.ProblemError, match=r"`response` must be among 0\.\.2 of this mechanism; got 3\."):
        thirds.row(3)


def test_positions_are_drawn_by_the_same_probabilities():
    truths = np.full(20_000, 4)
    for mechanism in both():
        drawn = np.bincount(mechanism.position_sampler(os.urandom)(truths), minlength=SIZE + 1)
        assert np.abs(drawn / len(truths) - mechanism.column(4)).max() < 0.03


def test_each_knows_its_certificate():
    matrix, noise = both()
    certificate = noise.certificate
    assert matrix.is_proved_by(certificate)
    assert noise.is_proved_by(certificate)
    other = om.design(om.question(QUERY, "0.7", delta="1e-3"), engine="chain").certificate
    assert not matrix.is_proved_by(other)
    assert not noise.is_proved_by(other)
    assert certificate.is_about(other.problem)
    assert not certificate.is_about(om.question(QUERY, 1))
    assert find_source(noise).certificate is certificate
    assert find_source(matrix).certificate is None
    assert find_source(SIZE) is None


def test_a_certificate_says_once_which_mechanism_it_has():
    certificate = both()[1].certificate
    assert certificate.matrix_sha256 == certificate.exact.sha256()
    assert type(mechanism_of(certificate)) is MatrixMechanism
    assert type(mechanism_of(certificate, most_truths=SIZE)) is NoiseMechanism
    large = om.design(om.question(om.count(2100), 1)).certificate
    assert (large.exact, large.matrix_sha256) == (None, None)
    assert type(mechanism_of(large)) is NoiseMechanism
    with pytest.raises(om.NotAcceptedError, match="`certificate` must hold a matrix"):
        _ = large.matrix


def test_the_protocol_cannot_be_made_itself():
    with pytest.raises(TypeError, match="abstract"):
        Mechanism()
    assert all(issubclass(kind, Mechanism) for kind in map(type, both()))
