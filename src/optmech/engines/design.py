"""From a problem to a mechanism: the one call most users make."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.engines.polish import polish
from optmech.engines.program import solve
from optmech.engines.tidy import tidy
from optmech.errors import NoSolutionError
from optmech.formulations.assemble import assemble
from optmech.mechanism import Mechanism
from optmech.privacy_loss import largest_excess
from optmech.problem.objective import ExpectedLoss
from optmech.problem.privacy import ProbabilisticPrivacy
from optmech.solution import Status
from optmech.solvers.options import Method, SolveOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.model import LinearModel
    from optmech.problem.problem import Problem
    from optmech.solution import Solution

__all__ = ["Design", "design"]

# A claimed bound that a polished answer misses by more than this, relatively, is worth a word.
_WORTH_A_WORD = 1e-6
_ABSOLUTE = 1e-9
# What is left for the small programs of polishing once a time limit is used up.
_LEAST_TIME = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """A mechanism, and how it was found.

    Attributes
    ----------
    problem : Problem
        The question.
    mechanism : Mechanism
        The answer.
    objective : float
        What was to be least: of `croft` the sum over truths of expected losses (the expected
        loss under a prior, if one is given), of `sadeghi` delta, of `kadam` the expected cost.
    objective_standing : str
        ``"recomputed"`` from the mechanism; ``"claimed"`` where it is the solver's own delta.
    lower_bound : float
        No mechanism of this problem does better. *Recomputed* from the solver's duals for linear programs;
        *claimed* by the solver for mixed-integer ones.
    solution : Solution
        What the solver said.
    seconds : float
        Wall time of everything.
    notes : tuple of str
        What a careful user should know about this answer.
    """

    problem: Problem
    mechanism: Mechanism
    objective: float
    objective_standing: str
    lower_bound: float
    solution: Solution
    seconds: float
    notes: tuple[str, ...] = ()


def design(
    problem: Problem,
    *,
    solver: str = "auto",
    method: str = Method.AUTO,
    time_limit: float | None = None,
    threads: int | None = None,
    options: SolveOptions | None = None,
) -> Design:
    """Find the optimal mechanism of a problem.

    Parameters
    ----------
    problem : Problem
        From `croft`, `sadeghi`, `sadeghi_symmetric`, `kadam` or `kadam_least_delta`.
    solver : {"auto", "highs", "cbc"}
        Who solves the program. ``"auto"`` takes HiGHS and falls back to CBC.
    method : {"auto", "simplex", "ipm", "hipo"}
        Algorithm for linear programs.
    time_limit : float, optional
        Seconds for the solver.
    threads : int, optional
        Threads for the solver.
    options : SolveOptions, optional
        All settings at once; the three arguments above are laid over them.

    Returns
    -------
    Design

    Raises
    ------
    ProblemError
        If a setting breaks its rule.
    NotAcceptedError
        If the structure does not fit the query.
    SolverMissingError
        If the solver is not installed.
    NoSolutionError
        If no solver gives a mechanism: the problem is infeasible, or a limit came first.

    Examples
    --------
    >>> from optmech.formulations.croft import croft
    >>> from optmech.problem.queries import count
    >>> found = design(croft(count(5), "0.5", variant=2), solver="highs")
    >>> round(found.objective, 9)  # Croft et al. 2020, Table 4
    6.828620091
    """
    start = time.perf_counter()
    settings = _settings(options or SolveOptions(), method, time_limit, threads)
    formulation = assemble(problem)
    solution = solve(formulation.model, solver, settings)
    values = solution.values
    if values is None or not _usable(formulation.model, solution):
        raise NoSolutionError(_no_solution(problem, solution), solution)

    def solve_next(model: LinearModel) -> Solution:
        limit = settings.time_limit
        left = None if limit is None else max(limit - (time.perf_counter() - start), _LEAST_TIME)
        return solve(model, solver, replace(settings, method=Method.AUTO, time_limit=left))

    notes: list[str] = []
    standing = "recomputed"
    if isinstance(problem.privacy, ProbabilisticPrivacy):
        found = polish(problem, formulation, values, solve_next)
        matrix = formulation.layout.matrix(found.noise)
        objective = found.cost if isinstance(problem.objective, ExpectedLoss) else found.delta
    else:
        matrix = tidy(values, formulation.layout, problem)
        if isinstance(problem.objective, ExpectedLoss):
            objective = problem.objective.value(matrix)
        else:
            objective, standing = formulation.model.objective(values), "claimed"
            notes += _larger_delta(problem, matrix, objective)
    bound = _lower_bound(formulation.model, solution)
    if solution.status is Status.LIMIT:
        notes.append(f"a limit stopped the solver; no mechanism does better than {bound:.12g} (claimed)")
    elif objective - bound > _WORTH_A_WORD * abs(objective) + _ABSOLUTE:
        notes.append(
            f"this mechanism has objective {objective:.12g}, the bound is {bound:.12g}: "
            "the optimum lies between them"
        )
    query = problem.query
    if not query.symmetric:
        notes.append("one-sided: of two neighbours only one is protected; this is not differential privacy")
    mechanism = Mechanism(
        matrix=matrix,
        responses=tuple(response.midpoint for response in query.responses),
        truths=query.truths,
    )
    return Design(
        problem=problem,
        mechanism=mechanism,
        objective=objective,
        objective_standing=standing,
        lower_bound=bound,
        solution=solution,
        seconds=time.perf_counter() - start,
        notes=tuple(notes),
    )


def _settings(
    options: SolveOptions, method: str, time_limit: float | None, threads: int | None
) -> SolveOptions:
    if method != Method.AUTO:
        options = replace(options, method=method)  # type: ignore[arg-type]  # SolveOptions checks the name
    if time_limit is not None:
        options = replace(options, time_limit=time_limit)
    if threads is not None:
        options = replace(options, threads=threads)
    return options


def _usable(model: LinearModel, solution: Solution) -> bool:
    """Whether the answer is a point of the model: the best point after a limit need not be one."""
    if solution.values is None or solution.status not in (Status.OPTIMAL, Status.LIMIT):
        return False
    return solution.status is Status.OPTIMAL or model.violation(solution.values) <= _WORTH_A_WORD


def _larger_delta(problem: Problem, matrix: NDArray[np.float64], objective: float) -> list[str]:
    """Return a note if the matrix has a larger per-outcome delta than the objective says."""
    factor = problem.privacy.factor
    has = largest_excess(matrix, problem.query.pairs, factor).value
    if has <= objective + _WORTH_A_WORD * max(1.0, factor * _WORTH_A_WORD):
        return []
    return [f"the objective is {objective:.12g}, but the matrix has delta {has:.12g} for some outcome"]


def _lower_bound(model: LinearModel, solution: Solution) -> float:
    """Return the bound of the duals, recomputed; without duals the one the solver claims."""
    if solution.row_duals is not None:
        bound = model.dual_bound(solution.row_duals)
        if np.isfinite(bound):
            return bound
    return -np.inf if solution.bound is None else solution.bound


def _no_solution(problem: Problem, solution: Solution) -> str:
    wanted = f"{problem.query.name} with {problem.privacy}"
    if problem.properties:
        wanted += f" and {' + '.join(sorted(problem.properties))}"
    tried = f" Tried before: {'; '.join(solution.attempts)}." if solution.attempts else ""
    said = f"{solution.solver} says {solution.message!r}"
    found = "no mechanism for" if solution.status is Status.INFEASIBLE else "no mechanism found for"
    return f"{found} {wanted}: {said}. {solution.status}.{tried}"
