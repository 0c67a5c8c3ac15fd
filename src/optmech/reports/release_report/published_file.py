"""The numbers of a released file, each with the interval that holds the true answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, NotAcceptedError
from optmech.base.number_format import at_least, at_most
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.files import reader_of
from optmech.release.tables.releaser import Releaser
from optmech.reports.charts.chart import cut
from optmech.reports.charts.dot_plot import dot_plot
from optmech.reports.charts.svg import LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from optmech.proofs.certificate import Certificate
    from optmech.release.tables.column_mechanisms import ColumnMechanism
    from optmech.release.tables.part import Part
    from optmech.reports.charts.chart import Chart

_LEVEL = Fraction(95, 100)
# A table that is a little longer is shown whole.
_MOST_ROWS, _FIRST_ROWS, _MOST_COLUMNS = 24, 20, 6
# Columns whose cells make the name of a row.
_MOST_NAMES, _FEWEST_CELLS, _SHORTEST = 3, 2, 6
_DIGITS, _LONGEST = 6, 60
_OPEN = "no limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """The first rows of a released file for a page; `left_out` is the number of the others.

    `level` is that of the interval in the last two cells, if there is one; an end of it may be open. `plain`
    are all columns of the file that are as they were in the table. The `chart` has the same rows; there is
    none where answers are no numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    level: Fraction | None
    left_out: int
    plain: tuple[str, ...]
    chart: Chart | None

    @property
    def is_of_numbers(self) -> bool:
        """Whether all answers that are shown are numbers, and none is a label."""
        return self.chart is not None or not self.rows


def published_file(path: Path, log: Mapping[str, Any], by_digest: Mapping[str, Certificate]) -> PublishedFile:
    """Return the numbers of a released file, by its log and the certificates at hand.

    FileFormatError if the intervals in its first rows are not those of the certificates.
    """
    column, by, own = str(log["column"]), log.get("by"), log.get("interval")
    ends = tuple(own["columns"]) if own else ()
    with reader_of(path, column, by) as reader:
        level = Fraction(own["level"]) if own else _LEVEL
        releaser = _releaser(log, by_digest, level)
        plain = tuple(name for name in reader.header if name not in (column, *ends))
        others = plain[:_MOST_COLUMNS]
        indices = [list(reader.header).index(name) for name in (*others, column, *ends)]
        raw = list[tuple[Any, ...]]()
        for part in reader.parts():
            first = [part.cells(index).slice(0, _MOST_ROWS + 1).to_pylist() for index in indices]
            limits = [] if releaser is None else _limits(releaser, part)
            if own and limits:
                _check_limits(path, first[-len(ends) :], limits)
            raw += zip(*first, *([] if own else limits), strict=True)
            if len(raw) > _MOST_ROWS:
                raw = raw[:_FIRST_ROWS]
                break
        before = list(reader.header).index(column)
    has_limits = bool(own) or releaser is not None
    return PublishedFile(
        head=(*others, column, *(("at least", "at most") if has_limits else ())),
        rows=tuple(_cells(row, len(others)) for row in raw),
        level=level if has_limits else None,
        left_out=int(log["output"]["rows"]) - len(raw),
        plain=plain,
        chart=_chart(others, column, before, raw),
    )


def _chart(others: Sequence[str], column: str, before: int, rows: Sequence[tuple[Any, ...]]) -> Chart | None:
    """Return a row with a dot for each answer; nothing where one is no number, or there are none.

    The texts that stand before an answer in its row are its name; or else the first cell.
    """
    texts = range(min(before, len(others)))
    names_in = [index for index in texts if any(_number(row[index]) is None for row in rows)][:_MOST_NAMES]
    names_in = names_in or list(range(len(others)))[:1]
    cells = [[_name(row[index]) for index in names_in] for row in rows]
    names = [_row_name(each) or f"row {turn}" for turn, each in enumerate(cells, 1)]
    numbers = [tuple(map(_number, row[len(others) :])) for row in rows]
    answers = [number for number, *_ in numbers if number is not None]
    if not answers or len(answers) < len(rows):
        return None
    intervals = [(low, high) for _, low, high in numbers] if len(numbers[0]) > 1 else []
    rows_are = ", ".join(others[index] for index in names_in)
    return dot_plot(names, answers, intervals, title=column, rows_are=rows_are)


def _row_name(cells: Sequence[str]) -> str:
    """Return the cells of a name, the first one shortened where there is no room for all."""
    if len(cells) < _FEWEST_CELLS:
        return ", ".join(cells)
    first, rest = cells[0], ", ".join(cells[1:])
    return f"{cut(first, max(_SHORTEST, LONGEST_ROW - len(rest) - 2))}, {rest}"


def _number(value: Any) -> float | None:  # noqa: ANN401 - any cell
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _limits(releaser: Releaser, part: Part) -> list[list[Any]]:
    """Return both ends of the intervals of the first rows of a part, by the certificates."""
    groups = None if part.groups is None else part.groups.slice(0, _MOST_ROWS + 1)
    ends = releaser.limits(part.answers.slice(0, _MOST_ROWS + 1), groups)
    return [end.to_pylist() for end in ends]


def _check_limits(path: Path, written: Sequence[Sequence[Any]], proved: Sequence[Sequence[Any]]) -> None:
    """Raise FileFormatError where a file has other intervals than those that its certificates prove."""
    for in_file, ends in zip(written, proved, strict=True):
        for row, (end, at) in enumerate(zip(map(_number, in_file), map(_number, ends), strict=True), 1):
            if end != at:
                got, proof = (_OPEN if limit is None else f"{limit:.10g}" for limit in (end, at))
                message = (
                    f"`{path}` must have the intervals that its certificates prove; row {row} has {got} in "
                    f"place of {proof}. Release again with --interval."
                )
                raise FileFormatError(message)


def _releaser(
    log: Mapping[str, Any], by_digest: Mapping[str, Certificate], level: Fraction
) -> Releaser | None:
    """Return what knows the intervals of all groups, if all certificates are at hand."""
    laws: dict[str | None, ColumnMechanism] = {}
    for entry in log["mechanisms"]:
        certificate = by_digest.get(entry.get("certificate_sha256", ""))
        if certificate is None:
            return None
        laws[entry.get("group")] = column_mechanism(certificate)
    try:
        clamp, drop_zero = log["beyond_the_range"] != "refused", "left_out" in log
        return Releaser(laws, clamp=clamp, drop_zero=drop_zero, level=level)
    except NotAcceptedError:
        return None


def _cells(row: Sequence[Any], num_others: int) -> tuple[str, ...]:
    """Return the cells of a row as text: an answer to some digits, and its interval rounded outward."""
    others, (answer, *ends) = row[:num_others], row[num_others:]
    rounded = zip(ends, (at_least, at_most), strict=False)
    limits = (_OPEN if end is None or end == "" else _rounded(end, ways) for end, ways in rounded)
    return *map(_name, others), _rounded(answer, _nearest), *limits


def _name(value: Any) -> str:  # noqa: ANN401 - any cell
    """Return a public cell as it stands: a code of digits is no number."""
    return "" if value is None else cut(str(value), _LONGEST)


def _rounded(value: Any, way: Callable[[Fraction, int], str]) -> str:  # noqa: ANN401 - any cell
    """Return a number of many digits rounded, and anything else as it stands."""
    text = _name(value)
    number = _number(value)
    return text if number is None or len(text) <= _DIGITS + 1 else way(Fraction(number), _DIGITS)


def _nearest(value: Fraction, digits: int) -> str:
    return f"{float(value):.{digits}g}"
