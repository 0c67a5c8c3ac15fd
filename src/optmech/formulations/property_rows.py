"""Properties of a mechanism matrix, stated once on entries, whatever the structure.

Model
-----
    M[r,f] - M[r+1,f] <= 0              column_rising[r,f]     r < home(f)                  (10)
    M[r+1,f] - M[r,f] <= 0              column_falling[r,f]    r >= home(f)                 (11)
    M[r,f] - M[r,f+1] <= 0              row_rising[r,f]        truth f+1 in r or below      (12)
    M[r,f+1] - M[r,f] <= 0              row_falling[r,f]       truth f   in r or above      (13)
    M[r,f] - M[r',f'] = 0               symmetric[r,f]         (r',f') the mirror of (r,f)  (14)
    M[home(f),f] - M[home(f+1),f+1] = 0 fair[f]                                             (15)

Of two mirrored entries only the first gets a row; the one in the centre needs none.

Source: Croft, Sack, Shi 2020, section 3.2.
Algebra: formulations/croft_variant_2.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.errors import NotAcceptedError
from optmech.formulations.layout import at_most, exactly
from optmech.model import Block, Rows
from optmech.problem.properties import Property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.formulations.layout import Layout
    from optmech.problem.query import Query

    Grid = NDArray[np.bool_]

__all__ = ["property_rows"]


def property_rows(properties: frozenset[Property], query: Query, layout: Layout) -> tuple[Rows, ...]:
    """Return the rows of each property, in the order of the paper.

    Raises
    ------
    NotAcceptedError
        If a property speaks of the response that holds a truth, and some truth has none.
    """
    if properties & {Property.FAIR, Property.COLUMN_MONOTONE} and (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"fair and column-monotone need every truth inside a response; {truth} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    rows: list[Rows] = []
    if Property.COLUMN_MONOTONE in properties:
        rows += _column_monotone(query, layout)
    if Property.ROW_MONOTONE in properties:
        rows += _row_monotone(query, layout)
    if Property.SYMMETRIC in properties:
        rows.append(_symmetric(layout))
    if Property.FAIR in properties:
        rows.append(_fair(query, layout))
    return tuple(rows)


def _column_monotone(query: Query, layout: Layout) -> list[Rows]:
    num_responses, num_truths = layout.shape
    response = np.arange(num_responses - 1)[:, None]
    rising = response < query.home[None, :]
    return [
        _ordered("column_rising", rising, 0, num_truths, layout),  # Croft (10)
        _ordered("column_falling", ~rising, num_truths, 0, layout),  # Croft (11)
    ]


def _row_monotone(query: Query, layout: Layout) -> list[Rows]:
    # Croft (12), (13), decided by exact numbers. A truth on the common end of two categories is in the upper
    # one, (5), so for the lower one it is not "in r or below".
    truths = np.array(query.truths, dtype=object)
    lower = np.array([category.lower for category in query.responses], dtype=object)
    upper = np.array([category.upper for category in query.responses], dtype=object)
    position, response = np.arange(len(truths)), np.arange(len(lower))
    rising = position[None, 1:] < np.searchsorted(truths, upper, side="right")[:, None]
    rising &= query.home[None, 1:] <= response[:, None]
    falling = position[None, :-1] >= np.searchsorted(truths, lower, side="left")[:, None]
    return [
        _ordered("row_rising", rising, 0, 1, layout),
        _ordered("row_falling", falling, 1, 0, layout),
    ]


def _ordered(name: str, where: Grid, low: int, high: int, layout: Layout) -> Rows:
    """Return rows ``M[entry + low] <= M[entry + high]`` for each entry marked in `where`."""
    response, truth = np.nonzero(where)
    entry = response * layout.shape[1] + truth
    difference, constant = layout.difference(entry + low, entry + high)
    return at_most(Block(name=name, indices=np.column_stack([response, truth])), difference, -constant)


def _symmetric(layout: Layout) -> Rows:
    size = layout.shape[0] * layout.shape[1]
    entry = np.arange(size // 2)
    difference, constant = layout.difference(entry, size - 1 - entry)
    subscripts = np.column_stack(np.divmod(entry, layout.shape[1]))
    return exactly(Block(name="symmetric", indices=subscripts), difference, -constant)


def _fair(query: Query, layout: Layout) -> Rows:
    truth = np.arange(query.num_truths)
    entry = query.home * query.num_truths + truth
    difference, constant = layout.difference(entry[:-1], entry[1:])
    return exactly(Block(name="fair", indices=truth[:-1, None]), difference, -constant)
