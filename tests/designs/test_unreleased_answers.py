"""Answers that an optimum never releases are named in one line, with a remedy and, in the terminal, its
price."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.base.notes import NoteKind
from optmech.cli import main
from optmech.designs.unreleased_answers import unreleased_answers

NEVER = "the optimum never releases"


def notes_of(design):
    notes = [note for note in design.notes if note.startswith(NEVER)]
    assert all(note.kind is NoteKind.INFORMATION for note in notes)
    return notes


def test_a_comb_is_named_in_one_line():
    (note,) = notes_of(om.design(om.question(om.count(20), "0.5")))
    assert note.startswith("the optimum never releases 0 and 20; the property weakly-honest mends it")
    assert "\n" not in note


def test_long_lists_are_cut():
    (note,) = notes_of(om.design(om.question(om.mean(5, 4), "0.5")))
    assert "never releases 0, 0.2, 0.4 and 8 more of its 21 true answers" in note


@pytest.mark.parametrize("largest", [400, 2000, 100_000])
def test_they_are_named_at_every_size_with_a_remedy_that_is_there(largest):
    (note,) = notes_of(om.design(om.question(om.count(largest), "0.2")))
    assert f"0, 1, 2 and 3 more of its {largest + 1} true answers" in note
    assert note.endswith("; noise without ends, by `--unbounded`, releases every count")


def test_they_are_named_of_a_matrix_of_any_size():
    problem = om.question(om.count(2000), 1, worst_case=True)
    matrix = np.vstack([np.zeros(2001), np.full((2000, 2001), 1 / 2000)])
    mechanism = om.MatrixMechanism(matrix=matrix, responses=problem.query.truths, truths=problem.query.truths)
    assert unreleased_answers(problem, mechanism) == ("0",)


def test_one_more_is_named():
    (note,) = notes_of(om.design(om.question(om.extremum(1, 7), "ln 2")))
    assert "never releases 1, 2, 6 and 7; the property" in note


@pytest.mark.parametrize("properties", ["weakly-honest", "column-honest", "fair"])
def test_honesty_mends_it(properties):
    design = om.design(om.question(om.count(8), "0.5", properties=properties))
    assert unreleased_answers(design.problem, design.mechanism) == ()
    assert not notes_of(design)


def test_where_every_answer_is_released_nothing_is_said():
    assert not notes_of(om.design(om.question(om.count(5), 2)))
    assert not notes_of(om.design(om.kadam(om.residues(5, [1]), "1.5", "0.1")))


def test_ties_that_are_broken_speak_for_themselves():
    first = om.design(om.question(om.count(6), "0.5"))
    settled = om.break_ties(first).design
    notes = notes_of(settled)
    assert bool(notes) == bool(unreleased_answers(settled.problem, settled.mechanism))


def test_the_terminal_says_the_price_which_is_that_of_the_second_design(capsys):
    line = "design count --range 0:5 --epsilon 0.5"
    assert main(line.split()) == 0
    output = capsys.readouterr()
    head, _ = output.out.split("\n\n", 1)
    note = " ".join(head.split())  # a screen breaks it
    assert NEVER in note
    first, second = (
        om.design(om.question(om.count(5), "0.5", properties=properties)).objective
        for properties in ((), "weakly-honest")
    )
    assert note.endswith(f"mends it for {100 * (second / first - 1):.3g} % more loss")
    assert "warning" not in output.err
