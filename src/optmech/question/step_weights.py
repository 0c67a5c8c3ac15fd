"""Distances of neighbours on a path of true answers, for each step and direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.question.kinds.kind import evenly_spaced, reach_of
from optmech.question.protection import limited_unit

if TYPE_CHECKING:
    from optmech.question.query import Query


class StepWeights(NamedTuple):
    """Multiple of epsilon between a truth and the next, ``None`` where a direction is not protected."""

    up: int | None
    """Multiple of the truth against the next one."""
    down: int | None
    """Multiple of the next one against the truth."""


def has_equal_steps(query: Query) -> bool:
    """Whether truths form a path, one epsilon apart and protected in both directions.

    >>> from optmech.question.query import Query
    >>> [has_equal_steps(Query(range(2), neighbours=pairs)) for pairs in (1, [(0, 1, 2)], [])]
    [True, False, False]
    """
    if query.path() is not None:
        return True
    return not query.labels and query.symmetric and not query.is_weighted and reach_of(query) == 1


def step_weights(query: Query) -> tuple[StepWeights, ...] | None:
    """Return the weights of each step, ``None`` where neighbours are not one step apart, or there are none.

    >>> from optmech.question.query import Query
    >>> query = Query(range(3), neighbours=[(0, 1, 2), (1, 0, 1), (1, 2, 1)], symmetric=False)
    >>> for step in step_weights(query):
    ...     print(step)
    StepWeights(up=2, down=1)
    StepWeights(up=1, down=None)
    """
    if query.labels or query.is_large or not len(query.pairs):
        return None
    if (np.abs(query.pairs[:, 0] - query.pairs[:, 1]) != 1).any():
        return None
    weights = dict(zip(map(tuple, query.pairs.tolist()), query.weights.tolist(), strict=True))
    indices = range(query.num_truths - 1)
    return tuple(StepWeights(weights.get((f, f + 1)), weights.get((f + 1, f))) for f in indices)


ANY_CHANGE = 2**62
"""The reach of a mechanism that protects each of its true answers from all others."""


def reach_among(reach: int, number: int) -> int:
    """Return the change of a count that one epsilon protects, of `number` counts in a row.

    Where all those within `reach` are neighbours, and these are all counts, a change of any size leads from a
    count to a neighbour, as larger counts are refused or clamped. A table of two counts has a reach of 1:
    the two may stand for all larger ones.

    >>> reach_among(1, 6), reach_among(3, 6), reach_among(7, 6) == ANY_CHANGE
    (1, 3, True)
    """
    return reach if reach == 1 or reach < number - 1 else ANY_CHANGE


def unit_reach(query: Query) -> int | None:
    """Return the change of a count that one epsilon protects; ``None`` where that does not follow.

    It follows where the true answers are consecutive integers, all those within some distance are neighbours
    in both directions, and the query covers every table.

    >>> from optmech.question.queries import count, mean
    >>> unit_reach(count(5)), unit_reach(count(5, records_per_person=3)), unit_reach(mean(2, 4))
    (1, 3, None)
    """
    if limited_unit(query.scope, query.directions):
        return None
    if query.path() is not None:
        return 1 if query.is_run else None
    first, number = query.truths[0], query.num_truths
    if query.is_weighted or first.denominator != 1 or not evenly_spaced(query, first, 1, number):
        return None
    reach = reach_of(query)
    return None if reach is None else reach_among(reach, number)


def mean_reach(query: Query) -> int | None:
    """Return the number of steps, each from one mean to the next, that one epsilon of a mean protects.

    ``None`` where that does not follow: the truths are not evenly spaced, or not all tables are covered.

    >>> from optmech.question.queries import extremum, mean
    >>> mean_reach(mean(10, 4)), mean_reach(mean(2, 1, 5, records_per_person=2))
    (4, 8)
    """
    if limited_unit(query.scope, query.directions) or query.labels or query.is_weighted:
        return None
    if query.path() is not None or query.num_truths < 2:  # noqa: PLR2004 - a step has two ends
        return None
    first, second = query.truths[:2]
    return reach_of(query) if evenly_spaced(query, first, second - first, query.num_truths) else None
