"""Neighbouring columns, gathered so that whole blocks of a matrix are compared at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.query import Query

    Integers = NDArray[np.int64]

__all__ = ["by_step", "compared_columns", "is_complete", "weights_of"]


def by_step(pairs: Integers) -> list[tuple[Integers, Integers]]:
    """Return the ordered pairs grouped by their difference: within a group no column appears twice on a side.

    Examples
    --------
    >>> [(f.tolist(), g.tolist()) for f, g in by_step(np.array([[0, 1], [1, 0], [1, 2]]))]
    [([1], [0]), ([0, 1], [1, 2])]
    """
    steps = pairs[:, 1] - pairs[:, 0]
    return [(pairs[steps == step, 0], pairs[steps == step, 1]) for step in np.unique(steps)]


def compared_columns(query: Query) -> list[tuple[Integers, Integers, int]]:
    """Return the ordered pairs as `by_step` does, those of each weight apart, with the weight.

    Examples
    --------
    >>> from optmech.question.query import Query
    >>> [(f.tolist(), g.tolist(), w) for f, g, w in compared_columns(Query(range(3), neighbours=[(0, 1, 2)]))]
    [([1], [0], 2), ([0], [1], 2)]
    """
    weights = np.unique(query.weights).tolist()
    return [(f, g, weight) for weight in weights for f, g in by_step(query.pairs[query.weights == weight])]


def weights_of(query: Query, truths: Integers, neighbours: Integers) -> Integers:
    """Return how many times epsilon lie between truths and their neighbours."""
    if not query.is_weighted:
        return np.ones(len(truths), dtype=np.int64)
    size = query.num_truths
    known = query.pairs[:, 0] * size + query.pairs[:, 1]  # sorted, as pairs are
    found: Integers = query.weights[np.searchsorted(known, truths * size + neighbours)]
    return found


def is_complete(query: Query) -> bool:
    """Whether every two truths are neighbours, both ways."""
    return len(query.pairs) == query.num_truths * (query.num_truths - 1)
