"""A node of a graph whose edges somebody listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.wording import plural, shortened
from optmech.question.kinds.kind import Kind

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["Graph"]


@dataclass(frozen=True, slots=True)
class Graph(Kind):
    """A node, which one person may turn into those at the other end of its edges; no more is said."""

    word = "graph"
    may_have_a_name = True

    def title(self, query: Answers) -> str:
        """Return how large the graph is."""
        edges = len({(min(pair), max(pair)) for pair in query.pairs.tolist()})
        name = f" {query.quoted_name}" if query.given_name else ""
        return f"graph of {plural(query.num_truths, 'answer')} and {plural(edges, 'edge')}{name}"

    def question(self, query: Answers) -> str:
        """Return which nodes there are."""
        apart = " Some are further apart than others." if query.is_weighted else ""
        nodes = shortened(query.labels or [str(truth) for truth in query.truths])
        return f"Which of {plural(query.num_truths, 'answer')}: {nodes}?{apart}"

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - the edges are told beside it
        """Return that edges are what one person may do."""
        return "One person who can turn an answer into those that are its neighbours."

    def contradiction(self, query: Answers) -> None:
        """Return ``None``: any neighbours are those of a graph."""
