"""The least matrix above a given one that keeps every ratio and order that is asked for.

All these rules have the form ``M[a] >= c M[b]`` with c at most one: privacy with ``c = 1/E``, monotony,
symmetry and fairness with ``c = 1``. So raising entries until nothing changes ends, and gives the least such
matrix. Matrices that keep the rules form a cone: sums and positive multiples keep them as well.

This is floating point: rounding later checks the result in whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.neighbours import by_step
from optmech.question.kinds.kind import reach_of
from optmech.question.properties import COLUMN_MONOTONE, FAIR, ROW_MONOTONE, SYMMETRIC, Property
from optmech.question.properties.lines import truths_below_and_above

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["closure"]


def closure(matrix: Floats, query: Query, factor: float, properties: frozenset[Property]) -> Floats:
    """Return the least matrix above `matrix` with ``P <= factor Q`` between neighbours and the properties."""
    raised = np.array(matrix, order="F")  # most is done by columns
    steps = _steps(query, factor, properties)
    for _ in range(2 * sum(matrix.shape)):
        before = raised.copy()
        for step in steps:
            step(raised)
        if np.array_equal(before, raised):
            break
    return np.ascontiguousarray(raised)


def _steps(query: Query, factor: float, properties: frozenset[Property]) -> list[Callable[[Floats], None]]:
    steps: list[Callable[[Floats], None]] = [_privacy(query, factor)]
    if COLUMN_MONOTONE in properties:
        steps.append(lambda matrix: _columns(matrix, query))
    if ROW_MONOTONE in properties:
        ends = truths_below_and_above(query)
        steps.append(lambda matrix: _rows(matrix, ends))
    if SYMMETRIC in properties:
        steps.append(lambda matrix: np.copyto(matrix, np.maximum(matrix, matrix[::-1, ::-1])))
    if FAIR in properties:
        steps.append(lambda matrix: _diagonal(matrix, query))
    return steps


def _privacy(query: Query, factor: float) -> Callable[[Floats], None]:
    if len(query.pairs) == query.num_truths * (query.num_truths - 1):
        return lambda matrix: np.copyto(
            matrix, np.maximum(matrix, matrix.max(axis=1, keepdims=True) / factor)
        )
    reach = reach_of(query)
    if reach is not None:
        return lambda matrix: _within(matrix, reach, factor)
    groups = by_step(query.pairs)

    def along(matrix: Floats) -> None:
        for truths, neighbours in groups:
            matrix[:, neighbours] = np.maximum(matrix[:, neighbours], matrix[:, truths] / factor)

    return along


def _within(matrix: Floats, reach: int, factor: float) -> None:
    """Raise for neighbours within a reach: all goes straight up or down, so that one pass each way is all."""
    for columns in (matrix, matrix[:, ::-1]):
        for f in range(columns.shape[1] - 1):
            beyond = columns[:, f + 1 : f + 1 + reach]
            np.maximum(beyond, columns[:, f, None] / factor, out=beyond)


def _columns(matrix: Floats, query: Query) -> None:
    for truth, home in enumerate(query.home.tolist()):
        column = matrix[:, truth]
        column[: home + 1] = np.maximum.accumulate(column[: home + 1])
        column[home:] = np.maximum.accumulate(column[home:][::-1])[::-1]


def _rows(matrix: Floats, ends: list[tuple[int, int]]) -> None:
    for row, (last_rising, first_falling) in enumerate(ends):
        line = matrix[row]
        line[: last_rising + 1] = np.maximum.accumulate(line[: last_rising + 1])
        line[first_falling:] = np.maximum.accumulate(line[first_falling:][::-1])[::-1]


def _diagonal(matrix: Floats, query: Query) -> None:
    truths = np.arange(query.num_truths)
    matrix[query.home, truths] = matrix[query.home, truths].max()
