"""The flows of most truths as chains, which a file need not list; see `proofs.chains`.

Far from a row's peak the levels of its cheapest ray rise by one every k truths, and each truth gives all that
it has to the one k steps nearer to the peak. Only from the last level but one on, and where levels rise more
slowly or a truth lacks something, do flows divide: there they are those of `staircase_flow`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.time_left import time_is_up
from optmech.designs.duals import rule_of, weights_of_truths
from optmech.designs.rays.flows import flow_of_row
from optmech.designs.rays.staircase_flow import staircase_flow
from optmech.designs.repair.rounding import as_integers
from optmech.proofs.bound import what_is_left
from optmech.proofs.multipliers import BITS, Leaf
from optmech.proofs.reduced_costs import reduced_costs

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Marks, Whole
    from optmech.designs.rays.search import RayAnswer
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

# Multipliers have so many bits behind the point: a thousand truths lose some 1e-15 each by rounding.
_BITS = 56
ENCLOSURE_BITS = 96
"""Sums are settled with a factor that is no nearer to e^epsilon than this, and hold with one that is."""
# A lack of less than this share of a row's costs is rounding.
_ENOUGH = 1e-12


def chained_leaf(answer: RayAnswer, solve: Callable[[LinearModel], Solution]) -> Leaf | None:
    """Return multipliers of which most are chains, ``None`` where the question has no chains, or time is up.

    `solve` solves small linear programs, for rows without them.
    """
    rows, truths = answer.rows, len(answer.prices)
    if not rows.has_plain_rows or rows.reach >= truths - 1:
        return None
    number = rows.num_priced
    costs, levels = (rows.costs * rows.unit - answer.prices)[:number], answer.levels[:number]
    left = costs.copy()
    factor = float(np.exp(rows.epsilon))
    first = _hand_on(left, levels, rows.reach, factor)
    last = truths - 1 - _hand_on(left[:, ::-1], levels[:, ::-1], rows.reach, factor)
    places, weights = [], []
    for row in range(number):
        if time_is_up():
            return None
        begin, end = int(first[row]), int(last[row]) + 1
        top = np.flatnonzero(levels[row] == levels[row].max())
        peak = int(top[np.abs(top - rows.home[row]).argmin()]) - begin
        inner = left[row, begin:end], levels[row, begin:end]
        taker, giver, own, lack = staircase_flow(*inner, rows.reach, factor, peak)
        taker, giver = taker + begin, giver + begin
        if lack > _ENOUGH * np.abs(costs[row]).max():
            network, own, _ = flow_of_row(rows, row, costs[row], levels[row], solve)
            taker, giver, first[row], last[row] = network.taker, network.giver, 0, truths - 1
        for r, f, g in rows.stated_as(row, taker, giver, steep=True):
            places.append(np.column_stack([r, f, g]))
            weights.append(own)
    if rows.mirrored:
        others = len(rows.costs) - number
        first, last = (
            np.concatenate([first, truths - 1 - last[:others][::-1]]),
            np.concatenate([last, truths - 1 - first[:others][::-1]]),
        )
    bits = _BITS if answer.prior is None else BITS
    whole = as_integers(np.floor(np.concatenate(weights) * 2.0**bits))
    totals = as_integers(np.floor(answer.prices * 2.0**bits))
    return Leaf(
        rules={"privacy": rule_of(np.concatenate(places), whole)},
        totals=totals,
        means=0 * totals,
        chains=(first, last),
        worst=None if answer.prior is None else weights_of_truths(answer.prior),
        denominator=1 << bits,
    )


def settled(rules: Rules, leaf: Leaf, factor: Enclosure) -> Leaf:
    """Return a leaf with chains whose sums leave no reduced cost negative.

    Where a sum is lower all reduced costs of its column are higher, and the others no lower for it.
    """
    leaf, costs = reduced_costs(rules, leaf, {}, factor)
    assert leaf.totals is not None  # noqa: S101 - a leaf with chains has them
    lacks: Whole = 0 * leaf.totals
    for rest in what_is_left(costs, leaf.totals * costs.unit):
        lacks = np.minimum(lacks, rest.min(axis=0))
    return replace(leaf, totals=leaf.totals + lacks // costs.unit)


def _hand_on(left: Floats, levels: Integers, reach: int, factor: float) -> Integers:
    """Let truths give all they have, from the first on; return before which truth of each row that ends."""
    truths = left.shape[1]
    first = _slopes(levels, reach)
    for truth in range(truths - reach):
        rows = np.flatnonzero(first > truth)
        if not len(rows):
            break
        lacks = left[rows, truth] < 0
        first[rows[lacks]] = truth
        rows = rows[~lacks]
        left[rows, truth + reach] += left[rows, truth] / factor
        left[rows, truth] = 0.0
    return first


def _slopes(levels: Integers, reach: int) -> Integers:
    """Return how many truths at the beginning have a truth one level up `reach` steps on, below the top."""
    rises: Marks = levels[:, reach:] == levels[:, :-reach] + 1
    rises &= levels[:, :-reach] <= levels.max(axis=1, keepdims=True) - 2
    ends = np.column_stack([~rises, np.ones(len(levels), dtype=bool)])
    slopes: Integers = ends.argmax(axis=1)
    return slopes
