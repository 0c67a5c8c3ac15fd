"""Bins of a column of dates: periods of a public range, or dates as edges.

month:2024-01..2024-12    and year, quarter (2024-Q1), week of ISO 8601 (2024-W01), day; weekday has no range
2024-01-01,2024-02-15,..  bins between dates, as `optmech.release.tabulate.bins` has them of numbers
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import DATE
from optmech.release.tabulate.bins import Bins, Misfit
from optmech.release.tabulate.dates import ISO, DateForm

if TYPE_CHECKING:
    from collections.abc import Callable

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MOST = 100_000


def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


_NAMES: dict[str, Callable[[date], str]] = {
    "year": lambda day: f"{day.year:04}",
    "quarter": lambda day: f"{day.year}-Q{(day.month + 2) // 3}",
    "month": lambda day: f"{day.year}-{day.month:02}",
    "week": _week,
    "weekday": lambda day: WEEKDAYS[day.weekday()],
    "day": date.isoformat,
}
_FIRST_DAYS: dict[str, Callable[[str], date]] = {
    "year": lambda text: date(int(text), 1, 1),
    "quarter": lambda text: date(int(text[:4]), 3 * int(text[6:]) - 2, 1),
    "month": lambda text: date.fromisoformat(f"{text}-01"),
    "week": lambda text: date.fromisocalendar(int(text[:4]), int(text[6:]), 1),
    "day": date.fromisoformat,
}
_RANGE = re.compile(rf"\s*({'|'.join(_NAMES)})s?\s*(?::\s*(.+?)\s*\.\.\s*(.+?)\s*)?")


@dataclass(frozen=True, slots=True)
class PeriodBins:
    """Periods of one kind as bins; without a range they are those that occur.

    >>> periods_of("quarter:2023-Q4..2024-Q2", DateForm()).labels
    ('2023-Q4', '2024-Q1', '2024-Q2')
    """

    period: str
    labels: tuple[str, ...]
    form: DateForm

    @property
    def is_whole(self) -> bool:
        """Whether all bins are known beforehand."""
        return bool(self.labels)

    @property
    def span(self) -> str:
        """The dates in any bin, in words."""
        return f"{self.labels[0]} to {self.labels[-1]}"

    def found(self, text: str, decimal: str) -> str | Misfit:  # noqa: ARG002 - as bins of numbers
        """Return the bin of a cell, or say why it has none."""
        day = self.form.date_in(text)
        if day is None:
            return no_date(self.form)
        label = _NAMES[self.period](day)
        if self.labels and label not in self.labels:
            remedy = "State a longer range of that period, or leave such rows out by --drop-others."
            return Misfit(f"dates in bins, {self.span},", remedy, is_beyond=True)
        return label


@dataclass(frozen=True, slots=True)
class DayBins:
    """Bins between dates, each with its first day: `bins` are those of their days, counted from year 1."""

    bins: Bins
    form: DateForm
    is_whole: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each bin, in order."""
        days = [date.fromordinal(int(edge)).isoformat() for edge in self.bins.edges]
        inner = [f"{low} to before {high}" for low, high in pairwise(days)]
        if self.bins.closed:
            inner[-1] = f"{days[-2]} to {days[-1]}"
        first = [f"before {days[0]}"] if self.bins.below else []
        return (*first, *inner, *([f"{days[-1]} and later"] if self.bins.above else []))

    def found(self, text: str, decimal: str) -> str | Misfit:  # noqa: ARG002 - as above
        """Return the bin of a cell, or say why it has none."""
        day = self.form.date_in(text)
        if day is None:
            return no_date(self.form)
        index = self.bins.index(day.toordinal())
        if index is None:
            remedy = "Begin or end the bins with .. for one of all others, or pass --drop-others."
            return Misfit("dates between the edges of the bins", remedy, is_beyond=True)
        return self.labels[index]


def no_date(form: DateForm) -> Misfit:
    """Say that a cell has no date of a form."""
    remedy = "Dates are never guessed: say by `--dates` how they are written, as DD.MM.YYYY or MM/DD/YYYY."
    return Misfit(f"dates as {form.text}", remedy)


def periods_of(text: str, form: DateForm) -> PeriodBins | None:
    """Return the bins of a text such as ``"month:2024-01..2024-12"``, ``None`` if it states no period."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    period, *ends = found.groups()
    if period == "weekday":
        return PeriodBins(period, WEEKDAYS, form)
    if ends[0] is None:
        return PeriodBins(period, (), form)
    try:
        first, last = (_FIRST_DAYS[period](end) for end in ends)
        is_named = [_NAMES[period](day) for day in (first, last)] == ends
    except ValueError:
        is_named = False
    if not is_named or first > last or (last - first).days > _MOST:
        example = f"Write {period}:{_NAMES[period](date(2024, 1, 1))}..{_NAMES[period](date(2024, 12, 29))}."
        raise broken_rule("bins", f"have the first and the last {period} of a range", quote(text), example)
    days = (first + timedelta(days=step) for step in range((last - first).days + 1))
    return PeriodBins(period, tuple(dict.fromkeys(map(_NAMES[period], days))), form)


def days_of(text: str, form: DateForm) -> DayBins | None:
    """Return the bins between dates that a text states, ``None`` if its edges are no dates."""
    parts = [part.strip() for part in text.split(",")]
    edges = [part.removesuffix("]") for part in parts if part != ".."]
    if not any(DATE.fullmatch(edge) for edge in edges):
        return None
    days = [DateForm().date_in(edge) or form.date_in(edge) for edge in edges]
    found = [day.toordinal() for day in days if day is not None]
    if len(found) < len(days):
        raise broken_rule("bins", f"have dates as {ISO}, or as `--dates` says, for edges", quote(text))
    below, above, closed = parts[0] == "..", len(parts) > 1 and parts[-1] == "..", parts[-1].endswith("]")
    return DayBins(Bins.of(found, below=below, above=above, closed=closed, text=text), form)
