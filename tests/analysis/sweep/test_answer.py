"""Each cell has a row, whatever happens while it is designed."""

from __future__ import annotations

import json
import math

import pytest

import optmech as om
from optmech.analysis.sweep import answer as answer_module
from optmech.analysis.sweep.answer import COLUMNS, Ending, answer
from optmech.analysis.sweep.cell import Cell
from optmech.mechanisms.certificates.certificate_text import read_certificate_text
from optmech.question.schema import sections
from tests.analysis.sweep.asked import count_question

VARIANT_2 = ["column-monotone", "fair", "row-monotone", "symmetric"]


def cell(settings=None, epsilon="1/2", **parts):
    question = count_question(5, epsilon, **{"properties": VARIANT_2} | parts)
    return Cell(question=question, settings=settings or {})


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
    assert (row["query_kind"], row["query_smallest"], row["query_largest"]) == ("count", 0, 5)
    assert (row["privacy_epsilon"], row["objective_prior"], row["error"]) == (0.5, "sum", None)
    assert json.loads(row["properties"]) == VARIANT_2
    assert json.loads(row["question"]) == design.problem.to_dict()


def test_whatever_can_be_asked_has_a_column():
    for title, keys in sections().items():
        part = title.partition(",")[0]
        if part not in ("question", "bounds", "rules"):
            assert {f"{part}_{key.name}" for key in keys} <= set(COLUMNS)
    assert {"properties", "bounds", "rules", "query_kind", "privacy_kind", "structure_kind"} <= set(COLUMNS)


def test_the_row_of_a_question_says_what_was_asked():
    question = {
        "query": {"kind": "graph", "labels": ["a", "b", "c"], "neighbours": [[0, 1, 1], [1, 2, 2]]},
        "privacy": {"kind": "approximate", "epsilon": "1", "delta": "0.1"},
        "objective": {"loss": "zero-one", "worst_case": True},
        "bounds": [{"loss": "zero-one", "at_most": 1}],
    }
    row = answer(Cell(question=question, settings={})).row
    assert (row["status"], row["objective_worst_case"], row["privacy_kind"]) == ("done", True, "approximate")
    assert (row["query_neighbours"], row["privacy_delta"]) == ("[[0, 1, 1], [1, 2, 2]]", 0.1)
    assert json.loads(row["bounds"]) == [{"loss": "zero-one", "at_most": "1"}]


def test_several_privacies_stand_in_the_question_alone():
    privacy = [{"kind": "approximate", "epsilon": "0.5", "delta": "0.1"}, {"kind": "pure", "epsilon": 2}]
    row = answer(cell(privacy=privacy, properties=[])).row
    assert (row["status"], row["privacy_kind"], row["privacy_epsilon"]) == ("done", None, None)
    assert json.loads(row["question"])["privacy"][1] == {"kind": "pure", "epsilon": "2"}


def test_what_is_kept_is_what_was_proved():
    result = answer(cell(), keep=True)
    certificate = read_certificate_text(result.files[".certificate.json"])
    assert certificate.matrix.sha256() == result.row["sha256"]
    assert float(certificate.objective) == result.row["objective"]
    assert result.row["sha256"] in result.files[".csv"]


def test_a_question_that_cannot_be_asked_is_a_row():
    row = answer(cell(objective={"prior": [0.5, 0.5]})).row
    assert row["status"] == "refused"
    assert row["error"].startswith("`prior` must have 6 entries")
    assert (row["objective"], row["sha256"], row["objective_prior"]) == (None, None, '["0.5", "0.5"]')


def test_parts_that_exclude_each_other_are_a_row():
    privacy = {"kind": "approximate", "epsilon": "1", "delta": "0.1"}
    row = answer(cell(privacy=privacy, objective={"least": "delta"})).row
    assert (row["status"], row["privacy_delta"], row["objective_least"]) == ("refused", 0.1, "delta")
    assert "`delta` must be either given or sought" in row["error"]


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
    assert row["privacy_epsilon"] == pytest.approx(math.log(1.5), rel=1e-15)
    assert '"ln 3/2"' in row["parameters"]
