"""A table with a column of true answers, as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.errors import FileFormatError, ProblemError
from optmech.files.whole import read_text
from optmech.problem.numbers import as_text, exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from os import PathLike

__all__ = ["Table", "read_table", "table_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a table, and which column holds the answers.

    Attributes
    ----------
    path : str
        Where it is from.
    header : list of str
        Names of the columns.
    rows : list of list of str
        Cells as they stand.
    lines : list of int
        Where each row stands in the file.
    column : int
        Position of the answers.
    """

    path: str
    header: list[str]
    rows: list[list[str]]
    lines: list[int]
    column: int

    def checked(self, truths: Sequence[Fraction], labels: Sequence[str] = ()) -> list[Fraction] | list[str]:
        """Return the answers, each among `truths`, or all of them among `labels`.

        Raises
        ------
        FileFormatError
            If one is no number or none of them; nothing is released then.
        """
        cells = [row[self.column].strip() for row in self.rows]
        if set(cells) <= set(labels):
            return cells
        known, answers = set(truths), []
        for line, row in zip(self.lines, self.rows, strict=True):
            try:
                answer = exact(row[self.column].strip(), "answer")
            except ProblemError:
                answer = None
            if answer not in known or answer is None:
                among = ", ".join(labels) or f"{as_text(truths[0])}..{as_text(truths[-1])}"
                remedy = "All of them or none are labels." if labels else "Round or clamp it first."
                message = (
                    f"`{self.path}` must hold answers among {among} in column {self.header[self.column]}; "
                    f"got {row[self.column]!r} in line {line}. {remedy}"
                )
                raise FileFormatError(message)
            answers.append(answer)
        return answers


def read_table(path: str | PathLike[str], column: str) -> Table:
    """Return the table of a CSV file whose first row names the columns.

    Raises
    ------
    FileFormatError
        If the file cannot be read, is ragged or has no such column.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        numbered = [(reader.line_num, row) for row in reader if row]
    except csv.Error as trouble:
        message = f"`{path}` must be CSV text; got: {trouble}."
        raise FileFormatError(message) from None
    if not numbered:
        message = f"`{path}` must have a first row with the names of its columns; it is empty."
        raise FileFormatError(message)
    (_, header), *body = numbered
    if header.count(column) != 1:
        message = f"`{path}` must have one column {column!r}; it has {', '.join(header)}."
        raise FileFormatError(message)
    for line, row in body:
        if len(row) != len(header):
            message = f"`{path}` must have {len(header)} cells in each row; got {len(row)} in line {line}."
            raise FileFormatError(message)
    return Table(
        path=str(path),
        header=header,
        rows=[row for _, row in body],
        lines=[line for line, _ in body],
        column=header.index(column),
    )


def table_text(table: Table, answers: Sequence[str]) -> str:
    """Return the table as CSV with `answers` in the place of the true ones."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.header)
    for row, answer in zip(table.rows, answers, strict=True):
        writer.writerow([*row[: table.column], answer, *row[table.column + 1 :]])
    return text.getvalue()
