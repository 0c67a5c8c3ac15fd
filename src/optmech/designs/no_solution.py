"""Why there is no mechanism, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import NoSolutionError
from optmech.designs.clash import clash
from optmech.models.solution import Status

if TYPE_CHECKING:
    from optmech.models.solution import Solution
    from optmech.question.problem import Problem

__all__ = ["clash_sentence", "no_solution"]

# Seconds to find out why there is no mechanism.
_FOR_A_REASON = 30.0


def clash_sentence(problem: Problem, solution: Solution) -> str:
    """Return which demands clash, as a sentence to follow; empty where that is not soon found out."""
    if solution.status is not Status.INFEASIBLE:
        return ""
    try:
        reason = str(clash(problem, time_limit=_FOR_A_REASON) or "")
    except NoSolutionError as no:
        # It is impossible without any demand, or nothing was found out in time.
        reason = str(no) if no.solution.status is Status.INFEASIBLE else ""
    return f" {reason[:1].upper()}{reason[1:]}." if reason else ""


def no_solution(problem: Problem, solution: Solution) -> str:
    """Return what was asked, and who says that nothing was found, and why."""
    wanted = f"{problem.query.title} with {problem.privacy}"
    asked = [*sorted(problem.properties), *sorted(map(str, problem.limits)), *map(str, problem.bounds)]
    if asked:
        wanted += f" and {' + '.join(asked)}"
    tried = f" Tried before: {'; '.join(solution.attempts)}." if solution.attempts else ""
    said = f"{solution.solver} says {solution.message!r}"
    found = "no mechanism for" if solution.status is Status.INFEASIBLE else "no mechanism found for"
    return f"{found} {wanted}: {said}. {solution.status}.{tried}"
