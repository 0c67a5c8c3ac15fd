"""Read a cell as an exact number, or say why it is none, and what to do."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
_LIMIT = re.compile(r"(<=?|>=?|≤|≥|less than|under|over|up to)\s*\d.*", re.IGNORECASE)
_WITHHELD = (
    "*",
    "**",
    "x",
    "c",
    "s",
    "-",
    "--",
    ".",
    "..",
    ":",
    "n/a",
    "na",
    "null",
    "suppressed",
    "#",
)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([,.'\u2019\s\u00a0\u202f]\d{3})+([.,]\d+)?", re.ASCII)
SECOND_NAMES = "That is the name of the column: is there a second row of names? Leave it out."
"""The remedy for a cell that repeats the name of its column."""
_OF_LIMIT = (
    "That is a limit: the number was withheld before. Take the true numbers; protection of a protected table "
    "has no proof."
)
_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_WITH_UNIT = re.compile(r"([$€£¥]\s*)?[+-]?\d[\d.,]*\s*(%|[A-Za-z$€£¥]+)?", re.ASCII)
_SEPARATORS = re.compile(r"[,.'\u2019\s\u00a0\u202f](?=\d{3}(\D|$))")


def number_in(text: str) -> Fraction | None:
    """Return the number that a cell holds, ``None`` if it holds none.

    >>> number_in(" 2.50 "), number_in("1,234"), number_in("<5")
    (Fraction(5, 2), None, None)
    """
    text = text.strip()
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def reason_of_no_number(text: str, column: str | None = None) -> str:
    """Return why a cell is no number, with a remedy, as sentences; it is blank, or `number_in` refuses it.

    >>> reason_of_no_number("1,234", "income")
    'Its digits are in groups: write 1234.'
    """
    plain = text.strip()
    reasons = (
        (not plain, "The cell is empty."),
        (plain == column, SECOND_NAMES),
        (_LIMIT.fullmatch(plain), _OF_LIMIT),
        (
            plain.lower() in _WITHHELD,
            "That marks a number that is withheld or missing: find it, or leave its row out.",
        ),
        (
            _THOUSANDS.fullmatch(plain),
            f"Its digits are in groups: write {_SEPARATORS.sub('', plain).replace(',', '.')}.",
        ),
        (_COMMA.fullmatch(plain), f"Its decimals stand behind a comma: write {plain.replace(',', '.')}."),
        (
            _WITH_UNIT.fullmatch(plain),
            "It has a unit: write the number alone, and the unit into the name of the column.",
        ),
    )
    return next(
        (reason for applies, reason in reasons if applies),
        "That is no finite number: is it the right column?",
    )
