"""Which questions are the papers' own: quick repairs and their printed programs know these alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.proofs.privacy import is_approximate
from optmech.question.objective import WorstLoss
from optmech.question.structure import FreeMatrix

if TYPE_CHECKING:
    from optmech.question.problem import Problem

__all__ = ["is_of_the_papers"]


def is_of_the_papers(problem: Problem) -> bool:
    """Whether a problem demands nothing that the papers' formulations do not have.

    Examples
    --------
    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> is_of_the_papers(question(count(3), 1)), is_of_the_papers(question(count(3), 1, worst_case=True))
    (True, False)
    """
    return problem.is_plain and not (
        is_approximate(problem)
        or isinstance(problem.objective, WorstLoss)
        or problem.query.labels
        or getattr(problem.structure, "moduli", ())
        or (problem.properties and not isinstance(problem.structure, FreeMatrix))
    )
