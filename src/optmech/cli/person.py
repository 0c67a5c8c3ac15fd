"""``--for``: the table of counts that a mechanism is for, and what one person spends there."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact_delta
from optmech.cli.parsers import Arguments, option
from optmech.question.problems.histogram import HISTOGRAM_ADJACENCY
from optmech.question.properties import ZERO_STAYS_ZERO

if TYPE_CHECKING:
    from optmech.release.tabulate import PersonBound

FOR_TABLE = option(
    "--for",
    "COUNTS.csv.json",
    "what `optmech tabulate` wrote beside a table: epsilon and delta are what one person spends in all its "
    "cells",
    dest="bound",
)


def bound_at(path: str | None) -> PersonBound | None:
    """Return the bound in a file, where one is named."""
    if path is None:
        return None
    from optmech.release.tabulate import read_bound  # noqa: PLC0415 - Arrow takes a moment to load

    return read_bound(path)


def release_options(bound: PersonBound) -> str:
    """Return the options of `apply` that release the table of counts of a bound."""
    options = f"--column {shlex.quote(bound.column)} --clamp"
    return f"{options} --drop-zero" if bound.is_of_data else options


def ask_for_person(arguments: Arguments) -> str:
    """Make epsilon and delta that a person spends those of a cell, and return what to say of it; or nothing.

    ProblemError if the question is none of a count, its epsilon is not typed as a number, or it would show
    which groups occur in the data.
    """
    bound = bound_at(arguments.bound)
    if bound is None:
        return ""
    _make_histogram_a_count(arguments)
    epsilon, delta = getattr(arguments, "epsilon", None), getattr(arguments, "delta", None)
    if "count" not in (arguments.formulation, getattr(arguments, "query", None)) or epsilon is None:
        message = (
            "`--for` must be given with a count or a histogram and its epsilon, such as `design count "
            "--range 0:100 --epsilon 1`; a table of counts has no other cells."
        )
        raise ProblemError(message)
    definition = getattr(arguments, "definition", None) or "approximate"
    if definition != "approximate":
        message = (
            f"`--definition` must be approximate with `--for`; got {definition}. Deltas of several cells add "
            "up to that of a person where they hold for all sets of answers."
        )
        raise ProblemError(message)
    reach = getattr(arguments, "records_per_person", None) or 1
    if reach < 1:
        message = f"`records_per_person` must be at least 1; got {reach}."
        raise ProblemError(message)
    lists = getattr(arguments, "properties", None) or ()
    properties = {name.strip() for names in lists for name in names.split(",")}
    if bound.is_of_data and str(ZERO_STAYS_ZERO) not in properties:
        message = (
            "`--property zero-stays-zero` must be given with a `--delta`, such as 1e-6: the groups of "
            f"{arguments.bound} are those that occur in the data, and another mechanism shows which they are."
        )
        raise ProblemError(message)
    steps = bound.steps(reach)
    if delta is not None:
        arguments.delta = bound.cell_delta(epsilon, delta, reach=reach)
    arguments.epsilon = bound.cell_epsilon(epsilon, reach=reach)
    whole, part = f"epsilon = {epsilon}", f"{steps} times {arguments.epsilon}, which is the epsilon of a cell"
    if delta is not None and exact_delta(delta):
        whole += f", delta = {delta}"
        part += f"; its delta is {arguments.delta}"
    return f"one person spends {whole}: {part if steps > 1 else 'as one cell does'}. {bound.sentence}"


def _make_histogram_a_count(arguments: Arguments) -> None:
    """Take a histogram for a count in each cell of the table, whose bound says what a person can change."""
    if arguments.formulation != "histogram":
        return
    if arguments.records_per_person is not None:
        message = (
            "`--records-per-person` must be left out with `--for`, whose table says how many records of a "
            f"person are counted; got {arguments.records_per_person}."
        )
        raise ProblemError(message)
    if arguments.adjacency not in (None, HISTOGRAM_ADJACENCY):
        message = (
            f"`--adjacency` must be {HISTOGRAM_ADJACENCY} with `--for`, for its table has all rows of a "
            f"person or none; got {arguments.adjacency}. Ask for half the epsilon where they may change."
        )
        raise ProblemError(message)
    arguments.formulation, arguments.adjacency = "count", None
