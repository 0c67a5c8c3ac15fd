"""A proof without a solver: from a price for each truth to multipliers, where neighbours are one step apart.

Law: prices u with ``sum_f (c[r,f] - u[f]) x[f] >= 0`` for every row x with ``x[f] <= E x[f+1]`` and back
prove that no mechanism costs less than ``sum u``. The multipliers follow by cancelling along the row, from
both ends to the truth that the response answers best: what truth f lacks is met by the rule ``x[f] <= E
x[f+1]`` and costs E times as much there; what is left over meets ``x[f+1] <= E x[f]`` and is worth 1/E there.
Far from that truth something is always left over, so that rounding shrinks on the way. At the end nothing
must be lacking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import whole_multipliers
from optmech.proofs.multipliers import Leaf, Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Floats


__all__ = ["leaf_of_prices"]


def leaf_of_prices(costs: Floats, prices: Floats, factor: float) -> Leaf:
    """Return the multipliers that cancel ``costs - prices`` along each row.

    Parameters
    ----------
    costs : ndarray, shape (num_responses, num_truths)
        Weighted losses.
    prices : ndarray, shape (num_truths,)
        What each truth is worth.
    factor : float
        ``e^epsilon``.
    """
    truths = np.arange(costs.shape[1])
    home = costs.argmin(axis=1)
    reduced_costs = np.array(costs - prices, order="F")  # rows are cancelled side by side, a truth at a time
    for order, step in ((truths[:-1], 1), (truths[:0:-1], -1)):
        for truth in order:
            rows = np.flatnonzero((home - truth) * step > 0)
            rest = reduced_costs[rows, truth]
            # A lack is met by the next truth at E times the price, what is left over is worth 1/E there.
            reduced_costs[rows, truth + step] += np.where(rest < 0, factor * rest, rest / factor)
    reduced_costs = np.ascontiguousarray(reduced_costs)
    weights = np.where(reduced_costs < 0, -reduced_costs, reduced_costs / factor)
    weights[np.arange(len(home)), home] = 0
    whole = whole_multipliers(weights)
    row, truth = np.nonzero(whole)
    beside = truth + np.sign(home[row] - truth)
    lacking = reduced_costs[row, truth] < 0
    places = np.column_stack([row, np.where(lacking, truth, beside), np.where(lacking, beside, truth)])
    return Leaf(rules={"privacy": Rule(places=places, weights=whole[row, truth])})
