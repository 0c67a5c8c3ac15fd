"""Compute reduced costs of entries from multipliers; `bound` turns them into a proof.

All are integers over one scale, a common multiple of the denominators of both factors and all costs.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.slices import row_slices
from optmech.proofs.chains import Chains
from optmech.proofs.enclosure import power_above
from optmech.proofs.multipliers import loss_multipliers, require, with_losses
from optmech.proofs.unknown_multipliers import unknown_multiplier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, LossMultipliers, Rule
    from optmech.rules import Rules

    Decisions = dict[tuple[int, ...], bool]


class ReducedCosts(NamedTuple):
    """Reduced costs as whole numbers over a scale on which a multiplier's unit is `unit`, and a constant.

    If all rules compare within rows, `tables` have a few rows at a time; otherwise there is one table. Chains
    are applied last, when multipliers of sums are subtracted.
    """

    tables: Iterator[Whole]
    constant: Fraction
    scale: int
    unit: int
    chains: Chains | None


class _Units(NamedTuple):
    """One unit of a multiplier on the scale of costs, and its products with powers of F."""

    one: int
    upper: list[int]


def reduced_costs(
    rules: Rules, leaf: Leaf, decisions: Decisions, factor: Enclosure
) -> tuple[Leaf, ReducedCosts]:
    """Return the leaf with all its multipliers of losses, and the reduced costs."""
    strange = rules.mismatch or unknown_multiplier(rules, leaf)
    require(strange is None, str(strange))
    worst, bounds = with_losses(rules, leaf)
    leaf = replace(leaf, worst=worst, bounds=bounds)
    multipliers = loss_multipliers(rules, leaf)
    powers = sorted(set(rules.weights.tolist()))
    uppers = [power_above(factor.upper, power) for power in powers]
    one = multipliers.scale * lcm(*(end.denominator for end in uppers))
    one *= 1 if rules.means is None else rules.means.scale
    one *= lcm(*(block.scale for block in rules.sums))
    further = _further(rules, leaf, factor)
    one *= lcm(*(end.denominator for _, _, ends in further for end in ends))
    units = _Units(one, _times(one, uppers))
    ratios = leaf.rule("privacy", 3)
    require((ratios.weights >= 0).all(), "a privacy multiplier is negative")
    if rules.has_budgets:
        _check_budgets(leaf, decisions)
    constant = -multipliers.bounds - _spent_bounds(rules, leaf)
    if rules.is_row_by_row:
        tables = _tables(rules, row_slices(rules.shape), multipliers, ratios, units)
    else:
        (table,) = _tables(rules, [slice(0, rules.shape[0])], multipliers, ratios, units)
        _add_violations(table, leaf, decisions, one)
        _add_orders(table, leaf.rule("order", 4), one)
        constant -= _add_sums(table, rules, leaf, one)
        for own, multipliers_of_own, ends in further:
            constant -= _add_privacy(table, own, multipliers_of_own, one, _times(one, ends))
        tables = iter([table])
    chains = Chains.of(rules, leaf, one, units.upper[0])
    return leaf, ReducedCosts(tables, constant, one * leaf.denominator, one, chains)


def _times(one: int, ends: list[Fraction]) -> list[int]:
    """Return fractions times a multiple of their denominators, without arithmetic of long fractions."""
    return [one // end.denominator * end.numerator for end in ends]


def worth_of_means(rules: Rules, multipliers: Whole, unit: int) -> Whole:
    """Return the contributions of multipliers of the means to each entry, in multiples of `unit`."""
    table = np.zeros(rules.shape, dtype=object)
    if rules.means is not None and multipliers.any():
        block = rules.means
        each = multipliers[block.rows] * block.coefficients * (unit // block.scale)
        np.add.at(table.reshape(-1), block.entries, each)
    return table


def _tables(
    rules: Rules, parts: Iterable[slice], multipliers: LossMultipliers, ratios: Rule, units: _Units
) -> Iterator[Whole]:
    """Yield the charges plus ``y (P - F Q)`` for each part of the rows: F replaces ``e^epsilon``."""
    order = np.argsort(ratios.places[:, 0], kind="stable")
    sorted_rows = ratios.places[order, 0]
    factors = np.array(units.upper, dtype=object)
    power = np.searchsorted(np.unique(rules.weights), rules.weights_between(*ratios.places[:, 1:].T))
    for rows in parts:
        table = multipliers.table(rows, rules.shape[1], units.one)
        chosen = order[slice(*np.searchsorted(sorted_rows, (rows.start, rows.stop)))]
        weights = ratios.weights[chosen].astype(object)
        row, truth, other = (ratios.places[chosen] - (rows.start, 0, 0)).T
        np.add.at(table, (row, truth), weights * units.one)
        np.subtract.at(table, (row, other), weights * factors[power[chosen]])
        yield table


def _further(rules: Rules, leaf: Leaf, factor: Enclosure) -> list[tuple[Rules, Leaf, list[Fraction]]]:
    """Return further privacies that have multipliers, these, and powers of F for their weights."""
    triples = zip(rules.each_privacy[1:], leaf.further or (), factor.further, strict=False)
    return [
        (
            own,
            replace(leaf, rules=own_multipliers),
            [power_above(f.upper, power) for power in np.unique(own.weights).tolist()],
        )
        for own, own_multipliers, f in triples
    ]


def _add_privacy(table: Whole, rules: Rules, leaf: Leaf, one: int, upper: list[int]) -> Fraction:
    """Add ``y (P - F Q)`` of a further privacy; return delta times its multipliers."""
    ratios = leaf.rule("privacy", 3)
    require((ratios.weights >= 0).all(), "a privacy multiplier is negative")
    if rules.has_budgets:
        _check_budgets(leaf, {})
    row, truth, other = ratios.places.T
    power = np.searchsorted(np.unique(rules.weights), rules.weights_between(truth, other))
    weights = ratios.weights.astype(object)
    np.add.at(table, (row, truth), weights * one)
    np.subtract.at(table, (row, other), weights * np.array(upper, dtype=object)[power])
    return _spent_bounds(rules, leaf)


def _check_budgets(leaf: Leaf, decisions: Decisions) -> None:
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


def _add_violations(table: Whole, leaf: Leaf, decisions: Decisions, one: int) -> None:
    """Add the masses of ratios decided to be violated."""
    budget = _budgets(leaf)
    for subscripts, is_violated in decisions.items():
        if is_violated:
            table[subscripts[:2]] += budget.get(subscripts[1:], 0) * one


def _budgets(leaf: Leaf) -> dict[tuple[int, ...], int]:
    rule = leaf.rule("budget", 2)
    return dict(zip(map(tuple, rule.places.tolist()), rule.weights.tolist(), strict=True))


def _spent_bounds(rules: Rules, leaf: Leaf) -> Fraction:
    """Return delta times its multipliers; for an unknown delta they sum to at most one."""
    name, dimensions = ("budget", 2) if rules.has_budgets else ("privacy", 3)
    total = Fraction(int(leaf.rule(name, dimensions).weights.sum()), leaf.denominator)
    if rules.delta is None:
        require(total <= 1, "multipliers of delta sum to more than one")
        return Fraction(0)
    return rules.delta * total


def _add_orders(table: Whole, rule: Rule, one: int) -> None:
    row, truth, other, towards = rule.places.T
    np.add.at(table, (row, truth), rule.weights * one)
    np.add.at(table, (other, towards), -rule.weights * one)


def _add_sums(table: Whole, rules: Rules, leaf: Leaf, one: int) -> Fraction:
    """Add ``y a`` for each row ``a x = b`` or ``a x <= b`` of the further sums; return all ``y b``."""
    rights, start = Fraction(0), 0
    if leaf.sums is None:
        return rights
    for block in rules.sums:
        weights = leaf.sums[start : start + len(block.right)]
        start += len(block.right)
        each = weights[block.rows] * block.coefficients * (one // block.scale)
        np.add.at(table.reshape(-1), block.entries, each)
        rights += Fraction((weights * block.right).sum()) / leaf.denominator
    return rights
