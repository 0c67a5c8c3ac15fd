"""Dates as people write them, by a form that is stated: never guessed where day and month may be mistaken."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from optmech.base.errors import broken_rule
from optmech.base.visible import quote

ISO = "YYYY-MM-DD"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PARTS = {
    "YYYY": r"(?P<year>\d{4})",
    "MON": r"(?P<name>[A-Za-z]{3,9})\.?",
    "MM": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d{1,2})",
}
_TOKENS = re.compile("(YYYY|MON|MM|DD)")
_TIME = r"(?:[T ,]+\d{1,2}:\d{2}.*)?"


@dataclass(frozen=True, slots=True)
class DateForm:
    """A form of dates: YYYY, MM or MON, and DD, with any signs between; a time may follow.

    >>> DateForm("DD.MM.YYYY").date_in("5.1.2024 10:30"), DateForm().date_in("05.01.2024")
    (datetime.date(2024, 1, 5), None)
    """

    text: str = ISO

    def __post_init__(self) -> None:
        """Refuse a form that leaves out the year, the month or the day: ProblemError."""
        tokens = _TOKENS.findall(self.text)
        if sorted(tokens) not in (["DD", "MM", "YYYY"], ["DD", "MON", "YYYY"]):
            rule = "have YYYY, MM or MON, and DD, each once"
            raise broken_rule("dates", rule, quote(self.text), "Write DD.MM.YYYY, or MM/DD/YYYY.")

    def date_in(self, text: str) -> date | None:
        """Return the date in a cell, ``None`` if it has none of this form."""
        parts = _TOKENS.split(self.text)
        pattern = "".join(_PARTS.get(part, re.escape(part)) for part in parts)
        if not any(parts[2:-1:2]):  # without signs between, as YYYYMMDD
            pattern = pattern.replace("{1,2}", "{2}")
        found = re.fullmatch(pattern + _TIME, text.strip(), re.ASCII)
        if found is None:
            return None
        cells = found.groupdict()
        name = (cells.get("name") or "")[:3].lower()
        month = cells.get("month") or (_MONTHS.index(name) + 1 if name in _MONTHS else 0)
        try:
            return date(int(cells["year"]), int(month), int(cells["day"]))
        except ValueError:
            return None
