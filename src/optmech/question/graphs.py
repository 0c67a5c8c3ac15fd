"""Answers on a graph: an edge joins neighbours, and its weight is their distance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from optmech.base.arguments import items
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact
from optmech.question.all_pairs import AllPairs
from optmech.question.kinds import Categories, Graph
from optmech.question.neighbours import MOST_PAIRS
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number

_NODES, _WEIGHTED_EDGE = 2, 3
# Shortest paths are summed in doubles, which hold whole numbers up to here.
_LARGEST_WEIGHT = 2**31
# From 500 categories on their pairs are not listed; a file has at most 20,000 true answers.
_MOST_LISTED, _MOST_CATEGORIES = 500, 20_000


def graph(
    edges: Iterable[Sequence[Any]],
    *,
    nodes: Iterable[Hashable] | None = None,
    unit: Number = 1,
    shortest_paths: bool = False,
) -> Query:
    """Ask for a node of a graph, one edge being what one person can change: metric privacy.

    Parameters
    ----------
    edges : iterable of (node, node) or (node, node, weight)
        Nodes are numbers, or texts and the like, which become labels. An edge of weight w allows a ratio of
        ``e^(w epsilon)``, a positive number; without a weight it is one unit long.
    nodes : iterable, optional
        All nodes, in the order of the matrix; needed where some have no edge. Numbers are always increasing.
    unit : str, int, float or Fraction, default 1
        The weight that one epsilon is for: each weight must be a whole multiple of it. With weights in
        kilometres and ``unit="1/2"`` the epsilon of a question is that of half a kilometre.
    shortest_paths : bool, default False
        Whether to compare all truths with a path between them, weighted by the length of the shortest,
        instead of the ends of edges. Pure privacy is the same in both; with a delta this is another question.

    Raises
    ------
    ProblemError
        If an edge or a weight breaks its rule.

    Examples
    --------
    >>> query = graph([("home", "shop", 1), ("shop", "work", "1.5")], unit="0.5")
    >>> query.labels, query.weights.tolist()
    (('home', 'shop', 'work'), [2, 2, 3, 3])
    >>> graph([(0, 1), (1, 2)], shortest_paths=True).weights.tolist()
    [1, 2, 1, 1, 2, 1]
    """
    step = _unit(unit)
    triples = [_edge(edge, step) for edge in items(edges, "edges")]
    ends = [node for left, right, _ in triples for node in (left, right)]
    truths, labels, indices = _nodes(ends if nodes is None else items(nodes, "nodes"))
    for node in ends:
        if _key(node) not in indices:
            message = f"`nodes` must hold every end of an edge; {node!r} is missing."
            raise ProblemError(message)
    neighbours = np.array(
        [(indices[_key(left)], indices[_key(right)], weight) for left, right, weight in triples],
        dtype=np.int64,
    ).reshape(-1, _WEIGHTED_EDGE)
    if not isinstance(shortest_paths, bool):
        raise broken_rule("shortest_paths", "be true or false", repr(shortest_paths))
    if shortest_paths and len(neighbours):
        neighbours = _paths(neighbours, len(truths))
    return Query(truths, neighbours=neighbours, labels=labels, kind=Graph(), name=_unit_name(step))


def categories(
    names: Iterable[str],
    distance: str | Sequence[Sequence[Number]] = "zero-one",
    *,
    unit: Number = 1,
) -> Query:
    """Ask for one of several categories without an order, such as a colour or a diagnosis.

    Its losses are ``"zero-one"`` or a matrix. Properties that need an order, such as column-monotone, are
    refused; fair and the honest ones are not.

    Parameters
    ----------
    names : iterable of str
        Names of the categories, in the order of the matrix.
    distance : "zero-one" or matrix, shape (num_names, num_names)
        Distances of categories in privacy. ``"zero-one"``: one person can turn each into each other, one
        epsilon between any two. A matrix, symmetric with a zero diagonal, gives the multiple of epsilon
        between two: metric privacy, which protects close categories more. The same matrix may be the loss,
        ``question(categories(names, distance), epsilon, loss=distance)``, or another one.
    unit : str, int, float or Fraction, default 1
        As in `graph`: each distance must be a whole multiple of it, and epsilon is for one unit.

    Raises
    ------
    ProblemError
        If there are fewer than two names, two are the same, or `distance` breaks its rule.

    Examples
    --------
    >>> query = categories(["red", "green", "blue"])
    >>> query.labels, len(query.pairs)
    (('red', 'green', 'blue'), 6)
    >>> categories(["cold", "flu", "cancer"], [[0, 1, 4], [1, 0, 4], [4, 4, 0]]).weights.tolist()
    [1, 4, 1, 4, 4, 4]
    """
    step = _unit(unit)
    labels = [str(name) for name in items(names, "names")]
    if len(set(labels)) != len(labels) or len(labels) < _NODES:
        raise broken_rule("names", "be two or more different texts", brief(labels))
    if isinstance(distance, str):
        if distance != "zero-one":
            raise broken_rule("distance", "be 'zero-one' or a matrix", repr(distance))
        if len(labels) > _MOST_CATEGORIES:
            remedy = "Put rare ones together."
            raise broken_rule("names", f"be at most {_MOST_CATEGORIES:,} texts", f"{len(labels):,}", remedy)
        if len(labels) > _MOST_LISTED:
            return AllPairs(labels)
        return Query(range(len(labels)), neighbours="all", labels=labels, kind=Categories())
    number = range(len(labels))
    rows = [
        [exact(value, "distance") for value in items(row, "distance")] for row in items(distance, "distance")
    ]
    square = len(rows) == len(labels) and all(len(row) == len(labels) for row in rows)
    if not square or any(
        rows[i][j] != rows[j][i] or (rows[i][j] > 0) == (i == j) or rows[i][j] < 0
        for i in number
        for j in number
    ):
        message = (
            f"`distance` must be a symmetric matrix of {len(labels)} rows, zero on the diagonal and positive "
            f"elsewhere; got {brief(distance)}."
        )
        raise ProblemError(message)
    edges = [(left, right, rows[left][right]) for left in number for right in range(left)]
    query = graph(edges, nodes=number, unit=step)
    pairs = np.column_stack([query.pairs, query.weights])
    # Categories have no unit with a name.
    kind = Categories() if step == 1 else Graph()
    return Query(number, neighbours=pairs, labels=labels, kind=kind, name=_unit_name(step))


def _unit(unit: Number) -> Fraction:
    step = exact(unit, "unit")
    if step <= 0:
        raise broken_rule("unit", "be positive", as_text(step), "One epsilon is for a distance of one unit.")
    return step


def _unit_name(unit: Fraction) -> str:
    return "" if unit == 1 else f"epsilon for each {as_text(unit)}"


def _edge(edge: Sequence[Any], unit: Fraction) -> tuple[Any, Any, int]:
    is_row = isinstance(edge, (Sequence, np.ndarray)) and not isinstance(edge, str)
    if not is_row or len(edge) not in (_NODES, _WEIGHTED_EDGE):
        raise broken_rule("edges", "be (node, node) or (node, node, weight)", brief(edge))
    left, right = edge[0], edge[1]
    weight = exact(edge[2], "weight") / unit if len(edge) == _WEIGHTED_EDGE else Fraction(1)
    if not 0 < weight <= _LARGEST_WEIGHT or weight.denominator != 1:
        finer = f"Give unit={as_text(unit / weight.denominator)!r}: epsilon is then for so much."
        remedy = "Merge nodes at distance zero into one." if weight <= 0 else finer
        if weight > _LARGEST_WEIGHT:
            remedy = "Give a larger unit."
        message = (
            f"`weight` must be a positive whole multiple of `unit`; got {edge[2]} with unit {as_text(unit)} "
            f"between {left!r} and {right!r}. {remedy}"
        )
        raise ProblemError(message)
    return left, right, int(weight)


def _nodes(ends: Sequence[Any]) -> tuple[list[Fraction], list[str], dict[Any, int]]:
    """Return truths, labels where the nodes are no numbers, and the position of each node."""
    keys = list(dict.fromkeys(map(_key, ends)))
    if keys and all(isinstance(key, Fraction) for key in keys):
        truths = sorted(keys)
        return truths, [], {key: index for index, key in enumerate(truths)}
    if not keys:
        raise broken_rule("edges", "join at least two nodes", "none", "Or give `nodes`.")
    labels = [as_text(key) if isinstance(key, Fraction) else str(key) for key in keys]
    return [Fraction(index) for index in range(len(keys))], labels, {key: at for at, key in enumerate(keys)}


def _key(node: Any) -> Any:  # noqa: ANN401 - a node may be anything that can be a key
    try:
        hash(node)
    except TypeError:
        raise broken_rule("nodes", "be numbers or texts", repr(node)) from None
    try:
        return exact(node, "node")
    except ProblemError:
        return node


def _paths(edges: Integers, number: int) -> Integers:
    if number * number > MOST_PAIRS:
        message = (
            f"a query must have at most {MOST_PAIRS:,} pairs of neighbours; got {number * number:,}. "
            "Take the edges alone: pure privacy is the same."
        )
        raise ProblemError(message)
    single = Query(range(number), neighbours=edges)  # of several edges between two nodes the shortest
    lengths = path_lengths(single)
    left, right = np.nonzero(np.isfinite(lengths) & (lengths > 0))
    return np.column_stack([left, right, lengths[left, right].astype(np.int64)])


def path_lengths(query: Query) -> Floats:
    """Return the multiple of epsilon along the shortest path between truths, infinite where there is none."""
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - it loads much, and few ask for it

    table = csr_array((query.weights, query.pairs.T), shape=(query.num_truths, query.num_truths))
    lengths: Floats = shortest_path(table)
    return lengths
