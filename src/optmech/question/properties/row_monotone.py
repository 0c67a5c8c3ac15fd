"""For each response, it is no likelier the farther the truth lies from it: Croft et al. 2020 (12), (13).

Model
-----
    M[r,f] - M[r,f+1] <= 0              row_rising[r,f]        truth f+1 in r or below      (12)
    M[r,f+1] - M[r,f] <= 0              row_falling[r,f]       truth f   in r or above      (13)

A truth on the common end of two categories is in the upper one, (5), so for the lower one it is not "in r or
below".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Order
from optmech.question.properties.lines import drop_towards, truths_below_and_above
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["RowMonotone"]


class RowMonotone(Property):
    """For each response, it is no likelier the farther the truth lies from it."""

    __slots__ = ()
    word = "row-monotone"
    sentence = "An answer is no likelier the farther the true one lies from it."
    phrase = "an answer is likelier, the nearer the truth"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders (12), then (13), decided by exact numbers."""
        truths = np.array(query.truths, dtype=object)
        lower = np.array([category.lower for category in query.responses], dtype=object)
        upper = np.array([category.upper for category in query.responses], dtype=object)
        position, response = np.arange(len(truths)), np.arange(len(lower))
        rising = position[None, 1:] < np.searchsorted(truths, upper, side="right")[:, None]
        rising &= query.home[None, 1:] <= response[:, None]
        falling = position[None, :-1] >= np.searchsorted(truths, lower, side="left")[:, None]
        for name, where, low, high in (("row_rising", rising, 0, 1), ("row_falling", falling, 1, 0)):
            row, truth = np.nonzero(where)
            entry = row * query.num_truths + truth
            subscripts = np.column_stack([row, truth])
            yield Order(name=name, subscripts=subscripts, low=entry + low, high=entry + high)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest step away from the response that rises."""
        return drop_towards(matrix, truths_below_and_above(query))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise each row towards the truths of its response."""
        for row, (last_rising, first_falling) in enumerate(truths_below_and_above(query)):
            line = matrix[row]
            line[: last_rising + 1] = np.maximum.accumulate(line[: last_rising + 1])
            line[first_falling:] = np.maximum.accumulate(line[first_falling:][::-1])[::-1]
