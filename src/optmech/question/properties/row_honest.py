"""No response is likelier under a truth outside it than under one that it holds: Cormode et al. 2018, RH.

Model
-----
    M[home(g),f] - M[home(g),g] <= 0    row_honest[f,g]        home(f) other than home(g)   RH
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Order
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Booleans, Floats
    from optmech.question.query import Query


__all__ = ["RowHonest"]


class RowHonest(Property):
    """No response is likelier under a truth outside it than under one that it holds."""

    __slots__ = ()
    word = "row-honest"
    sentence = "No answer is likelier under another true answer than under itself."
    phrase = "an answer is likeliest when it is true"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders RH."""
        truth, other = np.nonzero(query.home[:, None] != query.home[None, :])
        row = query.home[other] * query.num_truths
        yield Order(
            name="row_honest", subscripts=np.column_stack([truth, other]), low=row + truth, high=row + other
        )

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return how much a response is likelier under a truth outside it than under one inside, at most."""
        if (query.home < 0).any():
            return float("inf")
        return max(_likelier_outside(matrix[row], query.home == row) for row in set(query.home.tolist()))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the truths' entries to the largest of each row that lies outside."""
        for row in set(query.home.tolist()):
            inside = query.home == row
            matrix[row, inside] = np.maximum(matrix[row, inside], matrix[row, ~inside].max(initial=0.0))


def _likelier_outside(line: Floats, inside: Booleans) -> float:
    return max(0.0, float(line[~inside].max(initial=0.0) - line[inside].min()))
