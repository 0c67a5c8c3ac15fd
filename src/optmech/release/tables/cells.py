"""Split CSV text into cells without changing a byte.

Model
-----
    a byte is inside quotes where the number of quotes up to it is odd
    a comma outside quotes ends a cell, a line feed outside quotes ends a row
    a row is  before, cell, behind, end of line;  the cells of one column are taken out, and others put in

Arrow reads such pieces as an array over the text itself, so only selected pieces are copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.errors import FileFormatError
from optmech.release.tables.dialect import SEPARATORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

_COMMA, _FEED, _RETURN, _QUOTE = b',\n\r"'
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRows:
    """Whole rows of CSV text, each ended by a line feed, the first in line `first_line` of its file.

    `starts` has the beginning of each row; an empty line is a row only in a file of one column. `stops`, of
    shape (num_rows, num_columns), has the end of each cell: a comma, a line feed, or the carriage return
    before it.
    """

    text: bytes
    starts: Positions
    stops: Positions
    first_line: int
    quoted: bool

    def __len__(self) -> int:
        return len(self.starts)

    def cells(self, column: int) -> pa.DictionaryArray:
        """Return the cells of a column without their quotes."""
        cells = self._between(*self._bounds(column)).dictionary_encode()
        if not self.quoted:
            return cells.cast(pa.dictionary(pa.int32(), pa.string()))
        texts = [unquote(cell.decode()) for cell in cells.dictionary.to_pylist()]
        return pa.DictionaryArray.from_arrays(cells.indices, pa.array(texts, pa.string()))

    def around(
        self, column: int, mask: NDArray[np.bool_] | None = None, *, last: int | None = None
    ) -> tuple[pa.Array, pa.Array]:
        """Return the text of rows before and behind their cells of a column, without the ends of lines.

        Rows are those of a mask, or all. With `last`, the cells of all columns up to that one are taken out.
        """
        rows = slice(None) if mask is None else mask
        starts, _ = self._bounds(column)
        _, stops = self._bounds(column if last is None else last)
        before = self._between(self.starts[rows], starts[rows])
        return before, self._between(stops[rows], self.stops[rows, -1])

    def line(self, row: int, column: int) -> int:
        """Return the line of the file in which a cell begins."""
        return self.first_line + self.text.count(b"\n", 0, int(self._bounds(column)[0][row]))

    def _bounds(self, column: int) -> tuple[Positions, Positions]:
        starts = self.starts if column == 0 else self.stops[:, column - 1] + 1
        return starts, self.stops[:, column]

    def _between(self, starts: Positions, stops: Positions) -> pa.Array:
        """Return the pieces of the text from starts, which increase, to stops."""
        offsets = np.empty(2 * len(starts) + 1, np.int32)
        offsets[:-1:2], offsets[1::2] = starts, stops
        offsets[-1] = len(self.text)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(self.text)]
        pieces = pa.Array.from_buffers(pa.binary(), len(offsets) - 1, buffers)
        return pieces.take(pa.array(np.arange(0, len(pieces), 2)))


def cut(text: bytes, width: int | None, first_line: int, path: str) -> tuple[CellRows, int]:
    """Return the complete rows at the beginning of a text, and their number of bytes.

    FileFormatError: a row does not have `width` cells, or as many as the first; a quote is in the middle of a
    cell; or bytes are no UTF-8.
    """
    data = np.frombuffer(text, np.uint8)
    quoted = b'"' in text
    marks = (data == _COMMA) | (data == _FEED)
    if quoted:
        inside = np.logical_xor.accumulate(data == _QUOTE)
        marks &= ~inside
    indices = np.flatnonzero(marks)
    ends = np.flatnonzero(data[indices] == _FEED)
    length = int(indices[ends[-1]]) + 1 if ends.size else 0
    text, data, indices = text[:length], data[:length], indices[: int(ends[-1]) + 1 if ends.size else 0]
    _check_text(text, path, first_line)
    if quoted:
        check_quotes(text, first_line, path)
    feeds = indices[ends]
    starts = np.concatenate([[0], feeds[:-1] + 1]) if feeds.size else feeds
    stops = feeds
    if b"\r" in text:
        stops = feeds - ((data[feeds - 1] == _RETURN) & (feeds > starts))
        stray = data[:length] == _RETURN
        if quoted:
            stray &= ~inside[:length]
        stray[stops[stops < feeds]] = False
        if stray.any():
            index = int(stray.argmax())
            raise lone_return(path, first_line + text.count(b"\n", 0, index))
    counts = np.diff(ends, prepend=-1)
    # In a file of one column an empty line is an empty cell: a missing answer, which must be reported.
    rows = (counts > 1) | (stops > starts) | (width == 1)
    counts, starts, ends, stops = counts[rows], starts[rows], ends[rows], stops[rows]
    has_names = width is None
    if width is None:
        width = int(counts[0]) if counts.size else 1
    if (counts != width).any():
        row = int((counts != width).argmax())
        line = first_line + text.count(b"\n", 0, int(starts[row]))
        first = text[: int(stops[0])]
        remedy = of_separator(first) or _of_title(first) if has_names else ""
        message = f"`{path}` must have {width} cells in each row; got {counts[row]} in line {line}.{remedy}"
        raise FileFormatError(message)
    cells = indices[ends[:, None] + np.arange(1 - width, 1)]
    cells[:, -1] = stops
    return CellRows(text=text, starts=starts, stops=cells, first_line=first_line, quoted=quoted), length


def unquote(cell: str) -> str:
    """Return the content of a cell."""
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


def of_separator(first: bytes) -> str:
    """Return the remedy for a first row whose names other signs than commas may separate, else an empty text.

    >>> of_separator(b"id;age;size, cm")
    " Cells may be separated by semicolons: then pass `--sep ';'` (`CsvFile(path, sep=';')`)."
    """
    mark, name = max(SEPARATORS.items(), key=lambda each: first.count(each[0].encode()))
    if mark == ",":
        return ""
    typed = "tab" if mark == "\t" else mark
    return f" Cells may be separated by {name}: then pass `--sep '{typed}'` (`CsvFile(path, sep={typed!r})`)."


def _of_title(first: bytes) -> str:
    """Return the remedy for a first row of one cell above rows of several: it may be a title."""
    if b"," in first:
        return ""
    return " If the names of the columns stand in a later line, as below a title, say it by `--header-line`."


def lone_return(path: str, line: int) -> FileFormatError:
    """Return the error of a carriage return that no line feed follows."""
    message = (
        f"`{path}` must have lines that end with a line feed (LF); got a carriage return (CR) that ends no "
        f"line in line {line}. If lines end with CR alone, save it with LF, as `tr '\\r' '\\n'` does; in a "
        "cell, write it inside quotes, quotes doubled."
    )
    return FileFormatError(message)


def _check_text(text: bytes, path: str, first_line: int) -> None:
    if text.isascii():
        return
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = first_line + text.count(b"\n", 0, error.start)
        message = (
            f"`{path}` must be text in UTF-8; got {error.reason} in line {line}. Save it as CSV UTF-8, or "
            f"convert it: `iconv -f {_encoding_of(text)} -t UTF-8`."
        )
        raise FileFormatError(message) from None


def _encoding_of(text: bytes) -> str:
    """Return the encoding that spreadsheets write where they do not write UTF-8."""
    return "UTF-16" if text.startswith(_MARKS_OF_UTF_16) else "WINDOWS-1252"


def check_quotes(text: bytes, first_line: int, path: str) -> None:
    """Check quotes: they begin or end a cell, and inside it they are doubled."""
    data = np.frombuffer(text, np.uint8)
    quotes = np.flatnonzero(data == _QUOTE)
    opening = np.arange(quotes.size) % 2 == 0
    before, after = data[np.maximum(quotes - 1, 0)], data[np.minimum(quotes + 1, data.size - 1)]
    # The second of two quotes reopens the cell that the first closed.
    fine = np.where(
        opening,
        (quotes == 0) | np.isin(before, (_COMMA, _FEED, _QUOTE)),
        np.isin(after, (_COMMA, _FEED, _RETURN, _QUOTE)),
    )
    if not fine.all():
        raise _refusal(
            text, int(quotes[fine.argmin()]), (path, first_line), "a quote in the middle of a cell"
        )


def _refusal(text: bytes, index: int, where: tuple[str, int], what: str) -> FileFormatError:
    path, first_line = where
    line = first_line + text.count(b"\n", 0, index)
    return FileFormatError(
        f"`{path}` must be CSV text; got {what} in line {line}. Write it inside quotes, quotes doubled."
    )
