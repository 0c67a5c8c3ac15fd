"""The table of solvers, as a user asks for it."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import pytest

from benchmarks.audit.command import run as main
from benchmarks.audit.solvers import run
from tests.each import each

SMALL = ["solvers", "--counts", "3,20", "--epsilons", "2"]
HIGHS = [*SMALL, "--solver", "highs-simplex", "--explain"]


@pytest.mark.slow
def test_the_table_is_printed_and_written(capsys, tmp_path):
    path = tmp_path / "audit.csv"
    assert main([*SMALL, "--solver", "highs", "--out", str(path), "--explain"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"highs simplex +count +(20 \(\S+\)|none up to 20)", out)
    assert re.search(r"highs ipm +count, variant 2 +\S", out)
    assert "are private, proved in exact arithmetic" in out
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["ended"] for row in rows} == {"ANSWERED"}
    assert {row["repaired"] for row in rows} == {"True"}
    assert sum(row["backend"] == "highs branch-and-bound" for row in rows) == 1
    first = rows[0]
    assert (first["problem"], first["epsilon"], first["backend"]) == ("count 0..3", "2", "highs simplex")
    assert float(first["claimed"]) == pytest.approx(0.784113532339164, rel=1e-9)
    assert f"{float(first['claimed']):.11g}" in out


@pytest.mark.slow
def test_json_is_one_object(capsys):
    assert main([*HIGHS, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content.keys() == {
        *("optmech", "machine", "cores", "rows", "first_infinite", "backends", "not_repaired"),
    }
    assert content["not_repaired"] == 0
    assert {each["family"] for each in content["first_infinite"]} == {"count", "count, variant 2"}
    assert [each["backend"] for each in content["backends"]] == ["highs simplex", "highs branch-and-bound"]
    for row in content["rows"]:
        assert row["bound"] <= row["objective"]
        assert row["best_bound"] <= row["objective"]


def spoil(monkeypatch, **fields):
    real = run.answers
    monkeypatch.setattr(run, "answers", lambda tasks: [replace(row, **fields) for row in real(tasks)])


@pytest.mark.slow
def test_what_is_called_optimal_and_not_repaired_ends_with_exit_code_1(capsys, monkeypatch):
    spoil(monkeypatch, repaired=False, objective=None)
    assert main(HIGHS) == 1
    out = capsys.readouterr().out
    assert "[could not be repaired]" in out
    assert "called optimal and not repaired: highs simplex, count 0..3, epsilon 2" in out


@pytest.mark.slow
def test_a_solver_that_dies_is_a_row_and_no_failure(capsys, monkeypatch):
    nothing = dict.fromkeys(
        ("claimed", "bound", "objective", "gap", "seconds", "epsilon_before", "epsilon_after", "exposed")
    )
    nothing |= dict.fromkeys(("delta_before", "delta_after", "theorem_bound", "repaired"))
    spoil(monkeypatch, status="DIED", ended="DIED", message="signal 11", **nothing)
    assert main(HIGHS) == 0
    out = capsys.readouterr().out
    assert re.search(r"^DIED .*highs simplex +count 0\.\.3, epsilon 2  \[signal 11\]$", out, re.MULTILINE)
    assert "no backend returns an infinite epsilon on these counts" in out
    assert "10 answers, 10 of them without a matrix" in out
    assert "private" not in out.rpartition("matrix")[2]


@pytest.mark.slow
def test_infinity_is_shown_with_what_it_exposes(capsys, monkeypatch):
    spoil(monkeypatch, epsilon_before=float("inf"), exposed=2.5e-10, below=True)
    assert main(HIGHS) == 0
    out = capsys.readouterr().out
    assert re.search(r"highs simplex +count +3 \(2\.5e-10\)", out)
    assert "the first of all, at n = 3: highs simplex (count, epsilon 2: 2.5e-10 exposed)" in out
    assert "extreme 0..9, epsilon 2: highs simplex" in out


@each(
    ("options", "sentence"),
    [
        (["--counts", "x"], "`counts` must be whole numbers with commas; got 'x'."),
        (["--counts", "0"], "`counts` must be whole numbers from 1 on"),
        (["--epsilons", ","], "`epsilons` must be numbers, such as 0.5,1; got none."),
        (["--epsilons=-1"], "`epsilon` must be positive; got -1."),
        (["--solver", "gurobi"], "`solver` must be one of highs"),
        (["--time-limit=-1"], "`time_limit` must be positive; got -1.0."),
        (["--tolerance", "2"], "`feasibility_tolerance` must lie between 0 and 1; got 2.0."),
        (["--out", "/no/such/folder/x.csv"], "must be writable"),
    ],
)
def test_bad_input_gets_a_sentence(capsys, options, sentence):
    assert main(["solvers", *options]) == 2
    assert sentence in capsys.readouterr().err


def test_help_has_examples(capsys):
    with pytest.raises(SystemExit):
        main(["solvers", "--help"])
    assert "python -m benchmarks audit solvers --counts 5,20" in capsys.readouterr().out
