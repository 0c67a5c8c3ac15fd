"""The law: private, the dense theorem's matrix, and consistent however it is looked at."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ProblemError, VerificationError
from optmech.designs.implicit.decay import Decay
from optmech.designs.implicit.proof import Prices
from optmech.proofs.enclosure import enclose_exponential
from optmech.theorems import counting

CASES = [
    ("0.05", "absolute", None),  # some counts are never released
    ("0.5", "absolute", None),
    ("ln 2", "squared", None),
    ("3", "zero-one", None),
    ("1", [0, 0, 1, 1, 5], None),
    ("0.5", "absolute", 3),
    ("2", "squared", 4),
]


def made(n, epsilon, loss, seed):
    prior = None if seed is None else np.random.default_rng(seed).dirichlet(np.full(n + 1, 0.3))
    return om.implicit_count(n, epsilon, loss, prior)


def exact_matrix(mechanism):
    counts = range(mechanism.question.largest + 1)
    return [[mechanism.entry(response, truth) for truth in counts] for response in counts]


@pytest.mark.parametrize(("epsilon", "loss", "seed"), CASES)
def test_the_law_is_private_in_rationals(epsilon, loss, seed):
    mechanism = made(14, epsilon, loss, seed)
    factor = enclose_exponential(mechanism.question.epsilon, 300)
    matrix = exact_matrix(mechanism)
    for row in matrix:
        for left, right in pairwise(row):
            assert left <= factor.lower * right
            assert right <= factor.lower * left
    assert all(sum(column) == 1 for column in zip(*matrix, strict=True))


@pytest.mark.parametrize(("epsilon", "loss", "seed"), CASES)
def test_the_law_has_the_stated_objective(epsilon, loss, seed):
    mechanism = made(14, epsilon, loss, seed)
    question = mechanism.question
    spent = sum(
        Fraction(question.cost(response, truth), question.unit) * entry
        for response, row in enumerate(exact_matrix(mechanism))
        for truth, entry in enumerate(row)
    )
    assert mechanism.bound <= spent <= mechanism.objective <= spent + Fraction(1, 2**90)
    weights = [Fraction(weight) for weight in question.weights]
    told = sum(float(weight) * mechanism.expected_loss(f) for f, weight in enumerate(weights))
    if question.unit == 1:
        assert told == pytest.approx(float(spent), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "loss", "seed"), CASES)
def test_rows_columns_and_entries_are_one_matrix(epsilon, loss, seed):
    mechanism = made(25, epsilon, loss, seed)
    matrix = np.array(exact_matrix(mechanism), dtype=float)
    columns = np.column_stack([mechanism.column(truth) for truth in range(26)])
    rows = np.vstack([mechanism.row(response) for response in range(26)])
    np.testing.assert_allclose(columns, matrix, rtol=1e-13, atol=0)
    np.testing.assert_allclose(rows, matrix, rtol=1e-13, atol=0)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_the_matrix_is_the_theorems(loss):
    losses = {"absolute": np.arange(31), "squared": np.arange(31) ** 2, "zero-one": np.sign(np.arange(31))}[
        loss
    ]
    mechanism = om.implicit_count(30, "0.7", loss)
    columns = np.column_stack([mechanism.column(truth) for truth in range(31)])
    np.testing.assert_allclose(columns, counting.least_loss_matrix(0.7, losses), rtol=1e-12, atol=1e-300)


def test_where_privacy_is_too_strong_one_count_is_always_released():
    mechanism = om.implicit_count(4, "0.1")
    assert mechanism.remap.tolist() == [2] * 5
    assert mechanism.bound == 6
    assert 0 <= mechanism.objective - 6 < Fraction(1, 2**90)  # rounded up
    assert mechanism.entry(2, 0) == 1
    assert mechanism.column(4).tolist() == [0, 0, 1, 0, 0]
    assert mechanism.sample(np.arange(5)).tolist() == [2] * 5


def test_a_certain_prior_costs_nothing():
    prior = np.zeros(1001)
    prior[700] = 1
    mechanism = om.implicit_count(1000, "1", prior=prior)
    assert (mechanism.objective, mechanism.bound, mechanism.relative_gap) == (0, 0, 0.0)
    assert set(mechanism.remap.tolist()) == {700}


@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "1", "5"])
def test_a_hundred_thousand_counts(epsilon):
    mechanism = om.implicit_count(100_000, epsilon)
    assert 0 < mechanism.relative_gap < 1e-9
    ratio = np.exp(float(mechanism.question.epsilon)) * (1 + 1e-9)
    generator = np.random.default_rng(0)
    for response in [*generator.integers(0, 100_001, 5).tolist(), int(mechanism.remap[0])]:
        row = mechanism.row(response)
        seen = row > 1e-300  # smaller doubles are too few digits for a ratio
        both = seen[:-1] & seen[1:]
        assert both.any()
        assert (row[:-1] <= ratio * row[1:])[both].all()
        assert (row[1:] <= ratio * row[:-1])[both].all()
    for truth in (0, 3, 50_000, 99_999):
        assert mechanism.column(truth).sum() == pytest.approx(1, abs=1e-12)
    # far from both ends the noise is that of the whole numbers: 2 a / (1 - a^2) = 1 / sinh(epsilon)
    assert mechanism.expected_loss(50_000) == pytest.approx(1 / np.sinh(float(epsilon)), rel=1e-9)


@pytest.mark.slow
def test_a_million_counts_with_a_prior_of_wide_range():
    prior = np.exp(-0.5 * ((np.arange(1_000_001) - 3e5) / 5e4) ** 2)
    mechanism = om.implicit_count(1_000_000, "0.1", prior=prior / prior.sum())
    assert mechanism.relative_gap < 1e-9


def test_parts_that_are_not_safe_are_refused():
    mechanism = om.implicit_count(20, "0.5")
    bits = mechanism.decay.bits
    with pytest.raises(VerificationError, match="It is not private"):
        replace(mechanism, decay=Decay(mechanism.floor.numerator - 1, bits))
    with pytest.raises(VerificationError, match="No bound follows"):
        replace(mechanism, floor=Decay(mechanism.decay.numerator + 1, bits))
    for wrong in (mechanism.remap[::-1], mechanism.remap[:-1], mechanism.remap + 2, mechanism.remap - 2):
        with pytest.raises(VerificationError, match="never decreasing"):
            replace(mechanism, remap=wrong)
    with pytest.raises(VerificationError, match="21 prices"):
        replace(mechanism, prices=Prices((0, 0), 0))
    with pytest.raises(VerificationError, match="between 0 and 1"):
        Decay(1 << 64, 64)


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda m: m.entry(21, 0), r"`response` must be a whole number in 0\.\.20; got 21\."),
        (lambda m: m.column(-1), r"`truth` must be a whole number in 0\.\.20; got -1\."),
        (lambda m: m.row(0.5), r"`response` must be a whole number in 0\.\.20; got 0\.5\."),
        (lambda m: m.sample([0, 21]), r"`truths` must be in 0\.\.20; got 21\. Clamp them first\."),
        (lambda m: m.sample([0.5]), r"`truths` must be whole numbers; got float64\. Round them first\."),
    ],
)
def test_bad_places_are_refused(call, rule):
    with pytest.raises(ProblemError, match=rule):
        call(om.implicit_count(20, "0.5"))
