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

from optmech.engines.duals import whole_multipliers
from optmech.exact.multipliers import Leaf, Rule
from optmech.theorems import counting
from optmech.theorems.registry import THEOREMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.problem.problem import Problem

    Floats = NDArray[np.float64]

__all__ = ["leaf_of_prices", "priced_by_theorem"]

_COUNT = "croft-variant-1-count"


def priced_by_theorem(problem: Problem) -> Leaf | None:
    """Return the multipliers that the theorem on counts proposes, or ``None`` where it does not speak."""
    (theorem,) = (theorem for theorem in THEOREMS if theorem.name == _COUNT)
    if theorem.objection(problem) is not None:
        return None
    objective = problem.objective
    costs = objective.loss * objective.weights  # type: ignore[union-attr]
    decay = float(np.exp(-float(problem.privacy.epsilon)))
    _, prices = counting.dual_prices(decay, costs[:, 0].tolist())  # type: ignore[arg-type]
    return leaf_of_prices(costs, np.array(prices), 1 / decay)


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
    truths = costs.shape[1]
    places, weights = [], []
    for row, left in enumerate(costs - prices):
        home = int(np.argmin(costs[row]))
        for start, step in ((0, 1), (truths - 1, -1)):
            for truth in range(start, home, step):
                # A lack is met by the next truth at E times the price, what is left over is worth 1/E there.
                here, there = (truth, truth + step) if left[truth] < 0 else (truth + step, truth)
                weight = -left[truth] if left[truth] < 0 else left[truth] / factor
                places.append((row, here, there))
                weights.append(weight)
                left[truth + step] += factor * left[truth] if left[truth] < 0 else weight
    whole = whole_multipliers(np.array(weights))
    used = np.flatnonzero(whole > 0)
    return Leaf(rules={"privacy": Rule(places=np.array(places)[used], weights=whole[used])})
