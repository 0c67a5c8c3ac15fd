"""A command line that is printed for a question asks that question when it is parsed."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings

import optmech as om
from optmech.cli.commands import build_parser
from optmech.cli.questions import problem_of
from optmech.question.problems.command_words import command_line, typed_choices
from tests.each import each
from tests.proofs.by_hand import problems
from tests.question.test_table import CASES, COUNT

# A file says them, a line cannot.
NOT_TYPED = {
    *("printed", "least", "graph", "places", "custom", "nobody", "one-sided", "reach", "one table", "labels"),
    *("coarse", "symmetric", "by entry", "several", "weights", "vector of a matrix", "categories"),
}
FURTHER = {
    "colours": om.question(om.categories(["red", "green"]), 1, loss="zero-one", prior=["1/3", "2/3"]),
    "several": om.question(om.extremum(-4, 4), privacy=[("0.5", "1e-3"), ("1", 0)]),
    "a vector": om.kadam(om.vector((2, 3), [(0, 1)]), 1, "0.1"),
    "listed costs": om.kadam(om.residues(5, [1]), 1, "0.1", cost=[0, 0.1, 2, 3, 4]),
    "bounds and sum": om.question(COUNT, 1, loss="squared", prior=None, bounds=["mean absolute <= 9"]),
    "worst and sum": om.question(COUNT, 1, worst_case=True, prior=None, bounds=["mean absolute <= 9"]),
}


def asked(line):
    """Return the question of a line."""
    program, *words = shlex.split(line)
    assert program == "optmech"
    return problem_of(build_parser().parse_args(words))


@each("problem", [*(CASES[name] for name in CASES if name not in NOT_TYPED), *FURTHER.values()])
def test_a_line_asks_the_question_it_was_printed_for(problem):
    line = command_line(problem)
    assert line, problem.to_dict()
    assert asked(line).to_dict() == problem.to_dict()


@each("name", sorted(NOT_TYPED))
def test_what_no_line_says_gets_none(name):
    assert typed_choices(CASES[name]) is None
    assert command_line(CASES[name]) == ""


@each(
    "problem",
    [
        om.question(COUNT, 1, loss="squared", bounds=[om.bound(COUNT, "absolute", 9, prior=None)]),
        om.question(COUNT, 1, bounds=[om.bound(COUNT, [0, 1], 1)]),
        om.question(COUNT, privacy=om.as_private_as("skellam", rate=2, epsilon=3)),
        om.question(om.count(4000), 1, prior=[1] + [0] * 4000),
    ],
)
def test_what_would_be_typed_like_another_question_gets_none(problem):
    assert command_line(problem) == ""


@pytest.mark.slow
@settings(max_examples=150)
@given(problems())
def test_random_questions_that_can_be_typed_are_asked_again(problem):
    line = command_line(problem)
    assert not line or asked(line).to_dict() == problem.to_dict()
