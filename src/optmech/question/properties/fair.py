"""The response that holds the truth is equally likely for every truth: Croft et al. 2020 (15).

Model
-----
    M[home(f),f] - M[home(f+1),f+1] = 0 fair[f]                                             (15)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Tie
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["Fair"]


class Fair(Property):
    """The response that holds the truth is equally likely for every truth."""

    __slots__ = ()
    word = "fair"
    sentence = "Every true answer is released with the same probability."
    phrase = "every truth is released equally often"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Tie]:
        """Yield the tie of the truth's entries (15)."""
        truth = np.arange(query.num_truths)
        entry = query.home * query.num_truths + truth
        yield Tie(name="fair", subscripts=truth[:-1, None], left=entry[:-1], right=entry[1:])

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return how far the probabilities of the truth differ."""
        if (query.home < 0).any():
            return float("inf")
        diagonal = matrix[query.home, np.arange(query.num_truths)]
        return float(diagonal.max() - diagonal.min())

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the entries of the truth to the largest of them."""
        truths = np.arange(query.num_truths)
        matrix[query.home, truths] = matrix[query.home, truths].max()
