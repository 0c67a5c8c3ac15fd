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

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.formulations.layout import Comparisons, Layout, exactly
from optmech.models.linear_model import Block

if TYPE_CHECKING:
    from optmech.question.query import Query

__all__ = ["free_layout"]


def free_layout(query: Query) -> Layout:
    """Return the layout of a free matrix. Subscripts are positions in the query, from 0."""
    num_responses, num_truths = query.num_responses, query.num_truths
    size = num_responses * num_truths
    response, truth = np.divmod(np.arange(size), num_truths)
    # Croft (9): column sums. Row f has a one at every entry (r, f).
    total = exactly(
        Block(name="total", indices=np.arange(num_truths)[:, None]),
        sparse.csr_array((np.ones(size), (truth, np.arange(size))), shape=(num_truths, size)),
        1.0,
    )
    pairs = query.pairs
    row = np.repeat(np.arange(num_responses), len(pairs))
    first, second = np.tile(pairs[:, 0], num_responses), np.tile(pairs[:, 1], num_responses)
    comparisons = Comparisons(
        name="privacy",
        left=row * num_truths + first,
        right=row * num_truths + second,
        subscripts=np.column_stack([row, first, second]),
        group=np.tile(np.arange(len(pairs)), num_responses),
        group_subscripts=pairs,
        group_weights=query.weights,
    )
    return Layout(
        columns=(Block(name="M", indices=np.column_stack([response, truth])),),
        entries=sparse.eye_array(size, format="csr"),
        constant=np.zeros(size),
        rows=(total,),
        comparisons=comparisons,
        shape=(num_responses, num_truths),
    )
