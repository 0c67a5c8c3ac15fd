"""Programs that are solved again and again as columns are added to them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.solvers.highs import Highs, new_highs, run
from optmech.solvers.highs_answer import answer_of

if TYPE_CHECKING:
    from optmech.model import LinearModel
    from optmech.solution import Solution
    from optmech.solvers.options import SolveOptions

__all__ = ["GrowingHighs"]

_PRIMAL_SIMPLEX = 4


class GrowingHighs:
    """HiGHS, which starts each solve from where the last one ended.

    Examples
    --------
    >>> import numpy as np
    >>> from optmech.model import Block, LinearModel
    >>> from optmech.solvers.options import SolveOptions
    >>> def program(costs):
    ...     size = len(costs)
    ...     return LinearModel(
    ...         name="share", columns=(Block(name="x", indices=np.arange(size)[:, None]),),
    ...         rows=(Block(name="total", indices=[[]]),), cost=costs, offset=0.0, matrix=np.ones((1, size)),
    ...         row_lower=[1], row_upper=[1], column_lower=np.zeros(size), column_upper=np.ones(size),
    ...         integer=np.zeros(size, dtype=bool))
    >>> growing = GrowingHighs(SolveOptions())
    >>> [growing.solve(program(costs)).objective for costs in ([3, 2], [3, 2, 1])]
    [2.0, 1.0]
    """

    def __init__(self, options: SolveOptions) -> None:
        """Start without a program."""
        self._options = options
        self._highs: Any = None
        self._columns = 0
        self._title = f"highs {Highs().version()}"

    def solve(self, model: LinearModel, time_limit: float | None = None) -> Solution:
        """Solve a program that has the rows of the last one, its columns, and perhaps more of them.

        See `Solver.solve` for what is returned.
        """
        start = time.perf_counter()
        refused: str | None
        if self._highs is None:
            self._highs, refused = new_highs(model, self._options)
        else:
            refused = self._add(model)
        if refused is None:
            if time_limit is not None:  # HiGHS counts from its first run
                self._highs.setOptionValue("time_limit", float(self._highs.getRunTime() + time_limit))
            run(self._highs)
        self._columns = model.num_columns
        return answer_of(
            self._highs,
            model,
            np.ones(model.num_rows),
            refused=refused,
            title=self._title,
            seconds=time.perf_counter() - start,
        )

    def _add(self, model: LinearModel) -> str | None:
        """Hand over the columns that are new; what was optimal stays feasible, so the simplex is primal."""
        number = model.num_columns - self._columns
        if number == 0:
            return None
        added = model.matrix[:, self._columns :].tocsc()
        status = self._highs.addCols(
            number,
            model.cost[self._columns :],
            model.column_lower[self._columns :],
            model.column_upper[self._columns :],
            added.nnz,
            added.indptr[:-1].astype(np.int32),
            added.indices.astype(np.int32),
            added.data,
        )
        self._highs.setOptionValue("simplex_strategy", _PRIMAL_SIMPLEX)
        return None if status.name in ("kOk", "kWarning") else "HiGHS refuses the columns"
