"""Explain why there is no mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import NoSolutionError, ProblemError
from optmech.designs.certain_disclosure import certain_disclosure
from optmech.designs.clash import clash
from optmech.models.solution import Status
from optmech.question.problem import demand_texts

if TYPE_CHECKING:
    from optmech.models.solution import Solution
    from optmech.question.problem import Problem
    from optmech.question.query import Query

# Seconds to find out why there is no mechanism.
_FOR_A_REASON = 30.0


def need_delta(problem: Problem) -> None:
    """Refuse a property that pure privacy leaves to mechanisms that always release the same.

    A pair (f, g) of neighbours says ``P(r|f) <= e^epsilon P(r|g)``: what g never releases, f does not. So
    what the first truth never releases is never released at any truth from which pairs lead to the first.
    One way these may be few, or none; only where they are all is nothing left to design.
    The refusal is a `ProblemError`.
    """
    needing = [demand for demand in sorted(problem.properties) if demand.needs_delta]
    if (
        needing
        and any(privacy.delta == 0 for privacy in problem.privacies)
        and _all_lead_to_the_first(problem.query)
    ):
        message = (
            f"`delta` must be above 0 with {', '.join(needing)}; got 0. A response that "
            "is impossible at one true answer is impossible at its neighbours, and at theirs: the only such "
            "mechanism always releases 0. "
            "Give a delta, such as 1e-6."
        )
        raise ProblemError(message)


def _all_lead_to_the_first(query: Query) -> bool:
    ends = query.pairs[:, ::-1].T
    backwards = sparse.csr_array((np.ones(len(query.pairs)), ends), shape=(query.num_truths,) * 2)
    leading = sparse.csgraph.breadth_first_order(backwards, 0, return_predecessors=False)
    return len(leading) == query.num_truths


def clash_sentence(problem: Problem, solution: Solution) -> str:
    """Return a sentence on the demands that clash; empty if they are not found in time."""
    if solution.status is not Status.INFEASIBLE:
        return ""
    disclosure = certain_disclosure(problem)
    if disclosure is not None:
        return f" {disclosure}"
    try:
        reason = str(clash(problem, time_limit=_FOR_A_REASON) or "")
    except NoSolutionError as no:
        # It is impossible without any demand, or nothing was found out in time.
        reason = str(no) if no.solution.status is Status.INFEASIBLE else ""
    return f" {reason[:1].upper()}{reason[1:]}." if reason else ""


def no_solution(problem: Problem, solution: Solution) -> str:
    """Return the question, the solver, and its reason for no mechanism."""
    text = f"{problem.query.title} with {problem.privacy}"
    demands = demand_texts(problem)
    if demands:
        text += f" and {' + '.join(demands)}"
    attempts = f" Tried before: {'; '.join(solution.attempts)}." if solution.attempts else ""
    message = f"{solution.solver} says {solution.message!r}"
    verdict = "no mechanism for" if solution.status is Status.INFEASIBLE else "no mechanism found for"
    return f"{verdict} {text}: {message}; {solution.status}.{attempts}"
