"""A question as a file, from what would be typed behind `optmech design`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from optmech.cli.commands import build_parser, with_joined_values
from optmech.cli.questions import formulation_and_choices


def question_file(folder, line, name="question.toml"):
    """Write the question of a line such as ``count --range 0:5 --epsilon 1`` and return its path."""
    words = with_joined_values(["design", *shlex.split(line)])
    formulation, choices = formulation_and_choices(build_parser().parse_args(words))
    content = {"formulation": formulation, **choices}
    path = Path(folder) / name
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in content.items()))
    return path
