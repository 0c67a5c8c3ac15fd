"""Any matrix whose columns are distributions.

Model
-----
    M[r,f] >= 0                                           for each response r, truth f
    sum_r M[r,f] = 1                      total[f]        for each truth f
    privacy compares M[r,f] with M[r,g]   privacy[r,f,g]  for each response r, neighbours (f, g)

Size: |R||F| columns, |F| rows, |R|P comparisons for P ordered pairs of neighbours.
Source: Croft, Sack, Shi 2020, section 3.2, (4), (8), (9).
Algebra: formulations/croft_variant_1.mod.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.structures.structure import Columns, Comparisons, Structure

if TYPE_CHECKING:
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True)
class FreeMatrix(Structure):
    """Any matrix whose columns are distributions. Croft et al. 2020, Definition 3."""

    word = "free"
    is_free = True
    sentence = "Any mechanism is allowed."

    def __str__(self) -> str:
        return "any matrix"

    def columns(self, query: Query) -> Columns:
        """Return a column for each entry. Subscripts are positions in the query, from 0."""
        from scipy import sparse  # noqa: PLC0415 - a question alone needs no SciPy

        num_responses, num_truths = query.num_responses, query.num_truths
        size = num_responses * num_truths
        response, truth = np.divmod(np.arange(size), num_truths)
        pairs = query.pairs
        row = np.repeat(np.arange(num_responses), len(pairs))
        first, second = np.tile(pairs[:, 0], num_responses), np.tile(pairs[:, 1], num_responses)
        return Columns(
            name="M",
            subscripts=np.column_stack([response, truth]),
            entries=sparse.eye_array(size, format="csr"),
            constant=np.zeros(size),
            # Croft (9): column sums. Row f has a one at every entry (r, f).
            total=sparse.csr_array((np.ones(size), (truth, np.arange(size))), shape=(num_truths, size)),
            total_subscripts=np.arange(num_truths)[:, None],
            comparisons=Comparisons(
                name="privacy",
                left=row * num_truths + first,
                right=row * num_truths + second,
                subscripts=np.column_stack([row, first, second]),
                group=np.tile(np.arange(len(pairs)), num_responses),
                group_subscripts=pairs,
                group_weights=query.weights,
            ),
            shape=(num_responses, num_truths),
        )

    def num_ratios(self, query: Query) -> int:
        """Return one for each response and pair of neighbours."""
        return query.num_responses * len(query.pairs)
