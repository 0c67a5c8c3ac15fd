"""For each truth, no response is likelier than the one that holds it: Cormode et al. 2018, section 3, CH.

Model
-----
    M[r,f] - M[home(f),f] <= 0          column_honest[r,f]     r other than home(f)         CH
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Order
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["ColumnHonest"]


class ColumnHonest(Property):
    """For each truth, no response is likelier than the one that holds it."""

    __slots__ = ()
    word = "column-honest"
    sentence = "No answer is likelier than the true one."
    phrase = "the truth is the likeliest answer"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders CH."""
        response, truth = np.nonzero(np.arange(query.num_responses)[:, None] != query.home[None, :])
        entry, home = response * query.num_truths + truth, query.home[truth] * query.num_truths + truth
        yield Order(
            name=self.word.replace("-", "_"),
            subscripts=np.column_stack([response, truth]),
            low=entry,
            high=home,
        )

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return by how much the truth is less likely than another response, at most."""
        if (query.home < 0).any():
            return float("inf")
        return float((matrix.max(axis=0) - matrix[query.home, np.arange(query.num_truths)]).max())

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the truth's entry to the largest of each column."""
        truths = np.arange(query.num_truths)
        matrix[query.home, truths] = matrix.max(axis=0)
