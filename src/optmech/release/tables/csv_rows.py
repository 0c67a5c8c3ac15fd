"""Read a CSV file a block of complete rows at a time: the one reader of tables, and its dialect.

Cells may be quoted, quotes inside doubled. The first row names the columns; all have as many cells. Text is
UTF-8, with or without a byte order mark; ``.gz`` files are decompressed. No cell is changed. Separators and
ends of lines are those of the file's dialect; see `optmech.release.tables.dialect`.
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from optmech.base.errors import FileFormatError, unreadable
from optmech.release.tables.cells import CellRows, check_quotes, cut, lone_return, of_separator
from optmech.release.tables.dialect import LONGEST_ROW, CommaText, CsvFile
from optmech.release.tables.other_programs import check_is_text
from optmech.release.tables.part import index_of
from optmech.release.tables.workbook import is_workbook, sheet_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from io import BufferedReader
    from os import PathLike
    from types import TracebackType
    from typing import Self

_BLOCK = 1 << 22
_FIRST_BYTES = 32


def remedy_of_names(names: Sequence[str]) -> str:
    """Return the remedy for names of columns without one that is looked for."""
    return of_separator(names[0].encode()) if len(names) == 1 else ""


class CsvRows(AbstractContextManager["CsvRows"]):
    """The rows of a CSV file below the names of its columns, `header`; FileFormatError if it is none."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        self._rest = b""
        self._files = ExitStack()
        try:
            self._raw: BufferedReader = self._files.enter_context(Path(path).open("rb"))  # noqa: SIM115 - it is entered
        except (OSError, ValueError) as error:
            raise unreadable(self.path, error) from None
        self._file: IO[bytes] = self._raw
        if self.path.lower().endswith(".gz"):
            self._file = cast("IO[bytes]", self._files.enter_context(gzip.open(self._raw)))  # noqa: SIM115
        try:
            file = CsvFile.of(path)
            if is_workbook(path):
                self._file, file = sheet_text(path, self._raw), file.of_workbook()
            elif self._file is self._raw:
                check_is_text(self.path, self._raw.peek(_FIRST_BYTES))
            self.text = CommaText(self._read, file)
            self._line = self.text.line
            self.header = self._read_header()
        except BaseException:
            self._files.close()
            raise

    def __enter__(self) -> Self:
        """Return the file itself, which is open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._files.close()

    def index_of(self, column: str) -> int:
        """Return the index of a column, which must occur exactly once."""
        return index_of(self.header, column, self.path, remedy_of_names(self.header))

    @property
    def total(self) -> int:
        """Bytes of the file; 0 where unknown."""
        return Path(self.path).stat().st_size

    @property
    def position(self) -> int:
        """Bytes that are read."""
        return self._raw.tell() if self.total else 0

    def blocks(self) -> Iterator[CellRows]:
        """Yield the rows, in order."""
        while True:
            more = self.text.read()
            text, self._rest = self._rest + more, b""
            if not more and text and not text.endswith(b"\n"):
                text += b"\n"
            if not text:
                return
            rows, length = cut(text, len(self.header), self._line, self.path)
            self._rest = text[length:]
            self._check_rest(is_end=not more)
            if length:
                yield rows
                self._line += rows.text.count(b"\n")
            if not more:
                return

    def _read_header(self) -> tuple[str, ...]:
        """Return the names in the first row."""
        text, more = b"", b"\n"
        while more:
            more = self.text.read()
            text += more
            self._rest = text
            if not more and not self._rest.endswith(b"\n"):
                self._rest += b"\n"
            rows, _ = cut(self._rest, None, self._line, self.path)
            if len(rows):
                length = int(self._rest.index(b"\n", rows.stops[0, -1])) + 1
                head, self._rest = self._rest[:length], self._rest[length:]
                self._line += head.count(b"\n")
                return tuple(str(rows.cells(index)[0]) for index in range(rows.stops.shape[1]))
            self._check_rest(is_end=not more and bool(self._rest.strip()))
        message = f"`{self.path}` must have a first row with the names of its columns; it is empty."
        raise FileFormatError(message)

    def _check_rest(self, *, is_end: bool) -> None:
        if (is_end and self._rest) or len(self._rest) > LONGEST_ROW:
            if b"\r" in self._rest and b"\n" not in self._rest:
                raise lone_return(self.path, self._line)
            check_quotes(self._rest, self._line, self.path)
            message = (
                f"`{self.path}` must be CSV text; got a quote that is not closed in the row that begins in "
                f"line {self._line}, or a row of more than {LONGEST_ROW >> 20} MB."
            )
            raise FileFormatError(message)

    def _read(self) -> bytes:
        try:
            return self._file.read(_BLOCK)
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(self.path, error) from None
