"""Turn a solver's values into a matrix of doubles, and into further candidates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.notes import Note, NoteKind
from optmech.base.provenance import Provenance
from optmech.designs.closed_form import closed_forms, fallbacks
from optmech.designs.engine_result import Answer
from optmech.designs.engines import rays
from optmech.designs.engines.engine import Request
from optmech.designs.tidy import polish, tidy
from optmech.models.formulations.assemble import assemble
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from optmech.question.privacy import PurePrivacy
from optmech.question.privacy.loss import largest_excess, largest_hockey_stick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.arrays import Floats
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.question.problem import Problem

    Solve = Callable[[LinearModel], Solution]

# The best point after a limit counts as feasible within this violation of rows.
_USABLE = 1e-6
# An optimum with a larger violation of rows is refused.
_NO_OPTIMUM = 1e-2
# If delta of the matrix exceeds the claimed one by more, relatively, a note says so.
_WORTH_A_WORD = 1e-6
# Such a small least delta may be 0, which rounding would hide.
_PERHAPS_NONE = 1e-9
# Seconds for a pure mechanism after the time limit of the question.
_FOR_PURE = 20.0
_STRICTER = Fraction(10**9 - 1, 10**9)


def answer_of(
    problem: Problem, formulation: Formulation, solution: Solution, solve_next: Solve
) -> Answer | None:
    """Return the answer from a solver's values, or ``None`` without values; `solve_next` is for polishing."""
    if solution.values is None or not _usable(formulation.model, solution):
        return None
    notes: list[Note] = []
    provenance = Provenance.RECOMPUTED
    loss = problem.least_loss
    if problem.privacy.pays_masses and problem.structure.turns:
        noise = polish(problem, formulation, solution.values, solve_next)
        matrix = formulation.layout.matrix(noise.noise)
        objective = noise.delta if loss is None else loss.value(matrix)
    else:
        matrix = tidy(solution.values, formulation.layout, problem)
        if loss is not None:
            objective = loss.value(matrix)
        else:
            objective, provenance = formulation.model.objective(solution.values), Provenance.CLAIMED
            notes += _larger_delta(problem, matrix, objective)
    return Answer(
        matrix=matrix,
        objective=objective,
        provenance=provenance,
        bound=_lower_bound(formulation.model, solution),
        bound_provenance=Provenance.CLAIMED if solution.row_duals is None else Provenance.RECOMPUTED,
        notes=tuple(notes),
    )


def proposals_of(
    problem: Problem,
    formulation: Formulation,
    solution: Solution,
    answer: Answer | None,
    solve_next: Solve,
) -> Iterator[tuple[str, Floats]]:
    """Yield matrices for repair, the best first, each with its origin."""
    if answer is not None and solution.values is not None:
        if problem.least_loss is None and answer.objective < _PERHAPS_NONE:
            yield from _stricter(problem, solve_next)
        yield "the solver's matrix", answer.matrix
        yield "the solver's untouched matrix", formulation.matrix(solution.values)
    yield from closed_forms(problem)
    if answer is None:
        yield from _best_on_average(problem)
    yield from _pure(problem, solve_next, has_answer=answer is not None)
    yield from fallbacks(problem)
    if answer is None and solution.values is not None:
        yield "what the solver left", formulation.matrix(_within(formulation.model, solution.values))


def _best_on_average(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """Yield the matrices of theorems on the average loss, for a question on the worst truth."""
    loss = problem.least_loss
    average = None if loss is None else loss.at_each_truth()
    if average is not None and average is not loss:
        yield from closed_forms(replace(problem, objective=average))


def _pure(problem: Problem, solve_next: Solve, *, has_answer: bool) -> Iterator[tuple[str, Floats]]:
    """Yield a good pure mechanism, valid for any delta: for probabilistic privacy, or without an answer.

    A program with a delta has a column for each ratio, so a limit may stop it.
    """
    privacy = problem.privacy
    spends = "structure" not in problem.asks and privacy.delta and privacy.epsilon > 0
    if not spends or (has_answer and not privacy.pays_masses):
        return
    pure = replace(problem, privacy=PurePrivacy(privacy.epsilon))
    forms = list(closed_forms(pure))
    yield from forms
    if forms:
        return
    loss = pure.least_loss
    if loss is not None:  # rays know the average
        average_problem = replace(pure, objective=loss.at_each_truth())
        pure = average_problem if rays.refusal(average_problem) is None else pure
    if rays.refusal(pure) is None:
        result = rays.design(pure, Request(options=SolveOptions(time_limit=_FOR_PURE)))
        yield from [] if result.raw is None else [("rays under pure privacy", result.raw)]
        return
    optimum = _optimum(pure, solve_next)
    yield from [] if optimum is None else [("the solver's matrix under pure privacy", optimum)]


def _stricter(problem: Problem, solve_next: Solve) -> Iterator[tuple[str, Floats]]:
    """Yield the answer at an epsilon smaller by a billionth, whose ratios leave room for a delta of 0."""
    privacy = problem.privacy
    if privacy.pays_masses or not isinstance(privacy.epsilon, Fraction) or not privacy.epsilon:
        return
    optimum = _optimum(replace(problem, privacy=privacy.at(privacy.epsilon * _STRICTER)), solve_next)
    yield from [] if optimum is None else [("the solver's matrix for an epsilon smaller by 1e-9", optimum)]


def _optimum(problem: Problem, solve_next: Solve) -> Floats | None:
    formulation = assemble(problem)
    solution = solve_next(formulation.model)
    if solution.status is not Status.OPTIMAL or solution.values is None:
        return None
    return tidy(solution.values, formulation.layout, problem)


def _usable(model: LinearModel, solution: Solution) -> bool:
    """Whether the answer is feasible: the best point after a limit need not be."""
    if solution.values is None or not np.isfinite(solution.values).all():
        return False
    if solution.status is Status.OPTIMAL:  # clip to bounds first: e^30 magnifies a rounded zero
        return model.violation(_within(model, solution.values)) <= _NO_OPTIMUM
    return solution.status is Status.LIMIT and model.violation(solution.values) <= _USABLE


def _within(model: LinearModel, values: Floats) -> Floats:
    """Return the values clipped to the bounds of their columns, zero in place of NaN."""
    within: Floats = np.clip(np.nan_to_num(values, nan=0.0), model.column_lower, model.column_upper)
    return within


def _larger_delta(problem: Problem, matrix: Floats, objective: float) -> list[Note]:
    """Return a note if the matrix has a larger delta than the claimed objective."""
    factor = problem.privacy.factors(problem.query.weights)
    sums = problem.privacy.sums_excess
    measure, where = (largest_hockey_stick, "pair") if sums else (largest_excess, "outcome")
    has = measure(matrix, problem.query.pairs, factor).value
    if has <= objective + _WORTH_A_WORD * max(1.0, problem.privacy.factor * _WORTH_A_WORD):
        return []
    text = f"the objective is {objective:.12g}, but the matrix has delta {has:.12g} for some {where}"
    return [Note(NoteKind.PRIVACY, text)]


def _lower_bound(model: LinearModel, solution: Solution) -> float:
    """Return the bound of the duals, recomputed; without duals the one the solver claims."""
    if solution.row_duals is not None and np.isfinite(solution.row_duals).all():
        bound = model.dual_bound(solution.row_duals)
        if np.isfinite(bound):
            return bound
    return -np.inf if solution.bound is None else solution.bound
