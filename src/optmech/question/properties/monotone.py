"""Rows and columns that rise to the truth and then fall: Croft et al. 2020 (10)-(13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Order
from optmech.question.answers import are_points
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


def truths_below_and_above(query: Query) -> list[tuple[int, int]]:
    """Return for each response the last truth in it or below it, and the first in it or above.

    A row-monotone row rises up to the first of them and falls from the second one on.
    """
    if are_points(query.responses, query.truths):
        return [(index, index) for index in range(query.num_truths)]
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
    """Return the largest fall of a line before its peak, or rise behind it.

    `lines` has shape (num_lines, num_entries). `ends` has shape (num_lines, 2): the index up to which each
    line must rise, and the index from which it must fall.
    """
    steps, index = np.diff(lines, axis=1), np.arange(lines.shape[1] - 1)
    rising, falling = np.transpose(ends)[:, :, None]
    rises = steps.max(initial=0.0, where=index >= falling)
    return float(max(rises, -steps.min(initial=0.0, where=index < rising)))


class ColumnMonotone(Property):
    """For each truth, a response is no likelier the farther it lies from the truth: Croft et al. (10), (11).

    Model
    -----
        M[r,f] - M[r+1,f] <= 0              column_rising[r,f]     r < home(f)                  (10)
        M[r+1,f] - M[r,f] <= 0              column_falling[r,f]    r >= home(f)                 (11)
    """

    __slots__ = ()
    word = "column-monotone"
    sentence = "An answer is no likelier the farther it lies from the true one."
    phrase = "nearer answers are likelier"
    of_order = of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders (10), then (11)."""
        rising = np.arange(query.num_responses - 1)[:, None] < query.home[None, :]
        for name, where, low, high in (
            ("column_rising", rising, 0, query.num_truths),
            ("column_falling", ~rising, query.num_truths, 0),
        ):
            response, truth = np.nonzero(where)
            entry = response * query.num_truths + truth
            subscripts = np.column_stack([response, truth])
            yield Order(name=name, subscripts=subscripts, low=entry + low, high=entry + high)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest step away from the response of the truth that rises."""
        if (query.home < 0).any():
            return float("inf")
        return drop_towards(matrix.T, np.column_stack([query.home, query.home]))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise each column towards the response of its truth, to the least one with (10), (11)."""
        for truth, home in enumerate(query.home.tolist()):
            column = matrix[:, truth]
            column[: home + 1] = np.maximum.accumulate(column[: home + 1])
            column[home:] = np.maximum.accumulate(column[home:][::-1])[::-1]


class RowMonotone(Property):
    """For each response, it is no likelier the farther the truth lies from it: Croft et al. 2020 (12), (13).

    Model
    -----
        M[r,f] - M[r,f+1] <= 0              row_rising[r,f]        truth f+1 in r or below      (12)
        M[r,f+1] - M[r,f] <= 0              row_falling[r,f]       truth f   in r or above      (13)

    A truth on the common end of two categories is in the upper one, (5), so for the lower one it is not "in r
    or below".
    """

    __slots__ = ()
    word = "row-monotone"
    sentence = "An answer is no likelier the farther the true one lies from it."
    phrase = "an answer is likelier, the nearer the truth"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders (12), then (13), decided by exact numbers."""
        truths = np.array(query.truths, dtype=object)
        lower = np.array([category.lower for category in query.responses], dtype=object)
        upper = np.array([category.upper for category in query.responses], dtype=object)
        position, response = np.arange(len(truths)), np.arange(len(lower))
        rising = position[None, 1:] < np.searchsorted(truths, upper, side="right")[:, None]
        rising &= query.home[None, 1:] <= response[:, None]
        falling = position[None, :-1] >= np.searchsorted(truths, lower, side="left")[:, None]
        for name, where, low, high in (("row_rising", rising, 0, 1), ("row_falling", falling, 1, 0)):
            row, truth = np.nonzero(where)
            entry = row * query.num_truths + truth
            subscripts = np.column_stack([row, truth])
            yield Order(name=name, subscripts=subscripts, low=entry + low, high=entry + high)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest step away from the response that rises."""
        return drop_towards(matrix, truths_below_and_above(query))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise each row towards the truths of its response, to the least one with (12), (13)."""
        for row, (last_rising, first_falling) in enumerate(truths_below_and_above(query)):
            line = matrix[row]
            line[: last_rising + 1] = np.maximum.accumulate(line[: last_rising + 1])
            line[first_falling:] = np.maximum.accumulate(line[first_falling:][::-1])[::-1]
