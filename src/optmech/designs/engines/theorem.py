"""The engine of theorems: the matrix that one writes down, with its proof where prices are known."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.provenance import Provenance
from optmech.designs.closed_form import enclosure, is_exact, priced_by_theorem, theorem_with_matrix
from optmech.designs.engine_result import Answer, EngineResult, Proposal
from optmech.designs.engines.engine import USUAL, Request, need_fit, too_short_by
from optmech.designs.order import is_in_two_numbers
from optmech.designs.repair.rounding import rounded_down
from optmech.designs.two_numbers import certificate_of_two_numbers
from optmech.models.solution import Solution, Status
from optmech.proofs.matrix import ExactMatrix
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Whole
    from optmech.base.errors import ProblemError
    from optmech.question.problem import Problem
    from optmech.theorems.theorem import Theorem

NAME = "closed-form"
_TWO_NUMBERS = (
    "randomized response is best where every two answers are neighbours and all errors cost the same"
)
# Mixed in of uniform columns, for each response and divided by E: each ratio has (1 - 1/E) times as
# much to spare then, which is more than its doubles are off by.
_ROOM = 2.0**-49
# Entries that are made, rounded and proved in a second, by a few operations on all of them at once.
_PER_SECOND = 600_000
# The same where each truth has many neighbours, whose ratios are compared one after the other.
_WITH_MANY_NEIGHBOURS = 120_000


def refusal(problem: Problem) -> str | None:
    """Return why the engine does not design a problem, ``None`` where a theorem writes its mechanism down."""
    if problem.privacy.no_rows is not None:
        return problem.privacy.no_rows
    if is_in_two_numbers(problem):
        return None
    return "no theorem writes down the optimal matrix" if theorem_with_matrix(problem)[0] is None else None


def praise(problem: Problem) -> str:
    """Return which theorem it is, and whether it proves the matrix, too."""
    if is_in_two_numbers(problem):
        return f"{_TWO_NUMBERS}, with two multipliers that prove it"
    theorem, priced = theorem_with_matrix(problem)
    name = "" if theorem is None else theorem.name
    if not priced:
        return f"the theorem {name} gives the optimal matrix, but no multipliers to prove it with"
    return f"the theorem {name} gives the optimal matrix and its proof"


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit whose `end`, in seconds, comes before a matrix is made and proved.

    A raw matrix takes less, since nothing is proved.

    >>> import optmech as om
    >>> from optmech.models.solvers.options import SolveOptions
    >>> problem, request = om.croft(om.count(1999), 1), Request(options=SolveOptions(time_limit=3.0))
    >>> str(too_short(problem, request, 4.0)).split(" for a matrix")[0]
    '`time_limit` must be at least 7 seconds'
    >>> too_short(om.croft(om.count(500), 1), request, 4.0) is None
    True
    """
    if request.in_full or is_in_two_numbers(problem):
        return None
    responses, truths = problem.query.num_responses, problem.query.num_truths
    per_second = _PER_SECOND if Shape.of(problem).equal_steps else _WITH_MANY_NEIGHBOURS
    work = f"a matrix of {responses:,} by {truths:,} probabilities"
    return too_short_by(responses * truths / per_second, request, end, work)


def design(problem: Problem, request: Request = USUAL) -> EngineResult:  # noqa: ARG001 - there is no solver
    """Return the matrix that a theorem writes down, and the multipliers that prove it where they are known.

    Problems without such a theorem are refused with a `ProblemError`.
    """
    need_fit(NAME, refusal(problem))
    start = time.perf_counter()
    if is_in_two_numbers(problem):
        certificate = certificate_of_two_numbers(problem)
        return EngineResult.certified(
            NAME,
            certificate,
            solver="theorem of randomized response",
            method="closed form",
            message=_TWO_NUMBERS,
            seconds=time.perf_counter() - start,
        )
    theorem, _ = theorem_with_matrix(problem)
    assert theorem is not None  # noqa: S101 - else it is refused
    matrix = theorem.matrix(problem)  # type: ignore[misc]
    value = theorem.value(problem)
    loss = problem.least_loss
    solution = Solution(
        status=Status.OPTIMAL,
        solver=f"theorem {theorem.name}",
        method="closed form",
        seconds=time.perf_counter() - start,
        message=theorem.says,
        objective=value,
        bound=value,
    )
    return EngineResult(
        engine=NAME,
        solution=solution,
        answer=Answer(
            matrix=matrix,
            objective=value if loss is None else loss.value(matrix),
            provenance=Provenance.CLAIMED if loss is None else Provenance.RECOMPUTED,
            bound=value,
            bound_provenance=Provenance.CLAIMED,
        ),
        raw=matrix,
        proposals=lambda: _proposals(problem, theorem, matrix),
        leaves=lambda: filter(None, [priced_by_theorem(problem)]),
    )


def _proposals(problem: Problem, theorem: Theorem, matrix: Floats) -> Iterator[Proposal]:
    name = f"closed form of {theorem.name}"
    if theorem.whole is not None:
        numerators, denominator = theorem.whole(problem, enclosure(problem).lower)
        yield name, ExactMatrix(numerators=numerators, denominator=denominator)
        return
    if theorem.exact is not None and is_exact(theorem, problem):
        yield name, theorem.exact(problem, enclosure(problem).lower).matrix
        return
    if problem.privacy.sums_excess and problem.least_loss is not None and "structure" not in problem.asks:
        yield name, _with_room(matrix, float(problem.privacy.epsilon))
    yield name, matrix


def _with_room(matrix: Floats, epsilon: float) -> Whole:
    """Return rationals near a matrix whose columns sum to one, and whose ratios leave room for rounding."""
    share = _ROOM * len(matrix) * np.exp(-epsilon)
    whole = rounded_down((1 - share) * matrix + share / len(matrix))
    totals = whole.sum(axis=0)
    return np.array([[Fraction(*entry) for entry in zip(row, totals, strict=True)] for row in whole])
