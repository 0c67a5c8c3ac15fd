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

Below, all is scaled by a = 1/E: E can be beyond doubles. For a guess g of the least ratio the best set is a
shortest path over the responses, from low to high, whose steps cost

    stay * between(low, high) + a (C_high - g)      stay = 1 - a

where `between` is what the truths between two representatives cost. For a loss that does not decrease with
the distance it has the Monge property: for p < q <= r < s, each truth between q and r finds

    min(c_p, c_r) + min(c_q, c_s) <= min(c_p, c_s) + min(c_q, c_r),

and the others compare alike. So the best predecessor does not move back as the response moves on. The guess
falls to the ratio of the path found until none is less: Dinkelbach's iteration.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from math import exp, expm1
from typing import TYPE_CHECKING, cast

import numpy as np
from flint import arb

from optmech.theorems import croft_question as ask
from optmech.theorems.powers import enclosure
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem

    Integers = NDArray[np.intp]


def representatives(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> list[int]:
    """Return the responses that the best mechanism gives, by position.

    `costs`, shape (num_responses, num_truths), are loss times weight, and for no truth decrease with the
    distance of the response. `truths` and `responses` say where they lie, increasing.
    """
    return _best_set(epsilon, costs, truths, responses)[0]


def least_loss(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> float:
    """Return the least expected loss, ``sum_rj costs[r,j] matrix[r,j]``; see `representatives`."""
    return _best_set(epsilon, costs, truths, responses)[1]


def least_loss_matrix(epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike) -> Floats:
    """Return the mechanism that attains `least_loss`; responses that represent nothing have zero rows."""
    cost = np.asarray(costs, dtype=float)
    rows = representatives(epsilon, cost, truths, responses)
    decay = exp(-epsilon)
    keep = 1 / (-expm1(-epsilon) + len(rows) * decay)
    matrix = np.zeros(cost.shape)
    matrix[rows] = decay * keep
    matrix[np.array(rows)[cost[rows].argmin(axis=0)], np.arange(cost.shape[1])] = keep
    return matrix


def least_loss_ball(
    epsilon: Number, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike, digits: int
) -> arb:
    """Return a ball of at least `digits` digits around `least_loss`, by a programme over (last, number)."""
    table = np.asarray(costs, dtype=float).tolist()
    places = np.asarray(responses, float)
    middles = _splits(np.asarray(truths, float), places[:, None], places[None, :])
    homes = [int(middle) for middle in np.diagonal(middles)]
    size, number = len(homes), len(table[0])

    def compute() -> arb:
        decay = (-ask.ball_of(epsilon)).exp()
        stay = 1 - decay
        cost = [[ask.ball_of(value) for value in row] for row in table]
        sums = [[arb(0), *accumulate(row)] for row in cost]
        opening = [decay * row[number] for row in sums]

        def part(row: int, start: int, stop: int) -> arb:
            return stay * (sums[row][stop] - sums[row][start])

        def between(low: int, high: int, border: int) -> arb:
            return part(low, homes[low], border) + part(high, border, homes[high])

        best = [part(row, 0, homes[row]) + opening[row] for row in range(size)]
        ratios = []
        for members in range(1, size + 1):
            ends = [best[row] + part(row, homes[row], number) for row in range(members - 1, size)]
            ratios.append(reduce(arb.min, ends) / (stay + members * decay))
            through = [
                [best[low] + between(low, row, middles[low, row]) for low in range(members - 1, row)]
                for row in range(members, size)
            ]
            cheapest = [reduce(arb.min, ways) + opening[members + row] for row, ways in enumerate(through)]
            best = [arb(0)] * members + cheapest
        return reduce(arb.min, ratios)

    return enclosure(compute, digits)


def _best_set(
    epsilon: float, costs: ArrayLike, truths: ArrayLike, responses: ArrayLike
) -> tuple[list[int], float]:
    """Return the best representatives, by position, and their loss."""
    cost = np.asarray(costs, dtype=float)
    decay, stay, places = exp(-epsilon), -expm1(-epsilon), np.arange(len(cost))
    sums = _Sums(cost, np.asarray(truths, dtype=float), np.asarray(responses, dtype=float))

    def ratio(rows: Integers) -> float:
        near = sums.below[rows[0]] + sums.between(rows[:-1], rows[1:]).sum() + sums.above[rows[-1]]
        return float((decay * sums.totals[rows].sum() + stay * near) / (stay + len(rows) * decay))

    # Evenly spread sets of 2, 4, 8, ... responses are a start that is seldom far off.
    strides = [len(cost) >> power for power in range(1, len(cost).bit_length() - 1)]
    starts = [np.array([sums.totals.argmin()]), *(places[stride // 2 :: stride] for stride in strides)]
    best = min(starts, key=ratio)
    guess = ratio(best)
    while (value := ratio(path := _shortest(sums, stay, decay * (sums.totals - guess)))) < guess:
        best, guess = path, value
    return best.tolist(), guess


class _Sums:
    """Costs of truths at their nearest representatives.

    Every sum runs outwards from a representative, in positive terms: nothing cancels, and a truth that is its
    own representative costs exactly 0. `below` and `above` are the costs of the truths up to and beyond each
    response, `totals` of all.
    """

    def __init__(self, cost: Floats, truths: Floats, responses: Floats) -> None:
        table = np.zeros((len(cost), len(truths) + 1))
        for sums, row, home in zip(table, cost, _splits(truths, responses, responses), strict=True):
            np.add.accumulate(row[home:], out=sums[home + 1 :])
            np.add.accumulate(row[:home][::-1], out=sums[:home][::-1])
        self._table, self._truths, self._responses = table, truths, responses
        self.below, self.above = table[:, 0], table[:, -1]
        self.totals = self.below + self.above

    def between(self, low: Integers, high: Integers | int) -> Floats:
        """Return the cost of the truths beyond `low` and up to `high`, if these are next to each other."""
        borders = _splits(self._truths, self._responses[low], self._responses[high])
        costs: Floats = self._table[low, borders] + self._table[high, borders]
        return costs


def _splits(truths: Floats, low: Floats, high: Floats) -> Integers:
    """Return the number of truths up to the middle of each two responses."""
    return np.searchsorted(truths, (low + high) / 2, side="right")


def _shortest(sums: _Sums, stay: float, opening: Floats) -> Integers:
    """Return the shortest path."""
    best, before, places = stay * sums.below + opening, [-1] * len(opening), np.arange(len(opening))
    first = 0
    for row in range(1, len(opening)):
        ways = best[first:row] + stay * sums.between(places[first:row], row)
        first += int(ways.argmin())
        way = ways.min() + opening[row]
        if way < best[row]:
            best[row], before[row] = way, first
    path = [int((best + stay * sums.above).argmin())]
    while before[path[-1]] >= 0:
        path.append(before[path[-1]])
    return np.array(path[::-1])


def _costs(problem: Problem) -> tuple[Floats, Floats, Floats]:
    """Return weighted loss, truths and responses from the first truth on, as `representatives` takes them."""
    objective, query = cast("ExpectedLoss", problem.objective), problem.query
    origin = query.truths[0]  # numbers beyond 2^53 are told apart by their distance from it
    # The middle of a point needs no arithmetic with fractions.
    places = [float((low if low == high else (low + high) / 2) - origin) for low, high in query.responses]
    truths = [float(truth - origin) for truth in query.truths]
    return objective.loss * objective.weights, np.array(truths), np.array(places)


THEOREMS = (
    proved_optimum(
        name="croft-variant-1-extremum",
        source="for Croft et al. 2020, Variant 1, with all pairs adjacent; proof in extremum_least",
        says="Where all pairs are neighbours, randomized response among a few answers has the least loss.",
        conditions=(
            ask.all_pairs,
            lambda problem: ask.objection_of_form(problem, frozenset()),
            ask.objection_to_losses,
        ),
        form=Form.at(least_loss, least_loss_ball, _costs),
        matrix=lambda problem: least_loss_matrix(float(problem.privacy.epsilon), *_costs(problem)),
        most_truths_in_balls=40,  # each truth costs a sum over all pairs of answers
    ),
)
