"""A problem: the question in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.question.problem import Problem
from optmech.reports.card.count_words import words_of
from optmech.reports.display.markup import care, facts, note, page

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.designs.implicit.question import ImplicitCount

__all__ = ["asked", "html_of"]


def html_of(problem: Problem) -> str:
    """Return what is asked, of whom it protects, and what is to be least."""
    title = f"Problem: {problem.query.title}, {problem.privacy}"
    return page(title, care(words_of(problem).allows), asked(problem), note(str(problem), quiet=True))


def asked(
    question: Problem | ImplicitCount, spent: Fraction | None = None, whole: Fraction | None = None
) -> str:
    """Return the question as facts; its mechanism spends the delta `spent`, and `whole` over all sets."""
    words = words_of(question, spent, whole)
    given = question.privacy if isinstance(question, Problem) else f"epsilon = {as_text(question.epsilon)}"
    return facts(
        ("asked", words.asked),
        ("true answers", words.answers),
        ("released", words.released),
        ("protected", f"{words.protected} {words.neighbours}"),
        ("privacy", f"{given} ({words.definition}). {words.guarantee} {words.odds}"),
        ("take care", " ".join(dict.fromkeys((words.unlike_usual, *words.cautions)))),
        ("mechanisms", " ".join((words.structure, *words.properties))),
        ("wanted", words.objective),
    )
