"""The cheapest ray of each response where every two truths are neighbours.

Law: levels then differ by at most one among all truths, so a ray is one on some truths and E on the others,
and each truth chooses the dearer level where it costs less than nothing. Only home does not choose: a row
counts as one there, and it may stand on either level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers


__all__ = ["cheapest_of_all_pairs"]


def cheapest_of_all_pairs(costs: Floats, home: Integers, factor: float) -> tuple[Floats, Integers]:
    """Return the least cost of a ray for each response, as a multiple of its entry at home, and its levels.

    Parameters and results are those of `cheapest_within_reach`, without a reach or an order.

    Examples
    --------
    >>> cost, levels = cheapest_of_all_pairs(np.array([[1.0, -1, 1, 1]]), np.array([1]), 2.0)
    >>> cost.tolist(), levels.tolist()
    ([0.5], [[-1, 0, -1, -1]])
    """
    responses = np.arange(len(costs))
    others = costs.copy()
    others[responses, home] = 0.0
    costs_at_home = costs[responses, home]
    gains, pains = np.minimum(others, 0.0).sum(axis=1), np.maximum(others, 0.0).sum(axis=1)
    high, low = costs_at_home + gains + pains / factor, costs_at_home + factor * gains + pains
    levels = np.where(others < 0, 0, -1) + (low < high)[:, None]
    levels[responses, home] = 0
    return np.minimum(high, low), levels
