"""The command that asks a question again, from what a certificate says of it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from optmech.base.errors import OptmechError
from optmech.cli.questions import CHOICES, flag_of
from optmech.question.content import question_of
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    from optmech.question.problem import Problem

__all__ = ["reconstruct_command"]


def reconstruct_command(problem: Problem, certificate: str) -> str:
    """Return the command that asks a question, or where none does Python that reads it from its certificate.

    Without a file of that, `certificate` being empty, there is no Python.
    """
    from optmech.reports.report.command_candidates import candidates  # noqa: PLC0415 - only reports need it

    question = _without_name(problem)
    for formulation, choices in candidates(problem):
        try:
            same = _without_name(named_problem(formulation, choices)) == question
        except OptmechError:
            continue
        if same:
            words = [word for name, value in choices.items() for word in _option(name, value)]
            return shlex.join(["optmech", "design", formulation, *words, "--out", "mechanism.csv"])
    if not certificate:
        return ""
    return (
        "import optmech as om\n\n"
        f"problem = om.read_certificate({certificate!r}).problem\n"
        'om.design(problem).mechanism.to_csv("mechanism.csv")'
    )


def _without_name(problem: Problem) -> dict[str, Any]:
    """Return a question but for what its query is called, and in how many ways its distances are listed."""
    question = question_of(problem)
    return {**question, "query": {**question["query"], "name": "", "parameters": {}}}


def _option(name: str, value: Any) -> list[str]:  # noqa: ANN401 - a choice is of its own kind
    flag = flag_of(name)
    if CHOICES[name].get("action") == "store_const":
        return [flag]
    if CHOICES[name].get("action") == "append":
        return [word for each in value for word in (flag, str(each))]
    if isinstance(value, list):
        lists = value if value and isinstance(value[0], list) else [value]
        value = ";".join(",".join(map(str, each)) for each in lists)
    return [flag, str(value)]
