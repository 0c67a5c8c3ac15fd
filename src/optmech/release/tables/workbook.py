"""Workbooks of Excel: the one sheet of a file as CSV text, and CSV text as a workbook.

A workbook says nothing of its own: no time, and no type that a column of text has not.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import datetime, time
from typing import IO, TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, unreadable
from optmech.base.extras import package

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

_MOST_ROWS = 1 << 20
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?", re.ASCII)
_TIMES = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")


def is_workbook(path: object) -> bool:
    """Whether a file is a workbook, by its name."""
    return str(path).lower().endswith(".xlsx")


def sheet_text(path: str | PathLike[str], file: IO[bytes]) -> io.BytesIO:
    """Return the sheet of a workbook as CSV; FileFormatError if it has several with cells, or none."""
    reader = package("openpyxl", "excel", "a workbook")
    try:
        book = reader.load_workbook(file, read_only=True, data_only=True)
        sheets = {sheet.title: [*sheet.iter_rows(values_only=True)] for sheet in book.worksheets}
        book.close()
    except (
        OSError,
        KeyError,
        ValueError,
        zipfile.BadZipFile,
        reader.utils.exceptions.InvalidFileException,
    ) as error:
        raise unreadable(path, error) from None
    full = {
        name: rows for name, rows in sheets.items() if any(cell is not None for row in rows for cell in row)
    }
    if len(full) > 1:
        message = (
            f"`{path}` must have one sheet; it has {', '.join(full)}. Save one of them alone, or as CSV."
        )
        raise FileFormatError(message)
    rows = next(iter(full.values()), [])
    width = max((at + 1 for row in rows for at, cell in enumerate(row) if cell is not None), default=0)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([_cell(cell) for cell in (*row, *[None] * width)[:width]])
    return io.BytesIO(text.getvalue().encode())


def _cell(value: Any) -> str:  # noqa: ANN401 - as a workbook holds it
    """Return the text of a cell: a whole number without a point, and a day without a time."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return str(value)


def to_workbook(path: Path) -> None:
    """Make a file of CSV text a workbook: numbers are numbers, all else is text and never a formula."""
    writer = package("openpyxl", "excel", "a workbook")
    book = writer.Workbook(write_only=True)
    sheet = book.create_sheet("Table")
    cell_of = writer.cell.WriteOnlyCell
    with path.open(encoding="utf-8", newline="") as text:
        for number, row in enumerate(csv.reader(text)):
            if number >= _MOST_ROWS:
                message = (
                    f"`out` must have at most {_MOST_ROWS:,} rows as a workbook. Write .csv or .parquet."
                )
                raise FileFormatError(message)
            cells = []
            for value in row:
                is_number = number > 0 and _NUMBER.fullmatch(value)
                cell = cell_of(sheet, value=float(value) if is_number and "." in value else value)
                cell.data_type = "n" if is_number else "s"
                cells.append(cell)
            sheet.append(cells)
    made = io.BytesIO()
    book.save(made)
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            plain = _TIMES.sub(b"", content) if name == "docProps/core.xml" else content
            target.writestr(zipfile.ZipInfo(name), plain, zipfile.ZIP_DEFLATED)
