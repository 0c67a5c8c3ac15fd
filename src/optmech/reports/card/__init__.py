"""What a mechanism is, in plain words and in facts, each with its provenance: the mechanism card.

Two functions are for others to use:

- `words_of(problem)`: the question in plain words, without a mechanism. See `Words`.
- `card_of(certificate)`: words and facts of a mechanism, everything recomputed or proved. See `Card`.

`card_json` and `card_markdown` write a card down; `schema` is the JSON Schema that the first one keeps.
"""

from optmech.question.words import Words, words_of
from optmech.reports.card.card import Card, card_of
from optmech.reports.card.number import Number
from optmech.reports.card.text import card_json, card_markdown, schema

__all__ = [
    "Card",
    "Number",
    "Words",
    "card_json",
    "card_markdown",
    "card_of",
    "schema",
    "words_of",
]
