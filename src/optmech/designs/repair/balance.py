"""Columns that sum to one, without loosening or breaking a single rule.

Entries whose rule is met without room (a ratio at e^epsilon, a tie) are held together and form components.
Scaling a whole component keeps every rule within it; rules between components have room. So the sums are
mended by one small factor for each component: the least change, relatively, that solves one equation a
column. At a vertex of the program there are at least as many components as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.question.properties import COLUMN_MONOTONE, FAIR, ROW_MONOTONE, SYMMETRIC, Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["balance"]

# A rule with less room than this, relatively, holds its entries together. Which of them a solver has met
# without room cannot always be told: too few leave rules to be broken, too many no freedom.
_TIGHT = (1e-6, 1e-5, 1e-7)
# A change of this share of that room on both sides of a rule breaks nothing.
_ROOM = 0.4
# Sums this near one are doubles' own rounding.
_SURE = 1e-14
_EXACT = 1e-15
_MOST_STEPS = 3000


def balance(
    matrix: Floats,
    query: Query,
    factor: float,
    properties: frozenset[Property],
    group: Integers | None = None,
) -> Floats:
    """Return the matrix with components scaled so that all columns sum to one; unchanged where that fails.

    Parameters
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
        Keeps all rules, its columns sum to one but for a solver's tolerance.
    query, factor, properties
        As for `closure`.
    group : ndarray of int, shape of `matrix`, optional
        Entries with the same number are held together as well.
    """
    best = matrix
    for tight in _TIGHT:
        scaled = _balanced(matrix, query, factor, properties, group, tight)
        if _miss(scaled) < _miss(best):
            best = scaled
        if _miss(best) <= _SURE:
            break
    return best


def _miss(matrix: Floats) -> float:
    return float(np.abs(matrix.sum(axis=0) - 1).max())


def _balanced(  # noqa: PLR0917 - as `balance`, with how tight a rule must be
    matrix: Floats,
    query: Query,
    factor: float,
    properties: frozenset[Property],
    group: Integers | None,
    tight: float,
) -> Floats:
    flat = matrix.ravel()
    number, truths = flat.size, query.num_truths
    links = list(_tight(matrix, query, factor, properties, tight))
    if group is not None:
        order = np.argsort(group.ravel(), kind="stable")
        alike = np.diff(group.ravel()[order]) == 0
        links.append((order[1:][alike], order[:-1][alike]))
    left, right = (np.concatenate([part[side] for part in links]) for side in (0, 1))
    graph = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(number, number))
    count, component = sparse.csgraph.connected_components(graph, directed=False)
    mass = sparse.coo_array(
        (flat, (np.tile(np.arange(truths), query.num_responses), component)), shape=(truths, count)
    ).tocsr()
    scaled = matrix
    for _ in range(2):  # once would do, but for rounding
        change = sparse.linalg.lsmr(  # loaded when it is first used
            mass, 1 - scaled.sum(axis=0), atol=_EXACT, btol=_EXACT, maxiter=_MOST_STEPS
        )[0]
        if not np.abs(change).max() <= _ROOM * tight:
            return matrix
        scaled = scaled * (1 + change)[component].reshape(matrix.shape)
    return scaled


def _tight(
    matrix: Floats, query: Query, factor: float, properties: frozenset[Property], room: float
) -> Iterator[tuple[Integers, Integers]]:
    """Yield pairs of entries that some rule holds together, by their flat positions."""
    number, truths = query.num_responses, query.num_truths
    place = np.arange(matrix.size).reshape(matrix.shape)

    def ties(high: Integers, low: Integers) -> tuple[Integers, Integers]:
        tight = matrix.ravel()[high] >= factor * (1 - room) * matrix.ravel()[low]
        return high[tight], low[tight]

    if len(query.pairs) == query.num_truths * (query.num_truths - 1):
        rows = np.arange(number)
        most, least = place[rows, matrix.argmax(axis=1)], place[rows, matrix.argmin(axis=1)]
        yield ties(np.repeat(most, truths), place.ravel())
        yield ties(place.ravel(), np.repeat(least, truths))
    else:
        yield ties(place[:, query.pairs[:, 0]].ravel(), place[:, query.pairs[:, 1]].ravel())
    if COLUMN_MONOTONE in properties:
        yield _equal(matrix, place[1:], place[:-1], room)
    if ROW_MONOTONE in properties:
        yield _equal(matrix, place[:, 1:], place[:, :-1], room)
    if SYMMETRIC in properties:
        yield place.ravel(), place.ravel()[::-1]
    if FAIR in properties:
        home = place[query.home, np.arange(truths)]
        yield home[1:], home[:-1]
    yield place.ravel()[:0], place.ravel()[:0]


def _equal(matrix: Floats, one: Integers, other: Integers, room: float) -> tuple[Integers, Integers]:
    flat = matrix.ravel()
    one, other = one.ravel(), other.ravel()
    tied = np.abs(flat[one] - flat[other]) <= room * flat[one]
    return one[tied], other[tied]
