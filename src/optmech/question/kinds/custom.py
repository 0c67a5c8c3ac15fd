"""A question of somebody's own, of which nothing is known but answers and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.wording import plural
from optmech.question.kinds.kind import Kind
from optmech.question.scope import Scope

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["Custom"]


@dataclass(frozen=True, slots=True)
class Custom(Kind):
    """Any answers and any neighbours. What its author calls it is quoted, and nothing follows from it."""

    word = "custom"
    may_have_a_name = True
    may_be_of_one_table = True

    def title(self, query: Answers) -> str:
        """Return ``custom query``, with its name in quotation marks."""
        return f"custom query {query.quoted_name}"

    def question(self, query: Answers) -> str:
        """Return how many answers there are, and what the question is called."""
        number = plural(query.num_truths, "possible answer")
        return f"A custom question with {number}, called {query.quoted_name} by its author."

    def protection(self, query: Answers) -> str:
        """Return that neighbours are what one person may do, or that one table alone is protected."""
        if query.scope is Scope.GIVEN_TABLE:
            return "Those tables near the given one that were tried, from each other, and no other table."
        return "One person who can turn a true answer into those that are its neighbours."

    def contradiction(self, query: Answers) -> None:
        """Return ``None``: any answers and neighbours will do."""
