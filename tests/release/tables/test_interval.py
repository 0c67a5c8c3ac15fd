"""An interval holds the true answer as often as it says, whatever that is, and stands beside each release."""

from __future__ import annotations

import csv
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.interval import Limits
from tests.each import each

LEVELS = [Fraction(1, 2), Fraction(9, 10), Fraction(95, 100), Fraction(999, 1000)]
QUESTIONS = {
    "count": om.question(om.count(7), "1/2"),
    "fair count": om.croft(om.count(7), 1, variant=2),
    "mean": om.question(om.mean(5, 4), 1),
    "delta": om.question(om.count(6), "1/2", delta="0.05"),
    "wide": om.question(om.Query(range(6), range(-3, 9)), 1, properties=["unbiased"]),
    "likert": om.question(om.extremum(1, 5), 1),
}


@pytest.fixture(scope="module", params=QUESTIONS)
def certificate(request):
    return om.design(QUESTIONS[request.param]).certificate


@each("level", LEVELS)
def test_whatever_the_truth_its_interval_holds_it_so_probably(certificate, level):
    mechanism = om.MatrixMechanism.certified(certificate)
    low, high = Limits(column_mechanism(certificate), level).of(
        pa.array([float(response) for response in mechanism.responses]), pa.float64()
    )
    for place, truth in enumerate(mechanism.truths):
        weights = mechanism.exact.numerators[:, place].tolist()
        coverage = [
            weight
            for weight, least, most in zip(weights, low.to_pylist(), high.to_pylist(), strict=True)
            if least <= float(truth) <= most
        ]
        assert Fraction(sum(coverage), sum(weights)) >= level


def test_intervals_widen_with_the_level_and_are_not_everything(five):
    responses = pa.array(range(6))
    widths = [
        np.array(high) - np.array(low)
        for low, high in (Limits(column_mechanism(five), level).of(responses, pa.int64()) for level in LEVELS)
    ]
    assert all((wide >= narrow).all() for narrow, wide in pairwise(widths))
    assert widths[0].max() < 5


def test_of_a_large_count_the_interval_holds_it_and_is_sharp(large):
    law = column_mechanism(large.certificate)
    low, high = Limits(law, Fraction(95, 100)).of(pa.array([15_000]), pa.int64())
    reach = (high[0].as_py() - low[0].as_py()) // 2
    noise = large.certificate.noise
    decay = noise.tail / noise.one
    beyond = 2 * decay ** (reach + 1) / (1 + decay)
    assert beyond <= 0.05 < 2 * decay**reach / (1 + decay)
    low, high = Limits(law, Fraction(95, 100)).of(pa.array([0, 30_000]), pa.int64())
    assert low[0].as_py() == 0
    assert high[1].as_py() == 30_000


@pytest.mark.slow
@pytest.mark.parametrize("question", [{"epsilon": "1/2"}, {"epsilon": 1, "delta": "1e-3"}])
def test_of_a_distribution_it_holds_the_truth_whatever_that_is(question):
    design = om.design(om.question(om.count(2100), **question))
    responses = pa.array(range(2101))
    low, high = (
        np.array(end)
        for end in Limits(column_mechanism(design.certificate), Fraction(9, 10)).of(responses, pa.int64())
    )
    assert (high - low).max() < 30
    for truth in (0, 1, 7, 1050, 2099, 2100):
        column = design.mechanism.column(truth)
        assert column[(low <= truth) & (truth <= high)].sum() >= 0.9 - 1e-12


def test_columns_stand_right_behind_the_answers_in_each_format(five, tmp_path):
    text = '\ufeffid,"n",note\r\n1,0,"a, b"\r\n2,5,\r\n'
    (tmp_path / "t.csv").write_text(text, newline="")
    pq.write_table(pa.table({"id": [1, 2], "n": [0, 5], "note": ["a", None]}), tmp_path / "t.parquet")
    for source in ("t.csv", "t.parquet"):
        for out in ("csv", "parquet"):
            path = tmp_path / f"{source[2:]}-{out}.{out}"
            log = om.release_table(five, tmp_path / source, path, column="n", interval="0.9").log
            assert log["interval"]["level"] == "0.9"
            if out == "parquet":
                rows = pq.read_table(path).to_pylist()
            else:
                rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
            assert [*rows[0]] == ["id", "n", "n_low", "n_high", "note"]
            assert all(int(row["n_low"]) <= int(row["n"]) <= int(row["n_high"]) for row in rows)
    assert (tmp_path / "csv-csv.csv").read_bytes().startswith(b"id,n,n_low,n_high,note\n")
    assert b'"a, b"\n' in (tmp_path / "csv-csv.csv").read_bytes()


def test_groups_have_the_intervals_of_their_own_mechanisms(five, halves, tmp_path):
    pq.write_table(pa.table({"g": ["a", "b"] * 6, "n": [5.0, 0.5] * 6}), tmp_path / "t.parquet")
    out = tmp_path / "r.parquet"
    om.release_table({"a": five, "b": halves}, tmp_path / "t.parquet", out, column="n", by="g", interval=0.9)
    for name, certificate in (("a", five), ("b", halves)):
        rows = [row for row in pq.read_table(out).to_pylist() if row["g"] == name]
        low, high = Limits(column_mechanism(certificate), Fraction(9, 10)).of(
            pa.array([row["n"] for row in rows]), pa.float64()
        )
        assert [row["n_low"] for row in rows] == low.to_pylist()
        assert [row["n_high"] for row in rows] == high.to_pylist()


@pytest.mark.parametrize("level", [0, 1, -0.5, "95", "x"])
def test_a_level_that_is_none_is_refused(five, tmp_path, level):
    (tmp_path / "t.csv").write_text("n\n1\n")
    with pytest.raises(om.ProblemError, match="`interval` must be a"):
        om.release_table(five, tmp_path / "t.csv", tmp_path / "r.csv", column="n", interval=level)
    assert not (tmp_path / "r.csv").exists()


def test_answers_without_an_order_have_no_interval(five, colours, tmp_path):
    (tmp_path / "t.csv").write_text("n\n1\n")
    circle = om.design(om.kadam(om.residues(5, [1]), epsilon="1", delta=0)).certificate
    without = "answers without an order have no interval"
    unknown = "without a certificate nobody knows the order"
    for mechanism, reason in (
        (colours, without),
        (circle, without),
        (om.MatrixMechanism.certified(five), unknown),
    ):
        with pytest.raises(om.NotAcceptedError, match=f"`interval` must be left out: {reason}"):
            om.release_table(mechanism, tmp_path / "t.csv", tmp_path / "r.csv", column="n", interval="0.9")
    (tmp_path / "t.csv").write_text("n,n_low\n1,0\n")
    with pytest.raises(om.FileFormatError, match="must have no column n_low"):
        om.release_table(five, tmp_path / "t.csv", tmp_path / "r.csv", column="n", interval="0.9")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
