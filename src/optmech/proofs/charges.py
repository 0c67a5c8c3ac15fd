"""Charge entries of a matrix for the multipliers of one leaf, or quantities that stand for equal entries."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.proofs.multipliers import require

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole
    from optmech.proofs.multipliers import Leaf, LossMultipliers, Rule
    from optmech.rules import Rules

    Decisions = dict[tuple[int, ...], bool]


class Places(NamedTuple):
    """Reduced costs in a row, and for each entry (response, truth) where in them it counts."""

    costs: Whole
    of_entries: Integers

    def add(self, rows: Integers, truths: Integers, charges: Whole) -> None:
        """Add a charge to each of some entries, of which some may be the same."""
        np.add.at(self.costs, self.of_entries[rows, truths], charges)


class Units(NamedTuple):
    """One unit of a multiplier on the scale of costs, and its products with powers of F."""

    one: int
    upper: list[int]


class Charges(NamedTuple):
    """The charges of a leaf for losses, further privacies with their powers of F, and its constant so far."""

    losses: LossMultipliers
    further: list[tuple[Rules, Leaf, list[Fraction]]]
    constant: Fraction
    units: Units


def charge(places: Places, rules: Rules, leaf: Leaf, decisions: Decisions, charges: Charges) -> Fraction:
    """Add what all multipliers but those of losses charge; return their right-hand sides."""
    units = charges.units
    add_ratios(places, rules, leaf.rule("privacy", 3), units)
    _add_violations(places, leaf, decisions, units.one)
    _add_orders(places, leaf.rule("order", 4), units.one)
    rights = _add_sums(places, rules, leaf, units.one)
    for own, multipliers_of_own, ends in charges.further:
        upper = multiples(units.one, ends)
        rights += _add_privacy(places, own, multipliers_of_own, Units(units.one, upper))
    return rights


def multiples(one: int, ends: list[Fraction]) -> list[int]:
    """Return fractions times a multiple of their denominators, without arithmetic of long fractions."""
    return [one // end.denominator * end.numerator for end in ends]


def add_ratios(places: Places, rules: Rules, ratios: Rule, units: Units) -> None:
    """Add ``y (P - F Q)`` for each ratio."""
    row, truth, other = ratios.places.T
    power = np.searchsorted(rules.different_weights, rules.weights_between(truth, other))
    weights = ratios.weights.astype(object)
    places.add(row, truth, weights * units.one)
    places.add(row, other, -weights * np.array(units.upper, dtype=object)[power])


def _add_privacy(places: Places, rules: Rules, leaf: Leaf, units: Units) -> Fraction:
    """Add ``y (P - F Q)`` of a further privacy; return delta times its multipliers."""
    ratios = leaf.rule("privacy", 3)
    require((ratios.weights >= 0).all(), "a privacy multiplier is negative")
    if rules.has_budgets:
        check_budgets(leaf, {})
    add_ratios(places, rules, ratios, units)
    return spent_bounds(rules, leaf)


def check_budgets(leaf: Leaf, decisions: Decisions) -> None:
    """Check the multiplier of each ratio against its state and the budget of its pair."""
    budget = _budgets(leaf)
    require(all(weight >= 0 for weight in budget.values()), "a budget has a negative multiplier")
    ratios = leaf.rule("privacy", 3)
    payments: dict[tuple[int, ...], int] = {}
    for subscripts, weight in zip(ratios.places.tolist(), ratios.weights.tolist(), strict=True):
        payments[tuple(subscripts)] = payments.get(tuple(subscripts), 0) + weight
    for subscripts, weight in payments.items():
        is_violated, most = decisions.get(subscripts), budget.get(subscripts[1:], 0)
        require(is_violated is not True or weight == 0, "a violated ratio has a multiplier")
        require(is_violated is False or weight <= most, "an open ratio has more than its budget's multiplier")


def _add_violations(places: Places, leaf: Leaf, decisions: Decisions, one: int) -> None:
    """Add the masses of ratios decided to be violated."""
    budget = _budgets(leaf)
    for subscripts, is_violated in decisions.items():
        if is_violated:
            places.costs[places.of_entries[subscripts[:2]]] += budget.get(subscripts[1:], 0) * one


def _budgets(leaf: Leaf) -> dict[tuple[int, ...], int]:
    rule = leaf.rule("budget", 2)
    return dict(zip(map(tuple, rule.places.tolist()), rule.weights.tolist(), strict=True))


def spent_bounds(rules: Rules, leaf: Leaf) -> Fraction:
    """Return delta times its multipliers; for an unknown delta they sum to at most one."""
    name, dimensions = ("budget", 2) if rules.has_budgets else ("privacy", 3)
    total = Fraction(int(leaf.rule(name, dimensions).weights.sum()), leaf.denominator)
    if rules.delta is None:
        require(total <= 1, "multipliers of delta sum to more than one")
        return Fraction(0)
    return rules.delta * total


def _add_orders(places: Places, rule: Rule, one: int) -> None:
    row, truth, other, towards = rule.places.T
    places.add(row, truth, rule.weights * one)
    places.add(other, towards, -rule.weights * one)


def _add_sums(places: Places, rules: Rules, leaf: Leaf, one: int) -> Fraction:
    """Add ``y a`` for each row ``a x = b`` or ``a x <= b`` of the further sums; return all ``y b``."""
    rights, start = Fraction(0), 0
    if leaf.sums is None:
        return rights
    for block in rules.sums:
        weights = leaf.sums[start : start + len(block.right)]
        start += len(block.right)
        each = weights[block.rows] * block.coefficients * (one // block.scale)
        np.add.at(places.costs, places.of_entries.reshape(-1)[block.entries], each)
        rights += Fraction((weights * block.right).sum()) / leaf.denominator
    return rights
