"""Read and write a mechanism matrix as CSV, in the layout of the papers' tables.

::

    response,0,1,2          first row: the truths
    0,0.5,0.25,0.25         first column: the responses
    1,0.25,0.5,0.25

Truths that are not numbers are positions, and a line above the table has their labels::

    # labels,red,green,blue

Probabilities are the shortest decimals that read back to the same doubles. Other lines that begin with ``#``
are comments.
"""

from __future__ import annotations

import csv
import io
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from optmech.base.arguments import items, need_path, need_text, takes
from optmech.base.errors import FileFormatError, ProblemError, unreadable
from optmech.base.numbers import as_text, exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from optmech.base.arrays import Floats

    Numbers = tuple[Fraction, ...]

Number = TypeVar("Number", float, Fraction)

_CORNER, _LABELS = "response", "# labels"


def matrix_text(
    responses: Numbers,
    truths: Numbers,
    matrix: Floats,
    comments: Iterable[str] = (),
    *,
    labels: Iterable[str] = (),
) -> str:
    """Return the CSV text of a matrix, each comment a separate line before it, then the labels."""
    text = io.StringIO()
    for comment in items(comments, "comments", "a list of texts"):
        need_text(comment, "comments")
        line = f"# {' '.join(comment.split())}\n"
        text.write(line.replace("# ", "#", 1) if line.startswith(f"{_LABELS},") else line)
    writer = csv.writer(text, lineterminator="\n")
    if names := [*labels]:
        writer.writerow([_LABELS, *names])
    writer.writerow([_CORNER, *map(as_text, truths)])
    for response, row in zip(responses, matrix.tolist(), strict=True):
        writer.writerow([as_text(response), *map(repr, row)])
    return text.getvalue()


@takes(path=need_path)
def read_matrix(
    path: str | PathLike[str], sum_rounding: float
) -> tuple[Numbers, Numbers, Floats, tuple[str, ...]]:
    """Return the responses, the truths, the matrix and the labels, if any, of a CSV file.

    FileFormatError: the file cannot be read, is ragged, holds a cell that is no probability, has a column
    that does not sum to one within `sum_rounding`, or has another number of labels than truths.
    """
    responses, truths, rows, labels = _table(path, sum_rounding, _probability)
    return responses, truths, np.array(rows), labels


@takes(path=need_path)
def read_fractions(
    path: str | PathLike[str], sum_rounding: float
) -> tuple[Numbers, Numbers, list[list[Fraction]], tuple[str, ...]]:
    """Return the same as `read_matrix` with exact probabilities as written: ``1/3`` is one third."""
    return _table(path, sum_rounding, _fraction)


def _table(
    path: str | PathLike[str], sum_rounding: float, of_cell: Callable[[str, str | PathLike[str], int], Number]
) -> tuple[Numbers, Numbers, list[list[Number]], tuple[str, ...]]:
    """Return the responses, truths, rows of cells read by `of_cell`, and labels."""
    lines, labels = _lines(path)
    if len(lines) < 2:  # noqa: PLR2004 - the truths and one response
        raise _refusal(path, "must have a row of truths and at least one response", f"{len(lines)} rows")
    (first, header), *body = lines
    if len(header) < 2:  # noqa: PLR2004 - a corner and one truth
        raise _refusal(
            path,
            "must name at least one truth in its first row, cells separated by commas",
            repr(",".join(header)),
            first,
        )
    truths = tuple(_number(cell, path, first) for cell in header[1:])
    responses, rows = [], []
    for number, cells in body:
        if len(cells) != len(header):
            raise _refusal(path, f"must have {len(header)} cells in each row", f"{len(cells)}", number)
        responses.append(_number(cells[0], path, number))
        rows.append([of_cell(cell, path, number) for cell in cells[1:]])
    for name, values in (("truths", truths), ("responses", responses)):
        if any(low >= high for low, high in pairwise(values)):
            raise _refusal(path, f"must list its {name} in increasing order", "another order")
    sums = np.array(rows, dtype=float).sum(axis=0)
    worst = int(np.argmax(np.abs(sums - 1.0)))
    if abs(sums[worst] - 1.0) > sum_rounding:
        rule = f"must have columns that sum to one within {sum_rounding:g}"
        raise _refusal(path, rule, f"{float(sums[worst])!r} for truth {as_text(truths[worst])}")
    if labels and not len(set(labels)) == len(labels) == len(truths) == len(responses):
        each = f"one for each of {len(truths)} truths and {len(responses)} responses"
        raise _refusal(path, f"must have different labels, {each}", f"{len(labels)}")
    return tuple(responses), truths, rows, labels


def is_as_written(path: str | PathLike[str], text: str) -> bool:
    """Whether a file has exactly the lines of `matrix_text`, apart from comments.

    No byte order mark, no blank line, no other spelling of a number; the last line feed and the line of
    labels may be missing. FileFormatError: the file cannot be read.
    """
    try:
        lines = Path(path).read_bytes().decode().removesuffix("\n").split("\n")
    except OSError as error:
        raise unreadable(path, error) from None
    except UnicodeDecodeError:
        return False
    entries_of_file = [line for line in lines if not _is_comment(line)]
    entries_of_matrix = [line for line in text.removesuffix("\n").split("\n") if not _is_comment(line)]
    labels = [line for line in entries_of_matrix if line.startswith(f"{_LABELS},")]
    table = [line for line in entries_of_matrix if line not in labels]
    return [line for line in entries_of_file if line not in labels] == table


def _is_comment(line: str) -> bool:
    return line.startswith("#") and not line.startswith(f"{_LABELS},")


def _lines(path: str | PathLike[str]) -> tuple[list[tuple[int, list[str]]], tuple[str, ...]]:
    """Return the numbered rows of the table, and the labels above it."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        # A quotation mark in a comment must not open a cell, so comments are blanked before cells are read.
        rows = csv.reader(("\n" if _is_comment(line) else line for line in io.StringIO(text)), strict=True)
        lines = [(rows.line_num, row) for row in rows if row]
        labels = next((tuple(row[1:]) for _, row in lines if row[0] == _LABELS), ())
        return [(line, row) for line, row in lines if not row[0].startswith("#")], labels
    except OSError as error:
        raise unreadable(path, error) from None
    except (ValueError, csv.Error) as error:
        raise _refusal(path, "must be CSV text in UTF-8", str(error)) from None


def _number(cell: str, path: str | PathLike[str], line: int) -> Fraction:
    try:
        return exact(cell.strip(), "cell")
    except ProblemError:
        raise _refusal(path, "must name truths and responses by numbers", repr(cell), line) from None


def _probability(cell: str, path: str | PathLike[str], line: int) -> float:
    try:
        value = math.nan if "_" in cell or not cell.isascii() else float(cell)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise _refusal(path, "must hold probabilities, finite and zero or more", repr(cell), line)
    return value


def _fraction(cell: str, path: str | PathLike[str], line: int) -> Fraction:
    try:
        value = exact(cell.strip(), "cell")
    except ProblemError:
        value = Fraction(-1)
    if value < 0:
        raise _refusal(path, "must hold probabilities, finite and zero or more", repr(cell), line)
    return value


def _refusal(path: str | PathLike[str], rule: str, value: str, line: int | None = None) -> FileFormatError:
    where = "" if line is None else f" in line {line}"
    return FileFormatError(f"`{path}` {rule}; got {value}{where}.")
