"""The reach of engines: rows come as they end, and growth and choice follow from them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

from benchmarks.cost import scale
from benchmarks.cost.scale_questions import QUESTIONS, SMALLEST

FAMILY = [question for question in QUESTIONS if question.family == "weighted grid"]


def answer(engine, seconds, gap=1e-10, order=("interior", "program")):
    reading = {"bytes": 4000, "package": 0.1, "checker": 0.2}
    return {"engine": engine, "order": list(order), "seconds": seconds, "gap": gap, **reading}


@pytest.fixture
def measured(monkeypatch):
    """Return a function that measures questions by answers of the test, by engine and by size."""

    def measured(answers, questions=FAMILY):
        monkeypatch.setattr(scale, "QUESTIONS", questions)
        sizes = {question.name: question.size for question in questions}
        monkeypatch.setattr(scale, "run", lambda job, _: answers[job["engine"]](sizes[job["name"]]))
        return scale.measured((30, 30), smoke=False)

    return measured


def test_a_row_is_there_before_the_next_question_is_asked(measured):
    asked = []
    answers = {
        "auto": lambda size: asked.append(size) or answer("interior", size / 100),
        "program": lambda size: {"stopped": 90.0 + size},
    }
    kept = []
    lines = scale.rows(measured(answers), kept)
    assert next(lines).startswith("| question")
    assert set(next(lines)) == {"|", "-"}
    first = next(lines)
    assert asked == [25]
    cells = [cell.strip() for cell in first.strip("|").split("|")]
    assert dict(zip(scale.HEADER, cells, strict=True)) == {
        "question": FAMILY[0].name,
        "engine": "interior",
        "seconds": "0.25",
        "gap": "1.0e-10",
        "certificate, kB": "4",
        "package reads, s": "0.1",
        "checker reads, s": "0.2",
        "beside": "program",
        "its seconds": "> 115",
        "its gap": "stopped",
        "beside / engine": "",
        "wanted": "",
    }
    assert len(list(lines)) == len(FAMILY) - 1
    assert len(kept) == len(FAMILY)


def test_growth_counts_answers_that_are_as_good_and_the_choice_names_those_that_are_better(measured):
    answers = {
        "auto": lambda size: answer("interior", size**2 / 1e4),
        "program": lambda size: answer("program", size**3 / 1e6, 1e-10 if size < 200 else 0.5),
    }
    results = list(measured(answers))
    assert scale.growth(results).rows == (
        ("weighted grid", "interior", "2.00 +- 0.00 (4 sizes)"),
        ("weighted grid", "program", "3.00 +- 0.00 (3 sizes)"),
    )
    chosen = scale.choice(results)
    assert [row[0] for row in chosen.rows] == [FAMILY[0].name]  # 25 nodes: the cube is still smaller
    assert chosen.notes[0].startswith("Of 4 questions that two engines were asked, 1")
    rows = list(csv.DictReader(io.StringIO(scale.csv_text(results))))
    assert Counter((row["engine"], row["counted"]) for row in rows) == {
        ("interior", "yes"): 4,
        ("program", "yes"): 3,
        ("program", "no"): 1,
    }


def test_where_the_program_is_chosen_the_next_engine_is_beside_it_and_refusals_are_rows(measured):
    answers = {
        "auto": lambda size: answer("program", 1.0) if size < 200 else {"why": "refused", "seconds": 1},
        "interior": lambda _: answer("interior", 2.0, None),
        "program": lambda _: {"why": "no mechanism", "seconds": 3.0},
    }
    results = list(measured(answers))
    assert [other["asked"] for _, _, other in results] == ["interior"] * 3 + ["program"]
    kept = []
    *_, first, _, _, last = scale.rows(iter(results), kept)
    assert "no bound" in first
    assert "refused" in last
    assert "no mechanism" in last
    assert not scale.choice(results).rows


def test_every_question_can_be_asked_and_is_named_once():
    names = Counter(question.name for question in (*QUESTIONS, SMALLEST))
    assert set(names.values()) == {1}
    families = [question.family for question in QUESTIONS if question.family]
    assert all(families[families.index(name) : families.index(name) + number].count(name) == number
               for name, number in Counter(families).items())  # fmt: skip
    for question in (*FAMILY[:2], SMALLEST):
        assert question.ask().query.num_truths == question.size
        assert json.dumps(question.name)


def test_the_smallest_question_is_measured_in_this_process():
    ((question, chosen, other),) = scale.measured((30, 30), smoke=True)
    assert (question, chosen["engine"], other["engine"]) == (SMALLEST, "program", "interior")
    assert 0 <= chosen["gap"] < 1e-6
    assert chosen["bytes"] > 1000
