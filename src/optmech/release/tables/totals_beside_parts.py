"""Refuse rows that are named as the sum of other rows, and notice columns that give the drawn one away.

A person in a part is in the total as well, and spends for both. Names are in columns beside the answers,
which are public, so that a refusal says nothing of true answers; only tables without a bound have them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import FileFormatError, ProblemError, quoting_data
from optmech.base.notes import Note, NoteKind
from optmech.base.visible import quote
from optmech.release.tables.files import reader_of
from optmech.release.tables.frame_in_memory import column_of, package_of
from optmech.release.tables.given_away import given_away
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any

_TOTALS = frozenset(
    {
        *("all", "overall", "sum", "whole", "insgesamt", "gesamt", "summe", "zusammen", "ensemble", "totale"),
        *("totaal", "suma", "razem", "totalt", "celkem", "somme", "итого", "всего", "合計", "合计", "总计"),
    }
)
_TOTAL = re.compile(r"(grand |sub[- ]?)?totals?(\s*[(:,;/\u2013-].*)?")
# Larger tables are of records, or of more cells than anybody adds up in a row.
_MOST_ROWS = 1_000_000


def is_total(text: str | None) -> bool:
    """Whether a name is common for the sum of other groups.

    >>> is_total(" Total"), is_total("Totalville"), is_total(None)
    (True, False, False)
    """
    if text is None:
        return False
    name = text.strip().lower().strip("*:.-_()[]= ")
    return name in _TOTALS or _TOTAL.fullmatch(name) is not None


def check_no_total(table: str | PathLike[str], column: str, by: str | None) -> None:
    """Raise FileFormatError for a row that is named as the sum of others, other than as a group of `by`."""
    with reader_of(table, column, None) as reader:
        names: dict[int, set[str | None]] = {}
        rows = 0
        for part in reader.parts():
            for index, name in enumerate(reader.header):
                cells = part.cells(index)
                if name not in (column, by) and is_text(cells.type):
                    names.setdefault(index, set()).update(pc.unique(cells).to_pylist())
            rows += len(part.answers)
            if rows > _MOST_ROWS:
                break
        _check_names(
            {reader.header[index]: found for index, found in names.items()}, str(table), FileFormatError
        )


def check_no_total_in_frame(frame: Any, column: str, by: str | None) -> None:  # noqa: ANN401 - as `column_of`
    """Raise ProblemError for such a row of a frame in memory."""
    public = _public_columns(frame, {column, by})
    names = {name: {*pc.unique(cells).to_pylist()} for name, cells in public.items() if is_text(cells.type)}
    _check_names(names, "frame", ProblemError)


def _check_names(
    names: Mapping[str, set[str | None]], where: str, kind: type[FileFormatError | ProblemError]
) -> None:
    for column, found in names.items():
        total = next(filter(is_total, sorted(filter(None, found))), None)
        if total is not None and len(found) > 1:
            message = (
                f"`{where}` must have no row that is the sum of others; got {quote(total)} in column "
                f"{column}. A person in one of these is in two rows, and spends for both: leave it out. If "
                "it is no sum, give it another name."
            )
            raise quoting_data(kind(message))


def columns_that_tell(table: str | PathLike[str], column: str) -> list[Note]:
    """Return a warning if other columns give the answers away in the first rows of a table."""
    with reader_of(table, column, None) as reader:
        part = next(iter(reader.parts()), None)
        if part is None:
            return []
        places = {name: index for index, name in enumerate(reader.header) if name != column}
        sentence = given_away(part.answers, {name: part.cells(at) for name, at in places.items()}, column)
    return [Note(NoteKind.PRIVACY, sentence)] if sentence else []


def columns_that_tell_in_frame(frame: Any, column: str) -> str:  # noqa: ANN401 - as `column_of`
    """Return such a sentence on a frame in memory, empty if there is none."""
    return given_away(column_of(frame, column), _public_columns(frame, {column}), column)


def _public_columns(frame: Any, others: set[str | None]) -> dict[str, pa.Array]:  # noqa: ANN401 - as `column_of`
    """Return the columns of a frame with names that are texts, but for those that Arrow cannot hold."""
    names = frame.schema.names if package_of(frame) == "pyarrow" else list(frame.columns)
    columns = {}
    for name in names:
        if isinstance(name, str) and name not in others:
            try:
                columns[name] = column_of(frame, name)
            except (
                ProblemError
            ):  # a name of several columns, or objects: their release says so, or keeps them
                continue
    return columns
