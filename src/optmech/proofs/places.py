"""Where multipliers may stand: those of anything else prove nothing."""

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


def strange_rule(rules: Rules, leaf: Leaf) -> str | None:
    """Return which of the multipliers stands on no rule of the question, or ``None``."""
    own = [leaf.rules, *(leaf.further or ())]
    if len(own) not in (1, len(rules.privacy)):
        return "each further privacy of the question must have its multipliers"
    for place, (own_multipliers, multipliers) in enumerate(zip(rules.each_privacy, own, strict=False)):
        strange = _strange_names(own_multipliers, multipliers, orders=place == 0)
        if strange is not None:
            return strange
    return _strange_sum(rules, leaf)


def _strange_names(rules: Rules, multipliers: dict[str, Rule], *, orders: bool) -> str | None:
    """Return which multipliers of one privacy, or of `orders`, stand on no rule, or ``None``."""
    for name, rule in multipliers.items():
        places = rule.places
        if len(places) != len(rule.weights):
            return f"multipliers of {name} and their places differ in number"
        if name == "privacy":
            sound = _inside(places, (*rules.shape, rules.shape[1])) and _are_comparisons(rules, places)
        elif name == "budget":
            sound = _has_budget(rules, places)
        elif name == "order" and orders:
            sound = _inside(places, rules.shape * 2) and not (rule.weights < 0).any()
            sound = sound and _are_ordered(rules, places)
        else:
            sound = False
        if not sound:
            return f"a multiplier of {name} stands on no rule of the question"
    return None


def strange_comparison(rules: Rules, decisions: Iterable[tuple[int, ...]]) -> str | None:
    """Return why a decision of a tree is none about this question, or ``None``."""
    for comparison in decisions:
        if rules.choice is None:
            return "a question without violations has no decisions"
        place = np.array([comparison])
        if not (_inside(place, (*rules.shape, rules.shape[1])) and _are_comparisons(rules, place)):
            return f"{list(comparison)} is no comparison of the question"
    return None


def _strange_sum(rules: Rules, leaf: Leaf) -> str | None:
    """Return whether further weighted sums have other multipliers than they may have."""
    if leaf.sums is None:
        return None
    limits = [isinstance(block, Bound) for block in rules.sums for _ in block.right]
    if leaf.sums.shape != (len(limits),):
        return "each further sum of the question must have its multiplier"
    if (leaf.sums[np.array(limits, dtype=bool)] < 0).any():
        return "a multiplier of a sum that is at most a number is negative"
    return None


def _inside(places: Integers, shape: tuple[int, ...]) -> bool:
    return bool(places.shape[1] == len(shape) and (places >= 0).all() and (places < np.array(shape)).all())


def _are_comparisons(rules: Rules, places: Integers) -> bool:
    block = rules.privacy[0]
    if block.responses is not None and not np.isin(places[:, 0], block.responses).all():
        return False
    return _are_pairs(rules, places[:, 1:])


def _are_pairs(rules: Rules, places: Integers) -> bool:
    size, pairs = rules.shape[1], rules.pairs
    return bool(np.isin(places[:, 0] * size + places[:, 1], pairs[:, 0] * size + pairs[:, 1]).all())


def _has_budget(rules: Rules, places: Integers) -> bool:
    if not rules.has_budgets:
        return False
    once = len(np.unique(places, axis=0)) == len(places)
    return once and _inside(places, (rules.shape[1],) * 2) and _are_pairs(rules, places)


def _are_ordered(rules: Rules, places: Integers) -> bool:
    """Whether orders say of all places (r, f, s, g) that entry (r, f) is at most entry (s, g)."""
    truths = rules.shape[1]
    low, high = places[:, 0] * truths + places[:, 1], places[:, 2] * truths + places[:, 3]
    mask = np.zeros(len(places), dtype=bool)
    for order in rules.orders:
        mask |= _follows(order, low, high, rules.shape[0] * truths)
    return bool(mask.all())


def _follows(order: Order, low: Integers, high: Integers, size: int) -> NDArray[np.bool_]:
    """Return which pairs of entries an order has, or a chain of it leads from one to the other."""
    mask: NDArray[np.bool_] = np.isin(low * size + high, order.low * size + order.high)
    chains = all(np.bincount(ends).max(initial=0) <= 1 for ends in (order.low, order.high))
    if mask.all() or not chains:
        return mask
    # Along chains each entry has one next: how many steps it is from the last one, found by doubling steps.
    last, steps = np.arange(size), np.zeros(size, dtype=np.int64)
    last[order.low], steps[order.low] = order.high, 1
    for _ in range(size.bit_length()):
        steps, last = steps + steps[last], last[last]
    follows: NDArray[np.bool_] = mask | ((last[low] == last[high]) & (steps[low] > steps[high]))
    return follows
