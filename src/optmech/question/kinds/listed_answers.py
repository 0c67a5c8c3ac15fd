"""Questions with listed answers and neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from optmech.base.wording import plural, shorten
from optmech.question.answers import Answers, Scope
from optmech.question.keys import NUMBER, TEXT, WHOLE, Key, KeyForm, list_of, needed, word_of
from optmech.question.kinds.circles import DIRECTIONS
from optmech.question.kinds.kind import Kind

_LABELS = list_of(TEXT, "a list of texts")
_TRIPLES = list_of(list_of(WHOLE, "two positions and a weight"), "a list of pairs of positions")
_NEIGHBOURS = KeyForm(
    words="a whole number, all within this many steps, or a list of pairs of positions from 0, "
    "with a weight or without",
    read=lambda value, name: (_TRIPLES if isinstance(value, (list, tuple)) else WHOLE).read(value, name),
    write=lambda value: value if isinstance(value, int) else _TRIPLES.write(value),
    schema={"anyOf": [WHOLE.schema, _TRIPLES.schema]},
)
_LISTED = (
    Key(
        name="truths",
        form=list_of(NUMBER, "a list of numbers"),
        about="the true answers, increasing",
        left_out="0, 1, … for labels",
    ),
    Key(name="labels", form=_LABELS, about="how true answers are shown that are no numbers", default=()),
    needed("neighbours", _NEIGHBOURS, "which true answers one person can turn into each other"),
    DIRECTIONS,
)


@dataclass(frozen=True, slots=True)
class Categories(Kind):
    """A category, which one person may turn into any other."""

    word = "categories"
    keys = (
        needed("labels", _LABELS, "what the categories are called"),
        Key(
            name="distance",
            form=list_of(list_of(WHOLE, "a list of whole numbers"), "a matrix of whole numbers"),
            about="how many epsilon lie between two of them",
            left_out="one",
        ),
    )

    @property
    def steps_of_a_change(self) -> int:
        """One category becomes any other: one step."""
        return 1

    def title(self, query: Answers) -> str:
        """Return the number of categories; their names are data, not proved."""
        suffix = ", weighted by distance" if query.is_weighted else ""
        return f"{plural(query.num_truths, 'category', 'categories')}{suffix}"

    def question(self, query: Answers) -> str:
        """Return the question, with the names of the categories."""
        apart = " Some are further apart than others." if query.is_weighted else ""
        number = plural(query.num_truths, "category", "categories")
        return f"Which of {number}: {shorten(query.labels)}?{apart}"

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - all of them are alike
        """Return that one person may turn any category into any other."""
        return (
            "One person who can turn any of the categories into any other, for example the person whose own "
            "answer it is."
        )

    def contradiction(self, query: Answers) -> str | None:
        """Return how the query differs: truths without labels, or two that are no neighbours."""
        if not query.labels:
            return "its true answers have no labels"
        if query.truths != tuple(range(query.num_truths)):
            return "its true answers are not counted from 0 on"
        if not query.symmetric or len(query.pairs) != query.num_truths * (query.num_truths - 1):
            return "not every two of its true answers are neighbours, both ways"
        return None


@dataclass(frozen=True, slots=True)
class Graph(Kind):
    """A node, which one person may turn into those at the other end of its edges; no more is said."""

    word = "graph"
    keys = (*_LISTED, Key(name="name", form=TEXT, about="what its author calls it", default=""))
    may_have_a_name = True

    def title(self, query: Answers) -> str:
        """Return the title, with the size of the graph."""
        edges = len({(min(pair), max(pair)) for pair in query.pairs.tolist()})
        name = f" {query.quoted_name}" if query.given_name else ""
        return f"graph of {plural(query.num_truths, 'answer')} and {plural(edges, 'edge')}{name}"

    def question(self, query: Answers) -> str:
        """Return the question, with the nodes."""
        apart = " Some are further apart than others." if query.is_weighted else ""
        nodes = shorten(query.labels or [str(truth) for truth in query.truths])
        return f"Which of {plural(query.num_truths, 'answer')}: {nodes}?{apart}"

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - the edges are told beside it
        """Return that one person moves the answer along an edge."""
        return "One person who can turn an answer into those that are its neighbours."

    def contradiction(self, query: Answers) -> None:
        """Return ``None``: any neighbours are those of a graph."""


@dataclass(frozen=True, slots=True)
class Custom(Kind):
    """Any answers and any neighbours. The name given by its author is quoted and has no effect."""

    word = "custom"
    keys = (
        *_LISTED,
        Key(name="name", form=TEXT, about="what its author calls it", default="query"),
        Key(
            name="scope",
            form=word_of(Scope),
            about="which tables are protected",
            default=str(Scope.EVERY_TABLE),
        ),
    )
    may_have_a_name = True
    may_be_of_one_table = True

    def title(self, query: Answers) -> str:
        """Return ``custom query``, with its name in quotation marks."""
        return f"custom query {query.quoted_name}"

    def question(self, query: Answers) -> str:
        """Return the number of answers, and the name of the question."""
        number = plural(query.num_truths, "possible answer")
        return f"A custom question with {number}, called {query.quoted_name} by its author."

    def protection(self, query: Answers) -> str:
        """Return that one person moves the answer to a neighbour, or that one table alone is protected."""
        if query.scope is Scope.GIVEN_TABLE:
            return "Those tables near the given one that were tried, from each other, and no other table."
        ways = "" if query.symmetric else ", in one direction only"
        return f"One person who can turn a true answer into those that are its neighbours{ways}."

    def contradiction(self, query: Answers) -> None:
        """Return ``None``: any answers and neighbours will do."""
