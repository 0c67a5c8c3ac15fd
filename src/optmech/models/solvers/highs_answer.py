"""Read the answer of HiGHS with care.

Duals need no change of sign: HiGHS' row dual is the change of the objective for one more unit on the
right-hand side, as in `Solution`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.models.solution import Solution, Status
from optmech.models.solvers.claims import believed
from optmech.models.solvers.options import Method
from optmech.models.solvers.preparation import duals_of_all_rows

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
    "kMemoryLimit": Status.FAILED,  # HiGHS ran out of memory; optmech sets no such limit
    "kHighsInterrupt": Status.FAILED,  # by another search of its own
}
"""Meaning of each HighsModelStatus, by name. One that is not listed is no answer."""


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
    """Return the claim of HiGHS; an optimum only where the model does not contradict it.

    A refusal, or the error in which HiGHS ended, counts before the status that it claims.
    """
    claim, info, point = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
    status, bound = STATUSES.get(claim.name, Status.FAILED), float(info.mip_dual_bound)
    if refusal or crash:
        status = Status.REFUSED if refusal else Status.FAILED
    has_duals = point.dual_valid and not model.is_mixed_integer
    answer = Solution(
        status=status,
        solver=title,
        method=_method(highs, model, int(info.ipm_iteration_count)),
        seconds=seconds,
        message=refusal or crash or str(highs.modelStatusToString(claim)),
        values=np.array(point.col_value) if point.value_valid else None,
        row_duals=duals_of_all_rows(model, point.row_dual, scale) if has_duals else None,
        objective=float(info.objective_function_value),
        bound=bound if np.isfinite(bound) else None,
    )
    return believed(model, answer)


def _method(highs: Any, model: LinearModel, ipm_iterations: int) -> str:  # noqa: ANN401
    if model.is_mixed_integer:
        return "branch-and-bound"
    option = str(highs.getOptionValue("solver")[1])
    if option != "choose":
        return option
    return Method.IPM.value if ipm_iterations > 0 else Method.SIMPLEX.value
