"""Programs that are solved again and again as columns and rows are added to them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.models.solvers.highs import Highs, new_highs, run
from optmech.models.solvers.highs_answer import answer_of

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import SolveOptions

_DUAL_SIMPLEX, _PRIMAL_SIMPLEX = 1, 4


class GrowingHighs:
    """HiGHS, which starts each solve from where the last one ended."""

    def __init__(self, options: SolveOptions) -> None:
        self._options = options
        self._highs: Any = None
        self._columns, self._rows = 0, 0
        self._title = f"highs {Highs().version()}"

    def solve(self, model: LinearModel, time_limit: float | None = None) -> Solution:
        """Solve a program that has the rows and columns of the last one first, and perhaps more of them.

        See `Solver.solve` for what is returned.
        """
        start = time.perf_counter()
        refusal: str | None
        crash: str | None = None
        if self._highs is None:
            self._highs, refusal = new_highs(model, self._options)
        else:
            refusal = self._add(model)
        if refusal is None:
            if time_limit is not None:  # HiGHS counts from its first run
                self._highs.setOptionValue("time_limit", float(self._highs.getRunTime() + time_limit))
            crash = run(self._highs)
        self._columns, self._rows = model.num_columns, model.num_rows
        return answer_of(
            self._highs,
            model,
            np.ones(model.num_rows),
            refusal=refusal,
            crash=crash,
            title=self._title,
            seconds=time.perf_counter() - start,
        )

    def _add(self, model: LinearModel) -> str | None:
        """Hand over what is new.

        With new columns what was optimal stays feasible, so the simplex is primal; with new rows its prices
        stay, so it is dual.
        """
        columns, rows = model.num_columns - self._columns, model.num_rows - self._rows
        statuses = []
        if columns:
            entries = model.matrix[: self._rows, self._columns :].tocsc()
            statuses.append(
                self._highs.addCols(
                    columns,
                    model.cost[self._columns :],
                    model.column_lower[self._columns :],
                    model.column_upper[self._columns :],
                    *_entries(entries),
                )
            )
            self._highs.setOptionValue("simplex_strategy", _PRIMAL_SIMPLEX)
        if rows:
            entries = model.matrix[self._rows :].tocsr()
            statuses.append(
                self._highs.addRows(
                    rows, model.row_lower[self._rows :], model.row_upper[self._rows :], *_entries(entries)
                )
            )
            self._highs.setOptionValue("simplex_strategy", _DUAL_SIMPLEX)
        is_refused = any(status.name not in {"kOk", "kWarning"} for status in statuses)
        return "HiGHS refuses what was added" if is_refused else None


def _entries(matrix: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a matrix by columns or by rows
    return matrix.nnz, matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32), matrix.data
