"""Re-solve programs after changes of limits and costs, or with new columns and rows."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.models.solvers.highs import Highs, new_highs, run, within_time_left
from optmech.models.solvers.highs_answer import answer_of

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import SolveOptions

_DUAL_SIMPLEX, _PRIMAL_SIMPLEX = 1, 4
_ACCEPTED = {"kOk", "kWarning"}


class WarmHighs:
    """HiGHS with a warm start from the last solve."""

    def __init__(self, options: SolveOptions) -> None:
        self._options = options
        self._highs: Any = None
        self._last: LinearModel | None = None
        self._title = f"highs {Highs().version()}"

    def solve(self, model: LinearModel, time_limit: float | None = None) -> Solution:
        """Solve a program with the rows and columns of the last one, and possibly further ones.

        The rows and columns of the last program may have other limits and costs, but every row must be
        bounded. See `Solver.solve` for what is returned.
        """
        start = time.perf_counter()
        refusal: str | None
        crash: str | None = None
        if self._last is None:
            self._highs, refusal = new_highs(model, self._options)
        else:
            refusal = self._change(model, self._last) or self._add(model, self._last)
        if refusal is None:
            limit = within_time_left(time_limit)  # the clock of HiGHS counts from its first run
            self._highs.setOptionValue("time_limit", float(self._highs.getRunTime() + limit))
            crash = run(self._highs)
        self._last = model
        return answer_of(
            self._highs,
            model,
            np.ones(model.num_rows),
            refusal=refusal,
            crash=crash,
            title=self._title,
            seconds=time.perf_counter() - start,
        )

    def _change(self, model: LinearModel, last: LinearModel) -> str | None:
        """Pass the costs and limits that differ from the last program's."""
        changes = (
            (self._highs.changeColCost, (last.cost,), (model.cost,)),
            (
                self._highs.changeColBounds,
                (last.column_lower, last.column_upper),
                (model.column_lower, model.column_upper),
            ),
            (
                self._highs.changeRowBounds,
                (last.row_lower, last.row_upper),
                (model.row_lower, model.row_upper),
            ),
        )
        for change, before, after in changes:
            old = np.column_stack(before)
            new = np.column_stack(after)[: len(old)]
            for row in np.flatnonzero((old != new).any(axis=1)).tolist():
                if change(row, *new[row].tolist()).name not in _ACCEPTED:
                    return "HiGHS refuses what was changed"
        return None

    def _add(self, model: LinearModel, last: LinearModel) -> str | None:
        """Pass new columns and rows.

        With new columns the old optimum stays feasible, so the simplex is primal. With new rows its prices
        stay feasible, so it is dual.
        """
        columns, rows = model.num_columns - last.num_columns, model.num_rows - last.num_rows
        statuses = []
        if columns:
            entries = model.matrix[: last.num_rows, last.num_columns :].tocsc()
            statuses.append(
                self._highs.addCols(
                    columns,
                    model.cost[last.num_columns :],
                    model.column_lower[last.num_columns :],
                    model.column_upper[last.num_columns :],
                    *_entries(entries),
                )
            )
            self._highs.setOptionValue("simplex_strategy", _PRIMAL_SIMPLEX)
        if rows:
            entries = model.matrix[last.num_rows :].tocsr()
            statuses.append(
                self._highs.addRows(
                    rows,
                    model.row_lower[last.num_rows :],
                    model.row_upper[last.num_rows :],
                    *_entries(entries),
                )
            )
            self._highs.setOptionValue("simplex_strategy", _DUAL_SIMPLEX)
        is_refused = any(status.name not in _ACCEPTED for status in statuses)
        return "HiGHS refuses what was added" if is_refused else None


def _entries(matrix: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a matrix by columns or by rows
    return matrix.nnz, matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32), matrix.data
