"""Show estimates on one screen of 16 lines and 80 columns: sums, shares, and as many cells as fit."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.base.wrapping import WIDTH, wrapped
from optmech.cli.output import count_text
from optmech.cli.screen import LINES
from optmech.release.estimates.rows import EstimateKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.estimates.rows import EstimateRow, Estimates

_OF_ONE = (EstimateKind.SHARE, EstimateKind.SHARE_OF_TOTAL)
_NAME, _DIGITS = 16, 16
_LARGE = 100_000
_MOST_LINES = 5
# The last columns of a table that is too wide are left out, but for the limits.
_LEFT_OUT = ("posterior", "likeliest", "released", "ratio")
_FREE = "spends nothing: made from what is public"


def estimate_lines(found: Estimates, table: str, *, explain: bool, is_written: bool) -> list[str]:
    """Return what is printed of estimates: with `explain` all rows and notes."""
    cells = found.of(EstimateKind.CELL)
    others = [row for row in found.rows if row.kind is not EstimateKind.CELL]
    level = as_text(100 * found.level)
    people = _people(others)
    what = f"{people} people" if people else count_text(cells, "cell")
    head = wrapped([f"{table}, column {visible(found.column)}: {what}; {_FREE}"])
    if explain:
        return [*head, "", *_table([*cells, *others], level), "", *wrapped(found.notes)]
    tail = wrapped([_meaning(found, level)])
    for remark in found.remarks:
        lines = wrapped([remark])
        tail += lines if len(tail) + len(lines) <= _MOST_LINES else []
    # The head of the table, two empty lines, the line of rows that are left out, and of what was written.
    room = LINES - len(head) - len(tail) - 3 - int(is_written)
    number = len(cells) + len(others)
    room -= int(number > room)
    kept = others[:room]
    shown = [*cells[: room - len(kept)], *kept]
    left = number - len(shown)
    more = f"and {left} more rows: {'in the file' if is_written else '--out FILE.csv'} and --explain have all"
    return [*head, "", *_table(shown, level), *([more] if left else []), "", *tail]


def _meaning(found: Estimates, level: str) -> str:
    if found.of(EstimateKind.SHARE):
        return f"{level} % limits hold for all shares of a group together, whatever the truth"
    return f"{level} % limits hold for each row, whatever the truth"


def _people(rows: Sequence[EstimateRow]) -> int:
    return sum({row.group: row.cells for row in rows if row.kind is EstimateKind.SHARE}.values())


def _table(rows: Sequence[EstimateRow], level: str) -> list[str]:
    """Return rows below their header, in columns that fit."""
    columns = {
        "": [_name_of(row) for row in rows],
        "released": [visible(row.released) for row in rows],
        "unbiased": [_estimate(row) for row in rows],
        "std.error": [_number(row.standard_error, row) for row in rows],
        "ratio": [_number(row.ratio, row) for row in rows],
        "likeliest": [_likeliest(row) for row in rows],
        "posterior": [_number(row.posterior_mean, row) for row in rows],
        f"{level} % limits": [_limits(row) for row in rows],
    }
    columns = {head: cells for head, cells in columns.items() if any(cells) or not head}
    for head in _LEFT_OUT:
        if _NAME + _width(columns) > WIDTH:
            columns.pop(head, None)
    name = max(WIDTH - _width(columns), _NAME)
    columns[""] = [_shortened(text, name) for text in columns[""]]
    widths = {head: max(len(head), *map(len, cells), 0) for head, cells in columns.items()}
    lines = [[head, *cells] for head, cells in columns.items()]
    return [
        "  ".join(
            cell.ljust(widths[head]) if not head else cell.rjust(widths[head])
            for head, cell in zip(columns, line, strict=True)
        ).rstrip()
        for line in zip(*lines, strict=True)
    ]


def _width(columns: dict[str, list[str]]) -> int:
    """Return the width of the columns behind the names, each with two blanks before it."""
    return sum(2 + max(len(head), *map(len, cells), 0) for head, cells in columns.items() if head)


def _name_of(row: EstimateRow) -> str:
    if row.kind is EstimateKind.CELL:
        return visible(row.name)
    if row.kind in (EstimateKind.SHARE, EstimateKind.MEAN):
        return visible(f"{row.group}: {row.name}" if row.group else row.name)
    if row.kind is EstimateKind.DIFFERENCE:
        return visible(f"{row.group}: {row.name}" if row.name != row.group else row.group)
    return visible(f"{row.kind}, {row.name}")


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _digits(row: EstimateRow) -> int:
    return 3 if row.kind in _OF_ONE or (row.kind is EstimateKind.DIFFERENCE and row.name != row.group) else 2


def _estimate(row: EstimateRow) -> str:
    if row.estimate is None:
        return "" if row.kind is EstimateKind.SHARE_OF_TOTAL else "none"
    return _number(row.estimate, row)


def _number(value: Fraction | float | None, row: EstimateRow) -> str:
    if value is None:
        return ""
    double = float(value)
    return f"{double:.{_digits(row)}f}" if abs(double) < _LARGE else f"{double:.7g}"


def _likeliest(row: EstimateRow) -> str:
    if not row.most_likely:
        return ""
    texts = [_short(value) for value in row.most_likely]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def _limits(row: EstimateRow) -> str:
    """Return the limits, rounded outward; an open end is an ellipsis."""
    scale = 10 ** _digits(row)
    low = "…" if row.low is None else _short(Fraction(floor(row.low * scale), scale))
    high = "…" if row.high is None else _short(Fraction(ceil(row.high * scale), scale))
    return f"{low} to {high}"


def _short(value: Fraction) -> str:
    text = as_text(value)
    return text if len(text) <= _DIGITS else f"{float(value):.6g}"
