"""Columns beside the drawn one that give it away, rows of totals, and marks of missing numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import optmech as om
from optmech.cli import main
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.release.tables.given_away import given_away
from optmech.release.tables.totals_beside_parts import is_total
from tests.each import each

DICE = np.random.default_rng(5)
ROWS = 12
A, B, C, OTHER = (DICE.integers(1, 40, ROWS) for _ in range(4))
N = A + B + C
TELLING = {
    "a copy": {"x": A, "o": OTHER},
    "a total": {"b": B, "c": C, "n": N, "o": OTHER},
    "parts": {"d": A - B, "b": B},
    "a complement": {"rest": 200 - A},
    "a share of a row": {"n": N, "pct": [f"{100 * a / n:.1f}" for a, n in zip(A, N, strict=True)]},
    "a rest of a row": {"n": N, "x": [f"{100 - 100 * a / n:.2f} %" for a, n in zip(A, N, strict=True)]},
    "a share of 1": {"n": N, "rate": A / N},
    "a share of a column": {"percent": np.round(100 * A / A.sum(), 1)},
    "a multiple": {"per 1000": 5 * A},
    "few of many": {**{f"x{place}": DICE.integers(1, 40, ROWS) for place in range(12)}, "b": B, "d": A - B},
    "many parts": {**{f"x{place}": DICE.integers(1, 9, ROWS) for place in range(9)}},
}
TELLING["many parts"]["n"] = A + sum(TELLING["many parts"].values())
SILENT = {
    "others": {"b": B, "c": C, "o": OTHER},
    "names": {"town": [f"t{place}" for place in range(ROWS)]},
    "numbers of rows": {"row": np.arange(ROWS)},
    "nothing": {"zero": np.zeros(ROWS, int), "one": np.ones(ROWS, int)},
    "nearly": {"x": np.where(np.arange(ROWS) == ROWS - 1, A + 1, A)},
    "shares of others": {"n": N, "pct": [f"{100 * b / n:.1f}" for b, n in zip(B, N, strict=True)]},
}


def columns(named):
    return {name: pa.array(list(map(str, cells))) for name, cells in named.items()}


@each("named", [*TELLING, *SILENT])
def test_a_column_that_gives_the_answer_away_is_told_without_a_number(named):
    public = columns({**TELLING, **SILENT}[named])
    sentence = given_away(pa.array(A), public, "answer")
    assert bool(sentence) == (named in TELLING)
    assert not {*sentence.replace("1000", "").split()} & {*map(str, [*A, *N])}


def test_it_is_told_before_the_draw_and_the_file_does_not_change(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(
        "race,yes,no,not_sure,n\nWhite,20,48,3,71\nBlack,6,9,3,18\nOther,1,4,2,7\n"
    )
    assert main(["design", "count", "--range", "0:71", "--epsilon", "1", "--out", "m.csv", "-q"]) == 0
    assert main(["apply", "m.csv", "t.csv", "--column", "not_sure", "--out", "r.csv", "--seed", "1"]) == 0
    shown = capsys.readouterr()
    words = "n - yes - no is the true answer of column not_sure in every row"
    assert shown.err.count(words) == 1
    assert shown.err.index(words) < shown.err.index("NOT private")
    assert "true answer of column" not in (tmp_path / "r.release.json").read_text()
    frame = pd.read_csv("t.csv")
    design = om.read_certificate("m.certificate.json")
    with pytest.warns(NotPrivateWarning, match=words):
        om.release_frame(frame, "not_sure", design)


@pytest.mark.parametrize(
    "name", ["Total", "TOTAL ", "gesamt", "Total (all wards)", "Sub-total", "*All*", "合計"]
)
def test_a_row_of_totals_is_refused_before_the_draw(tmp_path, name):
    design = om.design(om.question(om.count(3), 1))
    frame = pa.table({"ward": ["A", "B", name], "count": [1, 2, 3]})
    pd.DataFrame(frame.to_pandas()).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(om.FileFormatError, match="must have no row that is the sum of others"):
        om.release_table(design, tmp_path / "t.csv", tmp_path / "r.csv", column="count")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]
    for table in (frame, frame.to_pandas()):
        with pytest.raises(om.ProblemError, match="must have no row that is the sum of others"):
            om.release_frame(table, "count", design)
    groups = {name: design, None: design}
    om.release_table(groups, tmp_path / "t.csv", tmp_path / "r.csv", column="count", by="ward")


def test_other_names_are_no_totals():
    assert not any(map(is_total, ("Totalville", "All Saints", "Sumy", "total7", "", None)))


def release(answers, query, **options):
    design = om.design(om.question(query, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return om.release_frame(pa.table({"n": answers}), "n", design, **options)


@each(
    ("answer", "words"),
    [
        (-999999, "A negative number is no count"),
        (-1, "A negative number is no count"),
        (-9.0, "A negative number is no count"),
        ("-99", "A negative number is no count"),
        (9999999, "Is that a mark of a withheld or missing number"),
        ("999", "Is that a mark of a withheld or missing number"),
    ],
)
def test_a_mark_of_a_missing_number_is_no_count_also_with_clamp(answer, words):
    good = type(answer)(2)
    for clamp in (False, True):
        with pytest.raises(om.ProblemError, match=words) as refused:
            release([good, answer], om.count(5), clamp=clamp)
        assert "clamp" not in str(refused.value)


def test_numbers_beyond_a_range_are_clamped_where_they_may_be_numbers():
    assert len(release([-9, 99], om.total(5, largest=10, smallest=-3), clamp=True)) == 2
    assert len(release([60, 99], om.count(50), clamp=True)) == 2
    with pytest.raises(om.ProblemError, match="is that a mark of a missing number"):
        release([-9, 2], om.mean(1, 5))
