"""Convert multipliers of orders to one for each step that a property states, and back.

A proof may use an order over several steps, such as that an entry is at most the one three responses nearer
to the truth. The same multiplier on each step between the two is equivalent. A monotone column or row is
honest, so honesty needs no multipliers beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.multipliers import Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole
    from optmech.base.blocks import Order
    from optmech.rules import Rules

# Orders of steps from entry to entry: along a row or a column, and their direction.
_STEPS = {
    "column-rising": (False, 1),
    "column-falling": (False, -1),
    "row-rising": (True, 1),
    "row-falling": (True, -1),
}
_IMPLIED = {"column_honest": "column_rising", "row_honest": "row_rising"}


def stated_orders(rules: Rules) -> dict[str, Order]:
    """Return the orders with multipliers, by their names in a certificate."""
    names = {order.name for order in rules.orders}
    return {
        order.name.replace("_", "-"): order for order in rules.orders if _IMPLIED.get(order.name) not in names
    }


def multipliers_of_orders(rules: Rules, multipliers: Rule) -> dict[str, Whole]:
    """Return the multipliers of each order, from multipliers of pairs: entry (r, f) at most entry (s, g).

    ValueError: a pair follows from no steps of the question.
    """
    named = stated_orders(rules)
    sums = {name: np.zeros(len(order.low), dtype=object) for name, order in named.items()}
    rest = multipliers.weights != 0
    if not rest.any():
        return sums
    for name, order in named.items():
        if name not in _STEPS and rest.any():
            rest &= ~_add_stated(sums[name], order, multipliers, rest, rules.shape)
    for name, (along_row, way) in _STEPS.items():
        r, f, s, g = multipliers.places.T
        mask = rest & ((r == s) if along_row else (f == g))
        mask &= np.sign(g - f if along_row else s - r) == way
        if not mask.any():
            continue
        steps = _steps(multipliers, mask, rules.shape, along_row=along_row)
        if name in named:
            low = np.divmod(named[name].low, rules.shape[1])
            sums[name] += steps[low]
            steps[low] = 0
        if steps.any():
            break
        rest &= ~mask
    r, f, s, g = multipliers.places[rest].T
    if ((r != s) | (f != g)).any():
        message = "a multiplier of an order follows from no steps of the question"
        raise ValueError(message)
    return sums


def _add_stated(
    sums: Whole, order: Order, multipliers: Rule, rest: Integers, shape: tuple[int, int]
) -> Integers:
    """Add the multipliers of comparisons that an order states, and return the mask of these."""
    size, truths = shape[0] * shape[1], shape[1]
    r, f, s, g = multipliers.places.T
    keys, own = (r * truths + f) * size + s * truths + g, order.low * size + order.high
    by_key = np.argsort(own)
    at = np.minimum(np.searchsorted(own[by_key], keys), len(own) - 1)
    if not len(own):
        return np.zeros(len(keys), dtype=bool)
    mask: Integers = rest & (own[by_key][at] == keys)
    np.add.at(sums, by_key[at[mask]], multipliers.weights[mask])
    return mask


def _steps(multipliers: Rule, mask: Integers, shape: tuple[int, int], *, along_row: bool) -> Whole:
    """Return the multiplier of the step from each entry, for comparisons of one direction."""
    table = np.zeros((shape[0] + 1, shape[1] + 1), dtype=object)
    indices, weights = multipliers.places[mask], multipliers.weights[mask]
    start, end = indices[:, :2].copy(), indices[:, 2:].copy()
    axis = int(along_row)
    down = start[:, axis] > end[:, axis]
    start[down], end[down] = end[down], start[down].copy()
    start[down, axis] += 1
    end[down, axis] += 1
    np.add.at(table, tuple(start.T), weights)
    np.subtract.at(table, tuple(end.T), weights)
    steps: Whole = table.cumsum(axis=axis)
    return steps


def orders_of_multipliers(rules: Rules, sums: dict[str, Whole]) -> Rule:
    """Return the multipliers of pairs of entries from those of each order."""
    named, truths = stated_orders(rules), rules.shape[1]
    low, high, weights = [], [], []
    for name, ys in sums.items():
        at = np.flatnonzero(ys != 0)
        low.append(named[name].low[at])
        high.append(named[name].high[at])
        weights.append(ys[at])
    if not weights:
        return Rule(places=np.empty((0, 4), dtype=np.int64), weights=np.empty(0, dtype=object))
    ends = np.concatenate(low), np.concatenate(high)
    indices = np.column_stack([part for end in ends for part in np.divmod(end, truths)])
    return Rule(places=indices, weights=np.concatenate(weights))
