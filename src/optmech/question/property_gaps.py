"""By how much a mechanism matrix misses each property of Croft et al. 2020 and of Cormode et al. 2018.

Written apart from the rows that ask for the properties: this file looks at one matrix with plain loops of
NumPy, so that a misreading there shows here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.properties import Property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["property_gap", "truths_below_and_above"]


def property_gap(matrix: Floats, query: Query, wanted: Property) -> float:  # noqa: PLR0911 - one for each
    """Return the largest amount by which `matrix` misses the property, zero where it holds.

    Infinite where the property speaks of the response that holds a truth and some truth has none.
    """
    homeless = (Property.ROW_MONOTONE, Property.SYMMETRIC, Property.UNBIASED)
    if wanted not in homeless and (query.home < 0).any():
        return float("inf")
    kept = matrix[query.home, np.arange(query.num_truths)]
    match wanted:
        case Property.FAIR:
            return float(kept.max() - kept.min())
        case Property.SYMMETRIC:
            return float(np.abs(matrix - matrix[::-1, ::-1]).max())
        case Property.COLUMN_MONOTONE:
            gaps = [
                _drop_towards(matrix[:, truth], home, home) for truth, home in enumerate(query.home.tolist())
            ]
            return max(gaps)
        case Property.ROW_MONOTONE:
            return max(
                _drop_towards(matrix[row], *ends) for row, ends in enumerate(truths_below_and_above(query))
            )
        case Property.COLUMN_HONEST:
            return float((matrix.max(axis=0) - kept).max())
        case Property.ROW_HONEST:
            return max(_likelier_outside(matrix[row], query.home == row) for row in set(query.home.tolist()))
        case Property.WEAKLY_HONEST:
            return max(0.0, float((1.0 / query.num_responses - kept).max()))
        case Property.UNBIASED:
            means = query.response_values @ matrix
            return float(np.abs(means - query.truth_values).max())


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


def _drop_towards(line: Floats, last_rising: int, first_falling: int) -> float:
    """Return how much `line` falls before `last_rising` or rises after `first_falling`, at most."""
    rising = np.diff(line[: last_rising + 1])
    falling = np.diff(line[first_falling:])
    return float(max(np.max(-rising, initial=0.0), np.max(falling, initial=0.0)))


def _likelier_outside(line: Floats, inside: NDArray[np.bool_]) -> float:
    """Return how much a response is likelier under a truth outside it than under one inside, at most."""
    return max(0.0, float(line[~inside].max(initial=0.0) - line[inside].min()))
