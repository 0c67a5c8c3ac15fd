"""Noise and a threshold, as libraries release keys and counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.thresholded import THRESHOLDED
from optmech.analysis.comparison import compare, sentences
from optmech.base.errors import NotAcceptedError
from optmech.cli import main
from tests.each import each

PUBLISHED = [("1", 40, 2.2293, 2.5518, 0.145), ("0.5", 60, 4.8793, 5.8081, 0.190)]


def released(noise, threshold, largest, truth):
    """Return the law of what is released, noise by noise; `noise` is a law on whole numbers."""
    law = np.zeros(largest + 1)
    for step, share in noise.items():
        answer = truth + step
        law[min(answer, largest) if answer >= threshold else 0] += share
    return law


@pytest.mark.parametrize(("epsilon", "largest", "delta"), [(1.0, 20, 1e-3), (0.3, 9, 0.02), (3.0, 6, 1e-5)])
def test_a_matrix_is_the_law_of_what_is_released(epsilon, largest, delta):
    steps, decay = range(-400, 401), math.exp(-epsilon)
    geometric = {step: (1 - decay) / (1 + decay) * decay ** abs(step) for step in steps}
    tails = {step: 1 - 0.5 * math.exp(-epsilon * (step + 0.5)) for step in range(400)}
    rounded = {step: tails[abs(step)] - tails[abs(step) - 1] for step in range(-399, 400) if step}
    rounded[0] = 1 - math.exp(-epsilon / 2)
    cell = math.ceil(1 - math.log(2 * delta) / epsilon)
    exact = next(t for t in range(1, 99) if decay ** (t - 1) / (1 + decay) <= delta)
    for key, noise, threshold in (
        ("thresholded-geometric", geometric, exact),
        ("early-geometric", geometric, max(exact - 1, 1)),
        ("early-laplace", rounded, cell),
    ):
        known = THRESHOLDED[key](om.count(largest), str(epsilon), str(delta)).matrix
        assert known[:, 0].tolist() == [1.0, *[0.0] * largest]
        for truth in range(1, largest + 1):
            expected = released(noise, threshold, largest, truth)
            assert known[:, truth] == pytest.approx(expected, abs=1e-13), (key, truth)


@each("epsilon", [0.2, 1.0, 2.5])
@each("records", [1, 3])
def test_deltas_are_those_of_the_formulas(epsilon, records):
    delta, rate = 1e-4, epsilon / records
    query = om.count(80, records_per_person=records)
    spent = {key: item(query, str(epsilon), str(delta)).spent_delta for key, item in THRESHOLDED.items()}
    assert spent["thresholded-geometric"] <= delta
    assert spent["thresholded-laplace"] == pytest.approx(delta, rel=1e-9)
    # One place lower, a step of noise more is released.
    assert spent["early-geometric"] == pytest.approx(
        spent["thresholded-geometric"] * math.exp(rate), rel=1e-9
    )
    assert spent["early-geometric"] > delta
    # Noise is released from half a place below the threshold on.
    far = math.ceil(records - math.log(2 * delta) / rate) - records
    assert spent["early-laplace"] == pytest.approx(math.exp(-rate * (far - 0.5)) / 2, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "largest", "optimum", "geometric", "loses"), PUBLISHED)
def test_the_comparison_shows_thresholds_beside_the_optimum(epsilon, largest, optimum, geometric, loses):
    prior = [0.0, *[1 / largest] * largest]
    problem = om.question(
        om.count(largest), epsilon, delta="1e-5", prior=prior, properties=["zero-stays-zero"]
    )
    compared = compare(problem)
    rows = {row.key: row for row in compared.rows}
    assert set(rows) > set(THRESHOLDED)
    assert compared.optimum.average == pytest.approx(optimum, abs=5e-5)
    known = rows["thresholded-geometric"]
    assert known.average == pytest.approx(geometric, abs=5e-5)
    assert known.loses_at_least == pytest.approx(loses, abs=5e-4)
    assert known.answers
    assert rows["thresholded-laplace"].answers
    for key in ("early-geometric", "early-laplace"):
        assert not rows[key].private
        assert not rows[key].lacks
        assert 1e-5 < rows[key].spent_delta < 1.4e-5
    for row in compared.rows:
        assert row.key in THRESHOLDED or not row.answers
        if row.answers:
            assert row.average > compared.optimum.average
            assert row.worst_loss > compared.optimum.worst_loss
    text = "\n".join(sentences(compared))
    assert "Thresholded geometric (Tumult Core create_partition_selection_measurement; OpenDP" in text
    assert f"for delta = 1e-05, costs an error of {geometric:.4g} on average: it loses" in text


def test_a_group_of_20_is_released_four_times_as_often():
    query, shares = om.count(60), {}
    problem = om.question(
        query, "0.5", delta="1e-5", prior=[0.0, *[1 / 60] * 60], properties="zero-stays-zero"
    )
    shares["optimum"] = 1 - om.design(problem).mechanism.matrix[0, 20]
    shares["geometric"] = 1 - THRESHOLDED["thresholded-geometric"](query, "0.5", "1e-5").matrix[0, 20]
    assert shares == pytest.approx({"optimum": 0.3395, "geometric": 0.0842}, abs=5e-5)


def test_thresholds_are_shown_where_empty_groups_are_never_seen_and_nowhere_else():
    plain = compare(om.question(om.count(12), 1, delta="1e-3"))
    assert not {row.key for row in plain.rows} & {*THRESHOLDED, *plain.refused}


def test_a_threshold_needs_a_group_that_is_empty_and_a_small_delta():
    for item in THRESHOLDED.values():
        with pytest.raises(NotAcceptedError, match=r"got count 1\.\.9\. Count from 0"):
            item(om.count(9, smallest=1), 1, "1e-3")
        with pytest.raises(NotAcceptedError, match="a `delta` above 0 and at most 1/2; got"):
            item(om.count(9), 1, "0.6")


def test_opendp_takes_the_early_threshold_for_enough():
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = (
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
        dp.l01inf_distance(dp.absolute_distance(T=int)),
    )
    reported = {
        threshold: dp.m.make_laplace_threshold(*space, scale=1.0, threshold=threshold)
        for threshold in (11, 12)
    }
    assert reported[11].map((1, 1, 1))[1] > 1e-5 > reported[12].map((1, 1, 1))[1]
    assert THRESHOLDED["early-geometric"](om.count(40), 1, "1e-5").spent_delta > 1e-5
    # At delta 0.05 draws tell the two apart: .036 is reported for .099.
    groups = {str(place): 1 for place in range(20_000)}
    share = len(dp.m.make_laplace_threshold(*space, scale=1.0, threshold=3)(groups)) / len(groups)
    expected = 1 - THRESHOLDED["early-geometric"](om.count(9), 1, "0.05").matrix[0, 1]
    assert share == pytest.approx(expected, abs=0.015)  # seven standard deviations


@each(
    ("question", "sentence"),
    [
        ("--range 0:9 --epsilon 1", "`delta` must be above 0 with zero-stays-zero; got 0."),
        ("--range 0:9 --privacy 1,0;2,1e-3", "`delta` must be above 0 with zero-stays-zero; got 0."),
        (
            "--range 0:5000 --epsilon 1",
            "the only such mechanism always releases 0. Give a delta, such as 1e-6.",
        ),
        ("--range 1:9 --epsilon 1 --delta 1e-3", "got count 1..9. Count from 0."),
        ("--range 1:5000 --epsilon 1 --delta 1e-3", "got count 1..5000. Count from 0."),
    ],
)
def test_what_no_mechanism_but_a_constant_keeps_is_refused_in_a_sentence(question, sentence, capsys):
    assert main(["design", "count", *question.split(" "), "--property", "zero-stays-zero"]) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert not output.out
