"""A linear program that grows by columns and rows, and is solved again and again under other bounds.

HiGHS keeps the basis, and its dual simplex method goes on from there. Such programs are small and are solved
thousands of times, so that nothing is compared and no thread is made for a solve; Ctrl-C comes between two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.base.errors import VerificationError
from optmech.base.time_left import seconds_left, time_is_up
from optmech.models.solution import Status
from optmech.models.solvers.highs import silent_highs
from optmech.models.solvers.highs_answer import STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.arrays import Floats, Integers

# HiGHS holds no smaller entries.
_LEAST_ENTRY = 1e-12
_SETTINGS = {
    "output_flag": False,
    "threads": 1,
    "solver": "simplex",
    "simplex_strategy": 1,  # dual
    "presolve": "off",
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
    "small_matrix_value": _LEAST_ENTRY,
}


class Optimum(NamedTuple):
    """The claim of an optimum: objective, values of columns, duals of rows, and the basis of HiGHS."""

    objective: float
    values: Floats
    duals: Floats
    basis: Any


class GrowingHighs:
    """A program in HiGHS; columns and rows are counted in the order in which they are added.

    Entries too small for HiGHS, such as high powers of e^-epsilon, are left out.
    """

    def __init__(self) -> None:
        self._highs: Any = silent_highs()
        self._columns = self._rows = 0
        for name, value in _SETTINGS.items():
            self._need(self._highs.setOptionValue(name, value), f"option {name}")

    def add_column(self, cost: float, lower: float, upper: float, entries: Mapping[int, float]) -> int:
        """Add a column with entries by row; return its position."""
        rows, values = _held(entries)
        self._need(self._highs.addCol(cost, lower, upper, len(rows), rows, values), "column")
        self._columns += 1
        return self._columns - 1

    def add_row(self, lower: float, upper: float, entries: Mapping[int, float]) -> int:
        """Add a row with entries by column; return its position."""
        columns, values = _held(entries)
        self._need(self._highs.addRow(lower, upper, len(columns), columns, values), "row")
        self._rows += 1
        return self._rows - 1

    def change_entry(self, row: int, column: int, value: float) -> None:
        """Replace one entry."""
        self._need(self._highs.changeCoeff(row, column, value), "entry")

    def solve(
        self,
        columns: Integers,
        lower: Floats,
        upper: Floats,
        basis: Any = None,  # noqa: ANN401 - of highspy
    ) -> Optimum | None:
        """Return the optimum where some columns have other bounds, ``None`` where HiGHS has none.

        It starts from a basis of the program as it is, or from the last one. Without an optimum it is asked
        once more, without a basis, while there is time.
        """
        highs, left = self._highs, seconds_left()
        if left is not None:  # the clock of HiGHS goes on from solve to solve
            self._need(highs.setOptionValue("time_limit", highs.getRunTime() + left), "time limit")
        if basis is not None:
            self._need(highs.setBasis(basis), "basis")
        self._need(highs.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper), "bounds")
        for again in (False, True):
            if again and time_is_up():
                break
            if again:
                highs.clearSolver()
            highs.run()
            if STATUSES.get(highs.getModelStatus().name) is Status.OPTIMAL:
                point = highs.getSolution()
                objective = float(highs.getInfo().objective_function_value)
                duals = np.array(point.row_dual)
                return Optimum(objective, np.array(point.col_value), duals, highs.getBasis())
        return None

    @staticmethod
    def _need(status: Any, part: str) -> None:  # noqa: ANN401 - of highspy
        if status.name != "kOk":
            message = f"HiGHS must take each {part} of the program; it refuses one."
            raise VerificationError(message)


def _held(entries: Mapping[int, float]) -> tuple[Integers, Floats]:
    """Return positions and values of the entries that HiGHS holds."""
    held = {at: value for at, value in entries.items() if abs(value) > _LEAST_ENTRY}
    return np.array([*held], dtype=np.int32), np.array([*held.values()], dtype=float)
