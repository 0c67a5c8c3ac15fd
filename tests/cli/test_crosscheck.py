"""The table of optima and theorems, as a user asks for it."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from optmech.cli import main
from optmech.theorems.registry import THEOREMS
from optmech.verify.crosscheck import compare
from tests.each import each
from tests.screen import joined

SMALL = ["crosscheck", "--family", "croft", "--counts", "3", "--extremes", "2", "--croft-epsilons", "0.5"]
SMALL += ["--means", "2:2"]


def test_the_table_is_printed_and_written(capsys, tmp_path):
    path = tmp_path / "table.csv"
    assert main([*SMALL, "--out", str(path)]) == 0
    out = capsys.readouterr().out
    assert "croft-variant-1-count" in out
    assert "8 problems, 8 comparisons: 8 agrees" in out
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["verdict"] for row in rows} == {"agrees"}
    assert float(rows[0]["optimum"]) == pytest.approx(float(rows[0]["closed_form"]))


@pytest.mark.long
def test_epsilons_may_be_logarithms(capsys):
    line = [
        "crosscheck",
        "--sadeghi-epsilons",
        "ln 2,log(3/2)",
        "--accuracies",
        "0.3",
        "--half-widths",
        "1,2",
    ]
    line += ["--croft-epsilons", "ln 2", "--counts", "2", "--extremes", "2"]
    assert main([*line, "--kadam-epsilons", "ln 2", "--largest-answer", "3"]) == 0
    out = capsys.readouterr().out
    assert "counts 1..4, epsilon ln 2" in out
    assert "symmetric, epsilon log(3/2)" in out
    assert "FAILS" not in out


def test_json_counts_the_verdicts(capsys):
    assert main([*SMALL, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["verdicts"] == {"agrees": 8, "fails": 0, "false_as_printed": 0, "no_answer": 0}


def test_a_failing_relation_ends_with_exit_code_1(capsys, monkeypatch):
    spoiled = [replace(theorem, form=theorem.form._replace(value=lambda _: 0.0)) for theorem in THEOREMS]
    monkeypatch.setattr(compare, "THEOREMS", spoiled)
    assert main(SMALL) == 1
    assert "FAILS" in capsys.readouterr().out


def test_a_false_theorem_is_shown_with_its_counter_example(capsys):
    line = "crosscheck --family sadeghi --sadeghi-epsilons 1 --accuracies 0.01 --half-widths 4"
    assert main(line.split()) == 0
    out = capsys.readouterr().out
    assert "false as printed" in out
    assert "the least delta is 0.0417447107918" in joined(out)


@each(
    ("option", "given", "sentence"),
    [
        ("--counts", "x", "`counts` must be whole numbers from 1 on, with commas; got 'x'."),
        ("--counts", "0", "`counts` must be whole numbers from 1 on"),
        ("--means", "2", "`means` must be RECORDS:LARGEST, whole numbers from 1 on, with commas; got '2'."),
        ("--means", "2:0", "`means` must be RECORDS:LARGEST"),
        ("--croft-epsilons", "-1", "`epsilon` must be positive; got -1."),
        ("--out", "/no/such/folder/x.csv", "must be writable"),
    ],
)
def test_bad_ranges_get_a_sentence(capsys, option, given, sentence):
    place = SMALL.index(option) if option in SMALL else len(SMALL)
    others = SMALL[:place] + SMALL[place + 2 :]
    assert main([*others, f"{option}={given}"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_time_limit_is_for_each_optimum_and_none_in_time_is_no_answer(capsys):
    asked = ["crosscheck", "extremum", "--range", "0:40", "--epsilon", "0.5", "--time-limit", "0.01"]
    assert main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows
    assert {row["verdict"] for row in rows} == {"no answer"}
    assert all("limit" in row["note"] for row in rows)
    assert main([*SMALL, "--time-limit", "60"]) == 0
    assert "8 problems, 8 comparisons: 8 agrees" in capsys.readouterr().out
