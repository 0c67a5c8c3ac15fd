"""Say which true answers are protected against each other, from the pairs of neighbours alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.base.wording import plural
from optmech.question.answers import Scope
from optmech.question.kinds.kind import reach_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers
    from optmech.question.query import Query

_FEW = 3
ONE_SIDED = (
    "One-sided: between some neighbours only one is protected against the other: this is not differential "
    "privacy."
)


def limited_unit(scope: str, directions: str) -> str:
    """Return the unit of epsilon where a question does not protect each person; empty where it does.

    A release log has `scope` and `directions` as a query has them.

    >>> limited_unit("every table", "both"), limited_unit("every table", "one")
    ('', 'a neighbour in a one-sided question')
    """
    if scope != Scope.EVERY_TABLE:
        return "a neighbour of one given table alone"
    return "" if directions == "both" else "a neighbour in a one-sided question"


def neighbours_of(query: Query) -> str:
    """Return a sentence on the neighbours among the true answers."""
    path = query.path()
    if path is not None and path.number > 2:  # noqa: PLR2004 - of two, every two are neighbours
        return f"True answers at most {as_text(path.step)} apart are neighbours."
    if not len(query.weights):
        return "No two true answers are neighbours: nothing is protected."
    # A query that contradicts its kind was refused earlier.
    return query.meaning.neighbours(query) or _listed_neighbours(query)


def _listed_neighbours(query: Query) -> str:
    every, couples = query.all_are_neighbours, np.zeros((0, 2), dtype=np.int64)
    number = "Every two true answers are neighbours"
    if not every:
        couples = np.unique(np.sort(query.pairs, axis=1), axis=0)
        number = f"Neighbours are only {plural(len(couples), 'pair')} of true answers"
    if query.is_weighted:
        least, most = int(query.weights.min()), int(query.weights.max())
        weight = f"a weight from {least} to {most}" if least < most else f"weight {least}"
        return f"{number}, each with {weight}: the bound between the two is that many times epsilon."
    if every:
        return f"{number}."
    reach = reach_of(query)
    if reach is not None:
        return _within(query, reach)
    names = [visible(label) for label in query.labels] or [as_text(truth) for truth in query.truths]
    examples = [f"{names[here]} and {names[there]}" for here, there in couples[:_FEW].tolist()]
    more = ", …" if len(couples) > _FEW else ""
    ways = "" if query.symmetric else ", some of them one way only"
    return f"{number}{ways}: {', '.join(examples)}{more}."


def cautions_of(query: Query) -> tuple[str, ...]:
    """Return a sentence for each gap in the protection, to stand beside every verdict.

    >>> from optmech.question.query import Query
    >>> for caution in cautions_of(Query(range(8), neighbours=[(6, 7)])):
    ...     print(caution)
    6 of 8 true answers have no neighbour (0, 1, 2, …): nothing hides them, they may be released as they are.
    The true answers fall apart into 7 groups: nothing is protected between them.
    """
    return tuple(_cautions(query))


def _cautions(query: Query) -> Iterator[str]:
    if query.scope.caution:
        yield query.scope.caution
    if not query.symmetric:
        yield ONE_SIDED
    yield from gaps_of(query)


def gaps_of(query: Query) -> Iterator[str]:
    """Yield sentences on true answers without protection, and on groups without protection between them.

    >>> from optmech.question.query import Query
    >>> len(list(gaps_of(Query(range(8), neighbours=[(6, 7)])))), list(gaps_of(Query(range(8))))
    (2, [])
    """
    if query.path() is not None:
        return
    alone = _without_neighbour(query)
    if len(alone):
        names = query.labels or tuple(map(as_text, query.truths))
        some = ", ".join(visible(names[index]) for index in alone[:_FEW].tolist())
        more = ", …" if len(alone) > _FEW else ""
        yield f"{alone_words(query)} ({some}{more}): nothing hides them, they may be released as they are."
    groups = num_groups(query)
    if groups > 1:
        yield f"The true answers fall apart into {groups} groups: nothing is protected between them."


def alone_words(query: Query) -> str:
    """Return the number of true answers without a neighbour, in words; empty where each has one.

    >>> from optmech.question.query import Query
    >>> alone_words(Query(range(8), neighbours=[(6, 7)])), alone_words(Query(range(8)))
    ('6 of 8 true answers have no neighbour', '')
    """
    number = len(_without_neighbour(query))
    have = "has" if number == 1 else "have"
    return f"{number} of {query.num_truths} true answers {have} no neighbour" if number else ""


def _without_neighbour(query: Query) -> Integers:
    if query.path() is not None or query.all_are_neighbours:
        return np.zeros(0, dtype=np.int64)
    return np.setdiff1d(np.arange(query.num_truths), query.pairs)


def _within(query: Query, reach: int) -> str:
    steps = {high - low for low, high in zip(query.truths, query.truths[1:], strict=False)}
    if len(steps) == 1 and not query.labels:
        return f"True answers at most {as_text(reach * steps.pop())} apart are neighbours."
    return f"True answers at most {plural(reach, 'position')} apart in their list are neighbours."


def num_groups(query: Query) -> int:
    """Return the number of components of the graph of neighbours."""
    if reach_of(query) is not None:
        return 1
    from scipy.sparse import csr_array  # noqa: PLC0415 - loaded where the pairs are no range
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    edges = csr_array(
        (np.ones(len(query.pairs)), (query.pairs[:, 0], query.pairs[:, 1])), shape=(query.num_truths,) * 2
    )
    return int(connected_components(edges, directed=False)[0])
