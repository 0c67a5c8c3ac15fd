"""The rules within single rows, and what half a turn of the matrix makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.properties import ROW_MONOTONE
from optmech.question.properties.monotone import truths_below_and_above

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.problem import Problem

    Integers = NDArray[np.int64]

__all__ = ["RowRules"]


@dataclass(frozen=True, slots=True, eq=False)
class RowRules:
    """Which entries of a row may not exceed which.

    Attributes
    ----------
    order : pair of ndarray of int, shape (num_responses,), or None
        With row monotony: a row does not fall up to the first truth, and does not rise from the second on.
    pairs : ndarray of int, shape (num_pairs, 2)
        Neighbours.
    """

    order: tuple[Integers, Integers] | None
    pairs: Integers

    @classmethod
    def of(cls, problem: Problem) -> RowRules:
        """Return the rules of a problem."""
        if ROW_MONOTONE not in problem.properties:
            return cls(None, problem.query.pairs)
        ends = np.array(truths_below_and_above(problem.query))
        return cls((ends[:, 0], ends[:, 1]), problem.query.pairs)

    def are_mirrored(self, last: int) -> bool:
        """Whether half a turn of the matrix changes none of them."""
        images = np.unique(last - self.pairs, axis=0)
        same_order = self.order is None or np.array_equal(self.order[0], last - self.order[1][::-1])
        return same_order and np.array_equal(images, self.pairs)

    def with_images(self, last: int) -> RowRules:
        """Return these rules and their mirror images."""
        pairs = np.unique(np.concatenate([self.pairs, last - self.pairs]), axis=0)
        if self.order is None:
            return RowRules(None, pairs)
        rising, falling = self.order
        order = np.maximum(rising, last - falling[::-1]), np.minimum(falling, last - rising[::-1])
        return RowRules(order, pairs)

    def hold(self, row: Integers, taker: Integers, giver: Integers, *, steep: bool) -> NDArray[np.bool_]:
        """Return which entries (row, taker) may not exceed (row, giver), or e^epsilon times it if `steep`."""
        size = int(self.pairs.max(initial=0)) + 1
        if steep:
            return np.isin(taker * size + giver, self.pairs[:, 0] * size + self.pairs[:, 1])
        if self.order is None:
            return np.zeros(len(row), dtype=bool)
        rises = (taker < giver) & (giver <= self.order[0][row])
        mask: NDArray[np.bool_] = rises | ((taker > giver) & (giver >= self.order[1][row]))
        return mask
