"""Powers of two that bring the coefficients of a row into the range solvers accept.

HiGHS refuses a model with an entry above 1e15 and drops entries of up to 1e-12; to CBC a row of entries
below its tolerance says nothing. Multiplying a row and its bounds by a power of two is exact, and the dual
of the new row multiplied by the same power is the dual of the row as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel

__all__ = ["row_scale", "with_scaled_rows"]

_LARGEST = 1e15
_SMALLEST = 1e-12
# A row with such an entry is raised until its largest one is here; raising it further would tighten its
# tolerance beyond what doubles can hold. What is then still below 1e-12 is rounding to the solver.
_RAISED_TO = 2.0**10


def row_scale(model: LinearModel, largest_entry: float = _LARGEST) -> Floats:
    """Return the power of two by which to multiply each row; one where nothing needs to be done."""
    matrix = model.matrix
    scale = np.ones(model.num_rows)
    has_entries = np.diff(matrix.indptr) > 0
    starts = matrix.indptr[:-1][has_entries]
    if len(starts) == 0:
        return scale
    sizes = np.abs(matrix.data)
    largest, smallest = np.maximum.reduceat(sizes, starts), np.minimum.reduceat(sizes, starts)
    lowering = np.where(largest >= largest_entry, np.floor(np.log2(largest_entry / largest)) - 1, 0.0)
    raising = np.where(smallest <= _SMALLEST, np.maximum(np.floor(np.log2(_RAISED_TO / largest)), 0.0), 0.0)
    scale[has_entries] = np.exp2(np.where(lowering < 0, lowering, raising))
    return scale


def with_scaled_rows(model: LinearModel, scale: Floats) -> LinearModel:
    """Return `model` with each row multiplied by its `scale`."""
    if (scale == 1).all():
        return model
    matrix = model.matrix
    numbers = matrix.data * np.repeat(scale, np.diff(matrix.indptr))
    return replace(
        model,
        matrix=sparse.csr_array((numbers, matrix.indices, matrix.indptr), shape=matrix.shape),
        row_lower=model.row_lower * scale,
        row_upper=model.row_upper * scale,
    )
