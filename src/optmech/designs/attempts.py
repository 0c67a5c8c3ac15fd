"""Solve a program directly: assemble, solve, read the status, and try again where that helps.

Order of attempts
-----------------
1. the requested solver and method (``auto``: HiGHS if installed, then CBC). If no method is given HiGHS uses
   an interior-point method for tall linear programs, such as those of means, and on request; else its own
   choice. Variant 2 reduced to a band asks: a count 0..150 at epsilon 0.2 takes 1.2 s in place of 6, a mean
   of 40 records 5 s in place of 37;
2. after numerical errors, or no answer, if no method is given: the solver's own choice, the same without
   presolve, then interior point, without repeating the first attempt;
3. if no solver is given: the next solver.

A consistent claim ends the attempts: optimal with a bound near it, infeasible, or a limit. An optimum far
above the bound of its duals, or "unbounded" with bounded columns, is not consistent; then the best answer
counts.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base import events
from optmech.base.errors import ModelError, SolverMissingError
from optmech.base.reached import in_units
from optmech.base.time_left import seconds_left
from optmech.models import solvers
from optmech.models.solution import Solution, Status
from optmech.models.solvers.claims import objective_is_bounded
from optmech.models.solvers.options import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.models.linear_model import LinearModel
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions

# Seconds for a solver after the deadline: enough to return a status.
_LEAST_TIME = 0.01
# Seconds for a further attempt without a time limit, and the factor on the time spent before.
_PATIENCE, _PATIENCE_MORE = 60.0, 10.0
# If the objective is this far above its bound, relatively, the optimum is not known.
_WIDE = 1e-4
_ROUNDING = 1e-9
_TALL = 4
_WORTH_CHOOSING = 20_000
_REMEDY = "Name another solver, or ask `optmech doctor` how to mend this one."
_TROUBLE = (Status.NUMERICAL, Status.FAILED, Status.REFUSED, Status.NOT_RUN, Status.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline on the clock of `time.perf_counter`, or none.

    >>> Deadline.after(None).seconds_left is None, Deadline.after(0.0).is_up
    (True, True)
    """

    end: float | None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the deadline `seconds` from now, or the deadline of all attempts if that is earlier."""
        limits = [limit for limit in (seconds, seconds_left()) if limit is not None]
        return cls(time.perf_counter() + min(limits) if limits else None)

    @property
    def seconds_left(self) -> float | None:
        """Seconds left, always positive; ``None`` without a limit."""
        return None if self.end is None else max(self.end - time.perf_counter(), _LEAST_TIME)

    @property
    def is_up(self) -> bool:
        """Whether the deadline has passed."""
        return self.end is not None and time.perf_counter() >= self.end

    def within(self, options: SolveOptions) -> SolveOptions:
        """Return the settings with the time that is left."""
        return replace(options, time_limit=self.seconds_left)

    def within_deadline(self, solve: Callable[[LinearModel], Solution]) -> Callable[[LinearModel], Solution]:
        """Return `solve` with a deadline, after which it returns a limit at once."""

        def solve_in_time(model: LinearModel) -> Solution:
            if self.is_up:
                message = "no time is left"
                return Solution(
                    status=Status.LIMIT, solver="nobody", method="none", seconds=0.0, message=message
                )
            return solve(model)

        return solve_in_time


def solve(
    model: LinearModel, solver: str | Solver, options: SolveOptions, *, interior_first: bool = False
) -> Solution:
    """Return the first consistent answer, or the best one, with all attempts.

    Costs are handed over with the largest between one and two, by a power of two, because solvers take a
    reduced cost of 1e-9 for zero; objective, bound and duals come back in the model's own units.

    The solver ``"auto"`` stands for all that are installed, in their order. With `interior_first` and the
    method left open HiGHS begins with its interior-point method.

    A solver that is unknown, missing or did not run raises `SolverMissingError`: nothing stands in for it.
    """
    largest = float(np.max(np.abs(model.cost), initial=0.0))
    unit = 2.0 ** math.floor(math.log2(largest)) if largest > 0 else 1.0
    scaled_model = replace(model, cost=model.cost / unit, offset=model.offset / unit)
    attempts: list[str] = []
    seconds = 0.0
    best: Solution | None = None
    for backend, setting in _ladder(model, solver, options, interior_first=interior_first):
        seconds_left = None if options.time_limit is None else max(options.time_limit - seconds, _LEAST_TIME)
        if attempts and seconds_left is None:  # an interior-point method with numerical errors may never end
            seconds_left = _PATIENCE + _PATIENCE_MORE * seconds
        options_of_solver = replace(setting, time_limit=seconds_left)
        with in_units(unit):
            solution = replace(backend.solve(scaled_model, options_of_solver), backend=backend.name)
        seconds += solution.seconds
        events.solver_answered(solution.solver, solution.method, solution.status, solution.seconds)
        doubt = _doubt(scaled_model, solution)
        if attempts and solution.status is Status.LIMIT and options.time_limit is None:
            doubt = solution.message
        if best is None or _rank(scaled_model, solution) <= _rank(scaled_model, best):
            best = solution
        if doubt is None:
            break
        presolve = "" if options_of_solver.presolve else " without presolve"
        attempts.append(f"{solution.solver} ({solution.method}{presolve}): {doubt}")
    if best is None:
        message = f"no attempt was made to solve {model.name}"
        raise ModelError(message)
    if best.status is Status.NOT_RUN:
        message = f"solver {best.backend!r}: {best.message}."
        raise SolverMissingError(message, _REMEDY)
    claims = {name: getattr(best, name) for name in ("objective", "bound", "row_duals")}
    unscaled = {name: claim * unit for name, claim in claims.items() if claim is not None}
    return replace(best, attempts=tuple(attempts), seconds=seconds, **unscaled)


def _doubt(model: LinearModel, solution: Solution) -> str | None:
    """Return a reason for another attempt, or None."""
    if solution.status in _TROUBLE:
        return solution.message
    if solution.status is Status.UNBOUNDED:
        doubtful = objective_is_bounded(model)
        return f"{solution.message}, though the columns bound the objective" if doubtful else None
    gap = _gap(model, solution)
    objective = solution.objective or 0.0
    wide = solution.status is Status.OPTIMAL and gap > max(_WIDE * abs(objective), _ROUNDING)
    return f"{solution.message}, but the duals leave a gap of {gap:.1e}" if wide else None


def _gap(model: LinearModel, solution: Solution) -> float:
    if solution.row_duals is None or solution.objective is None:
        return 0.0
    gap = solution.objective - model.dual_bound(solution.row_duals)
    return gap if math.isfinite(gap) else 0.0


def _rank(model: LinearModel, solution: Solution) -> tuple[bool, bool, bool, float]:
    """Order answers: optimal ones first, the narrowest gap first; of two alike the later one.

    A solver that did not run comes last.
    """
    optimal, not_run = solution.status is Status.OPTIMAL, solution.status is Status.NOT_RUN
    return not optimal, solution.values is None, not_run, _gap(model, solution) if optimal else 0.0


def _backends(solver: str | Solver) -> tuple[Solver, ...]:
    backends = solvers.installed_solvers() if solver == "auto" else (solvers.solver(solver),)
    return backends or (solvers.solver("highs"),)


def _ladder(
    model: LinearModel, solver: str | Solver, options: SolveOptions, *, interior_first: bool
) -> Iterator[tuple[Solver, SolveOptions]]:
    for backend in _backends(solver):
        if options.method is not Method.AUTO:
            yield backend, options
            continue
        interior = replace(options, method=Method.IPM)
        interior_first = backend.name == "highs" and (interior_first or _is_tall(model))
        if interior_first:
            yield backend, interior
        yield backend, options
        yield backend, replace(options, presolve=False)
        if not interior_first and not model.is_mixed_integer and Method.IPM in backend.methods:
            yield backend, interior


def _is_tall(model: LinearModel) -> bool:
    """Whether HiGHS' interior-point method beats its simplex method, by two to four times as measured.

    Means of 20 records from 0 to 4 have 8 rows of privacy a column: 2 s against 6 s. Counts have 2, and there
    interior points of larger ones end in errors, or with duals that prove a thousand times less; rows of
    properties do not change that: Variant 2 on 0..300 at epsilon 2 takes 4 s against 36 s.
    """
    largest = max((block.size for block in model.rows), default=0)
    shape = largest >= _TALL * model.num_columns and model.matrix.nnz >= _WORTH_CHOOSING
    return shape and not model.is_mixed_integer
