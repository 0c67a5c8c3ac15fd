"""A query: what is asked, and who is protected."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.problem import Problem
from optmech.question.structures import FreeMatrix
from optmech.question.words import words_of
from optmech.reports.display.markup import facts, page

if TYPE_CHECKING:
    from optmech.question.query import Query

__all__ = ["html_of"]


def html_of(query: Query) -> str:
    """Return what it asks in words."""
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
    return page(
        f"Query: {query.title}",
        facts(
            ("asked", words.asked),
            ("true answers", words.answers),
            ("released", words.released),
            ("protected", words.protected),
            ("neighbours", words.neighbours),
            ("take care", " ".join(words.cautions)),
        ),
    )
