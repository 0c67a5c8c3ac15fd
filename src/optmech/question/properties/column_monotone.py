"""For each truth, a response is no likelier the farther it lies from the truth: Croft et al. 2020 (10), (11).

Model
-----
    M[r,f] - M[r+1,f] <= 0              column_rising[r,f]     r < home(f)                  (10)
    M[r+1,f] - M[r,f] <= 0              column_falling[r,f]    r >= home(f)                 (11)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Order
from optmech.question.properties.lines import drop_towards
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["ColumnMonotone"]


class ColumnMonotone(Property):
    """For each truth, a response is no likelier the farther it lies from the truth."""

    __slots__ = ()
    word = "column-monotone"
    sentence = "An answer is no likelier the farther it lies from the true one."
    phrase = "nearer answers are likelier"
    of_order = of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders (10), then (11)."""
        rising = np.arange(query.num_responses - 1)[:, None] < query.home[None, :]
        for name, where, low, high in (
            ("column_rising", rising, 0, query.num_truths),
            ("column_falling", ~rising, query.num_truths, 0),
        ):
            response, truth = np.nonzero(where)
            entry = response * query.num_truths + truth
            subscripts = np.column_stack([response, truth])
            yield Order(name=name, subscripts=subscripts, low=entry + low, high=entry + high)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest step away from the response of the truth that rises."""
        if (query.home < 0).any():
            return float("inf")
        return drop_towards(matrix.T, np.column_stack([query.home, query.home]))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise each column towards the response of its truth."""
        for truth, home in enumerate(query.home.tolist()):
            column = matrix[:, truth]
            column[: home + 1] = np.maximum.accumulate(column[: home + 1])
            column[home:] = np.maximum.accumulate(column[home:][::-1])[::-1]
