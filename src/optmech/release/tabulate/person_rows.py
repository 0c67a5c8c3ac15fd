"""Read columns of a file or a frame as text, in batches, to compare people and groups."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from optmech.base.errors import FileFormatError, ProblemError, broken_rule, unreadable
from optmech.base.extras import package
from optmech.release.tables.csv_rows import CsvRows, remedy_of_names
from optmech.release.tables.dialect import CsvFile
from optmech.release.tables.files import is_parquet
from optmech.release.tables.frame_in_memory import column_of, package_of
from optmech.release.tables.other_programs import OF_STATISTICS
from optmech.release.tables.part import check_no_folder, index_of, readable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from optmech.release.tables.cells import CellRows
    from optmech.release.tabulate.conditions import Condition

_ROWS = 1 << 18
_READ_AHEAD = 1 << 20
# More rows than a file has.
_MOST_OF_PART = 1 << 48
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_KINDS_OF_NAMES = (
    *_TEXTS,
    *(pa.types.is_integer, pa.types.is_boolean, pa.types.is_date, pa.types.is_null),
)
_KINDS_OF_NUMBERS = (
    *_TEXTS,
    *(pa.types.is_integer, pa.types.is_null, pa.types.is_floating, pa.types.is_decimal),
    *(pa.types.is_boolean, pa.types.is_date, lambda kind: pa.types.is_timestamp(kind) and kind.tz is None),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRows:
    """Some rows of a table, `size` of them, with the text of each column.

    `cells` has the lines of a file, and `decimal` is its decimal mark. `at` has the index of each row among
    those that were read, where some were left out. `part` names a file of several, which
    `before` orders.
    """

    texts: list[pa.Array]
    size: int
    first: int
    cells: CellRows | None = None
    decimal: str = "."
    at: NDArray[np.int64] | None = None
    before: int = 0
    part: str = ""

    def __len__(self) -> int:
        return self.size

    def position(self, row: int) -> int:
        """Return a number that orders the rows of a table."""
        return self.before + self.first + self._local(row)

    def _local(self, row: int) -> int:
        return row if self.at is None else int(self.at[row])

    def location(self, row: int) -> str:
        """Return the location of a row, counted from 0 here, for messages."""
        if self.cells is None:
            return f"row {self.first + self._local(row) + 1}{self.part}"
        return f"line {self.cells.line(self._local(row), 0)}{self.part}"


class NamedColumns:
    """Names of columns that are read as text; those in `numbers` may also have fractions, or times.

    Rows are those where all conditions `where` hold; their columns are read as well.
    """

    def __init__(
        self, names: Sequence[str], numbers: Collection[str] = (), where: Sequence[Condition] = ()
    ) -> None:
        self.names, self.where = tuple(names), tuple(where)
        conditions = [one.column for one in where]
        self.every = tuple(dict.fromkeys((*names, *conditions)))
        self.numbers = frozenset((*numbers, *(name for name in conditions if name not in self.names)))

    def chosen(self, rows: RecordRows, source: str | None) -> RecordRows:
        """Return the rows where all conditions hold, without the columns of conditions alone."""
        texts = rows.texts[: len(self.names)]
        if not self.where:
            return replace(rows, texts=texts)
        places = np.arange(len(rows))
        for one in self.where:
            cells = rows.texts[self.every.index(one.column)].take(pa.array(places))
            at = replace(rows, at=places)
            places = places[
                one.holds(cells, rows.decimal, at.location, source).to_numpy(zero_copy_only=False)
            ]
        return replace(
            rows, texts=[text.take(pa.array(places)) for text in texts], size=len(places), at=places
        )

    def text(self, column: pa.Array, where: object, name: str) -> pa.Array:
        """Return a column as text; ProblemError or FileFormatError for another type or other bytes."""
        self.check(column.type, where, name)
        plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        text = plain.cast(pa.string())
        try:
            text.validate(full=True)
        except pa.ArrowInvalid:
            message = f"`{where}` must have text of UTF-8 in column {name}; got other bytes. Decode it first."
            raise (ProblemError if where in {"table", "groups"} else FileFormatError)(message) from None
        return text

    def check(self, kind: pa.DataType, where: object, name: str) -> None:
        """Refuse a type whose text is not unique: ProblemError or FileFormatError."""
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        if name in self.numbers:
            kinds, allowed = [*_KINDS_OF_NUMBERS], "numbers or dates, or text of them,"
        else:
            kinds, allowed = [*_KINDS_OF_NAMES], "text, whole numbers or dates"
        if not any(is_kind(plain) for is_kind in kinds):
            message = f"`{where}` must have {allowed} in column {name}; got {kind}. Cast it first."
            raise (ProblemError if where in {"table", "groups"} else FileFormatError)(message)


def texts_of(table: Any, columns: NamedColumns) -> Iterator[RecordRows]:  # noqa: ANN401 - a path or a frame
    """Yield these columns of a file or a frame in memory as text, some rows at a time."""
    if isinstance(table, (str, os.PathLike)):
        yield from texts_of_file(table, columns)
        return
    arrays = frame_texts(table, columns, "table")
    size = len(arrays[0]) if arrays else len(table)
    for start in range(0, size, _ROWS):
        texts = [array.slice(start, _ROWS) for array in arrays]
        rows = RecordRows(texts=texts, size=min(_ROWS, size - start), first=start)
        yield columns.chosen(rows, None)


def texts_in_order(table: Any, columns: NamedColumns) -> Iterator[RecordRows]:  # noqa: ANN401 - as above
    """Yield the same, also for a Dask frame, one part after the other."""
    if package_of(table) != "dask":
        yield from texts_of(table, columns)
        return
    read = 0
    for part in dask_columns(table, columns.every).partitions:
        frame = part.compute()
        for rows in texts_of(frame, columns):
            yield replace(rows, first=read + rows.first)
        read += len(frame)


def frame_texts(frame: Any, columns: NamedColumns, name: str) -> list[pa.Array]:  # noqa: ANN401 - of several packages
    """Return columns of a frame in memory as text."""
    return [columns.text(column_of(frame, column), name, column) for column in columns.every]


def names_in_file(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the names of the columns of a file."""
    path = CsvFile.of(path).parts()[0]
    _check_file(path)
    if is_parquet(path):
        with readable(path, "table"), _parquet(path) as file:
            return tuple(file.schema_arrow.names)
    with CsvRows(path) as rows:
        return rows.header


def check_names(path: str | PathLike[str], names: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse columns that are not among the names in a file, or that stand there twice."""
    for column in columns:
        index_of(names, column, str(path), remedy_of_names(names))


def texts_of_file(path: str | PathLike[str], columns: NamedColumns) -> Iterator[RecordRows]:
    """Yield the rows of these columns of a file as text, or of a folder of parts, one after the other.

    An empty cell of CSV is an empty text.
    """
    parts = CsvFile.of(path).parts()
    for number, part in enumerate(parts):
        name = f" of {Path(part).name}" if len(parts) > 1 else ""
        for rows in _texts_of_part(part, columns):
            yield replace(rows, before=number * _MOST_OF_PART, part=name)


def _texts_of_part(path: str | PathLike[str], columns: NamedColumns) -> Iterator[RecordRows]:
    _check_file(path)
    if not is_parquet(path):
        with CsvRows(path) as file:
            indices = [file.index_of(name) for name in columns.every]
            read = 0
            for rows in file.blocks():
                texts = [rows.cells(index).dictionary_decode() for index in indices]
                read_rows = RecordRows(
                    texts=texts, size=len(rows), first=read, cells=rows, decimal=file.text.decimal
                )
                yield columns.chosen(read_rows, str(path))
                read += len(rows)
        return
    with readable(path, "table"), _parquet(path) as file:
        schema, read = file.schema_arrow, 0
        for name in columns.every:
            index_of(schema.names, name, str(path))
            columns.check(schema.field(name).type, path, name)
        for batch in file.iter_batches(batch_size=_ROWS, columns=list(columns.every)):
            texts = [columns.text(batch.column(name), path, name) for name in columns.every]
            yield columns.chosen(RecordRows(texts=texts, size=len(batch), first=read), str(path))
            read += len(batch)


def dask_columns(frame: Any, columns: Sequence[str]) -> Any:  # noqa: ANN401 - Dask has no types
    """Return columns of a frame of Dask."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    if not isinstance(frame, dask.DataFrame):
        raise broken_rule("table", "be a DataFrame of Dask", type(frame).__name__)
    for name in columns:
        index_of(list(map(str, frame.columns)), name, "table", error=ProblemError)
    return frame[list(columns)]


def _check_file(path: str | PathLike[str]) -> None:
    """Refuse a file of another kind, or that cannot be opened, with the operating system's reason."""
    check_no_folder(path)
    CsvFile.of(path).check_text(is_text=not is_parquet(path))
    if not (is_parquet(path) or str(path).lower().endswith((".csv", ".csv.gz", ".xlsx", *OF_STATISTICS))):
        message = f"`{path}` must end in .csv, .csv.gz, .parquet or .xlsx, which says what it is."
        raise FileFormatError(message)
    if not Path(path).is_file():
        try:
            Path(path).open("rb").close()
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from None


def _parquet(path: str | PathLike[str]) -> pyarrow.parquet.ParquetFile:
    return pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_AHEAD)
