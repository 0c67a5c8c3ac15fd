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
    last = query.num_truths - 1
    return [
        (
            max(
                (
                    t
                    for t, truth in enumerate(query.truths)
                    if truth < category.upper or (truth == category.upper and query.home[t] <= row)
                ),
                default=0,
            ),
            min((t for t, truth in enumerate(query.truths) if truth >= category.lower), default=last),
        )
        for row, category in enumerate(query.responses)
    ]


def drop_towards(line: Floats, last_rising: int, first_falling: int) -> float:
    """Return how much `line` falls before `last_rising` or rises after `first_falling`, at most."""
    rising = np.diff(line[: last_rising + 1])
    falling = np.diff(line[first_falling:])
    return float(max(np.max(-rising, initial=0.0), np.max(falling, initial=0.0)))
