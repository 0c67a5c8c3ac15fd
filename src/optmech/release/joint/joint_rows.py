"""Write a released table: a row for each number, or a crosstab."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from itertools import product
from math import prod, sqrt
from typing import IO, TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from optmech.base.errors import ProblemError
from optmech.base.number_format import at_most
from optmech.release.joint.joint_cells import ALL
from optmech.release.tables.csv_file import csv_cells
from optmech.release.tables.files import is_parquet
from optmech.release.tables.truths import is_text
from optmech.release.tables.workbook import is_workbook, to_workbook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from os import PathLike
    from pathlib import Path

    from optmech.base.arrays import Integers
    from optmech.question.tables.margins import Axes

ERROR = "standard_error"
_SAFE, _DIGITS, _ROWS = 1 + 1e-12, 6, 1 << 16


def error_text(variance: Fraction) -> str:
    """Return a standard error, rounded up.

    >>> from fractions import Fraction
    >>> error_text(Fraction(24))
    '4.89898'
    """
    return at_most(sqrt(float(variance)) * _SAFE, _DIGITS)


def rows_of(
    names: Sequence[str],
    categories: Sequence[Sequence[str]],
    column: str,
    released: Mapping[Axes, Integers],
    variances: Mapping[Axes, Fraction] | None,
) -> pa.Table:
    """Return a row for each number: larger margins first, the total last."""
    tables = []
    for margin in reversed(tuple(released)):
        numbers = released[margin]
        at = np.indices(numbers.shape).reshape(numbers.ndim, numbers.size)
        places = {axis: place for place, axis in enumerate(sorted(margin))}
        columns = [
            pa.array(known, pa.string()).take(pa.array(at[places[axis]]))
            if axis in places
            else pa.array([ALL], pa.string()).take(pa.array(np.zeros(numbers.size, np.int64)))
            for axis, known in enumerate(categories)
        ]
        columns.append(pa.array(numbers.ravel().astype(np.int64)))
        if variances is not None:
            columns.append(pa.array([float(error_text(variances[margin]))] * numbers.size))
        tables.append(pa.table(columns, names=[*names, column, *([] if variances is None else [ERROR])]))
    return pa.concat_tables(tables)


def crosstab_of(
    names: Sequence[str], categories: Sequence[Sequence[str]], column: str, released: Mapping[Axes, Integers]
) -> pa.Table:
    """Return a crosstab: the last axis goes across, and cells that are not published are empty."""
    if not names:
        return rows_of(names, categories, column, released, None)
    *down, across = ([*known, ALL] for known in categories)
    if set(across) & set(names[:-1]):
        message = f"`--wide` must be left out: a category of {names[-1]} is called as an axis is."
        raise ProblemError(message)
    shape = tuple(map(len, (*down, across)))
    table, is_there = np.zeros(shape, np.int64), np.zeros(shape, dtype=bool)
    for margin, numbers in released.items():
        at = tuple(slice(-1) if axis in margin else -1 for axis in range(len(shape)))
        table[at], is_there[at] = numbers, True
    shown = is_there.reshape(prod(shape[:-1]), -1).any(axis=1)
    keys = list(zip(*product(*down), strict=True)) if down else []
    columns = [pa.array(key, pa.string()).filter(pa.array(shown)) for key in keys]
    for values, known in zip(*(each.reshape(-1, shape[-1]).T for each in (table, is_there)), strict=True):
        columns.append(pa.array(values, mask=~known).filter(pa.array(shown)))
    return pa.table(columns, names=[*names[:-1], *across])


def write_rows(table: pa.Table, file: Path, out: str | PathLike[str]) -> None:
    """Write a table into a file, in the format of `out`'s suffix."""
    if is_parquet(out):
        pyarrow.parquet.write_table(table, file)
        return
    with ExitStack() as files:
        text: IO[bytes] = files.enter_context(file.open("wb"))
        if str(out).lower().endswith(".gz"):  # without the name and the time of a temporary file
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=text, mtime=0)
            text = cast("IO[bytes]", files.enter_context(packed))
        text.write(_lines([pa.array([name]) for name in table.column_names]))
        for batch in table.to_batches(max_chunksize=_ROWS):
            text.write(_lines(batch.columns))
    if is_workbook(out):
        to_workbook(file)


def _lines(columns: Sequence[pa.Array]) -> bytes:
    """Return rows as CSV, with quotes only where needed."""
    cells = [
        csv_cells(column) if is_text(column.type) else column.cast(pa.string()).fill_null("")
        for column in columns
    ]
    joined = pc.binary_join_element_wise(*cells, ",") if len(cells) > 1 else cells[0]
    rows = pc.binary_join_element_wise(joined, "\n", "")
    return "".join(rows.to_pylist()).encode()
