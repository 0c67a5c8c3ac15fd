"""Symmetric noise of bounded width that tells the truth with a given probability.

Model
-----
    alpha[i] >= 0                                                       i = 1..D
    M[n+i,n] = M[n-i,n] = (1 - eta)/2 alpha[i],   M[n,n] = eta          for each count n >= D
    sum_i alpha[i] = 1                              total
    privacy compares M[y,n] with M[y,n+1]           privacy[y,n,n+1]    first count n, y = n-D..n+D

All counts share the noise, so one pair of neighbours stands for all; and the noise is symmetric, so one
direction stands for both. Outcome n+D+1 compares 0 with something and always holds.

The printed rows (17)-(19) are outcomes y = n-D..n. The other half looks redundant and is not: for small
eta, ``alpha[1] (1-eta)/2 <= E eta + delta`` (y = n+1) is violated by the optimum of the printed rows.

Size: D columns, 1 row, 2D+1 comparisons.
Source: Sadeghi, Asoodeh, Calmon 2020, Proposition 3 (14)-(16), Proposition 4 (17)-(19).
Algebra: formulations/sadeghi_symmetric.mod, sadeghi_symmetric_paper.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.layout import Comparisons, Layout, exactly
from optmech.models.formulations.zero_bias_noise import counts_of
from optmech.models.linear_model import Block
from optmech.question.privacy import PerOutcomePrivacy, SymmetricRows

if TYPE_CHECKING:
    from optmech.question.privacy import Privacy
    from optmech.question.query import Query
    from optmech.question.structure import SymmetricNoise

__all__ = ["symmetric_layout"]


def symmetric_layout(query: Query, structure: SymmetricNoise, privacy: Privacy) -> Layout:
    """Return the layout of symmetric noise. Subscripts are counts and released numbers.

    Raises
    ------
    NotAcceptedError
        If the query is no range of two counts or more from `half_width` on.
    """
    width, accuracy = structure.half_width, structure.accuracy
    counts, released = counts_of(query, width)
    if counts[0] < width or len(counts) == 1:
        message = (
            f"symmetric noise of half-width {width} needs two or more counts from {width} on; "
            f"got {counts[0]}..{counts[-1]}. For smaller counts use the zero-bias noise of `sadeghi`."
        )
        raise NotAcceptedError(message)
    num_truths = len(counts)
    shift = released[:, None] - counts[None, :]  # the noise that turns a count into a released number
    size = np.abs(shift).ravel()
    entry = np.flatnonzero((size >= 1) & (size <= width))
    half = float((1 - accuracy) / 2)
    entries = sparse.csr_array(
        (np.full(len(entry), half), (entry, size[entry] - 1)), shape=(len(size), width)
    )
    total = exactly(
        Block(name="total", indices=np.empty((1, 0), dtype=np.int64)),
        sparse.csr_array(np.ones((1, width))),
        1.0,
    )
    outcomes = np.arange(2 * width + 1)  # released numbers n-D..n+D of the first count n
    if isinstance(privacy, PerOutcomePrivacy) and privacy.rows is SymmetricRows.PAPER:
        outcomes = outcomes[: width + 1]  # Sadeghi (17)-(19)
    first, second = np.full(len(outcomes), counts[0]), np.full(len(outcomes), counts[1])
    comparisons = Comparisons(
        name="privacy",
        left=outcomes * num_truths,
        right=outcomes * num_truths + 1,
        subscripts=np.column_stack([released[outcomes], first, second]),
        group=np.zeros(len(outcomes), dtype=np.int64),
        group_subscripts=np.array([[counts[0], counts[1]]]),
        group_weights=np.ones(1, dtype=np.int64),
    )
    return Layout(
        columns=(Block(name="alpha", indices=np.arange(1, width + 1)[:, None]),),
        entries=entries,
        constant=np.where(size == 0, float(accuracy), 0.0),
        rows=(total,),
        comparisons=comparisons,
        shape=(len(released), num_truths),
    )
