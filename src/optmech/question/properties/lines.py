"""Lines of a matrix that rise to a place and fall from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.responses import are_points

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["drop_towards", "truths_below_and_above"]


def truths_below_and_above(query: Query) -> list[tuple[int, int]]:
    """Return for each response the last truth in it or below it, and the first in it or above.

    A row-monotone row rises up to the first of them and falls from the second one on.
    """
    if are_points(query.responses, query.truths):
        return [(place, place) for place in range(query.num_truths)]
    truths = np.array(query.truths, dtype=object)
    lower, upper = (
        np.array([getattr(response, end) for response in query.responses], dtype=object)
        for end in ("lower", "upper")
    )
    last = query.num_truths - 1
    above = np.searchsorted(truths, upper)  # the first truth that is not below the upper end
    at_end = np.minimum(above, last)
    holds = (truths[at_end] == upper) & (query.home[at_end] <= np.arange(query.num_responses))
    rising = np.clip(np.where(holds, at_end, above - 1), 0, last)
    falling = np.minimum(np.searchsorted(truths, lower), last)
    return list(zip(rising.tolist(), falling.tolist(), strict=True))


def drop_towards(lines: Floats, ends: ArrayLike) -> float:
    """Return how much a line falls before the place up to which it should rise, or rises behind, at most.

    `lines` has shape (num_lines, num_places); `ends`, shape (num_lines, 2), the place up to which each rises,
    and that from which on it falls.
    """
    steps, place = np.diff(lines, axis=1), np.arange(lines.shape[1] - 1)
    rising, falling = np.transpose(ends)[:, :, None]
    rises = steps.max(initial=0.0, where=place >= falling)
    return float(max(rises, -steps.min(initial=0.0, where=place < rising)))
