"""CSV files, a block of whole rows at a time."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from optmech.base.errors import FileFormatError, unreadable
from optmech.release.tables.cells import Rows, check_quotes, cut
from optmech.release.tables.part import Part, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

_BLOCK = 1 << 22
# A row of this length is no row: a quote was left open.
_LONGEST_ROW = 1 << 26
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvPart(Part):
    """Some rows of a CSV file, all cells text."""

    rows: Rows
    header: tuple[str, ...]
    open_end: bool
    line_end: bytes = b"\n"

    def cells(self, place: int) -> pa.Array:
        """Return a column, by its place."""
        return self.rows.cells(place)

    def place(self, row: int) -> str:
        """Say where an answer stands."""
        return f"line {self.rows.line(row, self.column)}"

    def text(self, columns: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV, with these columns in the place of the answers."""
        text = self.rows.splice(self.column, pc.binary_join_element_wise(*map(_cells, columns), ","))
        return text[: text.size - 1] if self.open_end else text

    def only(self, mask: NDArray[np.bool_]) -> CsvPart:
        """Return some of the rows."""
        return replace(self, rows=self.rows.only(mask, self.line_end), open_end=False)

    def batch(self, columns: Sequence[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
        """Return the rows with these columns; all other cells are text, and those that are empty null."""
        names = [str(number) for number in range(len(self.header))]
        table = pyarrow.csv.read_csv(
            pa.BufferReader(self.rows.text),
            read_options=pyarrow.csv.ReadOptions(
                column_names=names, use_threads=False, block_size=len(self.rows.text) + 1
            ),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=self.rows.quoted),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
        every = [column.combine_chunks() for column in table.columns]
        every[self.column : self.column + 1] = columns
        return pa.RecordBatch.from_arrays(every, schema=schema)


class CsvReader(AbstractContextManager["CsvReader"]):
    """A CSV file whose first row names the columns; ``.gz`` files are decompressed.

    Answers are in `column`, groups in `by`; FileFormatError if it cannot be read, is ragged or has no such
    columns.
    """

    type = pa.string()

    def __init__(self, path: str | PathLike[str], column: str, by: str | None = None) -> None:
        self.path, self.column, self.by = str(path), column, by
        self._line, self._rest = 1, b""
        self._files = ExitStack()
        try:
            self._raw: IO[bytes] = self._files.enter_context(Path(path).open("rb"))  # noqa: SIM115 - it is entered
        except OSError as trouble:
            raise unreadable(self.path, trouble) from None
        self._file = self._raw
        if self.path.lower().endswith(".gz"):
            self._file = cast("IO[bytes]", self._files.enter_context(gzip.open(self._raw)))  # noqa: SIM115
        try:
            self.head, self.header = self._read_header()
            commas = " Cells are separated by commas." if len(self.header) == 1 else ""
            self._column = place_of(self.header, column, self.path, commas)
            self._by = None if by is None else place_of(self.header, by, self.path, commas)
        except FileFormatError:
            self._files.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._files.close()

    @property
    def total(self) -> int:
        """Bytes of the file; 0 where nobody knows."""
        return Path(self.path).stat().st_size

    @property
    def position(self) -> int:
        """Bytes that are read."""
        return self._raw.tell() if self.total else 0

    def head_with(self, names: Sequence[str]) -> bytes:
        """Return the first row, with these names of columns in the place of that of the answers."""
        if list(names) == [self.column]:
            return self.head
        mark = _MARK if self.head.startswith(_MARK) else b""
        rows, _ = cut(self.head.removeprefix(_MARK), None, 1, self.path)
        return mark + bytes(rows.splice(self._column, pa.array([",".join(map(_cell, names))])))

    def schema(self, kinds: Mapping[str, pa.DataType]) -> pa.Schema:
        """Return what the columns are in a Parquet file, of these types in the place of the answers."""
        if len(set(self.header)) < len(self.header):
            message = f"`{self.path}` must have different names of columns to become Parquet; it has not."
            raise FileFormatError(message)
        fields = [pa.field(name, pa.string()) for name in self.header]
        fields[self._column : self._column + 1] = [pa.field(*field) for field in kinds.items()]
        return pa.schema(fields)

    def parts(self) -> Iterator[CsvPart]:
        """Yield the rows, in order."""
        while True:
            more = self._read()
            text, self._rest = self._rest + more, b""
            open_end = not more and bool(text) and not text.endswith(b"\n")
            if open_end:
                text += b"\n"
            if not text:
                return
            rows, length = cut(text, len(self.header), self._line, self.path)
            self._rest = text[length:]
            self._check_rest(is_end=not more)
            if length:
                yield CsvPart(
                    rows=rows,
                    column=self._column,
                    by=self._by,
                    header=self.header,
                    open_end=open_end,
                    line_end=b"\r\n" if self.head.endswith(b"\r\n") else b"\n",
                )
                self._line += rows.text.count(b"\n")
            if not more:
                return

    def _read_header(self) -> tuple[bytes, tuple[str, ...]]:
        """Return the text up to the end of the first row, and the names in it."""
        text, more = b"", b"\n"
        while more:
            more = self._read()
            text += more
            mark = _MARK if text.startswith(_MARK) else b""
            self._rest = text.removeprefix(_MARK)
            if not more and not self._rest.endswith(b"\n"):
                self._rest += b"\n"
            rows, _ = cut(self._rest, None, 1, self.path)
            if len(rows):
                length = int(self._rest.index(b"\n", rows.stops[0, -1])) + 1
                head, self._rest = self._rest[:length], self._rest[length:]
                self._line = 1 + head.count(b"\n")
                names = tuple(str(rows.cells(place)[0]) for place in range(rows.stops.shape[1]))
                return mark + head, names
            self._check_rest(is_end=not more and bool(self._rest.strip()))
        message = f"`{self.path}` must have a first row with the names of its columns; it is empty."
        raise FileFormatError(message)

    def _check_rest(self, *, is_end: bool) -> None:
        if (is_end and self._rest) or len(self._rest) > _LONGEST_ROW:
            check_quotes(self._rest, self._line, self.path)
            message = (
                f"`{self.path}` must be CSV text; got a quote that is not closed in the row that begins in "
                f"line {self._line}, or a row of more than {_LONGEST_ROW >> 20} MB."
            )
            raise FileFormatError(message)

    def _read(self) -> bytes:
        try:
            return self._file.read(_BLOCK)
        except (OSError, EOFError, zlib.error) as trouble:
            raise unreadable(self.path, trouble) from None


class CsvWriter(AbstractContextManager["CsvWriter"]):
    """A CSV file to be written."""

    def __init__(self, path: Path, head: bytes, *, is_packed: bool) -> None:
        self._files = ExitStack()
        self._file: IO[bytes] = self._files.enter_context(path.open("wb"))
        if is_packed:  # without the name and the time of a temporary file
            gz = gzip.GzipFile(filename="", mode="wb", fileobj=self._file, mtime=0)
            self._file = cast("IO[bytes]", self._files.enter_context(gz))
        self._file.write(head)

    def write(self, part: Part, columns: Sequence[pa.Array]) -> None:
        """Write the rows of a part with these columns in the place of the answers."""
        self._file.write(part.text(columns))

    def __exit__(self, *_: object) -> None:
        self._files.close()


def _cells(responses: pa.Array) -> pa.Array:
    """Return answers as cells; labels with commas or quotes in them are quoted, and a null is empty."""
    texts = responses.cast(pa.string())
    dictionary = texts.fill_null("").dictionary_encode()
    names = [_cell(name) for name in dictionary.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(dictionary.indices)


def _cell(text: str) -> str:
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if any(mark in text for mark in ',"\r\n') else text


def csv_head(schema: pa.Schema) -> bytes:
    """Return the first row of a CSV file."""
    return (",".join(map(_cell, schema.names)) + "\n").encode()


def csv_text(batch: pa.RecordBatch) -> pa.Buffer:
    """Return rows as CSV, only what must be quoted in quotes."""
    text = io.BytesIO()
    plain = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
    pyarrow.csv.write_csv(pa.RecordBatch.from_arrays(plain, names=batch.schema.names), text, options)
    return pa.py_buffer(text.getvalue())
