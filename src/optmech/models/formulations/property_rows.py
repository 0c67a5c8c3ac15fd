"""Properties of a mechanism matrix, stated once on entries, whatever the structure.

Model
-----
    M[r,f] - M[r+1,f] <= 0              column_rising[r,f]     r < home(f)                  (10)
    M[r+1,f] - M[r,f] <= 0              column_falling[r,f]    r >= home(f)                 (11)
    M[r,f] - M[r,f+1] <= 0              row_rising[r,f]        truth f+1 in r or below      (12)
    M[r,f+1] - M[r,f] <= 0              row_falling[r,f]       truth f   in r or above      (13)
    M[r,f] - M[r',f'] = 0               symmetric[r,f]         (r',f') the mirror of (r,f)  (14)
    M[home(f),f] - M[home(f+1),f+1] = 0 fair[f]                                             (15)
    M[r,f] - M[home(f),f] <= 0          column_honest[r,f]     r other than home(f)         CH
    M[home(g),f] - M[home(g),g] <= 0    row_honest[f,g]        home(f) other than home(g)   RH
    sum_r (mid(r) - truth(f)) M[r,f] = 0 unbiased[f]
    least(r,f) <= M[r,f] <= most(r,f)   limit[r,f]             where that is more than 0..1
    M[r,f] <= most(r,f)                 limit_most[r,f]        where that is below least(r,f)

Of two mirrored entries only the first gets a row; the one in the centre needs none.

Sources: Croft, Sack, Shi 2020, section 3.2; Cormode, Kulkarni, Srivastava 2018, section 3 (CH, RH).
Algebra: formulations/croft_variant_2.mod, properties.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.layout import at_most, exactly
from optmech.models.linear_model import Block, Rows
from optmech.question.limits import entry_limits
from optmech.question.properties import OF_HOMES, Property

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.models.formulations.layout import Layout
    from optmech.question.limits import Limit
    from optmech.question.query import Query

    Floats = NDArray[np.float64]
    Grid = NDArray[np.bool_]

__all__ = ["property_rows"]


def property_rows(
    properties: frozenset[Property], limits: frozenset[Limit], query: Query, layout: Layout
) -> tuple[Rows, ...]:
    """Return the rows of each property, in the order of the papers.

    Raises
    ------
    NotAcceptedError
        If a property speaks of the response that holds a truth, and some truth has none.
    ProblemError
        The same of a limit.
    """
    homely = sorted(properties & OF_HOMES)
    if homely and (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"{' and '.join(homely)} needs every truth inside a response; {truth} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    rows = [row for wanted, build in _BUILT.items() if wanted in properties for row in build(query, layout)]
    allowed = entry_limits(limits, properties, query)
    if allowed is not None:
        least, most = allowed
        rows += _limited(least.astype(float), most.astype(float), layout)
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


def _symmetric(_query: Query, layout: Layout) -> list[Rows]:
    size = layout.shape[0] * layout.shape[1]
    entry = np.arange(size // 2)
    difference, constant = layout.difference(entry, size - 1 - entry)
    subscripts = np.column_stack(np.divmod(entry, layout.shape[1]))
    return [exactly(Block(name="symmetric", indices=subscripts), difference, -constant)]


def _fair(query: Query, layout: Layout) -> list[Rows]:
    truth = np.arange(query.num_truths)
    entry = query.home * query.num_truths + truth
    difference, constant = layout.difference(entry[:-1], entry[1:])
    return [exactly(Block(name="fair", indices=truth[:-1, None]), difference, -constant)]


def _column_honest(query: Query, layout: Layout) -> list[Rows]:
    response, truth = np.nonzero(np.arange(query.num_responses)[:, None] != query.home[None, :])
    entry, home = response * query.num_truths + truth, query.home[truth] * query.num_truths + truth
    difference, constant = layout.difference(entry, home)
    block = Block(name="column_honest", indices=np.column_stack([response, truth]))
    return [at_most(block, difference, -constant)]


def _row_honest(query: Query, layout: Layout) -> list[Rows]:
    truth, other = np.nonzero(query.home[:, None] != query.home[None, :])
    row = query.home[other] * query.num_truths
    difference, constant = layout.difference(row + truth, row + other)
    block = Block(name="row_honest", indices=np.column_stack([truth, other]))
    return [at_most(block, difference, -constant)]


def _unbiased(query: Query, layout: Layout) -> list[Rows]:
    number = query.num_truths
    error = (query.response_values[:, None] - query.truth_values[None, :]).ravel()
    truth = np.tile(np.arange(number), query.num_responses)
    sums = sparse.csr_array((error, (truth, np.arange(len(error)))), shape=(number, len(error)))
    block = Block(name="unbiased", indices=np.arange(number)[:, None])
    return [exactly(block, sparse.csr_array(sums @ layout.entries), -(sums @ layout.constant))]


def _limited(least: Floats, most: Floats, layout: Layout) -> list[Rows]:
    rows = [_between("limit", (least > 0) | (most < 1), least, np.maximum(least, most), layout)]
    if (least > most).any():  # no mechanism has such an entry, and the program is to say so
        rows.append(_between("limit_most", least > most, np.zeros_like(most), most, layout))
    return rows


def _between(name: str, where: Grid, lower: Floats, upper: Floats, layout: Layout) -> Rows:
    response, truth = np.nonzero(where)
    entry = response * layout.shape[1] + truth
    constant = layout.constant[entry]
    return Rows(
        block=Block(name=name, indices=np.column_stack([response, truth])),
        matrix=sparse.csr_array(layout.entries[entry]),
        lower=lower[response, truth] - constant,
        upper=upper[response, truth] - constant,
    )


_BUILT: dict[Property, Callable[[Query, Layout], list[Rows]]] = {
    Property.COLUMN_MONOTONE: _column_monotone,
    Property.ROW_MONOTONE: _row_monotone,
    Property.SYMMETRIC: _symmetric,
    Property.FAIR: _fair,
    Property.COLUMN_HONEST: _column_honest,
    Property.ROW_HONEST: _row_honest,
    Property.UNBIASED: _unbiased,
}
"""Who writes the rows of each property, in the order of the papers; the rest are limits."""
