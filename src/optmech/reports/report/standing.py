"""Numbers with their standing: whose word they are stands beside each."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.reports.report.html import Html, element

if TYPE_CHECKING:
    from optmech.reports.card import Number

__all__ = ["figure", "least", "limit", "marked", "standing", "told"]

_LONGEST = 12


def told(number: Number, digits: int = 6) -> str:
    """Return a number as text: exactly where that is short, else rounded.

    Examples
    --------
    >>> from optmech.base.provenance import Provenance
    >>> from optmech.reports.card import Number
    >>> told(Number(value=1 / 3, exact="1/3", standing=Provenance.PROVED))
    '1/3'
    >>> told(Number(value=1.1, exact="11/10", standing=Provenance.PROVED))
    '1.1'
    """
    text = number.exact
    if text and "ln" not in text:
        text = as_text(Fraction(text))
    if text and len(text) <= _LONGEST:
        return text
    return "infinite" if math.isinf(number.value) else f"{number.value:.{digits}g}"


def standing(word: str) -> Html:
    """Return the mark of a standing; the word itself is what tells it."""
    return element("span", word, class_=f"standing {word}")


def marked(number: Number | None, *further: str, digits: int = 6) -> Html | None:
    """Return a number, what follows it, and its standing; ``None`` for none."""
    if number is None:
        return None
    value = element("span", told(number, digits), class_="number")
    return Html(f"{value}{element('span', *further)} {standing(str(number.standing))}")


def limit(number: Number | None, digits: int = 6) -> Html | None:
    """Return a number that is not exceeded, never rounded down, and its standing; ``None`` for none."""
    if number is None:
        return None
    value = element("span", number.at_most(digits, _LONGEST), class_="number")
    return Html(f"{value} {standing(str(number.standing))}")


def least(number: Number | None, digits: int = 10) -> Html | None:
    """Return a lower bound, never rounded up, and its standing; ``None`` for none."""
    if number is None:
        return None
    value = element("span", number.at_least(digits, _LONGEST), class_="number")
    return Html(f"{value} {standing(str(number.standing))}")


def figure(name: str, value: str, note: Html | str) -> Html:
    """Return one of the few numbers at the head of the page."""
    return element(
        "div",
        element("dt", name),
        element("dd", element("span", value, class_="big"), element("span", note, class_="note")),
    )
