"""A program whose coefficients lie further apart than a solver's tolerances, solved without those rows.

Model
-----
A row of privacy ``P <= e^epsilon Q`` at epsilon 30 says that an entry Q of 1e-13 is enough for any P, and
that one of zero allows none: a solver to which 1e-9 is zero cannot tell the two apart. It calls such programs
unbounded or infeasible, or breaks their rows. A row is *steep* where

    rest(x) - a x_q <= upper,   rest(x) <= most   by the bounds of the columns,

so that ``x_q >= (most - upper) / a`` implies it, and that is next to nothing. Two programs have none:

    relaxed     the rows are left out: its duals are duals of the program as it was, zero on these rows
    interior    they are left out, and each x_q is at least 1e-6, which a solver sees

With t the largest ``(most - upper) / a`` of all steep rows over 1e-6, ``(1 - t) relaxed + t interior`` meets
all rows of the program as it was, and costs next to nothing more than the relaxed optimum: `objection` looks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.models.solution import Status
from optmech.models.solvers.claims import dual_objective, objection

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution


# Above a solver's tolerances, and next to nothing among probabilities. Rows are steep from epsilon 14 on.
_VISIBLE = 1e-6


def has_steep_rows(model: LinearModel) -> bool:
    """Whether a linear program has rows that a solver cannot tell from lower bounds of zero.

    >>> import optmech as om
    >>> [has_steep_rows(om.models.assemble(om.croft(om.count(2), epsilon)).model) for epsilon in (1, 30)]
    [False, True]
    """
    return not model.is_mixed_integer and bool(np.isfinite(_least_values(model)[1]).any())


def solve_without_steep_rows(model: LinearModel, solve: Callable[[LinearModel], Solution]) -> Solution:
    """Return an optimum of `model` that the programs without its steep rows make, or why there is none."""
    column, least_values = _least_values(model)
    steep = np.isfinite(least_values)
    relaxed_model = replace(model, row_upper=np.where(steep, np.inf, model.row_upper))
    lower = model.column_lower.copy()
    lower[column[steep]] = np.maximum(lower[column[steep]], _VISIBLE)
    interior_model = replace(relaxed_model, column_lower=lower)
    relaxed = solve(relaxed_model)
    duals = relaxed.row_duals
    if relaxed.status is not Status.OPTIMAL or relaxed.values is None or duals is None:
        return _without_answer(relaxed)
    interior = solve(interior_model)
    if interior.status is not Status.OPTIMAL or interior.values is None:
        return _without_answer(interior)
    share = float(least_values[steep].max()) / _VISIBLE
    values = (1 - share) * _within(relaxed_model, relaxed.values)
    values += share * _within(interior_model, interior.values)
    if refusal := objection(model, values, duals):
        return _without_answer(replace(relaxed, message=f"{relaxed.message}, but {refusal}"))
    return replace(
        relaxed,
        seconds=relaxed.seconds + interior.seconds,
        values=values,
        objective=model.objective(values),
        bound=dual_objective(model, duals),
    )


def _least_values(model: LinearModel) -> tuple[NDArray[np.int64], Floats]:
    """Return for each row the column of its least coefficient, and what value of it implies the row.

    That is infinite where the row is not steep.
    """
    matrix, num_rows = model.matrix, model.num_rows
    row = np.repeat(np.arange(num_rows), np.diff(matrix.indptr))
    numbers = matrix.data
    least = np.zeros(num_rows)
    np.minimum.at(least, row, numbers)
    is_least = (numbers == least[row]) & (numbers < 0)
    ends = np.where(numbers > 0, model.column_upper[matrix.indices], model.column_lower[matrix.indices])
    terms = np.zeros(len(numbers))
    np.multiply(numbers, ends, out=terms, where=~is_least & (numbers != 0))
    most = np.bincount(row, terms, num_rows)
    column = np.zeros(num_rows, dtype=np.int64)
    column[row[is_least]] = matrix.indices[is_least]
    least_values = np.full(num_rows, np.inf)
    single = (np.bincount(row[is_least], minlength=num_rows) == 1) & np.isneginf(model.row_lower)
    np.divide(most - model.row_upper, -least, out=least_values, where=single)
    can_be_seen = model.column_upper[column] >= _VISIBLE
    least_values[~((least_values > 0) & (least_values <= _VISIBLE) & can_be_seen)] = np.inf
    return column, least_values


def _within(model: LinearModel, values: Floats) -> Floats:
    within: Floats = np.clip(values, model.column_lower, model.column_upper)
    return within


def _without_answer(solution: Solution) -> Solution:
    """Return the answer to another program without its values: it does not answer the original one."""
    status = solution.status if solution.status is Status.LIMIT else Status.FAILED
    return replace(solution, status=status, values=None, row_duals=None, objective=None, bound=None)
