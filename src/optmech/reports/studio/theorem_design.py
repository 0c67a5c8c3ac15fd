"""Designs that a theorem writes down with its proof: milliseconds, so that a slider may move.

Measured on two cores of 2020s' hardware: a count of 51 true values in 8 ms, 101 in 25 ms; the slowest, a fair
extremum of 101, in 0.25 s. Everything else is solved in a separate process, see `workers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from optmech.base.errors import NoSolutionError, ProblemError, VerificationError
from optmech.designs.choice import choose
from optmech.designs.design import Design, design
from optmech.designs.engines import chain
from optmech.designs.order import is_wide, is_written_down
from optmech.reports.studio.inputs import MOST_TRUTHS

if TYPE_CHECKING:
    from optmech.designs.engines.engine import EngineName
    from optmech.question.problem import Problem

# A mechanism of more truths takes longer than a slider may wait.
_QUICK = 101


def engine_of(problem: Problem, engine: str = "auto") -> str:
    """Return the engine that `design` asks first.

    ProblemError if there are too many true answers for a matrix, and no distribution fits.
    """
    size = problem.query.num_truths
    if size > MOST_TRUTHS:
        no_noise = chain.refusal(problem)
        if no_noise is not None:
            message = (
                f"`largest` must leave at most {MOST_TRUTHS} true values where a mechanism needs a "
                f"matrix; got {size:,}, and a distribution does not fit: {no_noise}. Choose a narrower range."
            )
            raise ProblemError(message)
    return choose(problem, engine).order[0]


def quick_design(problem: Problem) -> Design | None:
    """Return the design of a theorem, proved; ``None`` where it takes a solver."""
    if problem.query.num_truths > _QUICK:
        return None
    choice = choose(problem)
    engine = choice.order[0]
    if not is_written_down(engine, problem):
        return None
    try:
        result = design(problem, engine=cast("EngineName", engine))
    except (NoSolutionError, VerificationError):
        return None
    gap = None if result.certificate is None else result.certificate.relative_gap
    return result if gap is not None and not is_wide(gap, problem) else None
