"""Which entries the properties of a problem hold to be at most which others, by their flat positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.properties import (
    COLUMN_HONEST,
    COLUMN_MONOTONE,
    FAIR,
    ROW_HONEST,
    ROW_MONOTONE,
    SYMMETRIC,
    Property,
)
from optmech.question.properties.lines import truths_below_and_above

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.query import Query

    Integers = NDArray[np.int64]

__all__ = ["orders"]


def orders(query: Query, properties: frozenset[Property]) -> tuple[Integers, Integers]:
    """Return the flat positions of entries of which the first may be as large as the second at most.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> low, high = orders(count(1), frozenset({COLUMN_HONEST}))
    >>> low.tolist(), high.tolist()
    ([1, 2], [3, 0])
    """
    number, truths = query.num_responses, query.num_truths
    place = np.arange(number * truths).reshape(number, truths)
    low, high = [place.ravel()[:0]], [place.ravel()[:0]]
    if COLUMN_MONOTONE in properties:
        rising = np.arange(number - 1)[:, None] < query.home[None, :]
        low.append(np.where(rising, place[:-1], place[1:]).ravel())
        high.append(np.where(rising, place[1:], place[:-1]).ravel())
    if ROW_MONOTONE in properties:
        for row, (last_rising, first_falling) in enumerate(truths_below_and_above(query)):
            rises, falls = place[row, : last_rising + 1], place[row, first_falling:]
            low += [rises[:-1], falls[1:]]
            high += [rises[1:], falls[:-1]]
    if SYMMETRIC in properties:
        low.append(place.ravel())
        high.append(place.ravel()[::-1])
    home = place[query.home, np.arange(truths)]
    if FAIR in properties:
        low.append(home)
        high.append(np.roll(home, 1))
    if COLUMN_HONEST in properties:
        response, truth = np.nonzero(np.arange(number)[:, None] != query.home[None, :])
        low.append(place[response, truth])
        high.append(home[truth])
    if ROW_HONEST in properties:
        truth, other = np.nonzero(query.home[:, None] != query.home[None, :])
        low.append(place[query.home[other], truth])
        high.append(home[other])
    return np.concatenate(low), np.concatenate(high)
