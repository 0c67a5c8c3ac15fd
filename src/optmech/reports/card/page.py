"""A card as Markdown, for people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.base.arguments import an_instance, takes
from optmech.base.number_format import number, percent
from optmech.reports.card.card import Card
from optmech.reports.markup import render

if TYPE_CHECKING:
    from optmech.reports.card.number import Number

__all__ = ["ONLY_NEIGHBOURS", "card_markdown"]

_SHOWN_DIGITS = 24
# Beside the answer whether it is differential privacy, where true answers are left unprotected.
ONLY_NEIGHBOURS = "It protects neighbours from each other, and nothing else."


@takes(card=an_instance(Card))
def card_markdown(card: Card) -> str:
    """Return a card as Markdown: question and guarantee, how good it is, what it does not cover."""
    text = render("card.md", card=card, only_neighbours=ONLY_NEIGHBOURS, percent=percent, told=_number_text)
    return f"{text}\n"


def _number_text(value: Number) -> str:
    """Return an exact number where it is short, else a double in twelve digits."""
    if value.exact and len(value.exact) <= _SHOWN_DIGITS:
        return value.exact
    return number(value.value) if math.isinf(value.value) else f"{value.value:.12g}"
