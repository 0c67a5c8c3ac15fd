"""Rays to start from: staircases that fall by one level every k truths, from a plateau of any width.

They are what the shifted geometric mechanism of a reach k is mixed from. Each is given to the response that
answers it most cheaply, wherever its plateau lies: that is how several of them merge into one response at
the ends of the range, and in the middle at small epsilon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Integers


__all__ = ["staircases"]

# So many widths of plateaus are enough to begin with; pricing finds the others.
_MOST_WIDTHS = 40


def staircases(truths: int, reach: int) -> Integers:
    """Return the levels of staircases with plateaus anywhere, and of the flat ray.

    Returns
    -------
    ndarray of int, shape (num_rays, truths)
        Each with a largest level of zero.

    Examples
    --------
    >>> staircases(3, 1).tolist()
    [[0, 0, 0], [0, -1, -2], [-1, 0, -1], [-2, -1, 0]]
    """
    place = np.arange(truths)
    number = min(2 * reach - 1, _MOST_WIDTHS)
    widths = np.unique(np.linspace(1, 2 * reach - 1, number).round().astype(int))
    parts = [np.zeros((1, truths), dtype=np.int64)]
    for width in widths.tolist():
        first = np.arange(-(width - 1), truths)[:, None]  # a plateau may begin before the range
        beyond = np.maximum(first - place, place - (first + width - 1))
        levels = -np.maximum(-(-beyond // reach), 0)
        parts.append(levels - levels.max(axis=1, keepdims=True))
    return np.unique(np.concatenate(parts), axis=0)[::-1]
