"""Maximum, minimum, median: the least expected loss (Croft et al. 2020, Variant 1).

One record can turn any truth into any other: all pairs are neighbours. Truths F and responses R are any. With
E = e^epsilon, c(r,j) the weighted loss and C_r = sum_j c(r,j):

    least = min over m and r_1 < … < r_m of
            [ sum_a C_(r_a) + (E-1) sum_j min_a c(r_a,j) ] / (E-1+m)

Mechanism: each truth to its nearest representative, then m-ary randomized response. Proof: the extreme rays
of {x >= 0 : x_j <= E x_k} are 1 + (E-1) 1_A. A private matrix mixes them in each row, so the program becomes
facility location with a linear-fractional objective. In its parametric (Dinkelbach) form, and for a loss that
does not decrease with the distance, the responses within a distance of a truth are an interval: the
constraint matrix has consecutive ones, is totally unimodular, and a set of representatives is optimal.

Below, all is scaled by a = 1/E: E can be beyond doubles. `extremum_search` finds the set.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from math import exp, expm1
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from optmech.theorems.croft_question import ball_of, enclosure
from optmech.theorems.extremum_search import best_set, splits

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.base.numbers import Number

    Floats = NDArray[np.float64]

__all__ = [
    "least_loss",
    "least_loss_ball",
    "least_loss_matrix",
    "representatives",
]


def representatives(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> list[int]:
    """Return the responses that the best mechanism gives, by position.

    Parameters
    ----------
    epsilon : float
        Privacy loss between any two truths.
    costs : array_like, shape (num_responses, num_truths)
        Loss times weight; for each truth not decreasing with the distance of the response.
    truths, responses : array_like
        Where they lie, increasing.
    """
    return _best_set(epsilon, costs, truths, responses)[0]


def least_loss(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> float:
    """Return the least expected loss, ``sum_rj costs[r,j] matrix[r,j]``; see `representatives`."""
    return _best_set(epsilon, costs, truths, responses)[1]


def least_loss_matrix(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> Floats:
    """Return the mechanism that attains `least_loss`; responses that represent nothing have zero rows."""
    cost = np.asarray(costs, dtype=float)
    chosen = representatives(epsilon, cost, truths, responses)
    decay = exp(-epsilon)
    keep = 1 / (-expm1(-epsilon) + len(chosen) * decay)
    matrix = np.zeros(cost.shape)
    matrix[chosen] = decay * keep
    matrix[np.array(chosen)[cost[chosen].argmin(axis=0)], np.arange(cost.shape[1])] = keep
    return matrix


def least_loss_ball(
    epsilon: Number, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike, digits: int
) -> arb:
    """Return a ball of at least `digits` digits around `least_loss`, by a programme over (last, number)."""
    table = np.asarray(costs, dtype=float).tolist()
    places = np.asarray(responses, float)
    middles = splits(np.asarray(truths, float), places[:, None], places[None, :])
    homes = [int(middle) for middle in np.diagonal(middles)]
    size, number = len(homes), len(table[0])

    def compute() -> arb:
        decay = (-ball_of(epsilon)).exp()
        stay = 1 - decay
        cost = [[ball_of(value) for value in row] for row in table]
        sums = [[arb(0), *accumulate(row)] for row in cost]
        opened = [decay * row[number] for row in sums]

        def part(row: int, start: int, stop: int) -> arb:
            return stay * (sums[row][stop] - sums[row][start])

        def between(low: int, high: int, split: int) -> arb:
            return part(low, homes[low], split) + part(high, split, homes[high])

        best = [part(row, 0, homes[row]) + opened[row] for row in range(size)]
        ratios = []
        for members in range(1, size + 1):
            ends = [best[row] + part(row, homes[row], number) for row in range(members - 1, size)]
            ratios.append(reduce(arb.min, ends) / (stay + members * decay))
            through = [
                [best[low] + between(low, row, middles[low, row]) for low in range(members - 1, row)]
                for row in range(members, size)
            ]
            cheapest = [reduce(arb.min, ways) + opened[members + row] for row, ways in enumerate(through)]
            best = [arb(0)] * members + cheapest
        return reduce(arb.min, ratios)

    return enclosure(compute, digits)


def _best_set(
    epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike
) -> tuple[list[int], float]:
    places = np.asarray(truths, dtype=float), np.asarray(responses, dtype=float)
    return best_set(epsilon, np.asarray(costs, dtype=float), *places)
