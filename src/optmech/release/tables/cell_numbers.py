"""Read a cell as an exact number, or say why it is none, and what to do."""

from __future__ import annotations

import re
from fractions import Fraction

from optmech.release.tables.dialect import EITHER
from optmech.release.tables.missing_marks import marks_missing
from optmech.release.tables.number_spans import span_in

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
# Letters and words by which offices mark a number that they withhold.
_WITHHELD = re.compile(r"[(\[]?(x|c|s|d|z|suppressed|withheld|confidential|redacted)[)\]]?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([,.'\u2019\s\u00a0\u202f]\d{3})+([.,]\d+)?", re.ASCII)
SECOND_NAMES = "That is the name of the column: is there a second row of names? Leave it out."
"""The remedy for a cell that repeats the name of its column."""
_OF_LIMIT = (
    "That is a limit or a range: the number was withheld before. Take the true numbers; protection of a "
    "protected table has no proof."
)
_IN_BRACKETS = re.compile(r"\(\d[\d.,]*\)", re.ASCII)
_DASH = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]\s*(\d[\d.,]*)")
_NOTE = re.compile(
    r"[+-]?\d[\d.,]*\s*(\*+|[\u2020\u2021\u00a7\u00b6#~!?]+|[(\[]\w{1,3}[)\]]|\^\w|[\u00b9\u00b2\u00b3\u2070-\u2079\u02b0-\u02b8\u1d2c-\u1d6a]+)"
)
_FLAG = re.compile(r"([+-]?\d[\d.,]*)\s*[A-Za-z]", re.ASCII)
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([T ].*)?|\d{1,2}([./-])\d{1,2}\2\d{2,4}", re.ASCII)
"""A date, as people write it."""
OF_DATE = (
    "That is a date: bins of dates are month:2024-01..2024-12, or dates with commas, and `--dates` says how "
    "they are written."
)
"""The remedy for a date where a number must be."""
_MARK_UNKNOWN = re.compile(r"[+-]?\d{1,3}[.,]\d{3}", re.ASCII)
_UNKNOWN_MARK = "Its mark may be of decimals or of thousands: say it by `--decimal .` or `--decimal ,`."
_OTHER_MARK = "Its decimals stand behind a point, not a comma: `--decimal .` says so."
# A point where decimals stand behind a comma makes no number.
_SWAPPED = str.maketrans(",.", ".,")
_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_WITH_UNIT = re.compile(r"([$€£¥]\s*)?[+-]?\d[\d.,]*\s*(%|[A-Za-z$€£¥]+)?", re.ASCII)
_SEPARATORS = re.compile(r"[,.'\u2019\s\u00a0\u202f](?=\d{3}(\D|$))")


def number_in(text: str, decimal: str = ".") -> Fraction | None:
    """Return the number that a cell holds, ``None`` if it holds none, by the decimal mark of its file.

    Each cell is read alone: a mark that others hint at would let one person change the number of another.

    >>> number_in(" 2.50 "), number_in("1,234"), number_in("<5"), number_in("2,50", ",")
    (Fraction(5, 2), None, None, Fraction(5, 2))
    >>> number_in("24,6", EITHER), number_in("1,234", EITHER)
    (Fraction(123, 5), None)
    """
    text = text.strip()
    if decimal == EITHER and _MARK_UNKNOWN.fullmatch(text):
        return None
    if decimal == "," or (decimal == EITHER and "," in text):
        text = text.translate(_SWAPPED)
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def reason_of_no_number(text: str, column: str | None = None, decimal: str = ".") -> str:
    """Return why a cell is no number, with a remedy, as sentences; it is blank, or `number_in` refuses it.

    >>> reason_of_no_number("1,234", "income")
    'Its digits are in groups: write 1234.'
    """
    plain = text.strip()
    reasons = (
        (not plain, "The cell is empty."),
        (plain == column, SECOND_NAMES),
        (span_in(plain) is not None, _OF_LIMIT),
        (
            marks_missing(plain) or _WITHHELD.fullmatch(plain),
            "That marks a number that is withheld or missing: find it, or leave its row out.",
        ),
        (DATE.fullmatch(plain), OF_DATE),
        (_DASH.fullmatch(plain), "It begins with a dash: write the minus as -, if it is one."),
        (_IN_BRACKETS.fullmatch(plain), "It stands in brackets: write the number alone, or - for a minus."),
        (decimal == EITHER and _MARK_UNKNOWN.fullmatch(plain), _UNKNOWN_MARK),
        (decimal == "," and "." in plain and _NUMBER.fullmatch(plain), _OTHER_MARK),
        (
            _THOUSANDS.fullmatch(plain),
            f"Its digits are in groups: write {_SEPARATORS.sub('', plain).replace(',', '.')}.",
        ),
        (
            _COMMA.fullmatch(plain),
            f"Its decimals stand behind a comma: write {plain.replace(',', '.')}, or pass `--decimal ,`.",
        ),
        (_NOTE.fullmatch(plain), "It has the mark of a note: write the number alone."),
        (
            _FLAG.fullmatch(plain),
            "It has a letter: a unit, or a flag, as r marks a revised figure. Write the number alone.",
        ),
        (
            _WITH_UNIT.fullmatch(plain),
            "It has a unit: write the number alone, and the unit into the name of the column.",
        ),
    )
    return next(
        (reason for applies, reason in reasons if applies),
        "That is no finite number: is it the right column?",
    )
