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
from optmech.question.kinds.bounded_records import ADJACENCIES
from optmech.question.loss import LOSSES, NOISE_COSTS
from optmech.question.privacy import Reading, SymmetricRows
from optmech.question.problems.command_words import flag_of
from optmech.question.problems.histogram import HISTOGRAM_ADJACENCY
from optmech.question.problems.instances import read_instances
from optmech.question.problems.named import QUERIES, STRUCTURES, named_problem
from optmech.question.problems.question import DEFINITIONS
from optmech.question.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.problem import Problem

CERTIFICATE = "certificate"
"""The word in place of a question that a certificate states; it is left out on a command line."""
_STRUCTURES_HELP = "which matrices: free or modular; default: free"
_RECORD = "smallest and largest value of a record"
# What a choice means in one formulation, where it means less than in all of them.
_HELP = {
    "count": {
        "range": "smallest and largest count",
        "structure": "which matrices: free, or noise of bounded width: symmetric, zero-bias; default: free",
        "half_width": "with --structure symmetric or zero-bias: the noise stays within this distance",
        "accuracy": "with --structure symmetric or zero-bias: probability of releasing the truth",
    },
    "residues": {"structure": _STRUCTURES_HELP},
    "vector": {"structure": _STRUCTURES_HELP},
    "mean": {"range": _RECORD},
    "total": {"range": _RECORD, "records": "how many records there are, with add-remove at most"},
    "extremum": {"range": "smallest and largest value"},
    "categories": {"loss": "zero-one, or distance where one is given; default: zero-one"},
    "graph": {"loss": "zero-one; default: zero-one"},
    "histogram": {
        "range": "smallest and largest count of a cell",
        "epsilon": "privacy of the whole histogram, kept exactly as typed: 0.5, 1e-2 or 1/3",
        "adjacency": f"what one person may do with their records, {' or '.join(ADJACENCIES)}; default: "
        f"{HISTOGRAM_ADJACENCY}, as in a table of `optmech tabulate`",
    },
    "croft": {"prior": "uniform, or a probability for each truth; default: the plain sum over truths"},
}


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


def add_choices(
    parser: argparse.ArgumentParser,
    names: Sequence[str],
    required_names: Sequence[str] = (),
    formulation: str = "",
) -> None:
    """Give the parser the options of these choices; the help of the required ones says so."""
    group = parser.add_argument_group("question")
    parser._action_groups.insert(0, parser._action_groups.pop())  # noqa: SLF001 - what is needed is listed first
    for name in names:
        settings = {**CHOICES[name]}
        settings["help"] = _HELP.get(formulation, {}).get(name, settings["help"])
        if name in required_names:
            settings["help"] = f"required: {settings['help']}"
        group.add_argument(flag_of(name), dest=name, default=None, **settings)


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        message = f"must be whole numbers with commas, such as 1,2,3; got {text!r}."
        raise argparse.ArgumentTypeError(message) from None


def _number_lists(text: str) -> list[Any]:
    """Return ``1,2`` as a list, ``0,1;1,0`` as a list of lists, and ``0,1;`` as one of a single list."""
    parts = text.removesuffix(";").split(";")
    return list(map(_whole_numbers, parts)) if ";" in text else _whole_numbers(text)


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


def _prior(text: str) -> str | list[str]:
    """Return a name, or the numbers that are typed or stand in a file, as they are typed there."""
    if text in ("uniform", "sum") or not os.path.isfile(text):  # noqa: PTH113 - a list may be too long for a Path
        value = _named_or_numbers(text)
        return value if isinstance(value, str) else _texts(text)
    try:
        lines = read_text(text).split()
        for line in lines:
            exact(line, "number")
    except (FileFormatError, ProblemError) as trouble:
        message = f"must be a file with a probability in each line; got {visible(text)}: {trouble}"
        raise argparse.ArgumentTypeError(message) from None
    return lines


CHOICES: dict[str, dict[str, Any]] = {
    "query": {"metavar": "KIND", "help": f"{', '.join(QUERIES)}; extremum is max, min and median"},
    "range": {"metavar": "LOW:HIGH", "help": "smallest and largest value of a count, or of a record"},
    "records": {"metavar": "N", "type": int, "help": "how many records there are"},
    "epsilon": {"metavar": "EPS", "help": "privacy, kept exactly as typed: 0.5, 1e-2, 1/3 or 'ln 2'"},
    "exp_epsilon": {"metavar": "E", "help": "e^epsilon, such as 2, in place of --epsilon"},
    "privacy": {
        "metavar": "PAIRS",
        "help": "several epsilon and delta at once, in place of one: '0.5,1e-3; 1,1e-6'",
    },
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
        "help": "uniform, sum, or a probability for each truth with commas, or a file with a line for each; "
        "default: uniform",
    },
    "properties": {
        "metavar": "NAME",
        "action": "append",
        "help": f"{', '.join(PROPERTIES)}; of a question also 'accuracy >= 0.5', 'accuracy = 0.5', "
        "'within 3', 'without 0'; with commas, or repeated",
    },
    "structure": {"metavar": "KIND", "help": f"which matrices: {', '.join(STRUCTURES)}; default: free"},
    "definition": {"metavar": "KIND", "help": f"of delta: {', '.join(DEFINITIONS)}; default: approximate"},
    "as_private_as": {
        "metavar": "NOISE",
        "help": "in place of --epsilon: everything that a noise keeps, discrete-gaussian:SIGMA, "
        "skellam:RATE, binomial:TRIALS or weights:1,4,6,4,1",
    },
    "worst_case": {
        "action": "store_const",
        "const": True,
        "help": "the loss at the worst truth counts, not the average; a --prior is then not used",
    },
    "least": {"metavar": "WHAT", "help": "what to minimise: loss or delta; default: loss"},
    "bounds": {
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
    "of": {"metavar": "LIST", "type": _texts, "help": "the categories, such as red,green,blue"},
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
    "adjacency": {
        "metavar": "HOW",
        "help": f"what one person may do with their records, {' or '.join(ADJACENCIES)}; default: change",
    },
    "unit": {"metavar": "U", "help": "the weight or distance that epsilon is for; default: 1"},
    "shortest_paths": {
        "action": "store_const",
        "const": True,
        "help": "compare all nodes with a path between them, not those of an edge alone",
    },
    "symmetric": {
        "action": "store_const",
        "const": False,
        "help": "protect one direction only, as printed in the paper: not differential privacy",
    },
    "delta": {"metavar": "DELTA", "help": "probability that the ratio may be exceeded; default: 0"},
    "at_most": {"metavar": "COST", "help": "minimise delta, with at most this expected cost"},
    "cost": {
        "metavar": "COST",
        "type": _named_or_numbers,
        "help": f"{', '.join(NOISE_COSTS)}, or one number for each noise; default: error-rate",
    },
    "reading": {"metavar": "READING", "help": f"{', '.join(Reading)}; default: definition"},
}
"""Each choice of `named_problem` with the settings of its option."""
