"""Neighbours: ordered pairs of truths, and the multiple of epsilon between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Integers


MOST_PAIRS = 5_000_000
"""A longer list of pairs takes minutes to build, and no program could use it."""
_PAIR = 2


def within(reach: int, number: int) -> Integers:
    """Return all unordered pairs of `number` positions that are at most `reach` steps apart.

    >>> within(1, 3).tolist()
    [[0, 1], [1, 2]]
    """
    reach = min(reach, number - 1)
    if number * reach > MOST_PAIRS:
        message = (
            f"a query must have at most {MOST_PAIRS:,} pairs of neighbours; got about {number * reach:,}. "
            "Ask for a smaller or coarser range."
        )
        raise ProblemError(message)
    steps = [np.arange(number - step) for step in range(1, reach + 1)]
    lower = np.concatenate([np.empty(0, dtype=np.int64), *steps])
    right = np.concatenate([np.empty(0, dtype=np.int64), *(low + k for k, low in enumerate(steps, 1))])
    return np.column_stack([lower, right])


def ordered_pairs(
    neighbours: Iterable[tuple[int, ...]] | int | str, number: int, *, symmetric: bool
) -> tuple[Integers, Integers]:
    """Return the ordered pairs, sorted and once each, and their weights."""
    if isinstance(neighbours, str):
        if neighbours != "all":
            raise broken_rule("neighbours", "be pairs of positions, a reach or 'all'", repr(neighbours))
        rows = within(number, number)
    elif isinstance(neighbours, (int, np.integer)):
        if neighbours < 1 or isinstance(neighbours, bool):
            raise broken_rule("neighbours", "reach at least 1 step", neighbours)
        rows = within(int(neighbours), number)
    else:
        rows = _listed_pairs(neighbours, number)
    if rows.shape[1] == _PAIR:
        rows = np.column_stack([rows, np.ones(len(rows), dtype=np.int64)])
    if symmetric:
        rows = np.concatenate([rows, rows[:, [1, 0, 2]]])
    rows = rows[np.lexsort(rows.T[::-1])]  # by weight last: the first of equal pairs has the least
    is_first = np.append(True, (np.diff(rows[:, :2], axis=0) != 0).any(axis=1))[: len(rows)]
    pairs, weights = np.ascontiguousarray(rows[is_first, :2]), np.ascontiguousarray(rows[is_first, 2])
    pairs.flags.writeable = weights.flags.writeable = False
    return pairs, weights


def _listed_pairs(neighbours: Iterable[tuple[int, ...]], number: int) -> Integers:
    """Return pairs of positions, with a third column where there are weights."""
    try:
        candidates = (
            neighbours if isinstance(neighbours, np.ndarray) else [tuple(pair) for pair in neighbours]
        )
        rows = np.array(candidates)
        sound = rows.size == 0 or (
            rows.ndim == 2  # noqa: PLR2004 - a table of pairs
            and rows.shape[1] in (_PAIR, _PAIR + 1)
            and np.issubdtype(rows.dtype, np.integer)
        )
    except (TypeError, ValueError):
        sound = False
    if not sound:
        rule = "be pairs of positions in `truths`, all of them with a whole weight or none, such as (0, 1, 2)"
        raise broken_rule("neighbours", rule, brief(neighbours))
    rows = rows.reshape(-1, rows.shape[1] if rows.size else _PAIR).astype(np.int64)
    if (rows[:, _PAIR:] < 1).any():
        worst = int(rows[:, _PAIR].min())
        raise broken_rule("neighbours", "have whole weights of at least 1", worst, "Give epsilon per unit.")
    rows, weights = rows[:, :_PAIR], rows[:, _PAIR:]
    outside = (rows < 0) | (rows >= number)
    if outside.any():
        pair = tuple(rows[outside.any(axis=1)][0].tolist())
        raise broken_rule("neighbours", f"be positions from 0 to {number - 1}", pair)
    alike = rows[:, 0] == rows[:, 1]
    if alike.any():
        pair = tuple(rows[alike][0].tolist())
        raise broken_rule("neighbours", "join two different truths", pair)
    return np.hstack([rows, weights])


def both_ways(triples: Integers) -> bool:
    """Whether every pair is listed in both directions with the same weight."""
    return np.array_equal(np.unique(triples[:, [1, 0, 2]], axis=0), triples)
