"""A card as Markdown for people, and as reproducible JSON with its JSON Schema."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from optmech.base.arguments import an_instance, takes
from optmech.base.number_format import number, percent
from optmech.base.visible import visible_json
from optmech.reports.card.card import Card
from optmech.reports.markup import render

if TYPE_CHECKING:
    from optmech.reports.card.number import Number

FORMAT, VERSION = "optmech mechanism card", 1
_SCHEMA = "mechanism-card-1.schema.json"


@takes(card=an_instance(Card))
def card_json(card: Card) -> str:
    """Return a card as JSON text: without any time, so that bytes can be compared. Infinity is ``"inf"``.

    Examples
    --------
    >>> from optmech import count, croft, design
    >>> from optmech.reports.card.card import card_of
    >>> text = card_json(card_of(design(croft(count(1), "ln 3")).certificate))
    >>> json.loads(text)["privacy"]["odds"]
    {'value': 3.0, 'exact': '3', 'provenance': 'recomputed'}
    """
    content = {"format": FORMAT, "version": VERSION, **_values(card)}
    return visible_json(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a card, draft 2020-12."""
    text = files("optmech.reports.card").joinpath(_SCHEMA).read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _values(thing: Any) -> Any:  # noqa: ANN401 - a card is made of many kinds of parts
    """Return a part as JSON values."""
    if is_dataclass(thing):
        return {field.name: _values(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, tuple):
        return [_values(part) for part in thing]
    if isinstance(thing, float) and not math.isfinite(thing):
        return str(thing)
    return thing


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
