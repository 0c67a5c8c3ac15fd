"""The crosstab of a whole table for a page, with its totals and the errors of each margin."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from optmech.question.tables.margins import Axes, subsets
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_released import categories_in, released_numbers
from optmech.reports.charts.chart import cut

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from optmech.base.arrays import Integers
    from optmech.mechanisms.tables.table_certificate import TableCertificate

_MOST_ROWS, _MOST_ACROSS, _LONGEST = 30, 7, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """Some margins of a released table as a crosstab; `left_out` is the number of all others.

    A cell is a text, and whether it is a total; the first `keys` cells name the row. `across` is the axis
    that goes across, or empty.
    """

    across: str
    keys: int
    head: tuple[str, ...]
    rows: tuple[tuple[tuple[str, bool], ...], ...]
    left_out: int
    plain: tuple[str, ...] = field(default=(), init=False)
    level: None = field(default=None, init=False)
    is_of_numbers: bool = field(default=True, init=False)


def published_table(
    path: Path, of_log: Path, log: Mapping[str, Any], certificate: TableCertificate
) -> PublishedTable:
    """Return the largest crosstab of a released table that a page has room for.

    FileFormatError if the file or the log is not as it was released.
    """
    facts = LoggedFacts(path=of_log, content=log)
    categories = categories_in(facts, certificate)
    released = released_numbers(path, facts, categories, certificate.problem.totals)
    names, known = [*categories], [[cut(text, _LONGEST) for text in each] for each in categories.values()]
    sizes = [len(each) for each in known]
    within, across = _shown(sizes, released)
    down = sorted(within - {across})
    keys = [*product(*(range(sizes[axis] + 1) for axis in down))]
    if len(keys) > _MOST_ROWS + 1:  # of one long axis: the first categories, and the total
        keys = [*keys[:_MOST_ROWS], keys[-1]]
    places = [None] if across is None else [*range(sizes[across] + 1)]
    shown = 0
    rows = []
    for key in keys:
        row = [
            (ALL if place == sizes[axis] else known[axis][place], place == sizes[axis])
            for axis, place in zip(down, key, strict=True)
        ]
        at = dict(zip(down, key, strict=True))
        for place in places:
            cell = at if across is None or place is None else {**at, across: place}
            margin = frozenset(axis for axis, place in cell.items() if place < sizes[axis])
            is_there = margin in released
            shown += is_there
            number = released[margin][tuple(cell[axis] for axis in sorted(margin))] if is_there else None
            row.append(("" if number is None else f"{number:,}", margin != within))
        rows.append(tuple(row))
    columns = [str(log["column"])] if across is None else [*known[across], ALL]
    return PublishedTable(
        across="" if across is None else names[across],
        keys=len(down),
        head=(*(names[axis] for axis in down), *columns),
        rows=tuple(rows),
        left_out=int(log["output"]["rows"]) - shown,
    )


def _shown(sizes: list[int], released: Mapping[Axes, Integers]) -> tuple[Axes, int | None]:
    """Return the published margin with the most numbers that fits on a page, and its axis across."""
    found = []
    for margin in subsets(frozenset(range(len(sizes)))):
        if margin in released:
            short = [axis for axis in sorted(margin, reverse=True) if sizes[axis] <= _MOST_ACROSS]
            across = short[0] if len(margin) > 1 and short else None
            fits = len(margin) < 2 or prod(sizes[axis] + 1 for axis in margin - {across}) <= _MOST_ROWS + 1  # noqa: PLR2004
            numbers = prod(sizes[axis] for axis in margin)
            found.append((fits, numbers if fits else -numbers, margin, across))
    *_, margin, across = max(found, key=lambda one: one[:2])
    return margin, across
