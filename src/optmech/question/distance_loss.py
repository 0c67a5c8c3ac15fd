"""Losses of the distance alone, as a matrix of which only one row is held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats


def by_distance(losses: Floats, number: int) -> Floats:
    """Return the square matrix ``losses[|r - f|]``; the last loss holds for all larger distances.

    It is a read-only view: rows are windows on one list of losses, descending then ascending.

    >>> by_distance(np.array([0.0, 1.0, 5.0]), 4).tolist()
    [[0.0, 1.0, 5.0, 5.0], [1.0, 0.0, 1.0, 5.0], [5.0, 1.0, 0.0, 1.0], [5.0, 5.0, 1.0, 0.0]]
    """
    farther = losses[np.minimum(np.arange(number), len(losses) - 1)]
    both_ways = np.concatenate([farther[:0:-1], farther])
    return np.lib.stride_tricks.sliding_window_view(both_ways, number)[::-1].view(_Windows)


class _Windows(np.ndarray):
    """A view of windows on one list; another process gets the list, not the windows."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:  # noqa: ANN401 - as NumPy has it
        if is_by_distance(self):
            return by_distance, (np.array(self[0]), len(self))
        return super().__reduce_ex__(protocol)


def is_by_distance(matrix: Floats) -> bool:
    """Whether a matrix is such a view: each row is the previous one shifted by one, and read-only."""
    down, along = matrix.strides if matrix.ndim == 2 else (0, 0)  # noqa: PLR2004 - a matrix
    return down == -along < 0 and not matrix.flags.writeable


def losses_by_distance(matrix: Floats) -> Floats | None:
    """Return the loss at distance 0, 1, … where a square matrix of losses has one, else ``None``.

    >>> [losses_by_distance(np.array([[0, 1], [least, 0]])) for least in (1, 2)]
    [array([0, 1]), None]
    """
    first: Floats = matrix[0]
    if is_by_distance(matrix):
        return first if np.array_equal(first, matrix[:, 0]) else None
    return first if np.array_equal(matrix, by_distance(first, len(first))) else None
