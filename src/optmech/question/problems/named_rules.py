"""Pairs of epsilon and delta and linear rules from named choices, as a command line or a file states them."""

from __future__ import annotations

from typing import Any

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief
from optmech.question.linear_rule import LinearRule

_KEYS = ("name", "entries", "sense", "right")
_ENTRY, _PAIR = 3, 2


def pairs_of(text: object) -> list[tuple[Any, Any]]:
    """Return pairs of epsilon and delta, from a text such as ``"0.5,1e-3; 1,1e-6"`` or a list of pairs.

    >>> pairs_of("0.5, 1e-3; 1, 1e-6")
    [('0.5', '1e-3'), ('1', '1e-6')]
    """
    table: object = text
    if isinstance(text, str):
        table = [[part.strip() for part in pair.split(",")] for pair in text.split(";")]
    pairs = table if isinstance(table, list) else []
    if not pairs or not all(isinstance(pair, list) and len(pair) == _PAIR and all(pair) for pair in pairs):
        message = (
            f"`privacy` must be pairs of epsilon and delta, such as '0.5,1e-3; 1,1e-6'; got {brief(text)}. "
            "For one pair `epsilon` and `delta` do as well."
        )
        raise ProblemError(message)
    return [(epsilon, delta) for epsilon, delta in pairs]


def rules_of(tables: object) -> tuple[LinearRule, ...]:
    """Return the linear rules of a list of tables.

    Each has a ``name``, ``entries`` of a response, a truth and a coefficient, a ``sense`` and the number at
    its ``right``. Responses and truths are positions, from 0 on.

    >>> table = {"name": "rarely the mirror image", "entries": [[3, 0, 1]], "sense": "<=", "right": "0.1"}
    >>> print(*rules_of([table]))
    rule "rarely the mirror image"
    """
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise broken_rule("rules", "be tables, written [[rules]]", brief(tables))
    return tuple(map(_rule_of, tables))


def _rule_of(table: dict[str, Any]) -> LinearRule:
    if sorted(table) != sorted(_KEYS):
        raise broken_rule("rules", f"have {', '.join(_KEYS)} each", ", ".join(map(str, table)) or "none")
    entries: dict[tuple[int, int], Any] = {}
    triples = table["entries"] if isinstance(table["entries"], list) else []
    for entry in triples:
        sound = (
            isinstance(entry, list) and len(entry) == _ENTRY and all(_is_position(each) for each in entry[:2])
        )
        if not sound or (entry[0], entry[1]) in entries:
            message = (
                "`entries` of a rule must be lists of the position of a response, that of a truth and a "
                f"coefficient, each place once, such as [3, 0, 1]; got {brief(entry)}."
            )
            raise ProblemError(message)
        entries[entry[0], entry[1]] = entry[2]
    return LinearRule(table["name"], entries, table["sense"], table["right"])


def _is_position(part: object) -> bool:
    return isinstance(part, int) and not isinstance(part, bool)
