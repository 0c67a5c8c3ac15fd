"""The log of a released table: what was drawn, what one person spends, and nothing about the counts."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import as_text
from optmech.mechanisms.tables.table_noise import MarginNoise
from optmech.proofs.privacy import short_delta
from optmech.release.tables.cell_law import CellLaw
from optmech.release.tables.column_mechanisms import ColumnMechanism
from optmech.release.tables.log import log_of
from optmech.release.tables.log_entries import WHOLE_TABLE
from optmech.release.tabulate.bound import EACH_ROW
from optmech.release.tabulate.count_table import bound_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.person import TablePerson
    from optmech.release.tabulate.bound import PersonBound

CROSSTAB = "a crosstab"
_NEAREST = (
    "the nearest table without negative numbers, made from the released one: small counts are raised in it, "
    "and large ones lowered. Errors, limits and the lower bound are of the released one"
)
_UNIT = (
    "Epsilon and delta, and rho where it is told, are what one person spends in all numbers of this table "
    "together, cells and totals. Protected is {}. {}All cells of the public categories are released, so that "
    "which of them had a row is protected as counts are."
)
_STATED = "The certificate states that bound, and no file beside the table confirms it. "


def description_of(certificate: TableCertificate, text: str, file: str | None) -> dict[str, Any]:
    """Return the entry of a log on the noise of a table, from the certificate and its text."""
    problem = certificate.problem
    is_normal = not isinstance(certificate.noise, MarginNoise)
    rho = problem.budget.rho or (certificate.rho if is_normal else None)
    return {
        "file": file,
        "provenance": "proved in exact arithmetic",
        "certificate_sha256": sha256(text.encode()).hexdigest(),
        "question": problem.title,
        "epsilon": as_text(certificate.epsilon),
        "delta": as_text(short_delta(certificate.delta)),
        **({} if rho is None else {"zcdp": as_text(rho)}),
        "query": problem.title,
        "kind": WHOLE_TABLE,
        **({} if problem.records is None else {"of_records": True}),
        "scope": "every table",
        "directions": "both",
        "neighbours": f"{problem.whose}.",
    }


def person_of_table(
    certificate: TableCertificate, bound: PersonBound | None, table: str | PathLike[str]
) -> dict[str, Any]:
    """Return the entry of a log on one person: by the certificate, which holds the file beside the table.

    Raises
    ------
    NotAcceptedError
        If the file says that a person changes more than the certificate protects, or other numbers.
    """
    person = certificate.problem.person
    if bound is not None:
        _need_same(person, bound, bound_beside(table).name)
    told = {} if bound is None or bound.between is None else _of_sums(bound)
    return {
        "column": EACH_ROW if bound is None else bound.whose,
        "at_most": person.at_most,
        "at_most_per_group": person.step,
        "rule": "" if bound is None else bound.rule,
        "ids_as_written": bound is not None and bound.ids_as_written,
        "marks_as_ids": 0 if bound is None else bound.num_marks_as_ids,
        "bound": "stated by the certificate" if bound is None else f"reported by {bound_beside(table).name}",
        "steps": 1,
        "epsilon": as_text(certificate.epsilon),
        "delta": as_text(short_delta(certificate.delta)),
        **told,
        "unit": _UNIT.format(certificate.problem.whose, _STATED if bound is None else f"{bound.sentence} "),
    }


def _of_sums(bound: PersonBound) -> dict[str, Any]:
    return {"value": bound.value, "between": list(bound.between or ()), "most_groups": bound.most_groups}


def _need_same(person: TablePerson, bound: PersonBound, file: str) -> None:
    if bound.has_public_sizes:
        message = f"`mechanism` must be of the numbers of {file}; got a table, and means do not add up."
        raise NotAcceptedError(message)
    if bound.num_keys is not None:
        message = "the table must have no cell keys, which a whole table has no use for. Tabulate again."
        raise NotAcceptedError(message)
    own = (bound.at_most, bound.at_most_per_group)
    is_sum = bound.between is not None
    if is_sum != person.is_sum or own[0] > person.at_most or own[1] > person.step:
        unit = "units" if is_sum else "rows"
        message = (
            f"`mechanism` must protect the change of one person that {file} states, {own[0]:,} {unit}, "
            f"{own[1]:,} in one cell; got one for {person}. Design again with --for {file}."
        )
        raise NotAcceptedError(message)


def joint_log(
    description: dict[str, Any],
    person: dict[str, Any],
    axes: Sequence[tuple[str, Sequence[str]]],
    *,
    is_wide: bool,
    no_negative: str | None,
    **told: Any,  # noqa: ANN401 - as log_of takes it
) -> dict[str, Any]:
    """Return the log of a release of a table as JSON values."""
    return {
        **log_of_one(description, person, **told),
        "axes": [{"name": name, "categories": list(known)} for name, known in axes],
        "layout": CROSSTAB if is_wide else "a row for each number",
        **({"beyond_the_range": "taken for the nearest end"} if "of_records" in description else {}),
        **({} if no_negative is None else {"no_negative": {"file": no_negative, "is": _NEAREST}}),
    }


def log_of_one(
    description: dict[str, Any],
    person: dict[str, Any],
    **told: Any,  # noqa: ANN401 - as log_of takes it
) -> dict[str, Any]:
    """Return the log of a release whose one mechanism says what a person spends, as JSON values."""
    log = log_of(
        {None: ColumnMechanism(law=CellLaw(answers=range(1)), description=description)},
        by=None,
        clamp=False,
        constant_time=False,
        drop_zero=False,
        interval=None,
        cell_keys=None,
        person=person,
        **told,
    )
    return {**log, "unit_of_privacy": person["unit"]}
