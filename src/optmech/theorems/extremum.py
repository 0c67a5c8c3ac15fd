"""Maximum, minimum, median: one record can turn any truth into any other, all pairs are neighbours.

Least expected loss (Croft et al. 2020, Variant 1), any truths F and responses R
--------------------------------------------------------------------------------
With E = e^epsilon, c(r,j) the weighted loss, C_r = sum_j c(r,j):

    least = min over m and r_1 < … < r_m of
            [ sum_a C_(r_a) + (E-1) sum_j min_a c(r_a,j) ] / (E-1+m)

Mechanism: each truth to its nearest representative, then m-ary randomized response. Proof: the extreme rays
of {x >= 0 : x_j <= E x_k} are 1 + (E-1) 1_A. A private matrix mixes them in each row, so the program becomes
facility location with a linear-fractional objective. In its parametric (Dinkelbach) form, and for a loss that
does not decrease with the distance, the responses within a distance of a truth are an interval: the
constraint matrix has consecutive ones, is totally unimodular, and a set of representatives is optimal.

With the four properties (Variant 2), on a uniform grid R = F of N truths
-------------------------------------------------------------------------
    least = min over t = 1..N of  [ sum_ij l + (E-1) sum_j G_j(t) ] / (N + (E-1) t)

G_j(t) sums the t smallest losses of column j. Proof: privacy against the fair diagonal y keeps each entry at
y/E or above, row monotony at y or below; filling columns nearest first is a lower bound, linear-fractional
between whole t, and `fair_matrix` attains it. Below, all is scaled by a = 1/E: E can be beyond doubles.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from math import exp, expm1
from typing import TYPE_CHECKING, cast

import numpy as np
from flint import arb

from optmech.problem.properties import VARIANT_2
from optmech.theorems.croft_properties import (
    ball_of,
    enclosure,
    epsilon_of,
    losses_of,
    objection_of_form,
    objection_to_distances,
    objection_to_losses,
    responds_with_truths,
    uniform,
)
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from optmech.problem.numbers import Number
    from optmech.problem.objective import ExpectedLoss
    from optmech.problem.problem import Problem
    from optmech.problem.properties import Property

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = [
    "THEOREMS",
    "fair_fill",
    "fair_loss",
    "fair_loss_ball",
    "fair_matrix",
    "least_loss",
    "least_loss_ball",
    "least_loss_matrix",
    "representatives",
    "representatives_loss",
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

    Notes
    -----
    Dinkelbach's iteration: for a guess of the least ratio, the best set by a dynamic programme over its last
    member, O(R^2); its ratio is the next guess, until the guess stays.
    """
    cost = np.asarray(costs, dtype=float)
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    first, between, last = _assignment(cost, np.asarray(truths, float), np.asarray(responses, float))
    totals = cost.sum(axis=1)
    chosen = [int(totals.argmin())]
    guess = representatives_loss(epsilon, cost, chosen)
    while True:
        opened = decay * (totals - guess)
        best, before = stay * first + opened, np.full(len(cost), -1)
        for row in range(1, len(cost)):
            through = best[:row] + stay * between[:row, row] + opened[row]
            place = int(through.argmin())
            if through[place] < best[row]:
                best[row], before[row] = through[place], place
        found = [int((best + stay * last).argmin())]
        while before[found[0]] >= 0:
            found.insert(0, int(before[found[0]]))
        ratio = representatives_loss(epsilon, cost, found)
        if not ratio < guess:
            return chosen
        chosen, guess = found, ratio


def representatives_loss(epsilon: float, costs: ArrayLike, chosen: Sequence[int]) -> float:
    """Return the expected loss of randomized response among the `chosen` responses."""
    cost = np.asarray(costs, dtype=float)[list(chosen)]
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    return float((decay * cost.sum() + stay * cost.min(axis=0).sum()) / (stay + len(chosen) * decay))


def least_loss(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> float:
    """Return the least expected loss, ``sum_rj costs[r,j] matrix[r,j]``; see `representatives`."""
    return representatives_loss(epsilon, costs, representatives(epsilon, costs, truths, responses))


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
    splits = _splits(np.asarray(truths, float), np.asarray(responses, float))
    homes = [int(split) for split in np.diagonal(splits)]
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
                [best[low] + between(low, row, splits[low, row]) for low in range(members - 1, row)]
                for row in range(members, size)
            ]
            cheapest = [reduce(arb.min, ways) + opened[members + row] for row, ways in enumerate(through)]
            best = [arb(0)] * members + cheapest
        return reduce(arb.min, ratios)

    return enclosure(compute, digits)


def fair_fill(epsilon: float, losses: ArrayLike) -> int:
    """Return t: how many entries of each column of the best fair mechanism are as likely as the truth."""
    return int(_fair_ratios(epsilon, losses).argmin()) + 1


def fair_loss(epsilon: float, losses: ArrayLike) -> float:
    """Return the least expected loss with all four properties, summed over truths.

    Parameters
    ----------
    epsilon : float
        Privacy loss between any two truths.
    losses : array_like, shape (N,)
        Loss at distance 0, …, N - 1: not negative, not decreasing.

    Examples
    --------
    >>> fair_fill(1.0, range(5)), round(fair_loss(1.0, range(5)), 12)
    (2, 5.759620992423)
    """
    return float(_fair_ratios(epsilon, losses).min())


def fair_loss_ball(epsilon: Number, losses: Sequence[Number], digits: int) -> arb:
    """Return a ball of at least `digits` digits around `fair_loss`."""
    size = len(losses)

    def compute() -> arb:
        decay = (-ball_of(epsilon)).exp()
        stay, loss = 1 - decay, [ball_of(value) for value in losses]
        sums = [arb(0), *accumulate(loss)]
        filled = list(
            accumulate(
                (size - 2 * pairs) * loss[pairs] + 2 * (sums[place + 1] - sums[place + 1 - pairs])
                for place, pairs in ((place, (place + 1) // 2) for place in range(size))
            )
        )
        ratios = [
            (decay * filled[-1] + stay * filled[place]) / (size * decay + stay * (place + 1))
            for place in range(size)
        ]
        return reduce(arb.min, ratios)

    return enclosure(compute, digits)


def fair_matrix(epsilon: float, losses: ArrayLike) -> Floats:
    """Return a mechanism that attains `fair_loss`: columns filled nearest first, ties split evenly.

    The optimum is often not unique: the matrix printed as Table 2 of Croft et al. is another.
    """
    size, fill = np.size(losses), fair_fill(epsilon, losses)
    distance = np.abs(np.arange(size)[:, None] - np.arange(size))
    edge = np.minimum(np.arange(size), np.arange(size)[::-1])
    nearer = np.where(distance <= edge, np.maximum(2 * distance - 1, 0), distance + edge)
    tied = np.where((distance <= edge) & (distance > 0), 2, 1)
    share = np.clip((fill - nearer) / tied, 0, 1)
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    matrix: Floats = (decay + stay * share) / (size * decay + stay * fill)
    return matrix


def _splits(truths: Floats, responses: Floats) -> Integers:
    """Return how many truths lie up to the middle of each two responses; on the diagonal, up to each one."""
    middles = (responses[:, None] + responses[None, :]) / 2
    return np.searchsorted(truths, middles, side="right")


def _assignment(cost: Floats, truths: Floats, responses: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the cost of the truths below each response, between each two, and above each.

    Summed outwards from each response, in positive terms: a truth that is its own response costs exactly 0.
    """
    splits = _splits(truths, responses)
    above = np.arange(cost.shape[1]) >= np.diagonal(splits)[:, None]
    nothing = np.zeros((len(cost), 1))
    upward = np.hstack([nothing, np.cumsum(np.where(above, cost, 0), axis=1)])
    downward = np.hstack([np.cumsum(np.where(above, 0, cost)[:, ::-1], axis=1)[:, ::-1], nothing])
    between = np.take_along_axis(upward, splits, axis=1) + np.take_along_axis(downward, splits.T, axis=1).T
    return downward[:, 0], between, upward[:, -1]


def _fair_ratios(epsilon: float, losses: ArrayLike) -> Floats:
    """Return the ratio of the second formula for each t = 1..N."""
    loss = np.asarray(losses, dtype=float)
    place, size = np.arange(len(loss)), len(loss)
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    sums = np.concatenate([[0.0], np.cumsum(loss)])
    # Nearest first, a column holds the distances 0, 1, 1, 2, 2, …, and from its edge on each once.
    pairs = (place + 1) // 2
    filled = np.cumsum((size - 2 * pairs) * loss[pairs] + 2 * (sums[place + 1] - sums[place + 1 - pairs]))
    ratios: Floats = (decay * filled[-1] + stay * filled) / (size * decay + stay * (place + 1))
    return ratios


def _costs(problem: Problem) -> tuple[Floats, Floats, Floats]:
    """Return weighted loss, truths and responses of a problem, as `representatives` takes them."""
    objective = cast("ExpectedLoss", problem.objective)
    query = problem.query
    return objective.loss * objective.weights, query.truth_values, query.response_values


def _objection(problem: Problem) -> str | None:
    return _objection_to_neighbours(problem, frozenset()) or objection_to_losses(problem)


def _objection_to_fair(problem: Problem) -> str | None:
    if not responds_with_truths(problem.query) or not uniform(problem.query.truths):
        return "truths and responses are not one uniform grid"
    return _objection_to_neighbours(problem, VARIANT_2) or objection_to_distances(problem)


def _objection_to_neighbours(problem: Problem, properties: frozenset[Property]) -> str | None:
    number = problem.query.num_truths
    if len(problem.query.pairs) != number * (number - 1):
        return "not all pairs are neighbours, both ways"
    return objection_of_form(problem, properties)


THEOREMS = (
    Theorem(
        name="croft-variant-1-extremum",
        source="for Croft et al. 2020, Variant 1, with all pairs adjacent; proof in this module",
        says="Where all pairs are neighbours, randomized response among a few answers has the least loss.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_objection,
        value=lambda problem: least_loss(float(epsilon_of(problem)), *_costs(problem)),
        ball=lambda problem, digits: least_loss_ball(epsilon_of(problem), *_costs(problem), digits),
        matrix=lambda problem: least_loss_matrix(float(epsilon_of(problem)), *_costs(problem)),
    ),
    Theorem(
        name="croft-variant-2-extremum",
        source="for Croft et al. 2020, Variant 2, with all pairs adjacent; proof in this module",
        says="With the four properties, the answers nearest to a truth are best as likely as the truth.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_objection_to_fair,
        value=lambda problem: fair_loss(float(epsilon_of(problem)), losses_of(problem)),
        ball=lambda problem, digits: fair_loss_ball(epsilon_of(problem), losses_of(problem), digits),
        matrix=lambda problem: fair_matrix(float(epsilon_of(problem)), losses_of(problem)),
    ),
)
