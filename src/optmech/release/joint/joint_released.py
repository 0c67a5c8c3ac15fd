"""Read a whole table as it was released: its certificate, its categories, and the numbers of each margin."""

from __future__ import annotations

from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.errors import FileFormatError, NotAcceptedError
from optmech.base.whole_files import read_text
from optmech.mechanisms.certificates.table_text import read_table_text
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_log import CROSSTAB
from optmech.release.tables.files import reader_of
from optmech.release.tables.log import ENDING, log_beside
from optmech.release.tables.log_entries import WHOLE_TABLE

_SECOND = ".no-negative"

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from optmech.base.arrays import Integers
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.margins import Axes
    from optmech.release.estimates.released import LoggedFacts


def is_whole_table(facts: LoggedFacts) -> bool:
    """Whether a log is of a whole table."""
    return any(one.get("kind") == WHOLE_TABLE for one in facts.mechanisms)


def second_file(out: str | PathLike[str]) -> Path:
    """Return the file of the nearest table without negative numbers, beside a released one.

    >>> second_file("noisy.csv.gz").name
    'noisy.no-negative.csv.gz'
    """
    path, stem = Path(out), log_beside(out).name.removesuffix(ENDING)
    return path.with_name(f"{stem}{_SECOND}{path.name.removeprefix(stem)}")


def refuse_second(table: str | PathLike[str]) -> None:
    """Refuse a table without negative numbers, of which no error holds: NotAcceptedError names the first."""
    path = Path(table)
    first = path.with_name(path.name.replace(_SECOND, ""))
    if _SECOND in path.name and second_file(first) == path and log_beside(first).is_file():
        message = (
            f"`{path}` must be the released table, {first.name}: without negative numbers small counts are "
            "raised and large ones lowered, and no standard error and no limit holds."
        )
        raise NotAcceptedError(message)


def proved_table(
    table: str | PathLike[str], facts: LoggedFacts, mechanism: str | PathLike[str] | None
) -> TableCertificate:
    """Return the certificate that the log of a released table names, proved again."""
    refuse_second(table)
    if not is_whole_table(facts):
        message = f"`{table}` must have the log of a whole table beside it, as `optmech apply` writes it."
        raise FileFormatError(message)
    if not facts.is_of(table):
        message = f"`{table}` must be as it was released; its log names other bytes. Restore the file."
        raise FileFormatError(message)
    path = facts.certificates()[None] if mechanism is None else mechanism
    text = read_text(path, "utf-8")
    if sha256(text.encode()).hexdigest() != facts.digests.get(None):
        message = f"`{path}` must be the certificate that the log beside {table} names; it is another."
        raise FileFormatError(message)
    return read_table_text(text, str(path))


def categories_in(facts: LoggedFacts, certificate: TableCertificate) -> dict[str, list[str]]:
    """Return the categories of each axis, or raise FileFormatError where the log has other axes."""
    try:
        categories = {axis["name"]: [*map(str, axis["categories"])] for axis in facts.content["axes"]}
        told = [(name, len(known)) for name, known in categories.items()]
        own = [(axis.name, axis.size) for axis in certificate.problem.axes]
        is_right = told[len(told) - len(own) :] == own
        is_right &= certificate.problem.records is not None or len(told) == len(own)
    except (KeyError, TypeError):
        is_right = False
    if not is_right:
        message = f"`{facts.path}` must have the axes of its certificate; it was changed."
        raise FileFormatError(message)
    return categories


def released_numbers(
    table: str | PathLike[str],
    facts: LoggedFacts,
    categories: Mapping[str, Sequence[str]],
    totals: Sequence[Axes],
) -> dict[Axes, Integers]:
    """Return the released numbers, or raise FileFormatError where the log is not of this table."""
    try:
        released = _numbers_in(table, facts, categories)
        is_whole = released.keys() >= set(totals)
    except (pa.ArrowException, LookupError, TypeError, ValueError):
        is_whole = False
    if not is_whole:
        message = f"`{facts.path}` must tell of {table} as it was released; it was changed."
        raise FileFormatError(message)
    return released


def _numbers_in(
    table: str | PathLike[str], facts: LoggedFacts, categories: Mapping[str, Sequence[str]]
) -> dict[Axes, Integers]:
    """Return the released numbers of each margin."""
    names = list(categories)
    is_wide = facts.content.get("layout") == CROSSTAB
    *_, across = names or [""]
    columns = [*categories[across], ALL] if is_wide and names else [str(facts.column)]
    keys = names[:-1] if is_wide else names
    shape = tuple(len(known) + 1 for known in categories.values())
    numbers, is_there = np.zeros(shape, np.int64), np.zeros(shape, dtype=bool)
    with reader_of(table, columns[0], None) as reader:
        for part in reader.parts():
            at = [
                pa.compute.index_in(
                    part.cells(reader.header.index(name)).cast(pa.string()),
                    value_set=pa.array([*categories[name], ALL], pa.string()),
                ).to_numpy()
                for name in keys
            ]
            for place, column in enumerate(columns):
                cells = part.cells(reader.header.index(column)).cast(pa.string())
                is_known = pa.compute.not_equal(cells.fill_null(""), "").to_numpy(zero_copy_only=False)
                values = cells.filter(pa.array(is_known)).cast(pa.int64()).to_numpy()
                here = tuple(index[is_known] for index in at)
                here = (*here, np.full(len(values), place)) if is_wide and names else here
                at_place = here or (...,)  # of no axes there is one number
                numbers[at_place], is_there[at_place] = values, True
    margins = {}
    for margin in product((False, True), repeat=len(names)):
        at_margin = tuple(slice(-1) if inside else -1 for inside in margin)
        if is_there[at_margin].all():
            axes = frozenset(axis for axis, inside in enumerate(margin) if inside)
            margins[axes] = np.asarray(numbers[at_margin])
    return margins
