"""A perturbation table answers counts of any size, with the noise of the last one from there on."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import optmech as om
from optmech.analysis import p_table_of
from optmech.question.problems.p_table import SameNoiseFrom
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.interval import Limits
from tests.each import each

LARGE, LARGEST = 10**9, 2**52


@cache
def designed(*, zero_stays=True):
    return om.design(om.p_table(3, 1, variance=2, without=[1], zero_stays_zero=zero_stays)).certificate


def draws(counts, seed):
    law = column_mechanism(designed(), random_bytes=np.random.default_rng(seed).bytes)
    return law.draw(np.array(counts), pa.int64()).to_numpy()


def test_larger_counts_have_the_noise_of_the_last_one():
    last = p_table_of(designed()).last
    for seed in range(3):
        noise = draws([last] * 200, seed) - last
        assert len(set(noise.tolist())) > 1
        for count in (last + 1, last + 2, LARGE):
            assert (draws([count] * 200, seed) - count == noise).all()


def test_a_table_with_large_counts_is_released_and_a_negative_one_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text(f"town,n\nA,0\nB,5\nC,{LARGE}\n")
    done = om.release_table(designed(), tmp_path / "t.csv", tmp_path / "r.csv", column="n", interval="0.9")
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text().splitlines()))
    assert [row["town"] for row in rows] == ["A", "B", "C"]
    assert rows[0]["n"] == "0"
    assert abs(int(rows[2]["n"]) - LARGE) <= 3
    assert int(rows[2]["n_low"]) <= int(rows[2]["n"]) <= int(rows[2]["n_high"])
    assert "from 5 on have the same noise" in done.log["mechanisms"][0]["larger_counts"]
    (tmp_path / "t.csv").write_text("town,n\nA,-1\n")
    with pytest.raises(om.FileFormatError, match="got '-1' in line 2"):
        om.release_table(designed(), tmp_path / "t.csv", tmp_path / "s.csv", column="n")


@each("level", [Fraction(1, 2), Fraction(95, 100), Fraction(999, 1000)])
@each("shown_only", [False, True])
@each("zero_stays", [False, True])
def test_the_interval_of_each_count_holds_it_as_often_as_it_says(level, shown_only, zero_stays):
    certificate = designed(zero_stays=zero_stays)
    table, responses = p_table_of(certificate), list(range(80))
    law = column_mechanism(certificate)
    ends = Limits(law, level, drop_zero=shown_only).of(pa.array(responses), pa.int64())
    low, high = (end.to_pylist() for end in ends)
    assert [end - low[-1] for end in low[-20:]] == list(range(-19, 1))
    for count in range(shown_only and zero_stays, 70):
        shares = {r: p for r, p in table.published(count).items() if r or not shown_only}
        held = sum(p for r, p in shares.items() if low[r] <= count <= high[r])
        assert held >= level * sum(shares.values()), count


def test_the_largest_counts_have_ends():
    law = column_mechanism(designed())
    largest = law.law.answers[-1]
    responses = pa.array([largest + 3, largest - 2])
    low, high = Limits(law, Fraction(9, 10)).of(responses, pa.int64())
    assert low.to_pylist()[0] <= largest == high.to_pylist()[0]


@each(
    ("query", "last"),
    [(om.residues(5, [1]), 4), (om.count(4, records_per_person=2), 4), (om.count(4), LARGEST)],
)
def test_other_neighbours_keep_their_range(query, last):
    """On a circle 5 is no neighbour of 4, and where two records are one person 6 is one of 4."""
    asked = om.question(query, 1, least="delta", properties=[SameNoiseFrom(3)])
    assert column_mechanism(om.design(asked).certificate).law.answers[-1] == last
