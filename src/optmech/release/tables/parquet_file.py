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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

# What is in memory at a time, several times over. Fewer rows are read than written at a time: how long texts
# are is not known before.
_MOST_READ, _MOST_BYTES = 1 << 18, 1 << 26
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

    def text(self, responses: pa.Array, further: Sequence[pa.Array] = ()) -> pa.Buffer:
        """Return the rows as CSV, with these answers, and with further columns right behind them."""
        kinds = {f"{place}": array.type for place, array in enumerate(further)}
        schema = _schema(self.rows.schema, self.column, responses.type, kinds)
        return csv_text(self.batch(responses, schema, further))

    def batch(
        self, responses: pa.Array, schema: pa.Schema, further: Sequence[pa.Array] = ()
    ) -> pa.RecordBatch:
        """Return the rows with these answers and further columns, all others as they are."""
        columns = list(self.rows.columns)
        columns[self.column : self.column + 1] = [responses, *further]
        return pa.RecordBatch.from_arrays(columns, schema=schema)


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
    def head(self) -> bytes:
        """The first row, where the table becomes CSV; FileFormatError if CSV has no cells for a column."""
        for field in self._schema:
            kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
                message = (
                    f"`{self.path}` must have one text in each cell to become CSV; got {field.type} in "
                    f"column {field.name}. Write Parquet, or leave the column out."
                )
                raise FileFormatError(message)
        return csv_head(self._schema)

    @property
    def codec(self) -> str:
        """How the file is compressed."""
        metadata = self._file.metadata
        if not metadata.num_row_groups or not metadata.num_columns:
            return "snappy"
        codec = metadata.row_group(0).column(0).compression.lower()
        return {"uncompressed": "none", "lz4_raw": "lz4"}.get(codec, str(codec))

    def head_with(self, further: Sequence[str]) -> bytes:
        """Return the first row with the names of further columns right behind the answers."""
        own = self.head  # refuses what CSV has no cells for
        return own if not further else csv_head(self.schema(self.type, dict.fromkeys(further, self.type)))

    def schema(self, kind: pa.DataType, further: Mapping[str, pa.DataType] | None = None) -> pa.Schema:
        """Return the schema with answers of type `kind` and further columns, and all that is told with it."""
        return _schema(self._schema, self._column, kind, further or {})

    def parts(self) -> Iterator[ParquetPart]:
        """Yield the rows, in order, none of them of two row groups."""
        metadata = self._file.metadata
        for group in range(metadata.num_row_groups):
            rows, size = metadata.row_group(group).num_rows, metadata.row_group(group).total_byte_size
            most = max(1, min(_MOST_READ, _MOST_BYTES * rows // max(1, size)))
            before = None
            with readable(self.path, "Parquet file"):
                batches = self._file.iter_batches(batch_size=most, row_groups=[group])
            while True:
                with readable(self.path, "Parquet file"):
                    batch = next(batches, None)
                if batch is None:
                    break
                if before is not None:
                    yield before
                before = ParquetPart(rows=batch, column=self._column, by=self._by, before=self.position)
                self.position += batch.num_rows
            if before is not None:
                yield replace(before, ends_group=True)


def _schema(
    schema: pa.Schema, column: int, kind: pa.DataType, further: Mapping[str, pa.DataType]
) -> pa.Schema:
    """Return a schema with another type of a column, and further columns right behind it."""
    new_schema = schema.set(column, schema.field(column).with_type(kind))
    for place, field in enumerate(further.items(), column + 1):
        new_schema = new_schema.insert(place, pa.field(*field))
    return new_schema
