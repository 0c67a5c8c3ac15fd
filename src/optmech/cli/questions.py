"""The question that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.cli.choices import CHOICES
from optmech.question.problems.instances import read_instances
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    import argparse

    from optmech.question.problem import Problem

CERTIFICATE = "certificate"
"""The word in place of a question that a certificate states; it is left out on a command line."""


def choices_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the choices of a question that were typed, for `named_problem`."""
    choices = {name: getattr(arguments, name, None) for name in CHOICES}
    if choices["properties"] is not None:
        choices["properties"] = [name for names in choices["properties"] for name in names.split(",")]
    return {name: value for name, value in choices.items() if value is not None}


def _question_at(path: str, name: str | None) -> Problem:
    """Return the question of an instance of a file, the first where none is named."""
    instances = {instance.name: instance for instance in read_instances(path)}
    name = name or next(iter(instances))
    if name not in instances:
        message = f"`instance` must be one of {', '.join(instances)} in {path}; got {name!r}."
        raise ProblemError(message)
    return instances[name].problem()


def problem_of(arguments: argparse.Namespace) -> Problem:
    """Return the question that was typed, or that a file states."""
    if arguments.formulation == "file":
        return _question_at(arguments.path, arguments.instance)
    return named_problem(arguments.formulation, choices_of(arguments))


def question_beside(arguments: argparse.Namespace) -> Problem | None:
    """Return the question of a mechanism, ``None`` where its certificate states it."""
    return None if arguments.formulation == CERTIFICATE else problem_of(arguments)


def question_file_of(arguments: argparse.Namespace) -> str | None:
    """Return the file that states the question, if one does."""
    path: str | None = getattr(arguments, "path", None)
    return path
