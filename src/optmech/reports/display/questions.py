"""Questions in plain words: a query, and a problem."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.problem import Problem
from optmech.question.structures import FreeMatrix
from optmech.question.words import words_of
from optmech.reports.display.blocks import Facts, Note, care, page

if TYPE_CHECKING:
    from optmech.question.query import Query


def html_of_query(query: Query) -> str:
    """Return what a query asks, and whom it protects."""
    # What a query asks and whom it protects does not depend on how private it is to be: any problem will do.
    words = words_of(
        Problem(
            name="",
            query=query,
            structure=FreeMatrix(),
            privacy=ApproximatePrivacy(Fraction(0)),
            properties=frozenset(),
            objective=LeastDelta(),
        )
    )
    facts = (
        ("asked", words.question),
        ("true answers", words.answers),
        ("released", words.released),
        ("protected", words.protected),
        ("neighbours", words.neighbours),
        ("caution", " ".join(words.cautions)),
    )
    return page(f"Query: {query.title}", Facts(facts))


def html_of_problem(problem: Problem) -> str:
    """Return the question, whom it protects, and the objective."""
    title = f"Problem: {problem.query.title}, {problem.privacy}"
    return page(title, care(words_of(problem).allows), question_facts(problem), Note(str(problem), "quiet"))


def question_facts(question: Problem, delta: Fraction | None = None, whole: Fraction | None = None) -> Facts:
    """Return the question as facts; its mechanism spends the delta `delta`, and `whole` over all sets."""
    words = words_of(question, delta, whole)
    return Facts(
        (
            ("asked", words.question),
            ("true answers", words.answers),
            ("released", words.released),
            ("protected", f"{words.protected} {words.neighbours}"),
            ("privacy", f"{question.privacy} ({words.definition}). {words.guarantee} {words.odds}"),
            ("caution", " ".join(dict.fromkeys((words.deviation, *words.cautions)))),
            ("mechanisms", " ".join((words.structure, *words.properties))),
            ("wanted", words.objective),
        )
    )
