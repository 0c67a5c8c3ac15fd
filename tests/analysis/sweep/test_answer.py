"""Each cell has a row, whatever happens while it is designed."""

from __future__ import annotations

import math

import pytest

import optmech as om
from optmech.analysis.sweep import answer as answer_module
from optmech.analysis.sweep.answer import COLUMNS, Ending, answer
from optmech.analysis.sweep.cell import Cell
from optmech.mechanisms.certificates.certificate_text import read_certificate_text
from optmech.question.problems.named import FORMULATIONS
from tests.each import each


def cell(settings=None, **choices):
    options = {"query": "count", "range": "0:5", "epsilon": "1/2", "variant": 2} | choices
    return Cell(formulation="croft", choices=options, settings=settings or {})


def test_a_row_holds_what_design_gives():
    row = answer(cell()).row
    design = om.design(om.croft(om.count(5), epsilon="0.5", variant=2), threads=1)
    assert list(row) == list(COLUMNS)
    assert (row["status"], row["objective"], row["lower_bound"]) == (
        *("done", design.objective, design.lower_bound),
    )
    assert (row["objective_standing"], row["lower_bound_standing"]) == ("proved", "proved")
    assert row["engine"] == design.engine
    assert row["relative_gap"] == design.certificate.relative_gap
    assert row["sha256"] == design.certificate.matrix.sha256()
    assert (row["responses"], row["truths"], row["optmech"]) == (6, 6, om.__version__)
    assert (row["epsilon"], row["variant"], row["range"], row["error"]) == (0.5, 2, "0:5", None)


@each("formulation", FORMULATIONS)
def test_whatever_can_be_asked_has_a_column(formulation):
    _, required, optional = FORMULATIONS[formulation]
    assert {*required, *optional} <= set(COLUMNS)


def test_the_row_of_a_question_says_what_was_asked():
    choices = {"query": "graph", "edges": [["a", "b", 1], ["b", "c", 2]], "loss": "zero-one", "epsilon": "1"}
    options = {
        **choices,
        "worst_case": True,
        "delta": "0.1",
        "definition": "approximate",
        "bounds": ["mean zero-one <= 1"],
    }
    row = answer(Cell(formulation="question", choices=options, settings={})).row
    assert (row["status"], row["worst_case"], row["definition"]) == ("done", True, "approximate")
    assert (row["edges"], row["bounds"]) == ('[["a", "b", 1], ["b", "c", 2]]', "mean zero-one <= 1")


def test_what_is_kept_is_what_was_proved():
    result = answer(cell(), keep=True)
    certificate = read_certificate_text(result.files[".certificate.json"])
    assert certificate.matrix.sha256() == result.row["sha256"]
    assert float(certificate.objective) == result.row["objective"]
    assert result.row["sha256"] in result.files[".csv"]


def test_a_question_that_cannot_be_asked_is_a_row():
    row = answer(cell(prior=[0.5, 0.5])).row
    assert row["status"] == "refused"
    assert row["error"].startswith("`prior` must have 6 entries")
    assert (row["objective"], row["sha256"], row["prior"]) == (None, None, "0.5,0.5")


def test_choices_that_exclude_each_other_are_a_row():
    options = {"modulus": 9, "distances": [1, 2, 3], "epsilon": "0.1", "at_most": "0.3", "delta": "0.1"}
    row = answer(Cell(formulation="kadam", choices=options, settings={})).row
    assert (row["status"], row["distances"], row["modulus"]) == ("refused", "1,2,3", 9)
    assert "must not both be given" in row["error"]


@pytest.mark.parametrize(
    ("trouble", "status", "error"),
    [
        (MemoryError("too much"), "failed", "MemoryError: too much"),
        (RuntimeError("a bug"), "failed", "RuntimeError: a bug"),
        (om.VerificationError("not certified"), "refused", "not certified"),
        (om.NoSolutionError("infeasible", None), "no-solution", "infeasible"),
    ],
)
def test_whatever_is_raised_is_a_row(monkeypatch, trouble, status, error):
    def raises(*_, **__):
        raise trouble

    monkeypatch.setattr(answer_module, "design", raises)
    row = answer(cell()).row
    assert (row["status"], row["error"]) == (status, error)
    assert row["seconds"] >= 0


@pytest.mark.parametrize("part", ["_row_of_design", "_files"])
def test_what_is_raised_after_the_design_is_a_row_too(monkeypatch, part):
    def fills_memory(*_):
        raise MemoryError(part)

    monkeypatch.setattr(answer_module, part, fills_memory)
    result = answer(cell(), keep=True)
    assert (result.row["status"], result.row["error"]) == ("failed", f"MemoryError: {part}")
    assert (result.row["objective"], result.files) == (None, {})


def test_settings_reach_design_only_if_given(monkeypatch):
    calls = []

    def design(_, **settings):
        calls.append(settings)
        raise om.ProblemError(str(settings))

    monkeypatch.setattr(answer_module, "design", design)
    answer(cell())
    answer(cell({"engine": "rays", "solver": "highs", "method": "ipm", "time_limit": 9, "threads": 2}))
    assert calls == [
        {"threads": 1},
        {"engine": "rays", "solver": "highs", "method": "ipm", "time_limit": 9, "threads": 2},
    ]


def test_numbers_asked_for_are_the_nearest_doubles():
    row = answer_module.answer_without_design(cell(epsilon="ln 3/2"), Ending.DIED, "").row
    assert row["epsilon"] == pytest.approx(math.log(1.5), rel=1e-15)
    assert '"ln 3/2"' in row["parameters"]
