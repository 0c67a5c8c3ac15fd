"""The cost tables show answers, workers that were stopped and peers that are missing."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from benchmarks.cost import against, against_qif, building, chain, engines, large, machine, memory


def cells(table, row=0):
    return dict(zip(table.header, table.rows[row], strict=True))


def answer(solve, proof, objective=2.0):
    return {"solve": solve, "seconds": proof, "objective": objective, "gap": 1e-12, "megabytes": 90.0}


def asked_of(answers):
    """Return a stand-in for `worker.run` that answers by engine and method."""
    return lambda job, _limit=None: answers[job["engine"], job.get("method", "auto")]


def test_the_best_direct_method_is_compared_for_each_kind_of_time(monkeypatch):
    answers = {
        ("rays", "auto"): answer(1.0, 2.0),
        ("program", "simplex"): answer(40.0, 50.0),
        ("program", "ipm"): answer(30.0, 60.0, 2.0 * (1 + 1e-7)),
    }
    monkeypatch.setattr(engines, "run", asked_of(answers))
    (table,) = engines.tables(120, smoke=True)
    ratios = [
        cell for name, cell in zip(table.header, table.rows[0], strict=True) if name == "best direct / rays"
    ]
    assert ratios == ["30", "25"]
    assert cells(table)["optima differ by"] == "1.0e-07"


def test_a_method_that_was_stopped_bounds_the_ratio_from_below(monkeypatch):
    answers = {
        ("rays", "auto"): answer(1.0, 2.0),
        ("program", "simplex"): {"limit": 121.0, "said": "time limit"},
        ("program", "ipm"): {"stopped": 150.0},
    }
    monkeypatch.setattr(engines, "run", asked_of(answers))
    table, growth = engines.tables(120, smoke=False)
    row = cells(table)
    assert row["solve: program simplex, s"] == row["solve: program ipm, s"] == "> 120"
    assert "> 120" in table.rows[0]
    assert "> 60" in table.rows[0]
    assert row["optima differ by"] == "one answer"
    assert row["gap: program ipm"] == "stopped"
    assert [line[2] for line in growth.rows[:3]] == [
        "0.00 +- 0.00 (3 sizes)",
        "too few sizes",
        "too few sizes",
    ]


def test_an_infinite_privacy_loss_is_not_private(monkeypatch):
    theirs = {"seconds": 0.5, "objective": 1.99, "epsilon": math.inf, "pair": "1e-9 beside 0"}

    def run(job, _limit=None):
        return theirs if job["work"] == "qif" else answer(0.01, 0.1)

    monkeypatch.setattr(against_qif, "run", run)
    row = cells(against_qif.table(60, smoke=True))
    assert row["qif / optmech"] == "5"
    assert row["qif's less the optimum"] == "-1.0e-02"
    assert row["private"] == "no: 1e-9 beside 0"


def test_a_missing_qif_is_a_row(monkeypatch):
    def run(job, _limit=None):
        return {"error": "not installed: qif"} if job["work"] == "qif" else answer(0.01, 0.1)

    monkeypatch.setattr(against_qif, "run", run)
    assert cells(against_qif.table(60, smoke=True))["qif, s"] == "not installed: qif"


@pytest.mark.slow
def test_a_missing_library_is_a_row(monkeypatch):
    def absent(*_):
        message = "not installed: it"
        raise machine.PeerMissingError(message)

    for name in ("pulp", "cvxpy", "linopy"):
        monkeypatch.setattr(building.BUILDERS[name], "build", absent)
    table = building.table(smoke=True)
    assert [row[:2] for row in table.rows[1:]] == [
        (name, "not installed: it") for name in ("pulp", "cvxpy", "linopy")
    ]


def test_memory_is_shown_above_that_of_a_bare_start(monkeypatch):
    monkeypatch.setattr(
        memory, "run", lambda job, _=None: {"megabytes": 70.0 if job["work"] == "nothing" else 95.4}
    )
    assert memory.table(60, smoke=True).rows[1][1:] == ("95", "25")


def test_a_large_design_that_never_ends_is_a_row(monkeypatch):
    monkeypatch.setattr(large, "run", lambda _job, limit: {"stopped": limit})
    assert cells(large.table())["seconds"] == "> 30"


@pytest.mark.slow
def test_a_program_that_was_stopped_is_at_least_as_slow_as_its_limit(monkeypatch):
    monkeypatch.setattr(chain, "run", lambda _job, limit: {"stopped": limit})
    monkeypatch.setattr(chain, "_command", lambda _words, _folder: 0.5)
    monkeypatch.setattr(chain, "SMALL", (3,))
    monkeypatch.setattr(chain, "SMALL_SIZES", (30, 60))
    compared, whole, growth = chain.tables(60, smoke=True)
    assert cells(compared)["program, s"] == "> 60"
    assert cells(compared)["program / chain"].startswith("> ")
    assert cells(whole, -1)["seconds"] == "2"
    assert "2 sizes" in cells(growth, -1)["seconds"]


def test_another_checkout_is_compared_by_medians_or_says_what_it_does_not_know(monkeypatch):
    seconds = iter(("1.0", "1.5", "3.0", "2.0", "1.1", "1.6"))
    monkeypatch.setattr(against, "_seconds", lambda _name, _root: next(seconds))
    row = against._row("a case", Path("old"), 3)
    assert row == ("a case", "1.1", "1.6", "1.45", "<= 1.2")
    monkeypatch.setattr(
        against, "_seconds", lambda _name, root: "no such query" if root == Path("old") else "2"
    )
    assert against._row("a case", Path("old"), 1) == ("a case", "no such query", "2", "", "")


def test_a_case_is_run_under_the_checkout_that_is_named(tmp_path):
    package = tmp_path / "src" / "optmech"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('the other one')")
    assert "the other one" in against._seconds("Variant 1, count 0..10", tmp_path)
