"""Proofs without a solver: multipliers from prices of truths, or from charges on entries.

Law: prices u with ``sum_f (c[r,f] - u[f]) x[f] >= 0`` for every row x with ``x[f] <= E x[f+1]`` and back
prove that no mechanism costs less than ``sum u``. The multipliers follow by cancelling along the row, from
both ends to the truth that the response answers best: what truth f lacks is met by the rule ``x[f] <= E
x[f+1]`` and costs E times as much there; what is left over meets ``x[f+1] <= E x[f]`` and is worth 1/E there.
Far from that truth something is always left over, so that rounding shrinks on the way. At the end nothing
must be lacking.

Law: with all pairs adjacent a private row is ``l (1 + (E - 1) z)`` with l > 0 and 0 <= z <= 1, so prices u
prove ``sum u`` if for every response r

    sum_f (c[r,f] - u[f]) + (E - 1) sum_f min(c[r,f] - u[f], 0)  >=  0.

With v = sum u this says: what the truths pay above their costs, ``sum_f max(u[f] - c[r,f], 0)``, is at most
``F[r] = (sum_f c[r,f] - v) / (E - 1)``. For a given v that is the dual of placing facilities with opening
costs F. Where each truth's cheaper responses form an interval, which is so if loss grows with distance, the
constraints of covering are intervals; taken by their right ends and raised as far as possible one after the
other, their duals are optimal, and ``sum u = v`` for the least loss v.

The multipliers then move what a row has to spare to where it lacks something, each unit for E, in any order:
every two truths are neighbours.

With the four properties on one grid of truths and responses (Variant 2) the diagonal is one quantity y, and
entries lie between y/E and y. Prices u cancel each entry: what (r,f) has to spare, p = c[r,f] - u[f] > 0,
goes by ``M[r,r] <= E M[r,f]`` to the diagonal, where it is worth p/E; what it lacks is taken from there by
``M[r,f] <= M[r,r]``. The diagonal must not lack anything in all, which the greatest prices use up: a
truth's price lies between its t-th and next cost, for one t, and how far between follows from one linear
equation.

Law: on any graph let every truth but c have one first step of a shortest way to c. Multipliers ``v
a^d(f,c)`` of the rules ``M[r,f] <= E M[r,g] + excess`` of the steps (f, g) on the way of truth r to c, a =
1/E, add up to

    v (a^d(r,c) M[r,r] - M[r,c]) <= excess,

as all between cancels. So a charge v at (r, c) is taken off that entry and laid on the diagonal, at a^d(r,c)
times its size. Where excesses have budgets, a step to c bears the charges of all responses whose ways lead
through it; one budget pays for all.

Source: Hoffman, Kolen, Sakarovitch 1985, totally balanced and greedy matrices, for the greedy rule.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from math import ceil, floor, log2
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import rule_of, weights_of_truths, whole_multipliers
from optmech.proofs.multipliers import BITS, Leaf, Rule
from optmech.question.costs import exact_weights
from optmech.question.homes import errors_of_entries
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from scipy import sparse

    from optmech.base.arrays import Floats
    from optmech.question.losses import ExpectedLoss, WorstLoss
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.theorems.theorem import LossPrices


def leaf_of_prices(costs: Floats, prices: Floats, factor: float) -> Leaf:
    """Return the multipliers that cancel ``costs - prices`` along each row, truths being one step apart."""
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
    subscripts = np.column_stack([row, np.where(lacking, truth, beside), np.where(lacking, beside, truth)])
    return Leaf(rules={"privacy": Rule(places=subscripts, weights=whole[row, truth])})


def leaf_without_bias(problem: Problem, factor: Fraction) -> Leaf:
    """Return the multipliers of `theorems.unbiased_counts`, of each truth by itself, times its weight."""
    objective: ExpectedLoss | WorstLoss = problem.objective  # type: ignore[assignment]
    query, at_worst = problem.query, Shape.of(problem).worst_loss is not None
    number, last = query.num_truths, query.num_truths - 2
    # The bound is the same at each truth, so that the first one stands for a worst truth.
    one_truth = [Fraction(truth == 0) for truth in range(number)]
    weights = one_truth if at_worst else exact_weights(objective, query).tolist()
    errors, scale = errors_of_entries(query)
    unit = 1 << BITS + ceil(2 * log2(factor) - log2(min(filter(None, weights))))
    share = Fraction(unit) / (factor**2 - 1)
    rising, falling = np.zeros((2, query.num_responses, number - 1), dtype=object)
    means = np.zeros(number, dtype=object)
    for truth, weight in enumerate(weights):
        way, near_step = (1, truth) if truth <= last else (-1, last)
        towards, away = np.maximum(way * errors[:, truth], 0), np.maximum(-way * errors[:, truth], 0)
        near, far = (rising, falling) if way > 0 else (falling, rising)
        near[:, near_step] += towards * floor(2 * factor * share * weight / scale)
        far[:, near_step] += away * floor(2 * share * weight / scale)
        means[truth] -= way * floor((factor**2 + 1) * share * weight)
        means[truth + way] += way * floor(2 * factor * share * weight)
    places, whole = [], []
    for table, ends in ((rising, (1, 0)), (falling, (0, 1))):
        row, low = np.nonzero(table)
        places.append(np.column_stack([row, *(low + end for end in ends)]))
        whole.append(table[row, low])
    rule = rule_of(np.concatenate(places), np.concatenate(whole))
    worst = np.array([int(unit * weight) for weight in weights], dtype=object) if at_worst else None
    return Leaf(rules={"privacy": rule}, means=means, worst=worst, denominator=unit)


def prices_for_all_pairs(costs: Floats, least: float, factor: float) -> Floats | None:
    """Return prices that sum to the least loss, ``None`` where cheaper responses are no interval."""
    rest = np.maximum(costs.sum(axis=1) - least, 0.0) / (factor - 1)
    order = np.argsort(costs, axis=0, kind="stable")
    steps = np.take_along_axis(costs, order, axis=0)
    first, last = np.minimum.accumulate(order), np.maximum.accumulate(order)
    rise = np.diff(steps, axis=0, append=np.inf)
    sets = rise > 0
    number = np.arange(1, len(costs) + 1)[:, None]
    if (last - first + 1 != number)[sets].any():
        return None
    prices: Floats = costs.min(axis=0)
    level, truth = np.nonzero(sets)
    by_end = np.argsort(last[level, truth], kind="stable")
    for k, f in zip(level[by_end].tolist(), truth[by_end].tolist(), strict=True):
        within = rest[first[k, f] : last[k, f] + 1]
        payment = min(float(rise[k, f]), float(within.min()))
        if payment > 0:
            prices[f] += payment
            within -= payment
    return prices


def leaf_for_all_pairs(costs: Floats, prices: Floats, factor: float) -> Leaf:
    """Return multipliers that prove about as much as the prices say, where all truths are neighbours."""
    subscripts, weights = [], []
    for row, reduced_costs in enumerate(costs - prices):
        takers, givers = np.flatnonzero(reduced_costs < 0), np.flatnonzero(reduced_costs > 0)
        if not len(takers) or not len(givers):
            continue
        demand, supply = np.cumsum(-factor * reduced_costs[takers]), np.cumsum(reduced_costs[givers])
        ends = np.unique(np.concatenate([demand, supply]))
        ends = ends[ends <= min(demand[-1], supply[-1])]
        taker = takers[np.searchsorted(demand, ends)]
        giver = givers[np.searchsorted(supply, ends)]
        subscripts.append(np.column_stack([np.full(len(ends), row), taker, giver]))
        weights.append(np.diff(ends, prepend=0.0) / factor)
    if not subscripts:
        return Leaf()
    rule = rule_of(np.concatenate(subscripts), whole_multipliers(np.concatenate(weights)))
    return Leaf(rules={"privacy": rule})


def fair_leaf_for_all_pairs(costs: Floats, factor: float) -> Leaf:
    """Return multipliers that prove the least loss with the four properties, truths being their responses."""
    size = len(costs)
    steps = np.sort(costs, axis=0)
    steps = np.concatenate([steps, steps[-1:] + 1.0])

    def diagonal(prices: Floats) -> float:
        reduced_costs = costs - prices
        own = np.trace(reduced_costs)
        np.fill_diagonal(reduced_costs, 0.0)
        return float(
            own + np.maximum(reduced_costs, 0.0).sum() / factor + np.minimum(reduced_costs, 0.0).sum()
        )

    fill = bisect_left(range(size), 0.0, key=lambda subscripts: -diagonal(steps[subscripts + 1]))
    low, high = diagonal(steps[fill]), diagonal(steps[min(fill + 1, size)])
    along = float(np.clip(low / (low - high), 0.0, 1.0)) if low > high else 0.0
    prices = steps[fill] + along * (steps[min(fill + 1, size)] - steps[fill])
    reduced_costs = costs - prices
    np.fill_diagonal(reduced_costs, 0.0)
    spare, lack = np.nonzero(reduced_costs > 0), np.nonzero(reduced_costs < 0)
    rules = {
        "privacy": rule_of(
            np.column_stack([spare[0], *spare]), whole_multipliers(reduced_costs[spare] / factor)
        ),
        "order": rule_of(np.column_stack([*lack, lack[0], lack[0]]), whole_multipliers(-reduced_costs[lack])),
    }
    totals = whole_multipliers(prices)
    return Leaf(rules=rules, totals=totals, means=0 * totals)


def leaf_of_charges(problem: Problem, prices: LossPrices) -> Leaf:
    """Return the multipliers that prices of a theorem amount to."""
    budgets, is_delta = problem.privacy.has_delta, problem.least_loss is None
    rules = rules_of_charges(problem.query, prices.charges, float(problem.privacy.epsilon), budgets=budgets)
    if is_delta:
        rules = _worth_one(rules)
    prior = None if prices.prior is None else weights_of_truths(prices.prior)
    if not is_delta:
        return Leaf(rules=rules, worst=prior)
    bounds = whole_multipliers(
        prices.bound_multiplier * (np.ones(1) if prices.prior is None else prices.prior)
    )
    return Leaf(rules=rules, bounds=(bounds,))


def _worth_one(rules: dict[str, Rule]) -> dict[str, Rule]:
    """Return multipliers scaled down to what delta is worth, which is one in all."""
    total = max(int(rules["budget"].weights.sum()), 1 << BITS)
    return {
        name: Rule(places=rule.places, weights=(rule.weights << BITS) // total)
        for name, rule in rules.items()
    }


def rules_of_charges(query: Query, charges: Floats, epsilon: float, *, budgets: bool) -> dict[str, Rule]:
    """Return the multipliers of privacy, and of `budgets` of neighbours, that move charges to the diagonal.

    A charge is what is to be taken off an entry, not negative; of the diagonal nothing is. The query has one
    response for each truth.
    """
    flows = _flows(query, charges, epsilon)
    weights = whole_multipliers(flows.data)
    ratios = Rule(places=np.column_stack([flows.row, query.pairs[flows.col]]), weights=weights)
    if not budgets:
        return {"privacy": ratios}
    largest = np.zeros(len(query.pairs), dtype=object)
    np.maximum.at(largest, flows.col, weights)
    payments = np.flatnonzero(largest)
    return {"privacy": ratios, "budget": Rule(places=query.pairs[payments], weights=largest[payments])}


def _flows(query: Query, charges: Floats, epsilon: float) -> sparse.coo_array:
    """Return the multiplier of each response and each pair of neighbours."""
    from scipy import sparse  # noqa: PLC0415 - most of a second, which no other design should wait for
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - as above

    size, pairs = query.num_truths, query.pairs
    backwards = sparse.csr_array((np.ones(len(pairs)), (pairs[:, 1], pairs[:, 0])), shape=(size, size))
    distance, after = shortest_path(backwards, unweighted=True, return_predecessors=True)
    codes = pairs[:, 0] * size + pairs[:, 1]  # sorted, as the pairs are
    total = sparse.csr_array((size, len(pairs)))
    row, target = np.nonzero((charges > 0) & np.isfinite(distance.T) & ~np.eye(size, dtype=bool))
    subscripts = row
    while len(row):
        beside = after[target, subscripts]
        flow = charges[row, target] * np.exp(-epsilon * distance[target, subscripts])
        step = np.searchsorted(codes, subscripts * size + beside)
        total += sparse.csr_array((flow, (row, step)), shape=total.shape)
        going = beside != target
        row, target, subscripts = row[going], target[going], beside[going]
    return total.tocoo()
