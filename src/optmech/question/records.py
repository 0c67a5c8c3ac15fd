"""Read records of people from any kind of table."""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import items
from optmech.base.errors import FileFormatError, ProblemError, broken_rule, unreadable
from optmech.base.numbers import brief, exact

if TYPE_CHECKING:
    from collections.abc import Iterable


def records_of(table: Iterable[Any] | str | PathLike[str], column: str | None = None) -> list[Any]:
    """Return the records of a list, a data frame of pandas, Polars or PyArrow, or a CSV file.

    Rows of frames and files become dictionaries. In files, integers and decimals are read exactly; all else
    stays text.
    """
    records = _rows(table)
    if column is None:
        return records
    try:
        return [record[column] for record in records]
    except (KeyError, TypeError, IndexError):
        message = (
            f"`column` must be in every record; {column!r} is missing in some. Columns: {_names(records)}."
        )
        raise ProblemError(message) from None


def _rows(table: Any) -> list[Any]:  # noqa: ANN401 - many kinds of tables
    if isinstance(table, (str, PathLike)):
        return _rows_of_file(table)
    if hasattr(table, "to_dicts"):  # Polars
        return list(table.to_dicts())
    if hasattr(table, "to_pylist"):  # PyArrow
        return list(table.to_pylist())
    if hasattr(table, "columns") and hasattr(table, "to_dict"):  # pandas
        return list(table.to_dict(orient="records"))
    try:
        return items(table, "table")
    except ProblemError:
        raise broken_rule("table", "be a list of records, a data frame or a CSV file", brief(table)) from None


def _rows_of_file(path: str | PathLike[str]) -> list[dict[str, Any]]:
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        message = f"`{path}` must be CSV text in UTF-8; got: {error}."
        raise FileFormatError(message) from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            message = (
                f"`{path}` must have as many cells in each row as in the first; record {number} has not."
            )
            raise FileFormatError(message)
    return [{name: _value(cell) for name, cell in row.items()} for row in rows]


def _value(cell: str) -> Any:  # noqa: ANN401 - a number or a text
    try:
        number = exact(cell.strip(), "cell")
    except ProblemError:
        return cell
    return int(number) if number.denominator == 1 else number


def _names(records: list[Any]) -> str:
    has_names = records and isinstance(records[0], dict)
    return ", ".join(map(str, records[0])) if has_names else "none, the records are no rows"
