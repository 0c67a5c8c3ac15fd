"""A released table written: draws in the place of the answers, the ends of their intervals beside them."""

from __future__ import annotations

import gzip
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.parquet

from optmech.base.errors import FileFormatError
from optmech.base.numbers import as_text
from optmech.release.tables.drop_zero import is_seen, plain_schema
from optmech.release.tables.interval import checked_level
from optmech.release.tables.parquet_file import ParquetReader
from optmech.release.tables.reading import is_parquet, responses_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction
    from os import PathLike
    from pathlib import Path

    from optmech.base.numbers import Number
    from optmech.release.tables.csv_file import CsvPart
    from optmech.release.tables.parquet_file import ParquetPart
    from optmech.release.tables.reading import Reader
    from optmech.release.tables.releaser import Releaser

# Rows and bytes of a row group, which is in memory until it is written.
_MOST_ROWS, _MOST_BYTES = 1 << 20, 1 << 26
_MEANING = (
    "Whatever the true answer of a row is, its interval holds it with at least this probability. Intervals "
    "are computed from the released answers and spend nothing."
)


@dataclass(frozen=True, slots=True)
class Interval:
    """With which probability an interval holds the true answer, and the columns of its ends."""

    level: Fraction
    columns: tuple[str, str]

    @classmethod
    def of(cls, level: Number | None, column: str) -> Interval | None:
        """Return the interval of a column, if one was asked for: ProblemError."""
        return None if level is None else cls(checked_level(level), (f"{column}_low", f"{column}_high"))

    @property
    def description(self) -> dict[str, Any]:
        """What a log says of it."""
        return {"level": as_text(self.level), "columns": list(self.columns), "meaning": _MEANING}


def copy_released(
    reader: Reader,
    releaser: Releaser,
    file: Path,
    out: str | PathLike[str],
    *,
    interval: Interval | None,
    drop_zero: bool,
    progress: Callable[[int, int], None] | None,
) -> int:
    """Write the table into a file, of the format that `out` says, and return how many rows are in it."""
    names = interval.columns if interval is not None else ()
    for name in set(names) & set(reader.header):
        message = f"`{reader.path}` must have no column {name}, which --interval adds. Rename it."
        raise FileFormatError(message)
    rows = 0
    with _writer(reader, file, out, releaser, names, drop_zero=drop_zero) as writer:
        for part, answers in responses_of(reader, releaser):
            further = () if interval is None else releaser.limits(answers, part.groups)
            kept_rows = is_seen(answers) if drop_zero else None
            if kept_rows is None:
                writer.write(part, answers, further)
            elif kept_rows.any():
                mask = pa.array(kept_rows)
                writer.write(
                    part.only(kept_rows), answers.filter(mask), [ends.filter(mask) for ends in further]
                )
            rows += len(answers) if kept_rows is None else int(kept_rows.sum())
            if progress is not None:
                progress(reader.position, reader.total)
    return rows


def _writer(
    reader: Reader,
    file: Path,
    out: str | PathLike[str],
    releaser: Releaser,
    names: tuple[str, ...],
    *,
    drop_zero: bool,
) -> CsvWriter | ParquetWriter:
    if not is_parquet(out):
        return CsvWriter(file, reader.head_with(names), is_packed=str(out).lower().endswith(".gz"))
    further: dict[str, pa.DataType] = dict.fromkeys(names, releaser.limits_kind) if names else {}
    codec = reader.codec if isinstance(reader, ParquetReader) and not drop_zero else "snappy"
    schema = reader.schema(releaser.kind, further)
    return ParquetWriter(file, plain_schema(schema) if drop_zero else schema, codec)


class CsvWriter(AbstractContextManager["CsvWriter"]):
    """A CSV file to be written."""

    def __init__(self, path: Path, head: bytes, *, is_packed: bool) -> None:
        self._files = ExitStack()
        self._file: IO[bytes] = self._files.enter_context(path.open("wb"))
        if is_packed:  # without the name and the time of a temporary file
            gz = gzip.GzipFile(filename="", mode="wb", fileobj=self._file, mtime=0)
            self._file = cast("IO[bytes]", self._files.enter_context(gz))
        self._file.write(head)

    def write(
        self, part: CsvPart | ParquetPart, responses: pa.Array, further: Sequence[pa.Array] = ()
    ) -> None:
        """Write the rows of a part with these answers and further columns."""
        self._file.write(part.text(responses, further))

    def __exit__(self, *_: object) -> None:
        self._files.close()


class ParquetWriter(AbstractContextManager["ParquetWriter"]):
    """A Parquet file to be written. Row groups end where those read do, or after so many rows or bytes."""

    def __init__(self, path: Path, schema: pa.Schema, codec: str = "snappy") -> None:
        self._file = pyarrow.parquet.ParquetWriter(path, schema, compression=codec)
        self._schema = schema
        self._waiting: list[pa.RecordBatch] = []

    def write(
        self, part: CsvPart | ParquetPart, responses: pa.Array, further: Sequence[pa.Array] = ()
    ) -> None:
        """Write the rows of a part with these answers and further columns."""
        self._waiting.append(part.batch(responses, self._schema, further))
        rows, size = (sum(getattr(batch, name) for batch in self._waiting) for name in ("num_rows", "nbytes"))
        if part.ends_group or rows >= _MOST_ROWS or size >= _MOST_BYTES:
            self._flush()

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._file.close()

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_batches(self._waiting, self._schema), row_group_size=1 << 26)
        self._waiting.clear()
