"""A solver's answer to a model: a claim without a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import Word

if TYPE_CHECKING:
    from optmech.base.arrays import Floats


class Status(Word):
    """The end of a solve: a sentence with its remedy. None of them is a default."""

    OPTIMAL = "the solver claims an optimal solution"
    INFEASIBLE = "the solver claims that nothing meets all rows; relax a property or raise epsilon"
    UNBOUNDED = "the solver claims that the objective has no bound; bound the columns it uses"
    UNDECIDED = "the solver claims infeasible or unbounded; another method or solver may tell which"
    LIMIT = "a limit stopped the solver; raise it where the bound is far below the objective"
    NUMERICAL = "the solver met numerical trouble; another method or solver may do"
    FAILED = "the solver ended without an answer; another method or solver may do"
    REFUSED = "the solver refused the model or an option; see its message"
    NOT_RUN = "the solver did not run, so there is no answer; name another one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The answer of one solver to one model. All numbers are *claimed*.

    Attributes
    ----------
    status : Status
        The end of the solve.
    solver : str
        Name and version, such as ``"highs 1.15.1"``.
    method : str
        The algorithm that gave this answer: ``"simplex"``, ``"ipm"``, ``"branch-and-bound"`` …
    seconds : float
        Wall time of the solve, of all attempts together.
    message : str
        The solver's own words for the status.
    values : ndarray, shape (num_columns,), or None
        Values of the columns, absent where the solver has none. After a limit they
        belong to the best point found.
    row_duals : ndarray, shape (num_rows,), or None
        Change of the objective for one more unit on the right-hand side. Absent for
        models with integer columns, which have no duals.
    objective : float or None
        Objective of ``values`` as the solver reports it, absent with them.
    bound : float or None
        Lower bound on the objective that the solver claims.
    backend : str
        The name that selects the solver, such as ``"highs"``; empty where none was asked.
    attempts : tuple of str
        The attempts before this answer, in order, each with its end.
    """

    status: Status
    solver: str
    method: str
    seconds: float
    message: str
    values: Floats | None = None
    row_duals: Floats | None = None
    objective: float | None = None
    bound: float | None = None
    backend: str = ""
    attempts: tuple[str, ...] = ()

    @property
    def ending(self) -> str:
        """The claim of the solver; where none was asked, the words on what was computed without it."""
        return str(self.status) if self.backend else self.message

    def __post_init__(self) -> None:
        for name in ("values", "row_duals"):
            array = getattr(self, name)
            if array is not None:
                array = np.array(array, dtype=np.float64)
                array.flags.writeable = False
                object.__setattr__(self, name, array)
