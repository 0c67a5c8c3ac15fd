"""Read released quantiles again, and say of which groups the bound of ranks says something."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from optmech.base.arguments import need_path, optional, takes
from optmech.base.errors import FileFormatError
from optmech.base.whole_files import read_text
from optmech.mechanisms.certificates.quantile_text import read_quantiles_text
from optmech.release.estimates.released import LoggedFacts
from optmech.release.quantiles.record_heaps import QUANTILE
from optmech.release.tables.cell_numbers import number_in
from optmech.release.tables.log_entries import QUANTILES
from optmech.release.tabulate.person_rows import NamedColumns, names_in_file, texts_of_file

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate


@dataclass(frozen=True, kw_only=True)
class ReleasedQuantiles:
    """Released quantiles, with what their certificate proves.

    Attributes
    ----------
    certificate : QuantileCertificate
        Proved again.
    header : tuple of str
        The names of columns.
    rows : tuple
        For each value the texts of its row, and whether its rank bound says something: by the released number
        of people, ``None`` without one or without a bound.
    """

    certificate: QuantileCertificate
    header: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], bool | None], ...]


def is_of_quantiles(facts: LoggedFacts) -> bool:
    """Whether a log is of quantiles."""
    return any(one.get("kind") == QUANTILES for one in facts.mechanisms)


@takes(table=need_path, people=optional(need_path), mechanism=optional(need_path))
def read_released_quantiles(
    table: str | PathLike[str],
    *,
    people: str | PathLike[str] | None = None,
    mechanism: str | PathLike[str] | None = None,
) -> ReleasedQuantiles:
    """Return the quantiles of a released file.

    Parameters
    ----------
    table : path
        What `release_quantiles` wrote.
    people : path, optional
        A released table of numbers of people: the columns of groups, and one of numbers.
    mechanism : path, optional
        The certificate; by default that in the log.

    Raises
    ------
    FileFormatError
        If a file cannot be read, was changed, or numbers of people are not of the same groups.
    """
    facts = LoggedFacts.beside(table)
    if not is_of_quantiles(facts) or not facts.is_of(table):
        message = f"`{table}` must be as it was released, with the log of quantiles beside it."
        raise FileFormatError(message)
    path = facts.certificates()[None] if mechanism is None else mechanism
    text = read_text(path, "utf-8")
    if sha256(text.encode()).hexdigest() != facts.digests.get(None):
        message = f"`{path}` must be the certificate that the log beside {table} names; it is another."
        raise FileFormatError(message)
    certificate = read_quantiles_text(text, str(path))
    header, rows = _texts(table)
    if QUANTILE not in header:
        message = f"`{table}` must have a column {QUANTILE}, as it was released."
        raise FileFormatError(message)
    width, bound = header.index(QUANTILE), certificate.rank_bound
    says: dict[tuple[str, ...], bool] = {}
    if people is not None and bound is not None:
        names, counts = _texts(people)
        if set(names[:-1]) != set(header[:width]) or len(names) != width + 1:
            message = f"`{people}` must have the columns of groups of {table}, and one of numbers of people."
            raise FileFormatError(message)
        order = [names.index(name) for name in header[:width]]
        numbers = [(tuple(row[at] for at in order), number_in(row[-1])) for row in counts]
        says = {key: number is not None and number >= 2 * bound for key, number in numbers}
        if not {row[:width] for row in rows} <= says.keys():
            message = f"`{people}` must have a number of people for each group of {table}."
            raise FileFormatError(message)
    return ReleasedQuantiles(
        certificate=certificate,
        header=header,
        rows=tuple((row, says.get(row[:width])) for row in rows),
    )


def _texts(path: str | PathLike[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    names = tuple(names_in_file(path))
    parts = texts_of_file(path, NamedColumns(names, names))
    columns = ([[text or "" for text in column.to_pylist()] for column in part.texts] for part in parts)
    return names, [row for part in columns for row in zip(*part, strict=True)]
