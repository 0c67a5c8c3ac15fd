"""The engine of interior points: private rows that only prices link.

They may have a delta, a worst truth, any neighbours, and further demands. Law, bound and steps:
`docs/theory/interior.md`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.provenance import Provenance
from optmech.base.time_left import Pace, limited_time, seconds_left
from optmech.designs.engine_result import Answer, EngineResult, solution_of_search
from optmech.designs.engines.engine import (
    USUAL,
    Request,
    need_fit,
    not_fitting,
    seconds_to_search,
    too_short_by,
)
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.interior.multipliers import leaves_of
from optmech.designs.interior.row_program import RowProgram
from optmech.designs.order import too_large_epsilon
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.errors import ProblemError
    from optmech.question.problem import Problem

NAME = "interior"
# Demands that it knows: the others are those of a structure.
_KNOWN = frozenset(
    {"weights", "further_privacy", "delta", "objective", "properties", "limits", "bounds", "rules"}
)
# Bytes that a step holds at once, ratios, each with some twenty doubles, and multiplications of a step, fewer
# where each row is tied to the next.
_MOST_BYTES, _MOST_RATIOS, _MOST_WORK, _MOST_WORK_IN_CHAIN = 1_500_000_000, 3_000_000, 10**12, 10**10
# Ratios, and multiplications of elimination, of a second at most, and steps without which there is nothing.
_RATIOS_A_SECOND, _WORK_A_SECOND, _FEW_STEPS = 5_000_000, 20_000_000_000, 3
# Ratios whose repair and proof take a second.
_PROVED_PER_SECOND = 200_000
# Beyond this relative gap the search has failed.
_GOOD_GAP = 1e-6
_FULL = "ratios and prices of so many rows would fill the memory"


def refusal(problem: Problem) -> str | None:
    """Return why the engine does not design a problem, ``None`` where it does."""
    # A truth and its mirror image have one price at least.
    least_prices = problem.query.num_truths // 2
    rules = (
        (problem.privacy.no_rows is None, problem.privacy.no_rows),
        (problem.asks <= _KNOWN, "it knows any matrix, and no structures"),
        (problem.least_loss is not None, "it needs a loss to be least"),
        (len(problem.query.pairs) > 0, "no true answer has a neighbour"),
        (
            all(privacy.is_pure or privacy.sums_excess for privacy in problem.privacies),
            "it knows pure privacy, and deltas over sets of responses",
        ),
        (_num_ratios(problem) <= _MOST_RATIOS and 8 * least_prices**2 <= _MOST_BYTES, _FULL),
    )
    return next((rule for holds, rule in rules if not holds), None) or too_large_epsilon(problem)


@lru_cache(maxsize=2)  # the limit of time and the search ask for that of one problem
def program_of(problem: Problem) -> RowProgram:
    """Return the program of a problem.

    A NotAcceptedError says that rows are too entangled, or tied beyond the next.
    """
    unmet: str | None = None
    if forced_zeros(problem).entries.reshape(-1, problem.query.num_truths).all(axis=0).any():
        unmet = "nothing is left to release at some truth"
    else:
        program = RowProgram.of(problem)
        effort, tied = program.effort, program.rows_apart
        if tied > 1:
            unmet = "it knows no orders between responses that are not next to each other"
        elif 8 * effort.doubles > _MOST_BYTES:
            unmet = _FULL
        elif effort.multiplications > (_MOST_WORK_IN_CHAIN if tied else _MOST_WORK):
            unmet = "entries that rules compare are so entangled that elimination would take hours"
    if unmet is not None:
        raise NotAcceptedError(not_fitting(NAME, unmet))
    return program


def _num_ratios(problem: Problem) -> int:
    return problem.query.num_responses * len(problem.query.pairs) * len(problem.privacies)


def praise(problem: Problem) -> str:  # noqa: ARG001 - all steps are alike
    """Return how it searches."""
    return "an interior-point method on private rows, whose multipliers prove a bound at every step"


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit whose `end`, in seconds, comes before a few steps are done.

    >>> import optmech as om
    >>> from optmech.models.solvers.options import SolveOptions
    >>> problem, options = om.question(om.extremum(0, 100), 1, delta="0.01"), SolveOptions(time_limit=3)
    >>> str(too_short(problem, Request(options=options), 4.0)).split(" for steps")[0]
    '`time_limit` must be at least 13 seconds'
    """
    program = program_of(problem)
    num_ratios = len(program.rows) * len(program.left)
    step = num_ratios / _RATIOS_A_SECOND + program.effort.multiplications / _WORK_A_SECOND
    work = f"steps that eliminate {num_ratios:,} ratios"
    return too_short_by(_FEW_STEPS * step, request, end, work)


def design(problem: Problem, request: Request = USUAL) -> EngineResult:
    """Return a private matrix near the optimum, and the multipliers of a bound near it.

    A problem that the engine does not know is refused with a `ProblemError`.
    """
    from optmech.designs.interior.search import search  # noqa: PLC0415 - SciPy's linear algebra takes a moment

    need_fit(NAME, refusal(problem))
    loss = problem.least_loss
    assert loss is not None  # noqa: S101 - else it is refused
    # A step more is always a better answer: within the time of everything the search has no limit of its own.
    limit = request.options.time_limit if seconds_left() is None else None
    search_seconds = seconds_to_search(limit, _num_ratios(problem) / _PROVED_PER_SECOND)
    pace = Pace()
    program, rules = program_of(problem), compile_rules(problem)
    with limited_time(search_seconds):
        answer = search(program, pace.is_over)
    objective, bound = loss.value(answer.matrix), answer.proof.bound * program.unit
    is_kept = bool(np.isfinite(answer.objective))
    return EngineResult(
        engine=NAME,
        solution=solution_of_search(
            method="interior point by rows",
            message=f"{answer.steps} steps",
            seconds=answer.seconds,
            objective=objective if is_kept else None,
            bound=bound,
            good_gap=_GOOD_GAP,
            is_stopped=pace.is_stopped,
        ),
        answer=Answer(
            matrix=answer.matrix,
            objective=objective,
            provenance=Provenance.RECOMPUTED,
            bound=bound,
            bound_provenance=Provenance.RECOMPUTED,
        )
        if is_kept
        else None,
        raw=answer.matrix,
        proposals=lambda: (
            ("an interior point", answer.matrix),
            ("responses alike, not optimal", np.full_like(answer.matrix, 1 / len(answer.matrix))),
        ),
        leaves=lambda: leaves_of(program, answer.proof, rules),
    )
