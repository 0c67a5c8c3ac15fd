"""Cells that say between which numbers a number is: limits such as <5 and 90+, and ranges such as 1-5."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_NUMBER = r"(\d+(?:\.\d+)?)"
_BELOW = {"<": True, "<=": False, "≤": False, "up to": False, "at most": False, "to": False}
_BELOW |= dict.fromkeys(("less than", "fewer than", "under", "below", "younger than"), True)
_ABOVE = {">": True, ">=": False, "≥": False, "at least": False, "from": False}
_ABOVE |= dict.fromkeys(("more than", "over", "above", "older than"), True)
_BEHIND_ABOVE = (
    "+",
    "plus",
    "or more",
    "and more",
    "and over",
    "or over",
    "and above",
    "or older",
    "and older",
)
_BEHIND_BELOW = ("or less", "or fewer", "and under", "or under", "and below", "or younger", "and younger")
_LIMIT = re.compile(
    rf"(?:n\s*)?({'|'.join(map(re.escape, sorted({*_BELOW, *_ABOVE}, key=len, reverse=True)))})\s*{_NUMBER}",
    re.ASCII,
)
_BEHIND = re.compile(rf"{_NUMBER}\s*({'|'.join(map(re.escape, (*_BEHIND_ABOVE, *_BEHIND_BELOW)))})", re.ASCII)
_RANGE = re.compile(rf"{_NUMBER}\s*(?:-|\u2013|\u2014|\.\.|to)\s*{_NUMBER}", re.ASCII)


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """The numbers from `low` to `high`, each ``None`` where there is no end, with both ends or without."""

    low: Fraction | None
    high: Fraction | None
    without_ends: bool = False


def span_in(text: str) -> NumberSpan | None:
    """Return the numbers that a cell allows, ``None`` if it states no limit and no range.

    >>> span_in("90+").low, span_in("< 5").high, span_in("1-5").high, span_in("5-1"), span_in("5")
    (Fraction(90, 1), Fraction(5, 1), Fraction(5, 1), None, None)
    """
    plain = text.strip().lower()
    if found := _LIMIT.fullmatch(plain):
        word, end = found[1], Fraction(found[2])
        low, high = (None, end) if word in _BELOW else (end, None)
        return NumberSpan(low, high, (_BELOW | _ABOVE)[word])
    if found := _BEHIND.fullmatch(plain):
        end = Fraction(found[1])
        return NumberSpan(*((end, None) if found[2] in _BEHIND_ABOVE else (None, end)))
    if (found := _RANGE.fullmatch(plain)) and Fraction(found[1]) < Fraction(found[2]):
        return NumberSpan(Fraction(found[1]), Fraction(found[2]))
    return None
