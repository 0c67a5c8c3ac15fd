"""Check that every multiplier belongs to a constraint of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Bound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optmech.base.arrays import Integers
    from optmech.base.blocks import Order
    from optmech.proofs.multipliers import Leaf, Rule
    from optmech.rules import Rules


def unknown_multiplier(rules: Rules, leaf: Leaf) -> str | None:
    """Return a sentence on a multiplier that belongs to no rule of the question, or ``None``."""
    own = [leaf.rules, *(leaf.further or ())]
    if len(own) not in (1, len(rules.privacy)):
        return "each further privacy of the question must have its multipliers"
    for index, (own_multipliers, multipliers) in enumerate(zip(rules.each_privacy, own, strict=False)):
        strange = _unknown_names(own_multipliers, multipliers, orders=index == 0)
        if strange is not None:
            return strange
    return _unknown_sum(rules, leaf)


def _unknown_names(rules: Rules, multipliers: dict[str, Rule], *, orders: bool) -> str | None:
    """Return a sentence on multipliers of one privacy, or of `orders`, without a rule, or ``None``."""
    for name, rule in multipliers.items():
        rows = rule.places
        if len(rows) != len(rule.weights):
            return f"multipliers of {name} and their subscripts differ in number"
        if name == "privacy":
            sound = _inside(rows, (*rules.shape, rules.shape[1])) and _are_comparisons(rules, rows)
        elif name == "budget":
            sound = _has_budget(rules, rows)
        elif name == "order" and orders:
            sound = _inside(rows, rules.shape * 2) and not (rule.weights < 0).any()
            sound = sound and _are_ordered(rules, rows)
        else:
            sound = False
        if not sound:
            return f"a multiplier of {name} stands on no rule of the question"
    return None


def unknown_comparison(rules: Rules, decisions: Iterable[tuple[int, ...]]) -> str | None:
    """Return why a decision of a tree does not belong to this question, or ``None``."""
    for comparison in decisions:
        if rules.choice is None:
            return "a question without violations has no decisions"
        index = np.array([comparison])
        if not (_inside(index, (*rules.shape, rules.shape[1])) and _are_comparisons(rules, index)):
            return f"{list(comparison)} is no comparison of the question"
    return None


def _unknown_sum(rules: Rules, leaf: Leaf) -> str | None:
    """Return a sentence on multipliers of further weighted sums that are not allowed, or ``None``."""
    if leaf.sums is None:
        return None
    limits = [isinstance(block, Bound) for block in rules.sums for _ in block.right]
    if leaf.sums.shape != (len(limits),):
        return "each further sum of the question must have its multiplier"
    if (leaf.sums[np.array(limits, dtype=bool)] < 0).any():
        return "a multiplier of a sum that is at most a number is negative"
    return None


def _inside(rows: Integers, shape: tuple[int, ...]) -> bool:
    return bool(rows.shape[1] == len(shape) and (rows >= 0).all() and (rows < np.array(shape)).all())


def _are_comparisons(rules: Rules, rows: Integers) -> bool:
    block = rules.privacy[0]
    if block.responses is not None and not np.isin(rows[:, 0], block.responses).all():
        return False
    return _are_pairs(rules, rows[:, 1:])


def _are_pairs(rules: Rules, rows: Integers) -> bool:
    known, asked = rules.sorted_pairs[0], rows[:, 0] * rules.shape[1] + rows[:, 1]
    at = np.searchsorted(known, asked)
    return not len(asked) or bool((at < len(known)).all() and (known[at] == asked).all())


def _has_budget(rules: Rules, rows: Integers) -> bool:
    if not rules.has_budgets:
        return False
    once = len(np.unique(rows, axis=0)) == len(rows)
    return once and _inside(rows, (rules.shape[1],) * 2) and _are_pairs(rules, rows)


def _are_ordered(rules: Rules, rows: Integers) -> bool:
    """Whether the orders imply for each row (r, f, s, g) that entry (r, f) is at most entry (s, g)."""
    truths = rules.shape[1]
    low, high = rows[:, 0] * truths + rows[:, 1], rows[:, 2] * truths + rows[:, 3]
    mask = np.zeros(len(rows), dtype=bool)
    for order in rules.orders:
        mask |= _follows(order, low, high, rules.shape[0] * truths)
    return bool(mask.all())


def _follows(order: Order, low: Integers, high: Integers, size: int) -> NDArray[np.bool_]:
    """Return a mask of the pairs of entries that an order, or a chain of orders, implies."""
    mask: NDArray[np.bool_] = np.isin(low * size + high, order.low * size + order.high)
    chains = all(np.bincount(ends).max(initial=0) <= 1 for ends in (order.low, order.high))
    if mask.all() or not chains:
        return mask
    # Each entry has one next entry along a chain; doubling gives its steps to the last one.
    last, steps = np.arange(size), np.zeros(size, dtype=np.int64)
    last[order.low], steps[order.low] = order.high, 1
    for _ in range(size.bit_length()):
        steps, last = steps + steps[last], last[last]
    follows: NDArray[np.bool_] = mask | ((last[low] == last[high]) & (steps[low] > steps[high]))
    return follows
