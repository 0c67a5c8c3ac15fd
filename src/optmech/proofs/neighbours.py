"""Neighbouring columns, gathered so that whole blocks of a matrix are compared at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["by_step", "compared_columns"]


def by_step(pairs: Integers) -> list[tuple[Integers, Integers]]:
    """Return the ordered pairs grouped by their difference: within a group no column appears twice on a side.

    Examples
    --------
    >>> [(f.tolist(), g.tolist()) for f, g in by_step(np.array([[0, 1], [1, 0], [1, 2]]))]
    [([1], [0]), ([0, 1], [1, 2])]
    """
    steps = pairs[:, 1] - pairs[:, 0]
    return [(pairs[steps == step, 0], pairs[steps == step, 1]) for step in np.unique(steps)]


def compared_columns(pairs: Integers, weights: Integers) -> list[tuple[Integers, Integers, int]]:
    """Return the ordered pairs as `by_step` does, those of each weight apart, with the weight.

    Examples
    --------
    >>> pairs, weights = np.array([[0, 1], [1, 0]]), np.array([1, 2])
    >>> [(f.tolist(), g.tolist(), weight) for f, g, weight in compared_columns(pairs, weights)]
    [([0], [1], 1), ([1], [0], 2)]
    """
    apart = np.unique(weights).tolist()
    return [(f, g, weight) for weight in apart for f, g in by_step(pairs[weights == weight])]
