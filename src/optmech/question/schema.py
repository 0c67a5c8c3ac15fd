"""The schema of a question's table, from the keys that its parts declare: for pages and editors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.question.kinds import KINDS
from optmech.question.losses.tables import BOUND_KEYS, OBJECTIVE_KEYS
from optmech.question.privacy import PRIVACIES
from optmech.question.query_table import RESPONSES
from optmech.question.structures import STRUCTURES
from optmech.question.table import PARTS, RULE_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.question.keys import Key

_QUERIES = {word: (*kind.keys, RESPONSES) for word, kind in KINDS.items()}
_PRIVACIES = {kind.word: kind.keys for kind in PRIVACIES}
_STRUCTURES = {kind.word: kind.keys for kind in STRUCTURES}
KEYS_OF_KIND: dict[str, dict[str, tuple[Key, ...]]] = {
    "query": _QUERIES,
    "privacy": _PRIVACIES,
    "structure": _STRUCTURES,
}
"""The keys of each kind, beside the kind itself, in the parts of a question that have kinds."""


def sections() -> dict[str, tuple[Key, ...]]:
    """Return the keys of each table in a question, by its name and, where it has one, its kind.

    Examples
    --------
    >>> [key.name for key in sections()["privacy, kind approximate"]]
    ['epsilon', 'delta']
    """
    return {
        "question": PARTS,
        **{f"{part}, kind {word}": keys for part, of in KEYS_OF_KIND.items() for word, keys in of.items()},
        "objective": OBJECTIVE_KEYS,
        "bounds": BOUND_KEYS,
        "rules": RULE_KEYS,
    }


def question_schema() -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12, of what `Problem.to_dict` returns and `Problem.from_dict` reads.

    Examples
    --------
    >>> question_schema()["required"]
    ['query', 'privacy']
    """
    table = _object(PARTS)
    privacy = _one_of(_PRIVACIES)
    table["properties"] |= {
        "query": _one_of(_QUERIES),
        "privacy": {"anyOf": [privacy, {"type": "array", "items": privacy, "minItems": 1}]},
        "structure": _one_of(_STRUCTURES),
        "objective": _object(OBJECTIVE_KEYS),
        "bounds": {"type": "array", "items": _object(BOUND_KEYS)},
        "rules": {"type": "array", "items": _object(RULE_KEYS)},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:optmech:question:1",
        "title": "optmech question, version 1",
        "description": "A question to a mechanism design. A number may be a text, which keeps it exactly.",
        **table,
    }


def _one_of(kinds: Mapping[str, Iterable[Key]]) -> dict[str, Any]:
    """Return the schema of a table whose `kind` decides which keys it has."""
    tables = []
    for word, keys in kinds.items():
        table = _object(keys)
        table["required"].insert(0, "kind")
        table["properties"] = {"kind": {"const": word}, **table["properties"]}
        tables.append(table)
    return {"oneOf": tables}


def _object(keys: Iterable[Key]) -> dict[str, Any]:
    listed = tuple(keys)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key.name for key in listed if key.is_needed],
        "properties": {key.name: {**key.form.schema, "description": key.description} for key in listed},
    }
