"""What HiGHS says, read with care.

Duals need no change of sign: HiGHS' row dual is the change of the objective for one more unit on the
right-hand side, as in `Solution`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.models.solution import Solution, Status
from optmech.models.solvers.claims import dual_objective, is_point, objection
from optmech.models.solvers.no_entries import bounded_rows
from optmech.models.solvers.options import Method

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel


STATUSES = {
    "kNotset": Status.FAILED,  # as after a simplex method that cycles
    "kLoadError": Status.REFUSED,
    "kModelError": Status.REFUSED,
    "kPresolveError": Status.FAILED,
    "kSolveError": Status.FAILED,
    "kPostsolveError": Status.FAILED,
    "kModelEmpty": Status.FAILED,  # never asked: `solve_without_entries`
    "kOptimal": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    "kUnboundedOrInfeasible": Status.UNDECIDED,
    "kUnbounded": Status.UNBOUNDED,
    "kObjectiveBound": Status.LIMIT,
    "kObjectiveTarget": Status.LIMIT,
    "kTimeLimit": Status.LIMIT,
    "kIterationLimit": Status.LIMIT,
    "kUnknown": Status.FAILED,
    "kSolutionLimit": Status.LIMIT,
    "kInterrupt": Status.LIMIT,
    "kMemoryLimit": Status.FAILED,  # HiGHS found no memory, which no limit of ours sets
    "kHighsInterrupt": Status.FAILED,  # by another search of its own
}
"""What each HighsModelStatus means here, by name. One that is not listed is no answer."""


def answer_of(
    highs: Any,  # noqa: ANN401
    model: LinearModel,
    scale: Floats,
    *,
    refusal: str | None,
    crash: str | None = None,
    title: str,
    seconds: float,
) -> Solution:
    """Return what HiGHS claims; an optimum only where nothing contradicts it.

    What it refuses, or the error in which it ended, counts before what it claims.
    """
    claim, info, point = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
    status = STATUSES.get(claim.name, Status.FAILED)
    if refusal or crash:
        status = Status.REFUSED if refusal else Status.FAILED
    message = refusal or crash or str(highs.modelStatusToString(claim))
    values = np.array(point.col_value) if point.value_valid else None
    duals = _duals(model, point, scale)
    if status is Status.OPTIMAL and (trouble := objection(model, values, duals)):
        status, message = Status.NUMERICAL, f"{message}, but {trouble}"
    keep = status is Status.OPTIMAL or (status is Status.LIMIT and is_point(model, values))
    return Solution(
        status=status,
        solver=title,
        method=_method(highs, model, int(info.ipm_iteration_count)),
        seconds=seconds,
        message=message,
        values=values if keep else None,
        row_duals=duals if status in (Status.OPTIMAL, Status.LIMIT) else None,
        objective=float(info.objective_function_value) if keep else None,
        bound=_bound(model, status, duals, float(info.mip_dual_bound)),
    )


def _duals(model: LinearModel, point: Any, scale: Floats) -> Floats | None:  # noqa: ANN401
    """Return the duals of all rows of a linear program; that of a row without bounds is zero."""
    if model.is_mixed_integer or not point.dual_valid:
        return None
    mask = bounded_rows(model)
    duals = np.zeros(model.num_rows)
    duals[mask] = np.array(point.row_dual) * scale[mask]
    return duals if np.isfinite(duals).all() else None


def _bound(model: LinearModel, status: Status, duals: Floats | None, mip_bound: float) -> float | None:
    if status not in (Status.OPTIMAL, Status.LIMIT):
        return None
    if model.is_mixed_integer:
        return mip_bound if np.isfinite(mip_bound) else None
    if status is Status.OPTIMAL and duals is not None:
        return dual_objective(model, duals)
    return None


def _method(highs: Any, model: LinearModel, ipm_iterations: int) -> str:  # noqa: ANN401
    if model.is_mixed_integer:
        return "branch-and-bound"
    option = str(highs.getOptionValue("solver")[1])
    if option != "choose":
        return option
    return Method.IPM.value if ipm_iterations > 0 else Method.SIMPLEX.value
