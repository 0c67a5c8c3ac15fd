"""The commands that release a table of `optmech tabulate`, from public facts alone."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from optmech.cli.design_table import whole_table_refusal
from optmech.cli.person import release_options

if TYPE_CHECKING:
    from optmech.release.tabulate import PersonBound

_UNKNOWN = "LARGEST"
_RHO = "0.1"
# A total of more answers takes minutes as a matrix; as a count of units it needs none.
_MOST_OF_A_TOTAL = 200
# Counts are designed up to the first at any epsilon, and up to the second while a person takes few steps.
_MOST_COUNTED, _MOST_IN_FEW_STEPS, _FEW_STEPS = 100_000, 1_000_000, 40


def next_commands(out: str, beside: str, bound: PersonBound, most_people: int | None) -> list[str]:
    """Return the commands for a table; no number in them is of the table.

    Where groups are public all numbers are drawn together, without bias, and no largest one is needed. Else
    `most_people` is a number of people that is known without the data; without it a word stands for it.
    """
    table = shlex.quote(out)
    if bound.num_keys is not None:
        return _commands_of_keys(table, bound, bound.num_keys)
    if bound.is_of_people:
        return [
            f"optmech design mean --people private --for {shlex.quote(beside)} --epsilon 1 --out mean.json",
            f"optmech apply mean.json {table} --out released.csv",
        ]
    if not whole_table_refusal(beside, _RHO):
        return [
            f"optmech design table --for {shlex.quote(beside)} --zcdp {_RHO} --out table.json",
            f"optmech apply table.json {table} --out released.csv",
        ]
    if reason_of_none(bound, most_people):
        return []
    if bound.has_public_sizes and bound.between is not None:
        low, high = bound.between
        question = f"mean --range {low}:{high} --epsilon {bound.cell_epsilon('1', reach=high - low)}"
        options = "--column mean --group size --out released.csv"
        return [f"optmech apply {question} mechanisms {table} {options}"]
    question = f"{_question(bound, most_people)} --epsilon 1"
    if bound.is_of_data:
        question += " --delta 1e-6 --property zero-stays-zero"
    return [
        f"optmech design {question} --for {shlex.quote(beside)} --out mechanism.json",
        f"optmech apply mechanism.json {table} {release_options(bound)} --out released.csv",
    ]


def reason_of_none(bound: PersonBound, most_people: int | None) -> str:
    """Return why no command is printed, from public facts alone; empty if a design ends."""
    if (
        bound.is_of_people
        or bound.num_keys is not None
        or (most_people is None and not bound.has_public_sizes)
    ):
        return ""
    low, high = (0, bound.at_most_per_group) if bound.between is None else bound.between
    people = 1 if bound.has_public_sizes else most_people or 1
    answers = people * (max(high, 0) - min(low, 0))
    most = _MOST_COUNTED if bound.at_most > _FEW_STEPS else _MOST_IN_FEW_STEPS
    if bound.has_public_sizes or low < 0:
        most = _MOST_OF_A_TOTAL
    if answers <= most:
        return ""
    remedy = "Count fewer people in one table: split it by a public column, or lower `--most-people`."
    if bound.has_public_sizes:
        remedy = "Leave out --sizes-are-public: people and totals then follow in one budget."
    return (
        f"no command follows: {bound.column}s of {answers:,} values are too many, at most {most:,}. {remedy}"
    )


def _question(bound: PersonBound, most_people: int | None) -> str:
    """Return the question of one cell, without its epsilon."""
    if bound.between is None:
        largest = _UNKNOWN if most_people is None else most_people * bound.at_most_per_group
        return f"count --range 0:{largest}"
    low, high = bound.between
    if most_people is None:
        return f"total --records {_UNKNOWN} --range {low}:{high} --adjacency add-remove"
    if low < 0 or most_people * high <= _MOST_OF_A_TOTAL:
        return f"total --records {most_people} --range {low}:{high} --adjacency add-remove"
    return f"count --range 0:{most_people * high}"


def _commands_of_keys(table: str, bound: PersonBound, num_keys: int) -> list[str]:
    """Return the commands that release the counts by cell keys."""
    release = f"{table} --column {bound.column} --cell-key cell_key --data NAME"
    release += " --drop-zero" if bound.is_of_data else ""
    question = "p-table --within 5 --variance 3 --zero-stays-zero --unbiased --epsilon 1"
    return [
        f"optmech design {question} --keys {num_keys} --out p-table.csv",
        f"optmech apply p-table.certificate.json {release} --out released.csv",
    ]
