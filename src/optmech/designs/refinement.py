"""The optimum of a linear program to more digits than a solver's tolerances give."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution

_MAGNIFICATION = 2.0**20
# After magnification the largest costs say only that a column stays at its end. Solvers may fail at numbers
# so far apart; then they are cut off, at more than a solver's error of 1e-7, magnified.
_LARGEST_COSTS = (np.inf, 4.0)


def refine(
    model: LinearModel, solution: Solution, solve_next: Callable[[LinearModel], Solution]
) -> Solution | None:
    """Return an optimum to more digits, ``None`` where it has no duals or the solver fails.

    With x and y the solver's values and duals, and k a power of two, the program

        min   k (c - A'y) z + k y s
        s.t.  A z - s = 0
              k (rows' lower ends - A x) <= s <= k (rows' upper ends - A x)
              k (lower ends - x) <= z <= k (upper ends - x)

    has the same matrix and, seen through a magnifying glass, the same optimum: x + z/k and y + y'/k are
    feasible to tolerances that are smaller by k (Gleixner, Steffy, Wolter 2016).
    """
    values, duals = solution.values, solution.row_duals
    if values is None or duals is None or model.is_mixed_integer or solution.status is not Status.OPTIMAL:
        return None
    point = np.clip(values, model.column_lower, model.column_upper)
    activity = model.matrix @ point
    costs = np.concatenate([model.cost - model.matrix.T @ duals, duals])
    lower = np.concatenate([model.column_lower - point, model.row_lower - activity])
    upper = np.concatenate([model.column_upper - point, model.row_upper - activity])
    matrix = sparse.hstack([model.matrix, -sparse.eye_array(model.num_rows)], format="csr")
    columns = _MAGNIFICATION * lower, _MAGNIFICATION * upper
    for largest in _LARGEST_COSTS:
        cost = np.clip(_MAGNIFICATION * costs, -largest, largest)
        name = f"{model.name}, magnified"
        step = solve_next(unnamed_program(name, cost, matrix, rows=(0.0, 0.0), columns=columns))
        if step.status is Status.OPTIMAL and step.values is not None and step.row_duals is not None:
            better = point + step.values[: model.num_columns] / _MAGNIFICATION
            return replace(
                solution,
                values=better,
                row_duals=duals + step.row_duals / _MAGNIFICATION,
                objective=model.objective(better),
            )
    return None
