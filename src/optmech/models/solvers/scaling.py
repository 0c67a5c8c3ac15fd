"""Powers of two that bring rows and columns into the range that solvers accept, which is exact."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel

_LARGEST = 1e15
_SMALLEST = 1e-12
# A row with such an entry is raised until its largest one is here; raising it further would tighten its
# tolerance beyond what doubles can hold. What is then still below 1e-12 is rounding to the solver.
_RAISED_TO = 2.0**10


def row_scale(model: LinearModel, largest_entry: float = _LARGEST) -> Floats:
    """Return the power of two by which to multiply each row; one where nothing needs to be done.

    HiGHS refuses a model with an entry above 1e15 and drops entries of up to 1e-12; to CBC a row of entries
    below its tolerance says nothing. The dual of the new row, multiplied by the same power, is that of the
    row as it was.
    """
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


def column_scale(model: LinearModel) -> Floats:
    """Return the power of two to divide each column by; one where nothing needs to be done.

    CBC 2.10 looks for objectives that can only change in steps. It takes a continuous column with cost and
    whole bounds, such as ``0 <= delta <= 1``, for a whole number when the rows around it look so, and then
    calls the first point it finds optimal: on the least delta of a mechanism it claimed 0.7 where 0.2575 is
    right. A bound that is half a whole number ends that. A column without any finite bound but zero cannot be
    helped, and is left as it is.
    """
    scale = np.ones(model.num_columns)
    if not model.is_mixed_integer:
        return scale
    ends = np.where(np.isfinite(model.column_upper), model.column_upper, model.column_lower)
    ends = np.where(ends == 0, model.column_lower, ends)
    doubtful = ~model.integer & (model.cost != 0) & np.isfinite(ends) & (ends != 0) & (ends == np.round(ends))
    odd_part = np.array([_powers_of_two(int(end)) for end in ends[doubtful].tolist()], dtype=float)
    scale[doubtful] = np.exp2(odd_part + 1)
    return scale


def with_scaled_columns(model: LinearModel, scale: Floats) -> LinearModel:
    """Return the model in columns that are `scale` times smaller: its rows and optimum are the same."""
    return replace(
        model,
        cost=model.cost * scale,
        matrix=sparse.csr_array(model.matrix @ sparse.diags_array(scale)),
        column_lower=model.column_lower / scale,
        column_upper=model.column_upper / scale,
    )


def _powers_of_two(number: int) -> int:
    """Return how often two divides `number`, which is not zero."""
    return (number & -number).bit_length() - 1
