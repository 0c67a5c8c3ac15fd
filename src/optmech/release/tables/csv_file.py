"""Read and write CSV files, a block of complete rows at a time."""

from __future__ import annotations

import gzip
import io
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from optmech.base.errors import FileFormatError, quoting_data
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import number_in, reason_of_no_number
from optmech.release.tables.csv_rows import CsvRows
from optmech.release.tables.dialect import BYTE_ORDER_MARK
from optmech.release.tables.part import Part, index_of_key
from optmech.release.tables.public_view import PublicRows, PublicView
from optmech.release.tables.workbook import to_workbook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from optmech.release.tables.cells import CellRows
    from optmech.release.tables.public_view import Mask

_EVEN = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvPart(Part):
    """Some rows of a CSV file, all cells text."""

    rows: CellRows
    decimal: str

    @property
    def answers(self) -> pa.Array:
        """The true answers, with a point before their decimals."""
        texts = self.cells(self.column)
        if self.decimal == ".":
            return texts
        plain = []
        for index, text in enumerate(texts.dictionary.to_pylist()):
            if number_in(text) is not None and number_in(text, self.decimal) is None:
                row = int(pc.index(texts.indices, value=index).as_py())
                reason = reason_of_no_number(text, decimal=self.decimal)
                message = f"`answers` must be numbers; got {quote(text)} in {self.location(row)}. {reason}"
                raise quoting_data(FileFormatError(message))
            plain.append(_with_point(text, self.decimal))
        return pa.DictionaryArray.from_arrays(texts.indices, pa.array(plain, pa.string()))

    def cells(self, index: int) -> pa.Array:
        """Return a column, by its index."""
        return self.rows.cells(index)

    def location(self, row: int) -> str:
        """Return the location of an answer, for messages."""
        return f"line {self.rows.line(row, self.column)}"

    def public(self, mask: Mask | None = None) -> TextRows:
        """Return the public columns in the rows of a mask, or in all rows."""
        before, behind = self.rows.around(self.column, mask, last=self.last_taken)
        return TextRows(before=before, behind=behind, quoted=self.rows.quoted)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRows(PublicRows):
    """The text of rows before and behind the cell that is drawn."""

    before: pa.Array
    behind: pa.Array
    quoted: bool

    def text(self, drawn: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV, each ended by a line feed."""
        return self._joined(pc.binary_join_element_wise(*map(csv_cells, drawn), ",").cast(pa.binary()))

    def batch(self, drawn: Sequence[pa.Array], view: PublicView) -> pa.RecordBatch:
        """Return the rows with the columns of a view: cells are text, and empty ones null."""
        names = [str(number) for number in range(len(view.public) + 1)]
        public = [pa.array([], pa.string()) for _ in names]
        if view.public and len(self.before):  # else there is no line, or lines are empty
            # Arrow takes a byte order mark away from the beginning, which a cell may have there.
            text = BYTE_ORDER_MARK + self._joined(b"").to_pybytes()
            table = pyarrow.csv.read_csv(
                pa.BufferReader(text),
                read_options=pyarrow.csv.ReadOptions(
                    column_names=names, use_threads=False, block_size=len(text) + 1
                ),
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=self.quoted),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            public = [column.combine_chunks() for column in table.columns]
        index = len(view.before)
        return pa.RecordBatch.from_arrays([*public[:index], *drawn, *public[index + 1 :]], schema=view.schema)

    def _joined(self, cells: pa.Array | bytes) -> pa.Buffer:
        """Return the rows with these cells, or with one text, in place of the true answers."""
        rows = pc.binary_join_element_wise(self.before, cells, self.behind, b"\n", b"")
        _, offsets, text = rows.buffers()
        return text[: int(np.frombuffer(offsets, np.int32)[len(rows)])]


class CsvReader(CsvRows):
    """A CSV file with true answers in `column` and groups in `by`; FileFormatError if either is not there."""

    type = pa.string()

    def __init__(
        self, path: str | PathLike[str], column: str, by: str | None = None, key: str | None = None
    ) -> None:
        super().__init__(path)
        self.column, self.by = column, by
        try:
            self._column = self.index_of(column)
            self._by = None if by is None else self.index_of(by)
            self._key = index_of_key(self.header, column, key, self.path)
        except FileFormatError:
            self._files.close()
            raise

    def view(self, drawn: Mapping[str, pa.DataType]) -> PublicView:
        """Return the columns of the table with these in place of the answers."""
        schema = pa.schema([(name, pa.string()) for name in self.header])
        return PublicView.of(schema, self._column, drawn, last=self._key)

    def parts(self) -> Iterator[CsvPart]:
        """Yield the rows, in order."""
        for rows in self.blocks():
            yield CsvPart(
                rows=rows, decimal=self.text.decimal, column=self._column, by=self._by, key=self._key
            )


class CsvWriter(AbstractContextManager["CsvWriter"]):
    """A CSV file to be written: a first row with the names of columns, and rows each ended by a line feed."""

    def __init__(self, path: Path, view: PublicView, *, is_packed: bool) -> None:
        self._files = ExitStack()
        self._file: IO[bytes] = self._files.enter_context(path.open("wb"))
        if is_packed:  # without the name and the time of a temporary file
            gz = gzip.GzipFile(filename="", mode="wb", fileobj=self._file, mtime=0)
            self._file = cast("IO[bytes]", self._files.enter_context(gz))
        self._waiting = bytearray((",".join(map(_cell, view.schema.names)) + "\n").encode())

    def write(self, rows: PublicRows, drawn: Sequence[pa.Array]) -> None:
        """Write rows with these columns in place of the answers."""
        self._waiting += rows.text(drawn)
        whole = len(self._waiting) // _EVEN * _EVEN
        self._write(whole)

    def __exit__(self, kind: object, *_: object) -> None:
        with self._files:
            if kind is None:
                self._write(len(self._waiting))

    def _write(self, length: int) -> None:
        """Write buffered bytes in pieces of one length, so that compression does not depend on parts."""
        with memoryview(self._waiting) as text:
            for start in range(0, length, _EVEN):
                self._file.write(text[start : min(start + _EVEN, length)])
        del self._waiting[:length]


class WorkbookWriter(CsvWriter):
    """The same as a workbook."""

    def __init__(self, path: Path, view: PublicView) -> None:
        super().__init__(path, view, is_packed=False)
        self._path = path

    def __exit__(self, kind: object, *further: object) -> None:
        super().__exit__(kind, *further)
        if kind is None:
            to_workbook(self._path)


def csv_cells(responses: pa.Array) -> pa.Array:
    """Return answers as cells; labels with commas or quotes in them are quoted, and a null is empty."""
    dictionary = responses.dictionary_encode()
    names = [_cell(str(name)) for name in dictionary.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(dictionary.indices).fill_null("")


def _with_point(text: str, decimal: str) -> str:
    """Return a number with a point before its decimals, and any other text as it is."""
    number = number_in(text, decimal) if "," in text else None
    return text if number is None else text.strip().replace(",", ".")


def _cell(text: str) -> str:
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if any(mark in text for mark in ',"\r\n') else text


def csv_text(columns: Sequence[pa.Array]) -> bytes:
    """Return rows as CSV, with quotes only where needed, and nulls as empty cells."""
    text = io.BytesIO()
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
    names = [*map(str, range(len(columns)))]
    pyarrow.csv.write_csv(pa.RecordBatch.from_arrays(columns, names=names), text, options)
    return text.getvalue()
