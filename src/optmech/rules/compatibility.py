"""Check that structure, privacy and objective fit the query, so that each check means what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.question.privacy import PerOutcomePrivacy
from optmech.question.properties import WEAKLY_HONEST
from optmech.question.structures import ModularNoise, SymmetricNoise

if TYPE_CHECKING:
    from optmech.question.problem import Problem


def mismatch(problem: Problem) -> str | None:
    """Return a sentence on the part of the problem that does not fit its query, or ``None``."""
    query, loss = problem.query, problem.loss
    shape = (query.num_responses, query.num_truths)
    if loss is not None and (loss.loss.shape != shape or loss.weights.shape != shape[1:]):
        return f"the loss must have shape {shape}, and a weight for each truth"
    further = [bound.loss for bound in problem.bounds]
    if any(part.loss.shape != shape for part in (problem.objective, *further) if hasattr(part, "loss")):
        return f"each loss must have shape {shape}"
    if any(getattr(part, "weights", np.empty(shape[1])).shape != shape[1:] for part in further):
        return "each expected loss must have a weight for each truth"
    if getattr(problem.objective, "at_most", None) is not None and loss is None:
        return "a bound on the cost needs a cost"
    if not len(query.pairs):
        return "no two truths are neighbours, so that there is nothing to protect"
    return (
        _mismatch_of_privacy(problem) or problem.structure.mismatch(query) or _mismatch_of_properties(problem)
    )


def _mismatch_of_privacy(problem: Problem) -> str | None:
    try:
        problem.need_definition()
        for privacy in problem.privacies:
            privacy.factors(problem.query.weights)  # before anything is raised to a power of millions
    except ProblemError as wrong:
        return str(wrong).removesuffix(".")
    return None


def _mismatch_of_properties(problem: Problem) -> str | None:
    homely = [demand for demand in problem.properties if demand.of_homes]
    if homely and (problem.query.home < 0).any():
        return f"only where every truth is inside a response can a mechanism be {min(homely)}"
    try:
        for limit in problem.limits:
            list(limit.blocks(problem.query))
        if WEAKLY_HONEST in problem.properties:
            list(WEAKLY_HONEST.blocks(problem.query))
    except ProblemError as wrong:
        return str(wrong).removesuffix(".")
    return None


def is_of_the_papers(problem: Problem) -> bool:
    """Whether the papers' formulations have everything that a problem demands.

    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> is_of_the_papers(question(count(3), 1)), is_of_the_papers(question(count(3), 1, worst_case=True))
    (True, False)
    """
    return problem.is_plain and not (
        problem.privacy.sums_excess
        or problem.objective.is_worst
        or problem.query.labels
        or problem.structure.moduli
        or (problem.properties and not problem.structure.is_free)
    )


def not_printed(problem: Problem) -> str | None:
    """Return why no paper prints the program of a problem's privacy, ``None`` where one does."""
    if isinstance(problem.privacy, PerOutcomePrivacy):
        if isinstance(problem.structure, SymmetricNoise):
            return None
        return f"the printed rows are those of symmetric noise; got {problem.structure}. Use rows='all'."
    if isinstance(problem.structure, ModularNoise) and is_of_the_papers(problem):
        return None
    return (
        "the printed program of Kadam et al. needs modular noise, and nothing that is not printed; "
        f"got {problem}. Use reading='definition'."
    )
