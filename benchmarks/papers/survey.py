"""The American National Election Studies 1996 (public domain), in place of data that are not public."""

from __future__ import annotations

import csv
from pathlib import Path

__all__ = ["groups_of_ten"]

_SURVEY = Path(__file__).parents[2] / "examples" / "anes96.csv"
_GROUP = 10


def groups_of_ten(column: str) -> list[list[int]]:
    """Return the answers of a column in groups of ten, in file order, without the incomplete last one."""
    with _SURVEY.open(newline="", encoding="utf-8") as file:
        answers = [int(row[column]) for row in csv.DictReader(file)]
    return [answers[start : start + _GROUP] for start in range(0, len(answers) - _GROUP + 1, _GROUP)]
