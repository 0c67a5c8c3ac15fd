"""The quality tables: every figure keeps its rule, and the committed ones are what comes out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from benchmarks.quality.judged import judged
from benchmarks.quality.questions import FAMILIES, questions
from benchmarks.quality.report import NAMES, improvements, optima, report
from benchmarks.quality.rivals import rivals
from tests.each import each

TABLES = Path(__file__).parents[2] / "benchmarks" / "tables"
SMALLEST = [family[0] for family in FAMILIES]


@pytest.fixture(scope="module")
def one():
    return judged(SMALLEST[0])


@each("question", SMALLEST, every=2)
def test_the_smallest_question_of_each_family_keeps_its_rules_and_its_row(question):
    row = judged(question)
    assert row.broken() == []
    cells = optima([row]).rows[0]
    committed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in _committed("optima.md")]
    assert list(cells) in committed


def test_each_family_has_its_own_name():
    names = [family[0].family for family in questions()]
    assert len(set(names)) == len(names) == 9


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gap": 1e-8}, "proved gap"),
        ({"gap": float("nan")}, "proved gap"),
        ({"theorems": {"croft-variant-1-count": 1e-6}}, "must be met"),
        ({"improvements": {"uniform": -1e-3}}, "must not be negative"),
    ],
)
def test_a_broken_rule_is_told(one, change, says):
    (line,) = replace(one, **change).broken()
    assert says in line
    assert "count, Variant 1, count 0..5" in line


def test_a_baseline_that_is_not_private_is_named_and_not_compared(one):
    row = replace(one, improvements={"uniform": 0.25, "bad": "not private", "equal": 1e-12})
    table = improvements([row])
    assert table.rows[0][1:] == ("25.000", "0")
    assert table.notes == ("No answer to any of these: bad (not private).",)


def test_a_rival_has_what_the_question_asks():
    fair = {rival.name: rival for rival in rivals(om.croft(om.count(5), 1, properties=["fair"]))}
    assert fair["exponential"].objection == "not fair"
    assert fair["explicit-fair"].objection == ""
    query = om.residues(5, [1])
    modular = {rival.name: rival for rival in rivals(om.kadam(query, 1))}
    assert modular["truncated-geometric"].objection == "not modular"
    assert modular["randomized-response"].value == pytest.approx(4 / (4 + np.e))


def test_a_wider_noise_is_no_rival_of_a_narrow_one():
    problem = om.sadeghi_symmetric(1, "0.5", 2)
    result = {rival.name: rival for rival in rivals(problem)}
    assert result["snapped-laplace"].objection == "too wide"
    assert result["discrete count, equal weights"].value > om.design(problem).objective


def test_noise_clamped_at_zero_is_biased():
    result = {rival.name: rival for rival in rivals(om.sadeghi(1, "0.5", 2, counts=(1, 3)))}
    assert result["discrete count, equal weights"].objection == "biased"


@pytest.mark.slow
def test_the_smallest_questions_stand_in_the_committed_tables():
    texts, broken = report(smoke=True)
    assert broken == []
    committed = {cells for line in _committed("optima.md") if (cells := _cells(line))}
    rows = [cells for line in texts["optima.md"].splitlines() if (cells := _cells(line))]
    assert len(rows) > 15
    assert set(rows) <= committed


@pytest.mark.long
def test_the_committed_tables_are_what_comes_out():
    texts, broken = report()
    assert broken == []
    for name in NAMES:
        assert texts[name].splitlines() == _committed(name)


def _committed(name):
    return (TABLES / name).read_text(encoding="utf-8").splitlines()


def _cells(line):
    """Return the cells of a row without their padding, and nothing of what is no row."""
    cells = tuple(cell.strip() for cell in line.split("|"))
    return cells if len(cells) > 1 and cells[1].strip("-") else ()
