"""Prepare a model for its solvers: rows that they fail on, and numbers beyond their range."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.solution import Solution, Status

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Marks
    from optmech.models.linear_model import LinearModel

_LARGEST = 1e15
_SMALLEST = 1e-12
# A row with such an entry is raised until its largest one is here; raising it further would tighten its
# tolerance beyond what doubles can hold. An entry that is then still below 1e-12 is rounding to the solver.
_RAISED_TO = 2.0**10


def bounded_rows(model: LinearModel) -> Marks:
    """Return a mask of the rows with a bound; solvers drop or mishandle the others."""
    mask: Marks = np.isfinite(model.row_lower) | np.isfinite(model.row_upper)
    return mask


def duals_of_all_rows(model: LinearModel, duals: ArrayLike, scale: Floats) -> Floats | None:
    """Return the duals of all rows from those of scaled rows with bounds, ``None`` if any is not finite."""
    mask = bounded_rows(model)
    all_duals = np.zeros(model.num_rows)
    all_duals[mask] = np.asarray(duals) * scale[mask]
    return all_duals if np.isfinite(all_duals).all() else None


def has_entries(model: LinearModel) -> bool:
    """Whether any row with a bound has a coefficient."""
    return bool((np.diff(model.matrix.indptr)[bounded_rows(model)] > 0).any())


def solve_without_entries(model: LinearModel, solver: str) -> Solution:
    """Return the solution of a model whose bounded rows have no entries, in the name of `solver`.

    HiGHS calls a model without columns "empty" even if a row cannot hold, CBC 2.10.3 stops "on difficulties"
    and later builds of CBC crash. No search is needed: rows are zero, and each column takes its cheapest
    bound.
    """
    lower = np.where(model.integer, np.ceil(model.column_lower), model.column_lower)
    upper = np.where(model.integer, np.floor(model.column_upper), model.column_upper)
    rows_hold = bool(((model.row_lower <= 0) & (model.row_upper >= 0)).all())
    nearest = np.clip(0.0, lower, upper)
    values = np.select([model.cost > 0, model.cost < 0], [lower, upper], nearest)
    if not rows_hold or (lower > upper).any():
        status = Status.INFEASIBLE
    elif not np.isfinite(values).all():
        status = Status.UNBOUNDED
    else:
        status = Status.OPTIMAL
    is_optimal = status is Status.OPTIMAL
    objective = model.objective(values) if is_optimal else None
    return Solution(
        status=status,
        solver=solver,
        method="inspection",
        seconds=0.0,
        message="no row has a coefficient: solved by inspection",
        values=values if is_optimal else None,
        row_duals=np.zeros(model.num_rows) if is_optimal and not model.is_mixed_integer else None,
        objective=objective,
        bound=objective,
    )


def row_scale(model: LinearModel, largest_entry: float = _LARGEST) -> Floats:
    """Return the power of two by which to multiply each row; one where nothing needs to be done.

    HiGHS refuses a model with an entry above 1e15 and drops entries of up to 1e-12. CBC ignores a row with
    entries below its tolerance. The dual of the scaled row times the same power is the dual of the original
    row.
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

    CBC 2.10 looks for objectives that change in steps. It may take a continuous column with a cost and
    integer bounds, such as ``0 <= delta <= 1``, for an integer, and then calls the first point it finds
    optimal: for the least delta of a mechanism it claimed 0.7 where 0.2575 is right. A half-integer bound
    prevents that. A column whose only finite bound is zero stays the same.
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
    """Return the exponent of two in `number`, which is not zero."""
    return (number & -number).bit_length() - 1
