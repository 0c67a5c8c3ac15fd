"""Check a solver's claim against the model alone.

A solver that says "optimal" must give a point that meets all rows and, for linear programs, duals that close
the gap. CBC's barrier calls unbounded programs optimal at 1e19, and its simplex method sometimes returns an
interior point of a free column. An interior-point method that failed returns its last point. Such claims are
refused here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.models.linear_model import least_in_box
from optmech.models.solution import Status

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution


# A thousand times the default tolerance of 1e-9: rounding after unscaling stays below, garbage does not.
_LARGEST_VIOLATION = 1e-6
# The duals of a large program sum thousands of reduced costs within tolerance. Wrong answers are far above.
_LARGEST_GAP = 1e-5
# A reduced cost of this size, next to the terms it is made of, is rounding.
_NOISE = 1e-6


def believed(model: LinearModel, claim: Solution) -> Solution:
    """Return the part of a solver's claim that the model does not contradict, with the duals' bound.

    An optimum is passed on only without an `objection`, and the best point after a limit only if it meets all
    rows.
    """
    status, message, duals = claim.status, claim.message, claim.row_duals
    if status is Status.OPTIMAL and (refusal := objection(model, claim.values, duals)):
        status, message = Status.NUMERICAL, f"{message}, but {refusal}"
    optimal, limited = status is Status.OPTIMAL, status is Status.LIMIT
    keep = optimal or (limited and is_point(model, claim.values))
    bound = claim.bound
    if not model.is_mixed_integer:
        bound = dual_objective(model, duals) if optimal and duals is not None else None
    return replace(
        claim,
        status=status,
        message=message,
        values=claim.values if keep else None,
        row_duals=duals if optimal or limited else None,
        objective=claim.objective if keep else None,
        bound=bound if optimal or limited else None,
    )


def objection(model: LinearModel, values: Floats | None, row_duals: Floats | None) -> str | None:
    """Return a text on why `values` cannot be optimal, or None.

    A linear program without duals is not proved; a mixed-integer one has none.
    """
    if values is None:
        return "there are no values"
    if not np.isfinite(values).all():
        return "the values are not finite"
    violation = model.violation(values, relative=True)
    if violation > _LARGEST_VIOLATION:
        return f"the values break the model by {violation:.3g}"
    return None if model.is_mixed_integer else _gap_objection(model, values, row_duals)


def _gap_objection(model: LinearModel, values: Floats, row_duals: Floats | None) -> str | None:
    if row_duals is None or not np.isfinite(row_duals).all():
        return "there are no duals"
    objective = model.objective(values)
    bound = model.dual_bound(row_duals)
    if not np.isfinite(bound):
        bound = dual_objective(model, row_duals)
    gap = objective - bound
    doubtful = abs(gap) > _LARGEST_GAP * max(1.0, abs(objective))
    return f"the duals leave a gap of {gap:.3g}" if doubtful else None


def objective_is_bounded(model: LinearModel) -> bool:
    """Whether the bounds of the columns alone keep the objective from falling without end."""
    cheapest = np.where(model.cost > 0, model.column_lower, model.column_upper)[model.cost != 0]
    return bool(np.isfinite(cheapest).all())


def is_point(model: LinearModel, values: Floats | None) -> bool:
    """Whether `values` meet all rows, as closely as an optimum has to."""
    return values is not None and model.violation(values, relative=True) <= _LARGEST_VIOLATION


def dual_objective(model: LinearModel, row_duals: Floats) -> float:
    """Return the objective of the dual, where rounding on a bound that does not exist counts as zero.

    It serves where a column has no bound. There `LinearModel.dual_bound`, which counts nothing as zero, is
    -inf after the slightest rounding in a reduced cost: right for a bound, wrong for a doubt.
    """
    reduced_costs = model.cost - model.matrix.T @ row_duals
    terms = np.maximum(1.0, abs(model.cost) + abs(model.matrix).T @ abs(row_duals))
    size = max(1.0, float(np.max(abs(row_duals), initial=0.0)))
    return (
        least_in_box(row_duals, model.row_lower, model.row_upper, _NOISE * size)
        + least_in_box(reduced_costs, model.column_lower, model.column_upper, _NOISE * terms)
        + model.offset
    )
