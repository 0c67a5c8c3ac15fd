"""A mechanism and prices that need no program, for a search that was stopped before its first one was solved.

Mechanism: geometric noise on the positions of the truths, ``w a^|i - j|`` with a = e^(-epsilon / reach), cut
off at the ends; each draw answers with the response that costs least. Neighbours lie within the reach.

Prices: the same at all truths. The bound of a price t is a concave function of it, and its best t is near
the mean cost of the optimum: a golden section around that of the mechanism.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats
    from optmech.designs.rays.private_rows import PrivateRows

# The best price is sought between these multiples of the mean cost.
_LEAST, _MOST = 0.5, 1.05
_GOLDEN = (5**0.5 - 1) / 2


def geometric_matrix(rows: PrivateRows) -> Floats:
    """Return geometric noise whose draws answer as cheaply as they can, shape (num_responses, num_truths)."""
    responses, truths = rows.costs.shape
    index, step = np.arange(truths), rows.epsilon / rows.reach
    noise = np.exp(-step * np.abs(index[:, None] - index))
    noise *= np.tanh(step / 2)
    noise[[0, -1]] /= -np.expm1(-step)
    matrix = np.zeros((responses, truths))
    np.add.at(matrix, (rows.costs @ noise.T).argmin(axis=0), noise)
    return matrix


def raise_bound(cost: float, bound: Callable[[float], float | None]) -> None:
    """Call `bound` with one price after the other, ever nearer to the best one, until it returns ``None``.

    `cost` is the mean cost of some mechanism.

    >>> prices = []
    >>> def bound(price):
    ...     prices.append(round(price, 2))
    ...     return -abs(price - 8.5) if len(prices) < 8 else None
    >>> raise_bound(10.0, bound)
    >>> prices
    [7.1, 8.4, 9.2, 7.9, 8.71, 8.21, 8.52, 8.59]
    """
    low, high = _LEAST * cost, _MOST * cost
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    bounds = [bound(inner[0]), bound(inner[1])]
    while bounds[0] is not None and bounds[1] is not None:
        if bounds[0] < bounds[1]:
            low, inner[0], bounds[0] = inner[0], inner[1], bounds[1]
            inner[1] = low + _GOLDEN * (high - low)
            bounds[1] = bound(inner[1])
        else:
            high, inner[1], bounds[1] = inner[1], inner[0], bounds[0]
            inner[0] = high - _GOLDEN * (high - low)
            bounds[0] = bound(inner[0])
