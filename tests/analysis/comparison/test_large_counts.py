"""Noise on a count without a matrix costs what its matrix says on a count that has one."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.baseline import measure_baseline
from optmech.analysis.baselines.discrete_gaussian import calibrated_gaussian
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.comparison import compare, sentences
from optmech.analysis.comparison.large_counts import CLAMPED_NOISES, rows_of_noise
from optmech.base.errors import NotAcceptedError
from optmech.cli import main
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from tests.each import each
from tests.path import all_tails

ROUNDING = 1e-9
LARGE = "--range 0:3000 --epsilon 0.5 --delta 1e-6 --beyond 5"
PRIOR = [0.4, 0.3, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]
PROBLEMS = {
    "absolute": om.question(om.count(9), "0.3"),
    "squared, summed": om.question(om.count(12), 1, loss="squared", prior=None),
    "zero-one": om.question(om.count(9), "0.7", loss="zero-one"),
    "beyond": om.question(om.count(20), "0.5", loss="beyond 2"),
    "prior": om.question(om.count(7), 1, prior=PRIOR),
}


@each("name", PROBLEMS, every=2)
def test_rows_without_a_matrix_are_those_with_one(name):
    problem = PROBLEMS[name]
    with_matrix = compare(problem, beyond=2, delta="1e-4")
    rows_there = {row.key: row for row in with_matrix.rows}
    certificate = all_tails(problem)
    assert certificate.exact is None
    design = replace(
        om.design(problem), certificate=certificate, mechanism=NoiseMechanism(certificate=certificate)
    )
    optimum, rows, refused = rows_of_noise(problem, design, Fraction(2), Fraction(1, 10_000))
    pairs = [(optimum, with_matrix.optimum), *((row, rows_there[row.key]) for row in rows)]
    assert {row.key for row in rows}.isdisjoint(refused)
    assert {row.key for row in rows} == set(CLAMPED_NOISES)
    for row, there in pairs:
        assert (row.private, row.privacy, row.made_for_delta) == (
            there.private,
            there.privacy,
            there.made_for_delta,
        )
        for field in ("objective", "average", "worst_loss", "beyond", "spent_epsilon"):
            assert getattr(row, field) == pytest.approx(getattr(there, field), rel=1e-6), (row.key, field)
        assert row.loses_at_least == pytest.approx(there.loses_at_least, abs=1e-6)
        assert row.spent_delta == pytest.approx(there.spent_delta, rel=1e-6, abs=ROUNDING)


@each("key", CLAMPED_NOISES)
@each("epsilon", ["0.1", "1", "3"])
def test_each_noise_is_its_matrix(key, epsilon):
    query, delta = om.count(11), Fraction(1, 1000)
    noise = CLAMPED_NOISES[key](11, float(epsilon), delta)
    build = BASELINES.get(key) or partial(calibrated_gaussian, delta=delta)
    baseline = build(query, epsilon)
    matrix = baseline.matrix
    distances = np.abs(np.subtract.outer(np.arange(12), np.arange(12)))
    for losses in (np.arange(12.0) ** 2, np.full(12, 1.0), (np.arange(12) > 3).astype(float)):
        assert noise.mean_losses(losses) == pytest.approx((losses[distances] * matrix).sum(axis=0))
    assert noise.spent_epsilon == pytest.approx(baseline.spent_epsilon, rel=ROUNDING)
    half = float(epsilon) / 2  # where even pure noise spends a delta
    there = measure_baseline(name="", source="", says="", matrix=matrix, query=query, epsilon=half)
    assert noise.spent_delta(half) == pytest.approx(there.spent_delta, rel=ROUNDING)


@pytest.mark.parametrize("epsilon", ["0.1", 2])
def test_a_large_count_is_compared_and_nothing_beats_its_optimum(epsilon):
    comparison = compare(om.question(om.count(5000), epsilon), beyond=10)
    assert {row.key for row in comparison.rows} == set(CLAMPED_NOISES)
    assert all(row.loses_at_most >= -ROUNDING for row in comparison.rows if row.answers)
    private = {row.key: row.spent_epsilon for row in comparison.rows if row.private}
    assert private == dict.fromkeys(set(CLAMPED_NOISES) - {"clamped-gaussian"}, pytest.approx(float(epsilon)))
    assert comparison.optimum.provenance == "proved"
    assert "truncated geometric" in " ".join(sentences(comparison))


def test_the_command_compares_a_large_count(capsys):
    assert main(["compare", "count", *LARGE.split(), "--json"]) == 0
    question = json.loads(capsys.readouterr().out)["questions"][0]
    assert {row["key"] for row in question["baselines"]} == set(CLAMPED_NOISES)
    assert all(row["answers"] for row in question["baselines"])
    assert "up to 0..1999" in question["refused"]["uniform"]


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (om.question(om.count(5000), 1, delta="1e-6", properties=["zero-stays-zero"]), "nothing but epsilon"),
        (om.question(om.count(200_000), 1), "at most 100,001 answers"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_what_can(problem, words):
    with pytest.raises(NotAcceptedError, match=words) as refusal:
        compare(problem)
    assert str(refusal.value).endswith("Compare a smaller range, up to 0..1999.")


def test_matrices_are_not_compared_with_a_count_without_one():
    small = om.design(om.question(om.count(5), 1))
    with pytest.raises(NotAcceptedError, match=r"`others` must be left out .* got mine\. .* up to 0\.\.1999"):
        compare(om.question(om.count(5000), 1), others={"mine": small})
