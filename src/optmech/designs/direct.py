"""The direct way: which program of a problem is solved, and what its solver says.

The program as the papers print it (`assemble`) is what models are exported and compared by. Where there is
one that is smaller or better scaled and has the same optimum, that one is solved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.designs.band import solve_by_bands
from optmech.designs.program import solve
from optmech.models.formulations.assemble import assemble
from optmech.models.formulations.reduced import reduce_variant_2
from optmech.models.solution import Status

if TYPE_CHECKING:
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions
    from optmech.question.problem import Problem

__all__ = ["solve_directly"]

# Absolute, squared and zero-one losses stay below e^epsilon or ten.
_LARGEST_RATIO = 1e5
# A full program of more rows of privacy takes longer than anyone waits.
_MOST_ROWS = 1_000_000


def solve_directly(
    problem: Problem, solver: str | Solver, options: SolveOptions, *, is_printed: bool = False
) -> tuple[Formulation, Solution]:
    """Return the program that was solved, and what the solver said of it.

    Parameters
    ----------
    problem : Problem
        The question.
    solver, options
        As for `program.solve`.
    is_printed : bool
        Whether it must be the program as the papers print it.

    Raises
    ------
    NotAcceptedError
        If the structure, the privacy or a property does not fit the query.
    SolverMissingError
        If the solver is unknown or not installed.
    """
    program = None if is_printed else reduce_variant_2(problem)
    if program is not None:
        solution = solve_by_bands(program, float(problem.privacy.epsilon), solver, options)
        query = problem.query
        small = query.num_responses * len(query.pairs) <= _MOST_ROWS
        if not (small and _is_doubtful(solution)):
            return program.formulation, solution
    formulation = assemble(problem)
    return formulation, solve(formulation.model, solver, options)


def _is_doubtful(solution: Solution) -> bool:
    """Whether there is no answer, or one with numbers for which the units of the program are far too small.

    Under a loss that grows with distance all columns are about as large as the probability of the truth.
    Under one that favours far answers some are e^(epsilon distance) times as large, and what a solver takes
    for a reduced cost of zero then decides the objective.
    """
    if solution.status is Status.LIMIT:
        return False
    if solution.status is not Status.OPTIMAL or solution.values is None:
        return True
    return float(solution.values.max()) > _LARGEST_RATIO * float(solution.values[-1])  # the diagonal is last
