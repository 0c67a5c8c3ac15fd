"""Read and write Parquet files, a row group or a part of one at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from optmech.base.errors import FileFormatError
from optmech.release.tables.cells import cut
from optmech.release.tables.csv_file import TextRows, csv_text
from optmech.release.tables.part import Part, index_of, index_of_key, readable
from optmech.release.tables.public_view import PublicRows, PublicView, public_column
from optmech.release.tables.truths import computable, is_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from numpy.typing import NDArray

    from optmech.release.tables.public_view import Mask

# Limits of the rows in memory, which are held in several copies. Parts that are read are smaller than those
# written, because the length of texts is unknown before.
_MOST_READ, _MOST_ROWS, _MOST_BYTES = 1 << 18, 1 << 20, 1 << 26
_FEW_ROWS = 1 << 14
_READ_AHEAD = 1 << 20
_BYTES_OF_LENGTH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetPart(Part):
    """Some rows of a Parquet file, and the number of rows before them."""

    rows: pa.RecordBatch
    before: int

    def cells(self, index: int) -> pa.Array:
        """Return a column, by its index."""
        return computable(self.rows.column(index))

    def location(self, row: int) -> str:
        """Return the location of an answer, for messages."""
        return f"row {self.before + row + 1}"

    def public(self, mask: Mask | None = None) -> ArrowRows:
        """Return the public columns in the rows of a mask, or in all rows."""
        public = [*self.rows.columns[: self.column], *self.rows.columns[self.last_taken + 1 :]]
        return ArrowRows(columns=tuple(public_column(column, mask) for column in public), index=self.column)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowRows(PublicRows):
    """Some rows of the public columns in Arrow; drawn columns are inserted before column `index`."""

    columns: tuple[pa.Array, ...]
    index: int

    def text(self, drawn: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV, each ended by a line feed."""
        text = csv_text(self._with([pa.nulls(len(drawn[0]), pa.int8())]))
        rows, _ = cut(text, len(self.columns) + 1, 1, "rows")
        before, behind = rows.around(self.index)
        return TextRows(before=before, behind=behind, quoted=rows.quoted).text(drawn)

    def batch(self, drawn: Sequence[pa.Array], view: PublicView) -> pa.RecordBatch:
        """Return the rows with the columns of a view."""
        return pa.RecordBatch.from_arrays(self._with(drawn), schema=view.schema)

    def _with(self, drawn: Sequence[pa.Array]) -> list[pa.Array]:
        return [*self.columns[: self.index], *drawn, *self.columns[self.index :]]


class ParquetReader(AbstractContextManager["ParquetReader"]):
    """A Parquet file with answers in `column` and groups in `by`; FileFormatError if it cannot be read."""

    def __init__(
        self, path: str | PathLike[str], column: str, by: str | None = None, key: str | None = None
    ) -> None:
        self.path, self.column, self.by = str(path), column, by
        with readable(self.path, "Parquet file"):
            self._file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_AHEAD)
        self._schema = self._file.schema_arrow
        try:
            self._column = index_of(self._schema.names, column, self.path)
            self._by = None if by is None else index_of(self._schema.names, by, self.path)
            self._key = index_of_key(self._schema.names, column, key, self.path)
        except FileFormatError:
            self._file.close()
            raise
        self.type = self._schema.field(self._column).type
        self.total, self.position = self._file.metadata.num_rows, 0

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._schema.names)

    def view(self, drawn: Mapping[str, pa.DataType]) -> PublicView:
        """Return the columns of the table with these in place of the answers."""
        return PublicView.of(self._schema, self._column, drawn, last=self._key)

    def parts(self) -> Iterator[ParquetPart]:
        """Yield the rows, in order, none of them of two row groups."""
        metadata = self._file.metadata
        for group in range(metadata.num_row_groups):
            rows, size = metadata.row_group(group).num_rows, metadata.row_group(group).total_byte_size
            most = max(1, min(_MOST_READ, _MOST_BYTES * rows // max(1, size)))
            with readable(self.path, "Parquet file"):
                batches = self._file.iter_batches(batch_size=most, row_groups=[group])
            end = self.position + rows
            while self.position < end:
                with readable(self.path, "Parquet file"):
                    batch = next(batches)
                before = self.position
                self.position += batch.num_rows
                yield ParquetPart(rows=batch, column=self._column, by=self._by, key=self._key, before=before)


class ParquetWriter(AbstractContextManager["ParquetWriter"]):
    """A Parquet file to be written.

    A row group ends with the row that makes it `_MOST_ROWS` rows or `_MOST_BYTES` bytes of values. It must
    not depend on the ends of written parts, which reveal rows that were left out.
    """

    def __init__(self, path: Path, view: PublicView) -> None:
        self._view, self._schema = view, view.schema
        self._file = pyarrow.parquet.ParquetWriter(path, self._schema, compression="snappy")
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0
        self._few: list[pa.RecordBatch] = []

    def write(self, rows: PublicRows, drawn: Sequence[pa.Array]) -> None:
        """Write rows with these columns in place of the answers."""
        self._few.append(rows.batch(drawn, self._view))
        if sum(batch.num_rows for batch in self._few) >= min(_FEW_ROWS, _MOST_ROWS):
            self._collect()

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._collect()
                self._flush()
        finally:
            self._file.close()

    def _collect(self) -> None:
        """Add written rows to the open row group, and close full ones."""
        if not self._few:
            return
        batch = _one_batch(self._few, self._schema)
        self._few = []
        sizes = np.sum([row_bytes(column) for column in batch.columns], axis=0)
        while batch.num_rows:
            ends = np.cumsum(sizes) + self._bytes
            length = min(_MOST_ROWS - self._rows, int(np.searchsorted(ends, _MOST_BYTES)) + 1, batch.num_rows)
            self._waiting.append(batch.slice(0, length))
            self._rows, self._bytes = self._rows + length, int(ends[length - 1])
            batch, sizes = batch.slice(length), sizes[length:]
            if self._rows == _MOST_ROWS or self._bytes >= _MOST_BYTES:
                self._flush()

    def _flush(self) -> None:
        if self._waiting:  # as one piece: pages end where pieces do
            self._file.write_batch(_one_batch(self._waiting, self._schema), row_group_size=1 << 26)
        self._waiting, self._rows, self._bytes = [], 0, 0


def _one_batch(batches: list[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    columns = [pa.concat_arrays([batch.column(index) for batch in batches]) for index in range(len(schema))]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def row_bytes(column: pa.Array) -> NDArray[np.int64]:
    """Return the number of bytes of each row's value, which depends on the value alone.

    >>> row_bytes(pa.array(["town", None, ""])).tolist(), row_bytes(pa.array([[1, 2], None])).tolist()
    ([8, 4, 4], [20, 4])
    """
    kind = column.type
    if pa.types.is_struct(kind):
        return sum((row_bytes(part) for part in column.flatten()), start=np.zeros(len(column), np.int64))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        ends = np.cumsum(_filled(pc.list_value_length(column)))
        totals = np.concatenate([[0], np.cumsum(row_bytes(column.flatten()))])
        return np.diff(totals[ends], prepend=0) + _BYTES_OF_LENGTH
    if pa.types.is_map(kind):
        pairs = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        return row_bytes(column.cast(pa.list_(pairs)))
    if is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return _filled(pc.binary_length(column)) + _BYTES_OF_LENGTH
    try:
        width = max(kind.bit_width // 8, 1)
    except ValueError:  # of no fixed width
        width = _BYTES_OF_LENGTH
    return np.full(len(column), width, np.int64)


def _filled(lengths: pa.Array) -> NDArray[np.int64]:
    result: NDArray[np.int64] = pc.fill_null(lengths, 0).cast(pa.int64()).to_numpy()
    return result
