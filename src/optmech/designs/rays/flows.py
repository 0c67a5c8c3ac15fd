"""Multipliers that prove a bound, from prices and the cheapest ray of each response.

Law: for prices u, what is left of a row's costs, ``g[f] = c[r,f] - u[f]``, must be shown to be worth nothing
less than nothing on every private row x. A rule ``x[f] <= E x[h]`` with multiplier y adds y at f and takes
``E y`` at h: what h has to spare is worth 1/E of it at f. On the cheapest ray x*, by complementary slackness,
only rules with ``x*[f] = E x*[h]`` are needed, and in units of ``g x*`` nothing is lost on the way: it is a
flow up the levels of the ray in a small network. The lack that remains at a truth lowers the bound by as
much.

Where neighbours lie within a reach `staircase_flow` finds it, nearly always. Elsewhere a linear program does;
of its values only the shares are used, who gives which part to whom. Amounts are then passed up level by
level, each truth giving all it has, so that on low levels, where a ray's entries are tiny, they are right to
a double's relative precision.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.base.time_left import time_is_up
from optmech.designs.duals import rule_of, weights_of_truths, whole_multipliers
from optmech.designs.price_proofs import leaf_for_all_pairs
from optmech.designs.rays.staircase_flow import staircase_flow
from optmech.models.linear_model import unnamed_program
from optmech.proofs.multipliers import Leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.designs.rays.private_rows import PrivateRows
    from optmech.designs.rays.search import RayAnswer
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution

# A lack of less than this share of a row's costs is not worth a linear program.
_ENOUGH = 1e-12
# Programs are solved in units so much smaller than a usual cost, next to a solver's absolute tolerance.
_MAGNIFICATION = 1024.0
# Scales of e^-30 and less are all one to a solver.
_MOST_SCALED = 30.0
# So much dearer than another a lack is at most.
_DEAREST = 1e3


class _Network(NamedTuple):
    """Arcs of one row: an amount that `giver` spends is worth 1/`times` of it to `taker`."""

    giver: Integers
    taker: Integers
    times: Floats
    sequence: list[int]


class _Row(NamedTuple):
    """One row of multipliers: ``x[taker] <= times x[giver]``."""

    network: _Network
    weights: Floats
    lack: float


def leaves_of_rays(answer: RayAnswer, solve: Callable[[LinearModel], Solution]) -> Iterator[Leaf]:
    """Yield multipliers that prove about as much as the prices say; `solve` solves small linear programs."""
    rows, prices, levels = answer.rows, answer.prices, answer.levels
    weights: dict[str, list[Floats]] = {"privacy": [], "order": []}
    subscripts: dict[str, list[Integers]] = {"privacy": [], "order": []}
    complete = rows.reach == len(prices) - 1 and rows.order is None
    leaf = Leaf()
    if complete:
        leaf = leaf_for_all_pairs(rows.costs * rows.unit, prices, float(np.exp(rows.epsilon)))
    costs = rows.costs * rows.unit - prices
    for response in range(0 if complete else rows.num_priced):
        if time_is_up():  # the multipliers of some rows alone prove nothing
            return
        found_row = flow_of_row(rows, response, costs[response], levels[response], solve)
        network, mask = found_row.network, found_row.weights > 0
        for steep, name in ((True, "privacy"), (False, "order")):
            mask_of_kind = mask & ((network.times > 1) == steep)
            taker, giver = network.taker[mask_of_kind], network.giver[mask_of_kind]
            for row, f, g in rows.stated_as(response, taker, giver, steep=steep):
                subscripts[name].append(np.column_stack([row, f, g] if steep else [row, f, row, g]))
                weights[name].append(found_row.weights[mask_of_kind])
    if rows.coupling is not None:
        order_pairs, order_weights = rows.coupling.orders(answer.ties, -answer.duals)
        subscripts["order"].append(order_pairs)
        weights["order"].append(order_weights)
    rules = dict(leaf.rules)
    for name, parts in subscripts.items():
        if parts:
            rule = rule_of(np.concatenate(parts), whole_multipliers(np.concatenate(weights[name])))
            rules |= {name: rule} if len(rule.weights) else {}
    worst = None if answer.prior is None else weights_of_truths(answer.prior)
    yield Leaf(rules=rules, worst=worst)
    if rows.symmetric or rows.coupling is not None:  # where entries are equal, the best are not read off
        totals = whole_multipliers(prices)
        yield Leaf(rules=rules, totals=totals, means=0 * totals)


def flow_of_row(
    rows: PrivateRows,
    response: int,
    costs: Floats,
    levels: Integers,
    solve: Callable[[LinearModel], Solution],
) -> _Row:
    """Return the multipliers of one response, given what prices leave of its costs."""
    top = np.flatnonzero(levels == levels.max())
    peak = int(top[np.abs(top - rows.home[response]).argmin()])
    if rows.order is None:
        factor = float(np.exp(rows.epsilon))
        taker, giver, weights, lack = staircase_flow(costs, levels, rows.reach, factor, peak)
        if lack <= _ENOUGH * np.abs(costs).max():
            return _Row(_Network(giver, taker, np.full(len(giver), factor), []), weights, lack)
    network = _network(rows, response, levels)
    nearest = _to_the_nearest(network, peak)
    row = _pass_up(costs, network, nearest)
    if row.lack <= _ENOUGH * np.abs(costs).max():
        return row
    scale = np.exp(np.maximum(0.5 * rows.epsilon * (levels - levels.max()), -_MOST_SCALED))
    plan = _plan(costs * (_MAGNIFICATION / rows.unit), scale, network, solve)
    if plan is None:
        return row
    better = _pass_up(costs, network, _shares(network, plan, nearest))
    return better if better.lack < row.lack else row


def _network(rows: PrivateRows, response: int, levels: Integers) -> _Network:
    """Return the rules that the ray keeps with equality, and the truths from the lowest level upwards."""
    tight = levels[rows.pairs[:, 0]] == levels[rows.pairs[:, 1]] + 1
    taker, giver = rows.pairs[tight].T
    times = np.full(len(taker), np.exp(rows.epsilon))
    if rows.order is not None:
        rising = np.arange(rows.order[0][response])
        falling = np.arange(rows.order[1][response], len(levels) - 1)
        small, large = np.concatenate([rising, falling + 1]), np.concatenate([rising + 1, falling])
        equal = levels[small] == levels[large]
        taker, giver = np.concatenate([taker, small[equal]]), np.concatenate([giver, large[equal]])
        times = np.concatenate([times, np.ones(int(equal.sum()))])
    by_giver = np.argsort(giver, kind="stable")
    sequence = np.argsort(levels, kind="stable").tolist()
    return _Network(giver[by_giver], taker[by_giver], times[by_giver], sequence)


def _to_the_nearest(network: _Network, peak: int) -> Floats:
    """Return shares by which each truth gives all it has to the truth one level up nearest to the peak."""
    shares = np.zeros(len(network.giver))
    steep = np.flatnonzero(network.times > 1)
    order = np.lexsort((np.abs(network.taker[steep] - peak), network.giver[steep]))
    _, first = np.unique(network.giver[steep][order], return_index=True)
    shares[steep[order[first]]] = 1.0
    return shares


def _pass_up(costs: Floats, network: _Network, shares: Floats) -> _Row:
    """Return multipliers by which each truth gives all it has, and what then is lacking anywhere."""
    weights = np.zeros(len(shares))
    rest = costs.copy()
    start = np.searchsorted(network.giver, np.arange(len(costs) + 1))
    parts = shares / network.times
    for truth in _givers_first(network, shares):
        if rest[truth] <= 0:
            continue
        rules = slice(start[truth], start[truth + 1])
        if shares[rules].any():
            amounts = rest[truth] * parts[rules]
            weights[rules] = amounts
            np.add.at(rest, network.taker[rules], amounts)
            rest[truth] -= rest[truth] * shares[rules].sum()
    return _Row(network, weights, float(-np.minimum(rest, 0.0).sum()))


def _givers_first(network: _Network, shares: Floats) -> list[int]:
    """Return the truths in an order in which none gives before it has all that is given to it."""
    mask = shares > 0
    if (network.times[mask] > 1).all():
        return network.sequence
    givers: dict[int, set[int]] = {truth: set() for truth in network.sequence}
    for giver, taker in zip(network.giver[mask].tolist(), network.taker[mask].tolist(), strict=True):
        givers[taker].add(giver)
    try:
        return list(TopologicalSorter(givers).static_order())
    except CycleError:  # equal truths give to each other: what goes round proves nothing
        return network.sequence


def _plan(
    costs: Floats, scale: Floats, network: _Network, solve: Callable[[LinearModel], Solution]
) -> Floats | None:
    """Return the amount that each truth spends on each rule, so that the total lack is least.

    Model
    -----
        min   sum_f lack[f]
        s.t.  sum of times * weight where f gives - sum of weight where f takes - lack[f] <= costs[f]
              weight, lack >= 0

    Rows are scaled by the square root of the ray's entries, and weights and lacks by its inverse: what a far
    truth can give is worth as little at home as its entry, and a solver's tolerances of either kind, on rows
    and on reduced costs, then each cut off the root of it only.
    """
    number, truths = len(network.giver), len(costs)
    edges, every = np.arange(number), np.arange(truths)
    out = network.times * scale[network.giver] / scale[network.taker]
    into = np.ones(number)
    net = sparse.csr_array(
        (
            np.concatenate([out, -into, np.full(truths, -1.0)]),
            (
                np.concatenate([network.giver, network.taker, every]),
                np.concatenate([edges, edges, number + every]),
            ),
        ),
        shape=(truths, number + truths),
    )
    solution = solve(
        unnamed_program(
            "flow",
            np.concatenate([np.zeros(number), np.minimum(1 / scale, _DEAREST)]),
            net,
            rows=(-np.inf, costs * scale),
        )
    )
    return None if solution.values is None else out * solution.values[:number]


def _shares(network: _Network, plan: Floats, otherwise: Floats) -> Floats:
    """Return the shares that each truth gives to others; without a plan a truth gives as `otherwise`."""
    size = int(network.giver.max(initial=0)) + 1
    plan = np.maximum(plan, 0.0)
    total = np.bincount(network.giver, plan, minlength=size)[network.giver]
    shares = np.divide(plan, total, out=np.zeros_like(plan), where=total > 0)
    return np.where(total > 0, shares, otherwise)
