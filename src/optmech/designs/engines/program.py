"""The engine of programs: a linear or mixed-integer program, and its duals as a proposal for a proof.

The program in full (`assemble`), as the papers state it, is what models are exported and compared by. Where
there is one that is smaller or better scaled and has the same optimum, that one is solved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.answer import answer_of, proposals_of
from optmech.designs.attempts import Deadline, solve
from optmech.designs.band import solve_by_bands
from optmech.designs.closed_form import priced_by_theorem
from optmech.designs.duals import leaf_of_duals, totals_of_duals
from optmech.designs.engine_result import EngineResult
from optmech.designs.engines import rays
from optmech.designs.engines.engine import USUAL, Request, need_fit, too_short_by
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.order import too_large_epsilon
from optmech.designs.refinement import refine
from optmech.models.formulations.assemble import MOST_RATIOS, assemble, ratios_of
from optmech.models.formulations.reduced import reduce_variant_2
from optmech.models.solution import Status
from optmech.models.solvers.options import Method, SolveOptions
from optmech.question.structures import FreeMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.errors import ProblemError
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver
    from optmech.proofs.multipliers import Leaf
    from optmech.question.problem import Problem

NAME = "program"
# Seconds for a solver on a program with choices, where there is no limit. The proof may find an optimum that
# takes solvers hours.
_BEFORE_CASES = 10.0
# The same of noise, limit or not: at a modulus of 64 the proof finds most optima in a second.
_BEFORE_CASES_OF_NOISE = 2.0
# Seconds at least, within the time of the question, for the linear programs that tell the masses of noise.
_TO_POLISH = 5.0
# Seconds for another solver to find a bound beside one that is only claimed.
_FOR_CLAIMS = 60.0
# Limits of refinement, in seconds and in multiples of the program's time: the gap is narrow before, and steps
# that fail would try every solver in turn.
_TO_REFINE, _TIMES_TO_REFINE = 2.0, 2.0
# Each step of refinement gives six digits more.
_MOST_STEPS = 3
# Absolute, squared and zero-one losses stay below e^epsilon or ten.
_LARGEST_RATIO = 1e5
# Entries and comparisons of them in a second; no solver looks at the clock before it has read them all.
_PER_SECOND = 150_000
# A full program of more rows of privacy takes longer than anyone waits.
_MOST_ROWS = 1_000_000


def refusal(problem: Problem) -> str | None:
    """Return why no program states a problem, ``None`` where one does."""
    return problem.privacy.no_rows or too_large_epsilon(problem)


def praise(problem: Problem) -> str:  # noqa: ARG001 - it knows all problems, and none better
    """Return that it knows all problems."""
    return "a program can be solved for every problem"


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit whose `end`, in seconds, comes before a program is made and read.

    ``None`` where there is time. `assemble` refuses a program that is too large for any limit.

    >>> import optmech as om
    >>> problem, request = om.croft(om.count(446), 1), Request(options=SolveOptions(time_limit=2.0))
    >>> str(too_short(problem, request, 3.0)).split(" for a program")[0]
    '`time_limit` must be at least 4 seconds'
    >>> too_short(problem, request, 6.0) is None
    True
    """
    responses, truths, ratios = problem.query.num_responses, problem.query.num_truths, ratios_of(problem)
    if problem.query.is_large or ratios > MOST_RATIOS:
        return None
    least = (responses * truths + ratios) / _PER_SECOND
    work = f"a program of {responses:,} by {truths:,} probabilities and {ratios:,} comparisons of them"
    return too_short_by(least, request, end, work)


def design(problem: Problem, request: Request = USUAL) -> EngineResult:
    """Return what the solver makes of the problem's program.

    A NotAcceptedError says that the structure does not fit the query, or that the program would be too large,
    a SolverMissingError that the solver is not installed.
    """
    need_fit(NAME, refusal(problem))
    solver, options, in_full = request.solver, request.options, request.in_full
    deadline = Deadline.after(options.time_limit)
    hurry = None if in_full or request.is_patient else _seconds_before_cases(problem, options)
    first = options if hurry is None else replace(options, time_limit=hurry)
    formulation, solution = solve_directly(problem, solver, first, in_full=in_full)

    def longer() -> EngineResult:
        rest = deadline.within(options)
        return design(problem, replace(request, options=rest, in_full=False, is_patient=True))

    def solving(until: Deadline) -> Callable[[LinearModel], Solution]:
        return lambda model: solve(model, solver, until.within(replace(options, method=Method.AUTO)))

    def refinements() -> Iterator[tuple[np.ndarray, Leaf]]:
        patience = _TO_REFINE + _TIMES_TO_REFINE * solution.seconds
        refining = Deadline.after(min(patience, deadline.seconds_left or patience))
        return _refinements(formulation, solution, refining.within_deadline(solving(refining)))

    left = deadline.seconds_left
    polishing = Deadline.after(None if left is None else max(left, _TO_POLISH))
    solve_next = solving(deadline)
    answer = answer_of(problem, formulation, solution, solving(polishing))
    return EngineResult(
        engine=NAME,
        solution=solution,
        answer=answer,
        raw=_raw(formulation, solution),
        proposals=lambda: proposals_of(problem, formulation, solution, answer, solve_next),
        leaves=lambda: _leaves(problem, formulation, solution, options),
        formulation=formulation,
        refinements=refinements,
        longer=None if hurry is None or solution.status is not Status.LIMIT else longer,
    )


def _seconds_before_cases(problem: Problem, options: SolveOptions) -> float | None:
    """Return the seconds of the solver before the proof by cases is tried, ``None`` where it has them all."""
    limit = options.time_limit
    if not problem.privacy.has_choices:
        return None
    if "structure" in problem.asks:
        return _BEFORE_CASES_OF_NOISE if limit is None or limit > _BEFORE_CASES_OF_NOISE else None
    return _BEFORE_CASES if limit is None else None


def solve_directly(
    problem: Problem, solver: str | Solver, options: SolveOptions, *, in_full: bool = False
) -> tuple[Formulation, Solution]:
    """Return the program that was solved, if `in_full` the one that is exported, and what the solver said."""
    deadline = Deadline.after(options.time_limit)  # making a large program takes seconds, too
    program = None if in_full else reduce_variant_2(problem)
    if program is not None:
        in_time = deadline.within(options)
        solution = solve_by_bands(program, float(problem.privacy.epsilon), solver, in_time)
        query = problem.query
        small = query.num_responses * len(query.pairs) <= _MOST_ROWS
        if not (small and _is_doubtful(solution)):
            return program.formulation, solution
    formulation = assemble(problem)
    formulation = formulation if in_full else _without_zeros(problem, formulation)
    return formulation, solve(formulation.model, solver, deadline.within(options))


def _without_zeros(problem: Problem, formulation: Formulation) -> Formulation:
    """Return the program with columns held to zero that are zero in every mechanism."""
    zeros = forced_zeros(problem)
    if not zeros.reasons:
        return formulation
    model = formulation.model
    upper = model.column_upper.copy()
    upper[: len(zeros.entries)][zeros.entries] = 0.0  # a column of any matrix is an entry
    return replace(formulation, model=replace(model, column_upper=upper))


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


def _duals(solution: Solution) -> np.ndarray | None:
    """Return the duals where they are numbers."""
    duals = solution.row_duals
    return duals if duals is not None and np.isfinite(duals).all() else None


def _raw(formulation: Formulation, solution: Solution) -> np.ndarray | None:
    if solution.values is None or not np.isfinite(solution.values).all():
        return None
    return formulation.matrix(solution.values)


def _refinements(
    formulation: Formulation,
    solution: Solution,
    solve_next: Callable[[LinearModel], Solution],
) -> Iterator[tuple[np.ndarray, Leaf]]:
    """Yield the solver's matrix and multipliers to ever more digits."""
    better: Solution | None = solution
    for _ in range(_MOST_STEPS):
        better = None if better is None else refine(formulation.model, better, solve_next)
        if better is None or better.values is None or better.row_duals is None:
            return
        yield formulation.matrix(better.values), leaf_of_duals(formulation, better.row_duals)


def _leaves(
    problem: Problem, formulation: Formulation, solution: Solution, options: SolveOptions
) -> Iterator[Leaf]:
    """Yield multipliers from the duals; where the solver found no optimum, of a question that asks for less.

    A bound for all mechanisms without the properties holds for those with them.
    """
    duals = _duals(solution)
    if duals is not None:
        leaf = leaf_of_duals(formulation, duals)
        yield leaf
        totals = totals_of_duals(formulation, duals)
        if problem.properties and totals is not None:  # where entries are equal, the best are not read off
            yield replace(leaf, totals=totals, means=0 * totals if leaf.means is None else leaf.means)
        demands = problem.structure.as_demands
        if demands is not None and (problem.properties or problem.limits):
            properties, limits = problem.properties | demands[0], problem.limits | demands[1]
            relaxed_problem = replace(problem, structure=FreeMatrix(), properties=properties, limits=limits)
            yield from _leaf_of_any_matrix(relaxed_problem, options)
    if solution.status is Status.OPTIMAL:
        return
    less = replace(problem, properties=frozenset())
    theorem_leaf = priced_by_theorem(less)
    if theorem_leaf is not None:
        yield theorem_leaf
    elif problem.properties and rays.refusal(less) is None:
        limit = _FOR_CLAIMS if options.time_limit is None else options.time_limit
        yield from rays.design(less, Request(options=SolveOptions(time_limit=limit))).leaves()


def _leaf_of_any_matrix(problem: Problem, options: SolveOptions) -> Iterator[Leaf]:
    """Yield the multipliers of a structure that is stated as demands on any matrix.

    Columns of zero-bias noise are mixtures that have no bias already: no row says what a mean is worth.
    """
    formulation = assemble(problem)
    duals = _duals(solve(formulation.model, "auto", options))
    if duals is not None:
        leaf, totals = leaf_of_duals(formulation, duals), totals_of_duals(formulation, duals)
        yield leaf if totals is None else replace(leaf, totals=totals)
