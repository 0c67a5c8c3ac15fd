"""One of several categories without an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.wording import plural, shortened
from optmech.question.kinds.kind import Kind

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["Categories"]


@dataclass(frozen=True, slots=True)
class Categories(Kind):
    """A category, which one person may turn into any other."""

    word = "categories"

    def title(self, query: Answers) -> str:
        """Return how many categories there are; what they are called is told, not proved."""
        suffix = ", weighted by distance" if query.is_weighted else ""
        return f"{plural(query.num_truths, 'category', 'categories')}{suffix}"

    def question(self, query: Answers) -> str:
        """Return which categories."""
        apart = " Some are further apart than others." if query.is_weighted else ""
        number = plural(query.num_truths, "category", "categories")
        return f"Which of {number}: {shortened(query.labels)}?{apart}"

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - all of them are alike
        """Return that one person may turn any category into any other."""
        return (
            "One person who can turn any of the categories into any other, for example the person whose own "
            "answer it is."
        )

    def choices(self, query: Answers) -> dict[str, Any] | None:
        """Return the categories, where a list of words can say them."""
        plain = all("," not in label and label == label.strip() for label in query.labels)
        return None if query.is_weighted or not plain else {"query": self.word, "of": [*query.labels]}

    def contradiction(self, query: Answers) -> str | None:
        """Return where truths have no labels, or some two are no neighbours."""
        if not query.labels:
            return "its true answers have no labels"
        if query.truths != tuple(range(query.num_truths)):
            return "its true answers are not counted from 0 on"
        if not query.symmetric or len(query.pairs) != query.num_truths * (query.num_truths - 1):
            return "not every two of its true answers are neighbours, both ways"
        return None
