"""How far apart counts may be that a query protects from each other at one epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.kinds.kind import evenly_spaced, reach_of

if TYPE_CHECKING:
    from optmech.question.query import Query

__all__ = ["unit_reach"]


def unit_reach(query: Query) -> int | None:
    """Return by how many a count may change at one epsilon; ``None`` where that does not follow.

    It follows where the true answers are whole numbers one apart, all those within some distance are
    neighbours both ways, and the query speaks of every table.

    >>> from optmech.question.queries import count, mean
    >>> unit_reach(count(5)), unit_reach(count(5, records_per_person=3)), unit_reach(mean(2, 4))
    (1, 3, None)
    """
    path = query.path()
    if path is not None:
        return 1 if path.step == 1 and path.first.denominator == 1 else None
    first, number = query.truths[0], query.num_truths
    plain = query.symmetric and not query.is_weighted and not query.scope.caution
    if not plain or first.denominator != 1 or not evenly_spaced(query, first, 1, number):
        return None
    return reach_of(query)
