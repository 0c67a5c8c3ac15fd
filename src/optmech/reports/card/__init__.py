"""The mechanism card: a mechanism in plain words and in facts, each with its provenance."""

from optmech.question.words import Words, words_of
from optmech.reports.card.card import Card, card_of
from optmech.reports.card.number import Number
from optmech.reports.card.text import card_json, card_markdown, schema

__all__ = ["Card", "Number", "Words", "card_json", "card_markdown", "card_of", "schema", "words_of"]
