"""Read and write queries as tables: a kind, its keys, and responses that do not follow from them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text
from optmech.question.answers import Scope, are_points
from optmech.question.keys import NUMBER, Key, KeyForm, kind_in, list_of, read_keys, written_keys
from optmech.question.kinds import KINDS, Count
from optmech.question.kinds.kind import reach_of
from optmech.question.queries import count, extremum, mean, residues, total
from optmech.question.query import Query
from optmech.question.vectors import vector

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.question.structures import Structure

_ENDS = list_of(NUMBER, "a lower and an upper end")


def _read_responses(value: Any, name: str) -> tuple[Any, ...]:  # noqa: ANN401 - whatever a file holds
    if not isinstance(value, (list, tuple)):
        raise broken_rule(name, f"be {_RESPONSES_WORDS}", brief(value))
    return tuple((_ENDS if isinstance(each, (list, tuple)) else NUMBER).read(each, name) for each in value)


_RESPONSES_WORDS = "a list of numbers, or of lower and upper ends of categories"
RESPONSES = Key(
    name="responses",
    form=KeyForm(
        words=_RESPONSES_WORDS,
        read=_read_responses,
        write=lambda values: [
            _ENDS.write(each) if isinstance(each, tuple) else as_text(each) for each in values
        ],
        schema={"type": "array", "items": {"anyOf": [NUMBER.schema, _ENDS.schema]}},
    ),
    about="what can be released",
    left_out="the true answers, and what noise of bounded width makes of them",
)
"""A key of every kind whose answers are numbers."""
_ONE_WAY = ("residues", "vector")


def query_table(query: Query, structure: Structure) -> dict[str, Any]:
    """Return a query as a table that `query_from` reads."""
    keys = query.meaning.keys
    parameters = {field.name: getattr(query.meaning, field.name) for field in fields(query.meaning)}
    others = (key.name for key in keys if key.name not in parameters)
    values = parameters | {name: _LISTED[name](query) for name in others}
    table = {"kind": query.kind, **written_keys(values, keys)}
    usual = _usual_responses(query, structure)
    # A long row of answers is not written out.
    if usual is None and (query.path() is not None or are_points(query.responses, query.truths)):
        return table
    responses = tuple(
        part.lower if part.lower == part.upper else (part.lower, part.upper) for part in query.responses
    )
    if usual is not None and responses == tuple(usual):
        return table
    return {**table, "responses": RESPONSES.form.write(responses)}


def query_from(table: object, structure: Structure, where: str) -> Query:
    """Return the query that a table states, or raise ProblemError."""
    kind, content = kind_in(table, KINDS, where)
    listed = {RESPONSES.name: content.pop(RESPONSES.name)} if RESPONSES.name in content else {}
    given = read_keys(listed, (RESPONSES,), where, kind)[RESPONSES.name]
    values = read_keys(content, KINDS[kind].keys, where, kind)
    query = _BUILDERS[kind](**values)
    usual = _usual_responses(query, structure) if given is None else given
    return query if usual is None else query.variant(responses=usual)


def _usual_responses(query: Query, structure: Structure) -> range | None:
    """Return the responses of noise of bounded width on a count, from 0 on; ``None`` for all else."""
    if structure.width is None or not isinstance(query.meaning, Count):
        return None
    smallest, largest = query.meaning.smallest, query.meaning.largest
    return range(max(0, smallest - structure.width), largest + structure.width + 1)


def _truths(query: Query) -> tuple[Fraction, ...] | None:
    positions = query.truths == tuple(range(query.num_truths))
    return None if query.labels and positions else query.truths


def _neighbours(query: Query) -> int | list[list[int]]:
    """Return the reach where neighbours are all within one, else pairs, once each if both are protected."""
    reach = None if query.is_weighted else reach_of(query)
    if reach is not None:
        return reach
    pairs = np.column_stack([query.pairs, query.weights] if query.is_weighted else [query.pairs])
    listed: list[list[int]] = (pairs[pairs[:, 0] < pairs[:, 1]] if query.symmetric else pairs).tolist()
    return listed


def _distance(query: Query) -> list[list[int]] | None:
    if not query.is_weighted:
        return None
    matrix = np.zeros((query.num_truths, query.num_truths), dtype=np.int64)
    matrix[tuple(query.pairs.T)] = query.weights
    rows: list[list[int]] = matrix.tolist()
    return rows


# The keys that are no parameters of a kind.
_LISTED: dict[str, Callable[[Query], Any]] = {
    "truths": _truths,
    "labels": lambda query: query.labels,
    "neighbours": _neighbours,
    "directions": lambda query: query.directions,
    "name": lambda query: query.given_name,
    "scope": lambda query: str(query.scope),
    "distance": _distance,
}


def _count(*, smallest: int, largest: int, records_per_person: int) -> Query:
    if smallest == largest:  # of noise on a single count
        return Query(
            [smallest], neighbours=records_per_person, kind=Count(smallest, largest, records_per_person)
        )
    return count(smallest=smallest, largest=largest, records_per_person=records_per_person)


def _on_circle(build: Callable[..., Query]) -> Callable[..., Query]:
    """Return a builder that reads the direction from its word."""
    return lambda *, directions, **values: build(**values, symmetric=directions == "both")


def _categories(*, labels: tuple[str, ...], distance: tuple[tuple[int, ...], ...] | None) -> Query:
    from optmech.question.graphs import categories  # noqa: PLC0415 - it loads SciPy, which few questions need

    return categories(labels) if distance is None else categories(labels, distance)


def _listed(kind: str) -> Callable[..., Query]:
    """Return a builder for listed answers and neighbours."""

    def build(
        *,
        truths: tuple[Fraction, ...] | None,
        labels: tuple[str, ...],
        neighbours: int | tuple[tuple[int, ...], ...],
        directions: str,
        name: str,
        scope: str = Scope.EVERY_TABLE,
    ) -> Query:
        if truths is None and not labels:
            message = "`truths` must be given where there are no `labels`: the true answers, increasing."
            raise ProblemError(message)
        return Query(
            range(len(labels)) if truths is None else truths,
            neighbours=neighbours,
            symmetric=directions == "both",
            labels=labels,
            name=name,
            kind=KINDS[kind](),
            scope=scope,
        )

    return build


_BUILDERS: dict[str, Callable[..., Query]] = {
    "count": _count,
    "mean": mean,
    "total": total,
    "extremum": extremum,
    "residues": _on_circle(residues),
    "vector": _on_circle(vector),
    "categories": _categories,
    "graph": _listed("graph"),
    "custom": _listed("custom"),
}
