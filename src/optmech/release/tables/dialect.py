"""The dialect of a CSV file, and its text with commas between cells, whatever stands there.

The dialect follows from what is asked and from the row of names, which is public: never from a row below it.

    line 1      sep=;  as Excel writes it, names the separator
    names       in line `header_line`; no comma, and semicolons, tabs or bars alone: these separate
    line ends   LF, CR LF, or CR alone where the file has no LF;  Ctrl-Z ends a file of DOS
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import brief, need_path, whole_number
from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.release.tables.part import parts_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import NDArray

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
EITHER = "either"
"""The decimal mark of a file whose cells no comma separates, where none is asked for."""
LONGEST_ROW = 1 << 26
"""A longer row, in bytes, means that a quote was left open."""
_SEP_LINE = re.compile(rb'"?sep=([^\w\r\n])"?[,;\t]*(\r\n|\n|\r)', re.IGNORECASE)
_COMMA, _FEED, _RETURN, _QUOTE = b',\n\r"'
_END_OF_DOS = b"\x1a"
_TYPED = {"tab": "\t", "\\t": "\t"}


@dataclass(frozen=True, slots=True)
class CsvFile:
    r"""A CSV file and its dialect, for every function that takes the path of a table.

    Attributes
    ----------
    path : path
    sep : str, optional
        The text between cells: a comma, a semicolon, a tab or a bar. By default the row of names says it.
    decimal : str, optional
        The decimal mark, a point or a comma. By default a point; where cells are not separated by commas,
        either, and a number such as ``1,234`` is refused.
    header_line : int, default 1
        The line with the names of the columns; lines above are left out.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "visits.csv"
    >>> _ = path.write_text("Visits in 2026\nid;ward\n1;A\n2;A\n")
    >>> import optmech as om
    >>> visits = CsvFile(path, header_line=2)
    >>> om.tabulate(visits, person="id", group="ward", groups=["A"], at_most=1).counted
    2
    """

    path: str | PathLike[str]
    sep: str | None = None
    decimal: str | None = None
    header_line: int = 1

    def __post_init__(self) -> None:
        """Hold the arguments to their rules: ProblemError."""
        need_path(self.path, "path")
        object.__setattr__(self, "sep", _TYPED.get(self.sep or "", self.sep))
        if self.sep not in (None, *SEPARATORS):
            raise broken_rule("sep", "be a comma, a semicolon, a tab or a bar", brief(self.sep))
        if self.decimal not in (None, ".", ","):
            raise broken_rule("decimal", "be a point or a comma", brief(self.decimal))
        if whole_number(self.header_line, "header_line") < 1:
            raise broken_rule("header_line", "be at least 1", self.header_line)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __str__(self) -> str:
        return str(self.path)

    @classmethod
    def of(cls, path: str | PathLike[str]) -> CsvFile:
        """Return the file with its dialect, which a plain path leaves to the row of names."""
        return path if isinstance(path, cls) else cls(path)

    def parts(self) -> list[CsvFile]:
        """Return the files of a folder of parts, or the file itself."""
        return [replace(self, path=part) for part in parts_of(self)]

    @property
    def asked(self) -> tuple[str, ...]:
        """Sentences on what is asked for."""
        sep = () if self.sep is None else (f"Cells are separated by {SEPARATORS[self.sep]}.",)
        mark = "a comma" if self.decimal == "," else "a point"
        decimal = () if self.decimal is None else (f"The decimal mark is {mark}.",)
        names = f"Line {self.header_line} has the names of the columns."
        return (*sep, *decimal, *([names] if self.header_line > 1 else []))

    def of_workbook(self) -> CsvFile:
        """Return the dialect of a workbook's sheet as text; ProblemError if another one is asked for."""
        if self.sep is not None or self.decimal is not None:
            message = f"`sep` and `decimal` must be left out: {self} is a workbook, whose cells are apart."
            raise ProblemError(message)
        return CsvFile(self.path, ",", ".", self.header_line)

    def check_text(self, *, is_text: bool) -> None:
        """Refuse a dialect of a file that is no CSV text: ProblemError."""
        if not is_text and CsvFile(self.path) != self:
            message = f"`sep`, `decimal` and `header_line` must be left out: {self} is no CSV text."
            raise ProblemError(message)


class CommaText:
    """The text of a CSV file as it is read, block by block, cells separated by commas, and lines by LF.

    Attributes
    ----------
    line : int
        The line with the names of the columns.
    sep, decimal : str
        The separator and the decimal mark.
    said : tuple of str
        Sentences on the dialect that was found, without those on what was asked for.
    """

    def __init__(self, read: Callable[[], bytes], file: CsvFile) -> None:
        self._read, self._file, self._tail = read, file, b""
        block = read()
        self._waiting = block.removeprefix(BYTE_ORDER_MARK)
        self._has_returns = b"\r" in block[:-1] and b"\n" not in block
        said = ["Lines end with CR alone."] if self._has_returns else []
        self.line, sep = 1, file.sep
        if found := _SEP_LINE.match(self._waiting):
            self._skip(1)
            sep = sep or found[1].decode("latin-1")
            said.append("Line 1 is the line `sep=` of Excel.")
            if sep not in SEPARATORS:
                message = (
                    f"`{file}` must have cells separated by {', '.join(SEPARATORS.values())}; got {sep!r}."
                )
                raise FileFormatError(message)
        self._skip(file.header_line - self.line)
        if sep is None:
            sep = self._found()
            said += [f"Cells are separated by {SEPARATORS[sep]}."] if sep != "," else []
        self.sep = sep
        self.decimal = file.decimal or ("." if sep == "," else EITHER)
        self.said = tuple(said)

    def _skip(self, lines: int) -> None:
        """Leave out lines at the beginning."""
        end = b"\r" if self._has_returns else b"\n"
        for _ in range(lines):
            _, end_of_line, self._waiting = self._waiting.partition(end)
            if not end_of_line:
                message = (
                    f"`{self._file}` must have its names of columns in line {self._file.header_line}; "
                    f"it has {self.line}."
                )
                raise FileFormatError(message)
            self.line += 1

    def _found(self) -> str:
        """Return the separator of the row of names, a comma where that is not sure."""
        parts = self._waiting.lstrip().split(b'"')[::2]  # outside quotes
        names = b""
        for part in parts:
            line = re.split(rb"[\r\n]", part, maxsplit=1)
            names += line[0]
            if len(line) > 1:
                break
        found = [sep for sep in SEPARATORS if sep.encode() in names]
        return found[0] if len(found) == 1 else ","

    def read(self) -> bytes:
        """Return more of the text, nothing at its end."""
        while True:
            more, self._waiting = self._waiting or self._read(), b""
            text, self._tail = self._tail + more, b""
            rest = text[len(text.rstrip(b"\x1a\r\n")) :]
            ends = text[: len(text) - len(rest)] + rest.partition(_END_OF_DOS)[0]
            if not more:
                return self._with_commas(ends)
            length = len(ends) if _END_OF_DOS in rest else len(text)
            if self.sep != "," or self._has_returns:
                length = min(length, self._whole_rows(text))
            if length or len(text) > LONGEST_ROW:
                length = length or len(text)
                self._tail = text[length:]
                return self._with_commas(text[:length])
            self._tail = text

    def _whole_rows(self, text: bytes) -> int:
        """Return the length of the complete rows at the beginning."""
        data, is_plain = _plain(text)
        ends = np.flatnonzero((data == (_RETURN if self._has_returns else _FEED)) & is_plain)
        return int(ends[-1]) + 1 if ends.size else 0

    def _with_commas(self, text: bytes) -> bytes:
        """Return whole rows with commas and LF; a cell that has a comma is quoted."""
        if self.sep == "," and not self._has_returns:
            return text
        data, is_plain = _plain(text)
        ends_of_lines = (data == (_RETURN if self._has_returns else _FEED)) & is_plain
        is_comma = (data == _COMMA) & is_plain
        data = np.where(ends_of_lines, np.uint8(_FEED), data)
        if self.sep == ",":
            return data.tobytes()
        separators = (data == ord(self.sep)) & is_plain
        stops = np.flatnonzero(separators | ends_of_lines)
        cells = np.unique(np.searchsorted(stops, np.flatnonzero(is_comma)))
        starts = np.concatenate([[0], stops + 1])[cells]
        stops = np.append(stops, len(data))[cells]
        stops -= (data[stops - 1] == _RETURN) & (stops > starts)
        data[separators] = _COMMA
        return np.insert(data, np.concatenate([starts, stops]), np.uint8(_QUOTE)).tobytes()


def _plain(text: bytes) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the bytes of a text, and which of them are outside quotes."""
    data = np.frombuffer(text, np.uint8)
    return data, ~np.logical_xor.accumulate(data == _QUOTE)
