"""For each truth, the mean of what is released is the truth. Of categories the midpoint counts.

Model
-----
    sum_r (mid(r) - truth(f)) M[r,f] = 0 unbiased[f]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.errors import mean_errors
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.base.blocks import Total
    from optmech.question.query import Query


__all__ = ["Unbiased"]


class Unbiased(Property):
    """For each truth, the mean of what is released is the truth."""

    __slots__ = ()
    word = "unbiased"
    sentence = "On average the released number is the true one."
    phrase = "right on average"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Total]:
        """Yield the mean error of each truth, which is zero."""
        yield mean_errors(query)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return how far a mean is from its truth, at most."""
        return float(np.abs(query.response_values @ matrix - query.truth_values).max())
