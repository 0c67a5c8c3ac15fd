"""A question as one nested table, and back.

The same table is the ``[question]`` of a file, a cell of a sweep and the state of the studio. It holds what
was asked, in words and exact numbers, and nothing derived from it: no costs, and no answers or neighbours
that follow from the kind of query.
"""

from __future__ import annotations

from typing import Any

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.question.guarantees import smallest_first
from optmech.question.keys import (
    NUMBER,
    TEXT,
    Key,
    KeyForm,
    kind_in,
    list_of,
    need_table,
    needed,
    read_keys,
    written_keys,
)
from optmech.question.limits import LIMIT_EXAMPLES, StatedLimit, with_limits_apart
from optmech.question.linear_rule import LinearRule
from optmech.question.losses.tables import (
    bound_from,
    bound_table,
    objective_from,
    objective_table,
)
from optmech.question.privacy import PRIVACIES, Privacy, PurePrivacy
from optmech.question.properties import Property, properties_of
from optmech.question.query_table import query_from, query_table
from optmech.question.structures import STRUCTURES, ModularNoise, Structure

QUESTION_EXAMPLE = (
    'Such as: query = {kind = "count", smallest = 0, largest = 5}, privacy = {kind = "pure", epsilon = 1}.'
)
"""A remedy: the shortest question as a table."""
_PRIVACIES = {kind.word: kind for kind in PRIVACIES}
_STRUCTURES = {kind.word: kind for kind in STRUCTURES}
_TABLE = KeyForm(
    words="a table", read=lambda value, _: value, write=lambda value: value, schema={"type": "object"}
)
_TRIPLE = 3
_TABLES = list_of(_TABLE, "a list of tables")
_ENTRIES = list_of(
    KeyForm(
        words="a triple", read=lambda value, _: value, write=lambda value: value, schema={"type": "array"}
    ),
    "a list of triples: positions of a response and a true answer from 0, and a coefficient",
)
PARTS = (
    needed("query", _TABLE, "what is asked"),
    needed(
        "privacy",
        KeyForm(
            words="a table, or a list of tables of what must hold at once",
            read=lambda value, _: value,
            write=lambda value: value,
            schema={"anyOf": [_TABLE.schema, _TABLES.schema]},
        ),
        "what must hold between neighbours",
    ),
    Key(name="structure", form=_TABLE, about="the set of allowed mechanisms", default={"kind": "free"}),
    Key(
        name="properties",
        form=list_of(TEXT, "a list of texts"),
        about=f"what else must hold: names, and limits such as {LIMIT_EXAMPLES}",
        default=(),
    ),
    Key(name="objective", form=_TABLE, about="what is to be least", default={}, left_out="the absolute loss"),
    Key(name="bounds", form=_TABLES, about="further losses, and how large they may be", default=()),
    Key(name="rules", form=_TABLES, about="weighted sums of entries, and their limits", default=()),
)
"""The parts of a question."""
RULE_KEYS = (
    needed("name", TEXT, "what its author calls it"),
    needed("entries", _ENTRIES, "which entries count, and how much"),
    needed("sense", TEXT, '"<=", ">=" or "="'),
    needed("right", NUMBER, "the limit"),
)
"""The keys of a linear rule."""


def table_of(problem: Any) -> dict[str, Any]:  # noqa: ANN401 - a `Problem`, which imports this file
    """Return a question as a table of values of JSON, exact numbers as text."""
    query, structure = problem.query, problem.structure
    privacies = [_privacy_table(privacy) for privacy in problem.privacies]
    limits = [str(limit) for limit in problem.limits if str(limit).strip() != "without"]
    is_usual = isinstance(structure, ModularNoise) and structure.moduli == query.moduli
    values = {
        "query": query_table(query, structure),
        "privacy": privacies[0] if len(privacies) == 1 else privacies,
        "structure": {"kind": structure.word} if is_usual else _of_kind(structure),
        "properties": [*sorted(map(str, problem.properties)), *sorted(limits)] or (),
        "objective": objective_table(problem.objective, query, structure),
        "bounds": [bound_table(bound, query, structure) for bound in problem.bounds] or (),
        "rules": [rule.content for rule in problem.rules] or (),
    }
    return written_keys(values, PARTS)


def parts_of(table: object, where: str = "question") -> dict[str, Any]:
    """Return the parts of the problem that a table states, as `Problem` takes them.

    Raises
    ------
    ProblemError
        If a key is unknown or missing, or a value breaks its rule; it names the key.
    """
    values = read_keys(table, PARTS, where, "a question")
    structure = _structure(values["structure"], f"{where}.structure")
    query = query_from(values["query"], structure, f"{where}.query")
    if isinstance(structure, ModularNoise) and structure.moduli is None:
        structure = ModularNoise(query.moduli)
    first, *further = _privacies(values["privacy"], f"{where}.privacy")
    properties, limits = _demands(values["properties"])
    try:
        objective = objective_from(values["objective"], query, structure, f"{where}.objective")
        bounds = tuple(bound_from(bound, query, structure, f"{where}.bounds") for bound in values["bounds"])
    except OverflowError:
        message = (
            f"`{where}` must have answers whose losses are below 1e308; they are not. Ask in larger units."
        )
        raise ProblemError(message) from None
    return {
        "query": query,
        "structure": structure,
        "privacy": first,
        "further_privacy": tuple(further),
        "properties": properties,
        "limits": limits,
        "objective": objective,
        "bounds": bounds,
        "rules": tuple(_rule(rule, f"{where}.rules") for rule in values["rules"]),
    }


def _privacy_table(privacy: Privacy) -> dict[str, Any]:
    """Return a definition as a table; approximate privacy with delta 0 becomes the pure one."""
    if privacy.is_pure and privacy.epsilon > 0:
        return _of_kind(PurePrivacy(privacy.epsilon))
    return _of_kind(privacy)


def _of_kind(part: Privacy | Structure) -> dict[str, Any]:
    """Return a part as its word and the values of its keys."""
    values = {key.name: getattr(part, key.name) for key in part.keys}
    return {"kind": part.word, **written_keys(values, part.keys)}


def _structure(table: object, where: str) -> Structure:
    kind, content = kind_in(table, _STRUCTURES, where)
    return _STRUCTURES[kind](**read_keys(content, _STRUCTURES[kind].keys, where, kind))


def _privacies(tables: object, where: str) -> list[Privacy]:
    listed = tables if isinstance(tables, (list, tuple)) else [tables]
    if not listed:
        raise broken_rule(where, "hold one definition or more", "none")
    privacies = []
    for table in listed:
        kind, content = kind_in(table, _PRIVACIES, where)
        privacies.append(_PRIVACIES[kind](**read_keys(content, _PRIVACIES[kind].keys, where, kind)))
    return smallest_first(privacies)


def _demands(texts: tuple[str, ...]) -> tuple[frozenset[Property], frozenset[StatedLimit]]:
    names, limits = with_limits_apart(texts)
    return properties_of(names), limits


def _rule(table: object, where: str) -> LinearRule:
    values = read_keys(need_table(table, where, "a linear rule"), RULE_KEYS, where, "a linear rule")
    entries: dict[tuple[int, int], Any] = {}
    for triple in values["entries"]:
        is_triple = isinstance(triple, (list, tuple)) and len(triple) == _TRIPLE
        indices = tuple(triple[:2]) if is_triple else ()
        if not indices or not all(type(index) is int for index in indices) or indices in entries:
            message = (
                f"`{where}.entries` must be lists of the position of a response, that of a true answer and a "
                f"coefficient, each position once, such as [3, 0, 1]; got {brief(triple)}."
            )
            raise ProblemError(message)
        entries[indices[0], indices[1]] = triple[2]
    return LinearRule(values["name"], entries, values["sense"], values["right"])
