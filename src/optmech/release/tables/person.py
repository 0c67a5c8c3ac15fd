"""The privacy that a release costs one person, if a file beside the table bounds their changes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import NotAcceptedError
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text
from optmech.question.epsilon import exact_epsilon
from optmech.release.tables.changes import ALL_ROWS, NUMBERS_ALONE
from optmech.release.tables.column_mechanisms import limited_unit_of
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.drop_zero import keeps_zero
from optmech.release.tabulate.bound import SIZE
from optmech.release.tabulate.count_table import bound_beside, check_table, read_bound

if TYPE_CHECKING:
    from os import PathLike

    from optmech.proofs.certificate import Certificate
    from optmech.release.tables.column_mechanisms import Laws
    from optmech.release.tabulate.bound import PersonBound

_UNIT = (
    f"{ALL_ROWS} {{}} All cells together then spend at most {{}} "
    "times the epsilon of one cell, by group privacy and composition, if {} reports that bound rightly. "
    "Replacing the rows of a person by others is two such changes, and spends twice the epsilon{}."
)
_TWICE_DELTA = " and 1 + e^epsilon times the delta of a person"
_UNIT_OF_NUMBERS = (
    f"{NUMBERS_ALONE} {{}} All cells together then spend at most {{}} times the epsilon of one cell, by "
    "composition, if {} reports that bound rightly{}."
)
_OF_DATA = (
    " Its groups are those that occur in the data: apply it with --drop-zero, so that which they are is "
    "protected as counts are."
)


def bound_of(table: str | PathLike[str], column: str | None) -> PersonBound | None:
    """Return the bound in the file beside a table, or ``None``; it must be for these."""
    path = bound_beside(table)
    if not path.is_file():
        return None
    bound = read_bound(path)
    check_table(bound, table, column)
    if bound.is_of_people and column is not None:  # the other column would be written as it is
        message = (
            f"`{table}` must be released by `optmech design mean --people private`: it has people and totals."
        )
        raise NotAcceptedError(message)
    return bound


def person_of(laws: Laws, bound: PersonBound, file: str, *, by: str | None = None) -> dict[str, Any] | None:
    """Return the log entry for one person from the bound in a file, ``None`` without proved mechanisms.

    Mechanisms of means are those of sizes of groups, which are in the column `by`.

    For several mechanisms it has the largest epsilon and delta, and the shortest reach. NotAcceptedError: a
    mechanism has no cost for a change of a count by one, or reveals the groups that occur. ProblemError:
    nothing protects a person.
    """
    if bound.is_of_data and not keeps_zero(laws):
        message = (
            f"`mechanism` must say zero-stays-zero, for {file} bounds a table of groups that occur in the "
            "data, and another shows which they are. Design with --property zero-stays-zero and --for."
        )
        raise NotAcceptedError(message)
    every = list(laws.values())
    limited = [limited_unit_of(law.description) for law in every]
    if any(limited):
        message = (
            f"`mechanism` must protect each person, for {file} bounds what one person can change; got one "
            f"whose epsilon is the loss of {next(filter(None, limited))}. Design one with --for."
        )
        raise NotAcceptedError(message)
    if any("epsilon" not in law.description for law in every):
        return None
    reaches = _mean_reaches(laws, bound, file, by) if bound.has_public_sizes else _reaches(laws, bound, file)
    epsilon = max(exact_epsilon(law.description["epsilon"]) for law in every)
    delta = max(Fraction(law.description.get("delta_of_sets", law.description["delta"])) for law in every)
    loss = bound.loss(epsilon, delta, reach=min(reaches))
    unit = _UNIT_OF_NUMBERS if bound.has_public_sizes else _UNIT
    return {
        "column": bound.whose,
        "at_most": bound.at_most,
        "at_most_per_group": bound.at_most_per_group,
        "rule": bound.rule,
        "ids_as_written": bound.ids_as_written,
        "marks_as_ids": bound.num_marks_as_ids,
        "bound": f"reported by {file}",
        "steps": loss.steps,
        "epsilon": as_text(loss.epsilon),
        "delta": as_text(loss.delta),
        **_of_sums(bound),
        "unit": unit.format(bound.sentence, loss.steps, file, _TWICE_DELTA if loss.delta else ""),
    }


def _of_sums(bound: PersonBound) -> dict[str, Any]:
    """Return what a log says of sums and means beyond what it says of counts."""
    if bound.between is None:
        return {}
    return {"value": bound.value, "between": list(bound.between), "most_groups": bound.most_groups}


def _reaches(laws: Laws, bound: PersonBound, file: str) -> list[int]:
    """Return the changes of a count or a total that one epsilon of each mechanism protects."""
    columns = list(laws.values())
    reaches = [column.law.reach for column in columns if column.law.reach is not None]
    if len(reaches) < len(laws):
        other = next(column.description["query"] for column in columns if column.law.reach is None)
        message = (
            f"`mechanism` must be of a {bound.column}, as {file} bounds one; got {other}. Design one with "
            "--for."
        )
        raise NotAcceptedError(message)
    return reaches


def _mean_reaches(laws: Laws, bound: PersonBound, file: str, by: str | None) -> list[int]:
    """Return the same for means, in steps of one part of a mean; each is of as many records as its group."""
    low, high = bound.between or (0, 0)
    reaches = []
    for name, column in laws.items():
        law = column.law
        size = int(name) if name and name.isascii() and name.isdigit() else 0
        is_of_size = by == SIZE and size > 0 and law.mean_reach is not None
        means = law.answers
        if not is_of_size or list(means[:2]) != [low, low + Fraction(1, size)] or means[-1] != high:
            message = (
                f"`mechanism` must be a mean of {low}..{high} for each size of group, as {file} bounds one, "
                f"by --group {SIZE}; got another. `optmech tabulate` says the command."
            )
            raise NotAcceptedError(message)
        reaches.append(law.mean_reach or 1)
    return reaches


def person_spending(certificate: Certificate, bound: PersonBound) -> dict[str, Any]:
    """Return the log entry for one person if a mechanism releases each cell of such a table.

    `text` has it in words, and `file` is the file with the bound.
    """
    file = bound_beside(bound.table or "the table").name
    spending = person_of({None: column_mechanism(certificate)}, bound, file)
    assert spending is not None  # noqa: S101 - of a certificate something is proved
    delta = Fraction(spending["delta"])
    budget_text = f"epsilon = {spending['epsilon']}" + (f", delta = {at_most(delta)}" if delta else "")
    text = f"In all cells together {budget_text}. {spending['unit']}{_OF_DATA if bound.is_of_data else ''}"
    return {**spending, "text": text, "file": file}
