"""Models whose rows do not have a single coefficient, which solvers trip over.

HiGHS calls a model without columns "empty" even if a row cannot hold, CBC 2.10.3 stops "on difficulties"
and later builds of CBC crash. There is nothing to search: rows are zero and each column stands for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.models.solution import Solution, Status

if TYPE_CHECKING:
    from optmech.base.arrays import Marks
    from optmech.models.linear_model import LinearModel


def bounded_rows(model: LinearModel) -> Marks:
    """Return which rows have a bound; the others say nothing, and solvers drop or dislike them."""
    mask: Marks = np.isfinite(model.row_lower) | np.isfinite(model.row_upper)
    return mask


def has_entries(model: LinearModel) -> bool:
    """Whether any row with a bound has a coefficient."""
    return bool((np.diff(model.matrix.indptr)[bounded_rows(model)] > 0).any())


def solve_without_entries(model: LinearModel, solver: str) -> Solution:
    """Return the solution of a model whose bounded rows have no entries, in the name of `solver`."""
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
