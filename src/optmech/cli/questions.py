"""The choices of a question, as options."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.numbers import exact
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.question.loss import LOSSES, NOISE_COSTS
from optmech.question.privacy import Reading, SymmetricRows
from optmech.question.problems.instances import read_instances
from optmech.question.problems.named import QUERIES, STRUCTURES, named_problem
from optmech.question.problems.question import DEFINITIONS
from optmech.question.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.problem import Problem

__all__ = ["CHOICES", "add_choices", "choices_of", "flag_of", "problem_of"]


def choices_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the choices of a question that were typed, for `named_problem`."""
    choices = {name: getattr(arguments, name, None) for name in CHOICES}
    if choices["properties"] is not None:
        choices["properties"] = [name for names in choices["properties"] for name in names.split(",")]
    return {name: value for name, value in choices.items() if value is not None}


def problem_of(arguments: argparse.Namespace) -> Problem:
    """Return the problem that was typed, or that the file says which was."""
    if arguments.formulation != "file":
        return named_problem(arguments.formulation, choices_of(arguments))
    instances = {instance.name: instance for instance in read_instances(arguments.path)}
    name = arguments.instance or next(iter(instances))
    if name not in instances:
        message = f"`instance` must be one of {', '.join(instances)} in {arguments.path}; got {name!r}."
        raise ProblemError(message)
    return named_problem(instances[name].formulation, instances[name].choices)


def flag_of(name: str) -> str:
    """Return the option of a choice.

    Examples
    --------
    >>> flag_of("half_width"), flag_of("bounds")
    ('--half-width', '--bound')
    """
    return str(CHOICES.get(name, {}).get("flag", f"--{name.replace('_', '-')}"))


def add_choices(parser: argparse.ArgumentParser, names: Sequence[str], required: Sequence[str] = ()) -> None:
    """Give the parser the options of these choices; the help of the required ones says so."""
    group = parser.add_argument_group("question")
    for name in names:
        settings = dict(CHOICES[name])
        if name in required:
            settings["help"] = f"required: {settings['help']}"
        settings.pop("flag", None)
        group.add_argument(flag_of(name), dest=name, default=None, **settings)


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        message = f"must be whole numbers with commas, such as 1,2,3; got {text!r}."
        raise argparse.ArgumentTypeError(message) from None


def _number_lists(text: str) -> list[Any]:
    """Return ``1,2`` as a list and ``0,1;1,0`` as a list of lists."""
    return list(map(_whole_numbers, text.split(";"))) if ";" in text else _whole_numbers(text)


def _texts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _text_lists(text: str) -> list[list[str]]:
    return list(map(_texts, text.split(";")))


def _named_or_numbers(text: str) -> str | list[float]:
    if not re.match(r"[\d.,+\-\s/]", text):
        return text
    try:
        return [float(exact(part.strip(), "number")) for part in text.split(",")]
    except (ProblemError, OverflowError):
        message = f"must be a name, or numbers with commas such as 0.25,0.5,0.25; got {text!r}."
        raise argparse.ArgumentTypeError(message) from None


def _prior(text: str) -> str | list[float]:
    """Return a name, or the numbers that are typed or stand in a file."""
    if text in ("uniform", "sum") or not os.path.isfile(text):  # noqa: PTH113 - a list may be too long for a Path
        return _named_or_numbers(text)
    try:
        return [float(exact(line, "number")) for line in read_text(text).split()]
    except (FileFormatError, ProblemError, OverflowError) as trouble:
        message = f"must be a file with a probability in each line; got {visible(text)}: {trouble}"
        raise argparse.ArgumentTypeError(message) from None


CHOICES: dict[str, dict[str, Any]] = {
    "query": {"metavar": "KIND", "help": f"{', '.join(QUERIES)}; extremum is max, min and median"},
    "range": {"metavar": "LOW:HIGH", "help": "smallest and largest value of a count, or of a record"},
    "records": {"metavar": "N", "type": int, "help": "how many records a mean is taken over"},
    "epsilon": {"metavar": "EPS", "help": "privacy, kept exactly as typed: 0.5, 1e-2, 1/3 or 'ln 2'"},
    "exp_epsilon": {"metavar": "E", "help": "e^epsilon, such as 2, in place of --epsilon"},
    "variant": {"metavar": "1|2", "type": int, "help": "2 adds monotonicity, symmetry, fairness; default: 1"},
    "loss": {
        "metavar": "LOSS",
        "type": _named_or_numbers,
        "help": f"{', '.join(LOSSES)}, or 'beyond 2': the probability of a larger error; of a count also "
        "losses at distance 0, 1, … with commas, the last one for all beyond; default: absolute",
    },
    "prior": {
        "metavar": "PRIOR",
        "type": _prior,
        "help": "uniform, or a probability for each truth with commas, or a file with a line for each; "
        "default of croft: plain sum",
    },
    "properties": {
        "flag": "--property",
        "metavar": "NAME",
        "action": "append",
        "help": f"{', '.join(PROPERTIES)}; of a question also 'accuracy >= 0.5', 'accuracy = 0.5', "
        "'within 3', "
        "'without 0'; with commas, or repeated",
    },
    "structure": {"metavar": "KIND", "help": f"which matrices: {', '.join(STRUCTURES)}; default: free"},
    "definition": {"metavar": "KIND", "help": f"of delta: {', '.join(DEFINITIONS)}; default: approximate"},
    "worst_case": {
        "action": "store_const",
        "const": True,
        "help": "the loss at the worst truth counts, not the average",
    },
    "least": {"metavar": "WHAT", "help": "what is to be least: loss or delta; default: loss"},
    "bounds": {
        "flag": "--bound",
        "metavar": "TEXT",
        "action": "append",
        "help": "a further loss and its bound: 'mean absolute <= 1.5', 'worst beyond 2 <= 0.05'",
    },
    "accuracy": {"metavar": "ETA", "help": "probability of releasing the truth, between 0 and 1"},
    "half_width": {"metavar": "D", "type": int, "help": "the noise stays within this distance"},
    "counts": {"metavar": "LOW:HIGH", "help": "smallest and largest true count"},
    "rows": {
        "metavar": "ROWS",
        "help": f"{', '.join(SymmetricRows)}; paper leaves out rows that can bind; default: all",
    },
    "modulus": {"metavar": "N", "type": int, "help": "number of answers, 0..N-1"},
    "distances": {
        "metavar": "LIST",
        "type": _number_lists,
        "help": "how far one person can move the answer, such as 1,2,3; of vectors '0,1;1,0'",
    },
    "records_per_person": {
        "metavar": "K",
        "type": int,
        "help": "how many records one person has, all protected together; default: 1",
    },
    "moduli": {"metavar": "LIST", "type": _whole_numbers, "help": "values of each coordinate, such as 5,5"},
    "changes": {
        "metavar": "HOW",
        "help": "what distances are: vectors, or a set for each coordinate, which move together or apart; "
        "default: vectors",
    },
    "categories": {"metavar": "LIST", "type": _texts, "help": "their names, such as red,green,blue"},
    "distance": {
        "metavar": "MATRIX",
        "type": _text_lists,
        "help": "between categories, such as '0,1,4;1,0,4;4,4,0': so many times epsilon; default: one",
    },
    "edges": {
        "metavar": "LIST",
        "type": _text_lists,
        "help": "of a graph, with weights or without, such as 'home,shop,1;shop,work,2'",
    },
    "unit": {"metavar": "U", "help": "the weight or distance that epsilon is for; default: 1"},
    "shortest_paths": {
        "action": "store_const",
        "const": True,
        "help": "compare all nodes with a path between them, not those of an edge alone",
    },
    "symmetric": {
        "flag": "--one-sided",
        "action": "store_const",
        "const": False,
        "help": "protect one direction only, as printed in the paper: not differential privacy",
    },
    "delta": {"metavar": "DELTA", "help": "probability that the ratio may be exceeded; default: 0"},
    "at_most": {"metavar": "COST", "help": "seek the least delta with at most this expected cost"},
    "cost": {
        "metavar": "COST",
        "type": _named_or_numbers,
        "help": f"{', '.join(NOISE_COSTS)}, or one number for each noise; default: error-rate",
    },
    "reading": {"metavar": "READING", "help": f"{', '.join(Reading)}; default: definition"},
}
"""Each choice of `named_problem` with the settings of its option."""
