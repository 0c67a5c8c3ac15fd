"""Read the files in which statistical offices keep perturbation tables.

::

    "pcv","ckey","pvalue"                   ONS: the noise of each count 1..750 and each key 0..255
    i;j;p;v;p_int_ub                        ptable for tau-ARGUS: count, published count, probability, noise
    i;j;p;v;p_int_lb;p_int_ub               ptable for SAS: the same with both ends of the interval of keys

In the first every key is as likely as any other, so that probabilities are multiples of one over their
number: exact. No row is for count 0, which stays, and counts above 750 use the rows 501..750 again, in turn.
In the others probabilities have as many digits as were written: columns sum to one but for those.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from optmech.analysis.p_tables.table import PTable
from optmech.base.arguments import need_path, takes
from optmech.base.errors import FileFormatError, ProblemError, unreadable
from optmech.base.numbers import brief, exact
from optmech.base.whole_files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

_ONS = ("pcv", "ckey", "pvalue")
_PTABLE = ("i", "j", "p", "v", "p_int_ub")
_SAS = ("i", "j", "p", "v", "p_int_lb", "p_int_ub")
_LAYOUTS = f'"{",".join(_ONS)}" (ONS), "{";".join(_PTABLE)}" or "{";".join(_SAS)}" (ptable)'
# Rows 501 to 750 of ONS serve all larger counts; a shorter table says nothing of them.
_LAST_OF_ONS, _TURN_OF_ONS = 750, 250
_MOST_BYTES, _MOST_CELL = 2**26, 40
_MOST_KEYS, _LARGEST, _LARGEST_NOISE = 4_096, 10_000, 1_000
# Probabilities of as many results as no office has; their exact sums take a minute.
_MOST_PROBABILITIES = 200_000
_LONGEST_WHOLE = 8
# Digits are cut where tables are written; a larger difference is an error of the table.
_ROUNDING = Fraction(1, 10**6)
# Keys that are counted are fewer; a probability of a larger denominator is a number whose digits were cut.
_EXACT = 10**6


class _Row(NamedTuple):
    """A line of a file and the cells in it, by the names in its first line."""

    line: int
    cells: dict[str, str]


class _File(NamedTuple):
    """A file, for what is said of it."""

    path: str | PathLike[str]

    def refusal(self, line: int | None, rule: str, got: object, remedy: str = "") -> FileFormatError:
        """Return the error of a file, or a line of it, that breaks a rule."""
        place = "" if line is None else f" in line {line}"
        return FileFormatError(f"`{self.path}` must {rule}; got {got}{place}.{remedy and ' ' + remedy}")

    def whole(self, row: _Row, name: str, least: int, most: int) -> int:
        """Return the whole number in a cell."""
        text = row.cells[name].strip()
        is_whole = text.isascii() and text.removeprefix("-").isdecimal() and len(text) <= _LONGEST_WHOLE
        if not is_whole or not least <= int(text) <= most:
            rule = f"have whole numbers from {least:,} to {most:,} as `{name}`"
            raise self.refusal(row.line, rule, brief(text))
        return int(text)

    def share(self, row: _Row, name: str) -> Fraction:
        """Return the probability in a cell."""
        text = row.cells[name].strip()
        try:
            value = exact(text, name)
        except ProblemError:
            value = Fraction(-1)
        if not 0 <= value <= 1 + _ROUNDING:
            remedy = "Write a decimal point." if "," in text else ""
            rule = f"have probabilities from 0 to 1 as `{name}`"
            raise self.refusal(row.line, rule, brief(text), remedy)
        return value


@takes(path=need_path)
def read_p_table(path: str | PathLike[str]) -> PTable:
    """Return the perturbation table of a file of ONS, or of the R package ptable.

    Parameters
    ----------
    path : str or path
        CSV with the columns ``pcv,ckey,pvalue`` of ONS's ``cell-key-perturbation``, or text with semicolons
        and the columns ``i;j;p;v;p_int_ub`` (for tau-ARGUS) or ``i;j;p;v;p_int_lb;p_int_ub`` (for SAS).

    Returns
    -------
    PTable
        Exact where keys are counted. Where digits were cut, each column is divided by its sum, and
        `PTable.is_rounded` says so. A table of ONS up to count 750 serves larger counts by its rows 501..750
        in turn; of any other table the last count serves all larger ones.

    Raises
    ------
    FileFormatError
        If the file is none of these, naming the line and what must stand there.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> lines = ["i;j;p;v;p_int_ub", "0;0;1;0;1", "1;0;0.5;-1;0.5", "1;2;0.5;1;1"]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "table.csv")
    ...     _ = path.write_text(chr(10).join(lines))
    ...     table = read_p_table(path)
    >>> print(table.published(1), table.source)
    {0: Fraction(1, 2), 2: Fraction(1, 2)} ptable for tau-ARGUS
    """
    file = _File(path)
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError) as error:  # a path with a zero in it is a ValueError
        raise unreadable(path, error) from None
    if size > _MOST_BYTES:
        raise file.refusal(None, f"have at most {_MOST_BYTES:,} bytes", f"{size:,}")
    text = read_text(path)
    first = text.split("\n", 1)[0].rstrip("\r")
    separator = ";" if ";" in first else ","
    names = tuple(name.strip().strip('"').strip() for name in first.split(separator))
    if sorted(names) not in (sorted(_ONS), sorted(_PTABLE), sorted(_SAS)):
        raise file.refusal(1, f"begin with the names of its columns, {_LAYOUTS}", brief(first))
    rows = _rows(file, text, separator, names)
    return _of_keys(file, rows) if "ckey" in names else _of_probabilities(file, rows, names)


def _rows(file: _File, text: str, separator: str, names: tuple[str, ...]) -> Iterator[_Row]:
    """Yield the rows below the first one."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        next(reader)
        for cells in reader:
            line = reader.line_num
            if not cells:
                continue
            if len(cells) != len(names):
                raise file.refusal(line, f"have {len(names)} cells in each line", len(cells))
            if max(map(len, cells)) > _MOST_CELL:
                raise file.refusal(line, f"have cells of at most {_MOST_CELL} characters", "a longer one")
            yield _Row(line, dict(zip(names, cells, strict=True)))
    except csv.Error as error:
        raise file.refusal(reader.line_num, "be CSV text", error) from None


def _of_keys(file: _File, rows: Iterable[_Row]) -> PTable:
    """Return the table that gives each count and each key its noise."""
    noise: dict[int, dict[int, int]] = {}
    for row in rows:
        count = file.whole(row, "pcv", 1, _LAST_OF_ONS)
        key = file.whole(row, "ckey", 0, _MOST_KEYS - 1)
        value = file.whole(row, "pvalue", -_LARGEST_NOISE, _LARGEST_NOISE)
        if count + value < 0:
            raise file.refusal(row.line, "publish counts of 0 or more", f"noise {value} at count {count}")
        column = noise.setdefault(count, {})
        if key in column:
            raise file.refusal(row.line, "have each count and key once", f"count {count}, key {key} again")
        column[key] = value
    _need_all(file, noise, first=1)
    keys = 1 + max(max(column) for column in noise.values())
    for count, column in noise.items():
        if len(column) != keys:
            missing = next(key for key in range(keys) if key not in column)
            rule = f"have a line for each count and each key 0..{keys - 1}"
            raise file.refusal(None, rule, f"none for count {count}, key {missing}")
    columns: list[dict[int, Fraction]] = [{0: Fraction(1)}]
    columns += [
        {value: Fraction(times, keys) for value, times in Counter(noise[count].values()).items()}
        for count in range(1, len(noise) + 1)
    ]
    turn = _TURN_OF_ONS if len(noise) == _LAST_OF_ONS else 1
    return PTable(columns, turn=turn, source=f"ONS, {keys:,} keys")


def _of_probabilities(file: _File, rows: Iterable[_Row], names: tuple[str, ...]) -> PTable:
    """Return the table that gives each count and published count its probability."""
    columns: dict[int, dict[int, Fraction]] = {}
    sums: dict[int, Fraction] = {}
    for number, row in enumerate(rows):
        if number == _MOST_PROBABILITIES:
            raise file.refusal(row.line, f"have at most {_MOST_PROBABILITIES:,} probabilities", "more")
        count = file.whole(row, "i", 0, _LARGEST)
        target = file.whole(row, "j", 0, _LARGEST + _LARGEST_NOISE)
        value = file.whole(row, "v", -_LARGEST_NOISE, _LARGEST_NOISE)
        if value != target - count:
            rule = f"have the noise j - i as `v`, {target - count} of {target} and {count}"
            raise file.refusal(row.line, rule, value)
        column = columns.setdefault(count, {})
        if value in column:
            raise file.refusal(row.line, "have each i and j once", f"{count} and {target} again")
        column[value] = file.share(row, "p")
        below = sums.get(count, Fraction(0))
        sums[count] = below + column[value]
        for name, meant in (("p_int_lb", below), ("p_int_ub", sums[count])):
            if name in names and abs(file.share(row, name) - meant) > _ROUNDING:
                rule = f"have the sum of `p` of this i so far as `{name}`, {float(meant):g}"
                raise file.refusal(row.line, rule, brief(row.cells[name]))
    _need_all(file, columns, first=0)
    for count, total in sums.items():
        if abs(total - 1) > _ROUNDING:
            rule = f"have probabilities that sum to one within {float(_ROUNDING):g} for each i"
            raise file.refusal(None, rule, f"{float(total)!r} for i = {count}")
    shares = [
        {value: share / sums[count] for value, share in columns[count].items()}
        for count in range(len(columns))
    ]
    whose = "ptable for SAS" if "p_int_lb" in names else "ptable for tau-ARGUS"
    every = (share for column in columns.values() for share in column.values())
    is_rounded = any(total != 1 for total in sums.values()) or any(p.denominator > _EXACT for p in every)
    return PTable(shares, source=whose, is_rounded=is_rounded)


def _need_all(file: _File, columns: Iterable[int], first: int) -> None:
    """Refuse a table that leaves out a count."""
    counts = set(columns)
    if not counts:
        raise file.refusal(None, "have lines below its first one", "none")
    missing = next((count for count in range(first, max(counts)) if count not in counts), None)
    if missing is not None:
        raise file.refusal(None, f"have lines for each count {first}..{max(counts)}", f"none for {missing}")
