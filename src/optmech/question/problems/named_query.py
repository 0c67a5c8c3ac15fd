"""A query, and pairs of epsilon and delta, as a command line states them."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief
from optmech.question.graphs import categories, graph
from optmech.question.grid import LARGEST_MATRIX
from optmech.question.queries import count, extremum, mean, residues, total
from optmech.question.vectors import vector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.question.query import Query

    Choices = Mapping[str, Any]

_EXTREMES = ("max", "min", "median")
_PAIR = 2
_RANGE = re.compile(r"\s*([+-]?\d+)\s*:\s*([+-]?\d+)\s*")


class _Kind(NamedTuple):
    """The maker of one kind of query, its required choices with an example, and its optional ones.

    Required choices are arguments in this order, the ends of a range last. `about` describes the kind in a
    line.
    """

    build: Callable[..., Query]
    required: dict[str, str]
    optional: tuple[str, ...]
    words: str
    about: str


def named_query(choices: Choices) -> Query:
    """Return the query that the choices describe; ignore choices of other parts.

    >>> named_query({"query": "mean", "range": "0:4", "records": 10}).name
    'mean of 10 records 0..4'
    >>> named_query({"query": "count", "range": "0:2", "responses": "-1:3"}).num_responses
    5
    """
    kind_name = choices["query"]
    name = "extremum" if kind_name in _EXTREMES else kind_name
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise broken_rule("query", f"be one of {', '.join(QUERIES)}", repr(kind_name))
    for required, example in kind.required.items():
        if required not in choices:
            message = f"`{required}` must be given for {kind.words}, such as {shlex.quote(example)}."
            raise ProblemError(message)
    names = (*kind.required, *kind.optional)
    for choice in QUERY_CHOICES:
        if choice in choices and choice not in names:
            message = f"`{choice}` must be left out for {kind_name}, which takes {', '.join(names)}."
            raise ProblemError(message)
    if isinstance(choices.get("of"), str):  # its letters would be the categories
        raise broken_rule("of", 'be a list of texts, such as ["red", "green"]', brief(choices["of"]))
    given = [choices[name] for name in kind.required if name != "range"]
    ends = range_of(choices["range"], "range") if "range" in kind.required else ()
    query = kind.build(*given, *ends, **choices_among(choices, *(set(kind.optional) - {"responses"})))
    if "responses" not in choices:
        return query
    return query.variant(responses=_responses_of(choices["responses"], query))


def _responses_of(text: object, query: Query) -> list[Fraction]:
    """Return the numbers from one end to the other in the steps of the true answers."""
    low, high = range_of(text, "responses")
    step = query.truths[1] - query.truths[0] if len(query.truths) > 1 else Fraction(1)
    if low >= high or query.no_matrix is not None or (high - low) / step * query.num_truths > LARGEST_MATRIX:
        most = f"a matrix of at most {LARGEST_MATRIX:,} probabilities"
        raise broken_rule("responses", f"be LOW:HIGH, LOW below HIGH, for {most}", repr(text))
    return [low + step * index for index in range(int((high - low) / step) + 1)]


def typed_responses(query: Query) -> str | None:
    """Return how the responses of a query are typed, ``None`` where they cannot be.

    >>> [typed_responses(count(2).variant(responses=own)) for own in (range(-1, 4), [0, 2])]
    ['-1:3', None]
    """
    ends = [query.responses[index].midpoint for index in (0, -1)]
    if any(end.denominator > 1 for end in ends) or ends[0] >= ends[1]:
        return None
    text = f"{ends[0]}:{ends[1]}"
    same = [(value, value) for value in _responses_of(text, query)]
    return text if [(each.lower, each.upper) for each in query.responses] == same else None


def choices_of_query(query: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the choices that a kind of query must have, and those that it may have.

    >>> choices_of_query("mean")
    (('range', 'records'), ('responses', 'records_per_person'))
    """
    kind = _KINDS[query]
    return tuple(kind.required), kind.optional


def example_of_query(query: str) -> dict[str, str]:
    """Return an example of each choice that a kind of query must have, as it is typed.

    >>> example_of_query("mean")
    {'range': '1:5', 'records': '10'}
    """
    return _KINDS[query].required


def about_query(query: str) -> str:
    """Return a line on a kind of query."""
    return _KINDS[query].about


def range_of(text: object, name: str) -> tuple[int, int]:
    """Return the ends of a range such as ``"0:5"``; raises ProblemError."""
    match = _RANGE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise broken_rule(name, "be SMALLEST:LARGEST, such as 0:5", repr(text))
    return int(match[1]), int(match[2])


def choices_among(choices: Choices, *names: str) -> dict[str, Any]:
    """Return the named choices that were made."""
    return {name: choices[name] for name in names if name in choices}


_KINDS: dict[str, _Kind] = {
    "count": _Kind(count, {"range": "0:10"}, ("responses", "records_per_person"), "a count", "how many"),
    "mean": _Kind(
        mean,
        {"range": "1:5", "records": "10"},
        ("responses", "records_per_person"),
        "a mean",
        "the mean of a known number of records",
    ),
    "total": _Kind(
        total,
        {"range": "0:4", "records": "10"},
        ("responses", "records_per_person", "adjacency"),
        "a total",
        "the total of records, each in a range",
    ),
    "extremum": _Kind(
        extremum,
        {"range": "1:7"},
        ("responses",),
        "an extremum",
        "the largest, the smallest or the median of records",
    ),
    "residues": _Kind(
        residues,
        {"modulus": "9", "distances": "1,2"},
        ("symmetric",),
        "residues",
        "an answer on a circle, such as an hour of the day",
    ),
    "vector": _Kind(
        vector,
        {"moduli": "3,3", "distances": "0,1;1,0"},
        ("changes", "symmetric"),
        "a vector",
        "several answers at once, each on a circle",
    ),
    "categories": _Kind(
        categories,
        {"of": "red,green,blue"},
        ("distance", "unit"),
        "categories",
        "one of several answers without an order",
    ),
    "graph": _Kind(
        graph,
        {"edges": "home,shop,1;shop,work,2"},
        ("unit", "shortest_paths"),
        "a graph",
        "one of several answers, some further apart than others",
    ),
}
QUERIES = tuple(_KINDS)
"""Values that `query` may have."""
QUERY_CHOICES = tuple(
    dict.fromkeys(name for kind in _KINDS.values() for name in (*kind.required, *kind.optional))
)
"""The choices that describe a query."""


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
