"""``--for``: the table of counts that a mechanism is for, and what one person spends there."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact_delta
from optmech.cli.parsers import Arguments, option
from optmech.question.kinds.bounded_records import RecordTotal
from optmech.question.problems.histogram import HISTOGRAM_ADJACENCY
from optmech.question.problems.named_query import range_of
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.question.step_weights import reach_among

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

    ProblemError if the question is none of a cell, its epsilon is not typed as a number, or it would show
    which groups occur in the data.
    """
    bound = bound_at(arguments.bound)
    if bound is None:
        return ""
    _make_histogram_a_count(arguments)
    _check_question(arguments, bound)
    epsilon, delta = arguments.epsilon, arguments.delta
    definition = getattr(arguments, "definition", None) or "approximate"
    if definition != "approximate":
        message = (
            f"`--definition` must be approximate with `--for`; got {definition}. Deltas of several cells add "
            "up to that of a person where they hold for all sets of answers."
        )
        raise ProblemError(message)
    reach = reach_of_cell(arguments)
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


def _check_question(arguments: Arguments, bound: PersonBound) -> None:
    """Refuse a question that is none of a cell of the table of a bound."""
    if bound.is_of_people:
        message = "`--for` must be given to `design mean --people private`: its table has people and totals."
        raise ProblemError(message)
    if bound.has_public_sizes:
        message = (
            "`--for` must be given with a table of counts or totals; got one of means. `optmech apply mean` "
            "designs a mechanism for each size of group."
        )
        raise ProblemError(message)
    asked = {arguments.formulation, getattr(arguments, "query", None)}
    allowed = {"count"} if bound.between is None else {"count", "total"}
    if not asked & allowed or getattr(arguments, "epsilon", None) is None:
        kinds, example = ("a count or a histogram", "count --range 0:100")
        if bound.between is not None:
            kinds, example = "a total or a count", "total --records 9 --range 0:4 --adjacency add-remove"
        message = (
            f"`--for` must be given with {kinds} and its epsilon, such as `design {example} --epsilon 1`; a "
            f"table of {bound.column}s has no other cells."
        )
        raise ProblemError(message)
    if "total" in asked and arguments.adjacency != "add-remove":
        message = (
            "`--adjacency` must be add-remove with `--for`: a person is in the table with their numbers, or "
            f"not at all; got {arguments.adjacency or 'change, the default'}."
        )
        raise ProblemError(message)


def reach_of_cell(arguments: Arguments) -> int:
    """Return the change of a count or a total that one epsilon protects."""
    records = getattr(arguments, "records_per_person", None) or 1
    if records < 1:
        message = f"`records_per_person` must be at least 1; got {records}."
        raise ProblemError(message)
    is_total = "total" in (arguments.formulation, getattr(arguments, "query", None))
    needed = [getattr(arguments, name, None) for name in ("range", *(("records",) if is_total else ()))]
    if None in needed:  # the question says so itself
        return records
    low, high = range_of(arguments.range, "range")
    if not is_total:
        return reach_among(min(records, max(1, high - low)), high - low + 1)
    total = RecordTotal(arguments.records, low, high, records, HISTOGRAM_ADJACENCY)
    first, last = total.ends
    return reach_among(min(total.reach, max(1, last - first)), last - first + 1)


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
