"""Lines of a matrix that rise to a place and fall from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["drop_towards", "truths_below_and_above"]


def truths_below_and_above(query: Query) -> list[tuple[int, int]]:
    """Return for each response the last truth in it or below it, and the first in it or above.

    A row-monotone row rises up to the first of them and falls from the second one on.
    """
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


def drop_towards(line: Floats, last_rising: int, first_falling: int) -> float:
    """Return how much `line` falls before `last_rising` or rises after `first_falling`, at most."""
    rising = np.diff(line[: last_rising + 1])
    falling = np.diff(line[first_falling:])
    return float(max(np.max(-rising, initial=0.0), np.max(falling, initial=0.0)))
