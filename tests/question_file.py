"""A question as a file, from what would be typed behind `optmech design`."""

from __future__ import annotations

import shlex
from pathlib import Path

from optmech.cli.commands import build_parser
from optmech.cli.questions import problem_of
from optmech.question.problems.instances import question_text


def question_file(folder, line, name="question.toml"):
    """Write the question of a line such as ``count --range 0:5 --epsilon 1`` and return its path."""
    words = ["design", *shlex.split(line)]
    path = Path(folder) / name
    path.write_text(question_text(problem_of(build_parser().parse_args(words))))
    return path
