"""Which questions are the papers' own: quick repairs and their printed programs know these alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.question.problem import Problem

__all__ = ["is_of_the_papers"]


def is_of_the_papers(problem: Problem) -> bool:
    """Whether a problem demands nothing that the papers' formulations do not have.

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
