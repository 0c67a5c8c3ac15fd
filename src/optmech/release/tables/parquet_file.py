"""Parquet files, a row group or a part of one at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from optmech.base.errors import FileFormatError
from optmech.release.tables.csv_file import csv_head, csv_text
from optmech.release.tables.drop_zero import plain_rows
from optmech.release.tables.part import Part, place_of, readable
from optmech.release.tables.schemas import released_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

# What is in memory at a time, several times over. Fewer rows are read than written at a time: how long texts
# are is not known before.
_MOST_READ, _MOST_ROWS, _MOST_BYTES = 1 << 18, 1 << 20, 1 << 26
_EVEN_ROWS = 1 << 16
_READ_AHEAD = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetPart(Part):
    """Some rows of a Parquet file, and how many are before them."""

    rows: pa.RecordBatch
    before: int

    def cells(self, place: int) -> pa.Array:
        """Return a column, by its place."""
        return self.rows.column(place)

    def place(self, row: int) -> str:
        """Say where an answer stands."""
        return f"row {self.before + row + 1}"

    def only(self, mask: NDArray[np.bool_]) -> ParquetPart:
        """Return some of the rows, of no row group."""
        return replace(self, rows=plain_rows(self.rows, mask), ends_group=False)

    def text(self, columns: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV, with these columns in the place of the answers."""
        kinds = {f"{place}": array.type for place, array in enumerate(columns)}
        return csv_text(self.batch(columns, released_schema(self.rows.schema, self.column, kinds)))

    def batch(self, columns: Sequence[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
        """Return the rows with these columns in the place of the answers, all others as they are."""
        every = list(self.rows.columns)
        every[self.column : self.column + 1] = columns
        return pa.RecordBatch.from_arrays(every, schema=schema)


class ParquetReader(AbstractContextManager["ParquetReader"]):
    """A Parquet file with answers in `column` and groups in `by`; FileFormatError if it cannot be read."""

    def __init__(self, path: str | PathLike[str], column: str, by: str | None = None) -> None:
        self.path, self.column, self.by = str(path), column, by
        with readable(self.path, "Parquet file"):
            self._file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_AHEAD)
        self._schema = self._file.schema_arrow
        try:
            self._column = place_of(self._schema.names, column, self.path)
            self._by = None if by is None else place_of(self._schema.names, by, self.path)
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

    @property
    def codec(self) -> str:
        """How the file is compressed."""
        metadata = self._file.metadata
        if not metadata.num_row_groups or not metadata.num_columns:
            return "snappy"
        codec = metadata.row_group(0).column(0).compression.lower()
        return {"uncompressed": "none", "lz4_raw": "lz4"}.get(codec, str(codec))

    def head_with(self, names: Sequence[str]) -> bytes:
        """Return the first row of CSV, with these names in the place of that of the answers.

        FileFormatError if CSV has no cells for a column.
        """
        for field in self._schema:
            kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
                message = (
                    f"`{self.path}` must have one text in each cell to become CSV; got {field.type} in "
                    f"column {field.name}. Write Parquet, or leave the column out."
                )
                raise FileFormatError(message)
        return csv_head(self.schema(dict.fromkeys(names, self.type)))

    def schema(self, kinds: Mapping[str, pa.DataType]) -> pa.Schema:
        """Return the schema, with columns of these types in the place of the answers."""
        return released_schema(self._schema, self._column, kinds)

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
                ends = self.position == end
                yield ParquetPart(
                    rows=batch, column=self._column, by=self._by, before=before, ends_group=ends
                )


class ParquetWriter(AbstractContextManager["ParquetWriter"]):
    """A Parquet file to be written. Row groups end where those read do, or after so many rows or bytes.

    With `even` each but the last has the same number of rows, wherever the parts that are written end: those
    have rows that were left out, and may not show how many.
    """

    def __init__(self, path: Path, schema: pa.Schema, codec: str, *, even: bool = False) -> None:
        self._file = pyarrow.parquet.ParquetWriter(path, schema, compression=codec)
        self._schema, self._even = schema, even
        self._waiting: list[pa.RecordBatch] = []

    def write(self, part: Part, columns: Sequence[pa.Array]) -> None:
        """Write the rows of a part with these columns in the place of the answers."""
        self._waiting.append(part.batch(columns, self._schema))
        rows, size = (sum(getattr(batch, name) for batch in self._waiting) for name in ("num_rows", "nbytes"))
        if self._even:
            for _ in range(rows // _EVEN_ROWS):
                self._flush(_EVEN_ROWS)
        elif part.ends_group or rows >= _MOST_ROWS or size >= _MOST_BYTES:
            self._flush(rows)

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush(sum(batch.num_rows for batch in self._waiting))
        finally:
            self._file.close()

    def _flush(self, rows: int) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting, self._schema)
            group = table.slice(0, rows)
            if self._even:  # else pages end where pieces do
                group = group.combine_chunks()
            self._file.write_table(group, row_group_size=1 << 26)
            self._waiting = table.slice(rows).to_batches()
