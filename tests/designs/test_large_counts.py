"""A large count gets a distribution: private, the theorem's matrix, and consistent however it is read."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ProblemError, VerificationError
from optmech.cli import main
from optmech.designs import choice
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.proofs.chain.price_bound import TruthPrices
from optmech.proofs.enclosure import enclose_exponential
from optmech.theorems import counting
from tests.each import each
from tests.path import distribution, on_path
from tests.readers import by_checker, by_package, checker

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
    return distribution(n, epsilon, loss, prior)


def loss_of(loss, mechanism):
    return om.loss_matrix(loss, mechanism.certificate.problem.query)


def exact_matrix(mechanism):
    counts = range(len(mechanism.truths))
    return [[mechanism.probability(response, truth) for truth in counts] for response in counts]


@each(("epsilon", "loss", "seed"), CASES)
def test_the_law_is_private_in_rationals(epsilon, loss, seed):
    mechanism = made(14, epsilon, loss, seed)
    factor = enclose_exponential(mechanism.certificate.problem.privacy.epsilon, 300)
    matrix = exact_matrix(mechanism)
    for row in matrix:
        for left, right in pairwise(row):
            assert left <= factor.lower * right
            assert right <= factor.lower * left
    assert all(sum(column) == 1 for column in zip(*matrix, strict=True))


@each(("epsilon", "loss", "seed"), CASES)
def test_the_law_has_the_stated_objective(epsilon, loss, seed):
    mechanism = made(14, epsilon, loss, seed)
    proved, question = mechanism.certificate, mechanism.certificate.question
    spent = sum(
        Fraction(question.weights[truth] * question.heights[abs(response - truth)], question.unit) * entry
        for response, row in enumerate(exact_matrix(mechanism))
        for truth, entry in enumerate(row)
    )
    assert proved.bound <= spent <= proved.objective <= spent + Fraction(1, 2**90)
    prior = "uniform" if seed is None else np.array(question.weights) / sum(question.weights)
    mean = mechanism.expected_loss(loss, prior)
    assert mean == pytest.approx(float(spent) / (15 if seed is None else 1), rel=1e-12)
    assert mean == pytest.approx(
        om.Mechanism.expected_loss(mechanism, loss_of(loss, mechanism), prior), rel=1e-12
    )


@each(("epsilon", "loss", "seed"), CASES, every=2)
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
    mechanism = distribution(30, "0.7", loss)
    columns = np.column_stack([mechanism.column(truth) for truth in range(31)])
    np.testing.assert_allclose(columns, counting.least_loss_matrix(0.7, losses), rtol=1e-12, atol=1e-300)


def test_where_privacy_is_too_strong_one_count_is_always_released():
    mechanism = distribution(4, "0.1")
    proved = mechanism.certificate
    assert proved.released.tolist() == [2]
    assert proved.objective == 6
    assert 0 <= 6 - proved.bound < Fraction(1, 2**90)  # rounded down
    assert mechanism.probability(2, 0) == 1
    assert mechanism.column(4).tolist() == [0, 0, 1, 0, 0]
    assert mechanism.sample(np.arange(5)).tolist() == [2] * 5


def test_a_certain_prior_costs_nothing():
    prior = np.zeros(1001)
    prior[700] = 1
    mechanism = distribution(1000, "1", prior=prior).certificate
    assert (mechanism.objective, mechanism.bound, mechanism.relative_gap) == (0, 0, 0.0)
    assert mechanism.released.tolist() == [700]


@each("epsilon", ["0.01", "0.1", "1", "5"], every=6, slow_every=2)
def test_a_hundred_thousand_counts(epsilon):
    design = om.design(on_path(100_000, epsilon))
    mechanism, proved = design.mechanism, design.certificate
    assert (design.engine, design.objective_standing, design.lower_bound_standing) == (
        "chain",
        "proved",
        "proved",
    )
    assert 0 < proved.relative_gap < 1e-9
    ratio = np.exp(float(epsilon)) * (1 + 1e-9)
    generator = np.random.default_rng(0)
    for response in [*generator.integers(0, 100_001, 5).tolist(), int(proved.released[0])]:
        row = mechanism.row(response)
        resolved = row > 1e-300  # smaller doubles are too few digits for a ratio
        both = resolved[:-1] & resolved[1:]
        assert both.any()
        assert (row[:-1] <= ratio * row[1:])[both].all()
        assert (row[1:] <= ratio * row[:-1])[both].all()
    for truth in (0, 3, 50_000, 99_999):
        assert mechanism.column(truth).sum() == pytest.approx(1, abs=1e-12)
    # far from both ends the noise is that of the whole numbers: 2 a / (1 - a^2) = 1 / sinh(epsilon)
    assert mechanism.column(50_000) @ np.abs(np.arange(100_001) - 50_000) == pytest.approx(
        1 / np.sinh(float(epsilon)), rel=1e-9
    )


@pytest.mark.long
def test_many_counts_with_a_prior_of_wide_range():
    prior = np.exp(-0.5 * ((np.arange(150_001) - 5e4) / 7.5e3) ** 2)
    design = om.design(on_path(150_000, "0.1", prior=prior / prior.sum()))
    assert design.certificate.relative_gap < 1e-9


def test_parts_that_are_not_safe_are_refused():
    proved = distribution(20, "0.5").certificate
    with pytest.raises(VerificationError, match="must keep the privacy"):
        replace(proved, noise=replace(proved.noise, tail=proved.noise.tail - 1))
    for wrong in (proved.thresholds[::-1], proved.thresholds[:-1], tuple(t + 9 for t in proved.thresholds)):
        with pytest.raises(VerificationError, match="never decreasing"):
            replace(proved, thresholds=wrong)
    with pytest.raises(VerificationError, match="one for each truth"):
        replace(proved, prices=TruthPrices((0, 0), 0))
    with pytest.raises(VerificationError, match="prices must be of noise that is all tails"):
        replace(om.design(on_path(20, "0.5")).certificate, prices=TruthPrices((0,) * 21, 0))


@each(
    ("call", "rule"),
    [
        (lambda m: m.probability(21, 0), r"`response` must be a whole number in 0\.\.20; got 21\."),
        (lambda m: m.column(-1), r"`truth` must be a whole number in 0\.\.20; got -1\."),
        (lambda m: m.row(0.5), r"`response` must be a whole number in 0\.\.20; got 0\.5\."),
        (lambda m: m.sample([0, 21]), r"`truths` must be in 0\.\.20; got 21\. Clamp them first\."),
        (lambda m: m.sample(10**30), r"`truths` must be in 0\.\.20; got 10{30}\. Clamp them first\."),
        (lambda m: m.sample([0.5]), r"`truths` must be whole numbers; got float64\. Round them first\."),
    ],
)
def test_bad_places_are_refused(call, rule):
    with pytest.raises(ProblemError, match=rule):
        call(distribution(20, "0.5"))


def test_a_distribution_is_sent_to_another_process():
    made = om.design(on_path(30_000, "1", [0, 1, 4])).mechanism
    sent = pickle.dumps(made)
    assert len(sent) < 1_000_000
    again = pickle.loads(sent)  # noqa: S301 - its own
    assert (again.column(7) == made.column(7)).all()
    assert again.certificate.bound == made.certificate.bound


def test_a_matrix_too_large_is_refused_and_others_are_read_like_any():
    small, large = distribution(8, "1"), om.design(on_path(30_000, "1")).mechanism
    with pytest.raises(om.NotAcceptedError, match=r"at most 100,000,000 entries; got 30,001 truths"):
        _ = large.matrix
    assert om.verify(small, on_path(8, "1"))
    assert small.effective_epsilon(om.count(8)) == pytest.approx(1)
    assert small.sample([0, 8], size=3).shape == (3, 2)
    with pytest.raises(om.NotAcceptedError, match="`constant_time` must be left out"):
        small.sample(0, constant_time=True)
    elsewhere = om.design(om.croft(om.count(5003, smallest=3), "0.5")).mechanism
    assert elsewhere.probability(3, 3) == distribution(5000, "0.5").probability(0, 0)
    assert 3 <= elsewhere.sample(5003) <= 5003


LARGE = {
    "pure": om.question(om.count(100_000), "0.5"),
    "with a delta": om.question(om.count(70_000), "0.5", delta="1e-6"),
    "two pairs": om.question(om.count(5000), privacy=[("0.5", "1e-3"), ("1", "1e-9")], loss="squared"),
    "keys": om.question(om.count(3000), 1, delta="1e-5", properties=["zero-stays-zero"]),
    "a curve": om.question(om.count(3000), privacy=om.as_private_as("discrete-gaussian", sigma="2")),
    "pure, with a matrix in doubles": om.question(om.count(500), "0.5"),
}


@each("name", LARGE, every=6, slow_every=2)
def test_any_size_is_verified_and_meets_the_theorem_of_chains(name):
    design = om.design(LARGE[name])
    report = om.verify(design)
    assert report
    assert report.is_certified
    chain = next(row for row in report.theorems if row.name == "chain")
    assert chain.number == pytest.approx(design.objective, rel=1e-12)


@pytest.mark.slow
def test_a_distribution_is_not_verified_against_a_question_that_is_not_its_own():
    design = om.design(LARGE["pure"])
    with pytest.raises(om.OptmechError, match="must be that of a distribution, which has no matrix"):
        om.verify(design.mechanism, om.question(om.count(100_000), "0.1"))
    assert om.verify(design.mechanism, om.question(om.count(100_000), "0.5")).is_certified


def test_a_count_has_noise_and_beyond_300_answers_no_matrix_in_whole_numbers():
    orders = [choice.choose(om.question(om.count(largest), 1)).order for largest in (299, 300)]
    assert [order[0] for order in orders] == ["chain", "chain"]
    assert om.design(om.question(om.count(299), 1)).certificate.exact is not None
    assert om.design(om.question(om.count(300), 1)).certificate.exact is None


def test_where_lines_leave_a_gap_prices_close_it():
    """The zero-one loss is not convex, and at an uneven prior best thresholds cross."""
    prior = np.zeros(501)
    prior[[0, 250, 500]] = 0.5, 0.1, 0.4
    design = om.design(om.question(om.count(500), "0.1", loss="zero-one", prior=prior))
    proved = design.certificate
    assert (design.engine, proved.relative_gap < 1e-9, proved.prices is None) == ("chain", True, False)
    assert replace(proved, prices=None).relative_gap == 1


@pytest.mark.slow
def test_a_matrix_is_written_and_read_beside_noise_without_one(tmp_path):
    out, small = tmp_path / "count.csv", tmp_path / "small.csv"
    assert main(["design", "count", "--range", "0:320", "--epsilon", "1", "--out", str(out)]) == 0
    proof = tmp_path / "count.certificate.json"
    certificate = om.read_certificate(proof)
    assert certificate.exact is None
    law = om.design(om.question(om.count(320), 1)).mechanism
    matrix = om.MatrixMechanism.from_csv(out).matrix
    for response, truth in ((0, 0), (7, 300), (160, 161), (320, 0)):
        assert matrix[response, truth] == float(law.probability(response, truth))
    assert main(["verify", str(out)]) == 0
    assert checker.main([str(proof), str(out)]) == 0
    lines = out.read_text().splitlines()
    lines[5] = lines[5].replace("1", "2", 1)
    small.write_text("\n".join(lines) + "\n")
    assert main(["verify", str(proof), str(small)]) != 0
    assert checker.main([str(proof), str(small)]) == 1


@each(("largest", "epsilon"), [(100, 50), (50, 100), (299, 30), (30, 700), (5, 700)])
def test_a_count_at_a_large_epsilon_has_a_short_certificate_that_both_readers_accept(largest, epsilon):
    certificate = om.design(om.question(om.count(largest), epsilon)).certificate
    text = certificate_text(certificate)
    assert certificate.relative_gap < 1e-30
    assert len(text) < 20_000
    assert by_package(text) is by_checker(text) is None


@each("engine", ["auto", "chain", "interior", "program"])
def test_at_a_large_epsilon_there_is_noise_and_no_matrix_at_the_worst_truth(engine):
    with pytest.raises(om.ProblemError, match="epsilon above 160,000 between all neighbours protects nobody"):
        om.design(om.question(om.count(20), 200, worst_case=True), engine=engine)
    assert om.design(om.question(om.count(20), 200)).certificate.relative_gap < 1e-30
