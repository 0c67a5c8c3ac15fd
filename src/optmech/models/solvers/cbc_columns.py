"""Columns that CBC would take for whole numbers.

CBC 2.10 looks for objectives that can only change in steps. It takes a continuous column with cost and whole
bounds, such as ``0 <= delta <= 1``, for a whole number when the rows around it look so, and then calls the
first point it finds optimal: on the least delta of a mechanism it claimed 0.7 where 0.2575 is right. A bound
that is half a whole number ends that, and multiplying a column by a power of two is exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel

__all__ = ["column_scale", "with_scaled_columns"]


def column_scale(model: LinearModel) -> Floats:
    """Return the power of two to divide each column by; one where nothing needs to be done.

    A column without any finite bound but zero cannot be helped, and is left as it is.
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
