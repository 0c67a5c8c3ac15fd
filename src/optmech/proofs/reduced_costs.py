"""Compute reduced costs of entries from multipliers; `bound` turns them into a proof.

All are integers over one scale, a common multiple of the denominators of both factors and all costs.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.slices import row_slices
from optmech.proofs.chains import Chains
from optmech.proofs.charges import (
    Charges,
    Places,
    Units,
    add_ratios,
    charge,
    check_budgets,
    multiples,
    spent_bounds,
)
from optmech.proofs.enclosure import power_above
from optmech.proofs.multipliers import Rule, loss_multipliers, require, with_losses
from optmech.proofs.unknown_multipliers import unknown_multiplier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, LossMultipliers
    from optmech.rules import Rules

    Decisions = dict[tuple[int, ...], bool]


class ReducedCosts(NamedTuple):
    """Reduced costs as whole numbers over a scale on which a multiplier's unit is `unit`, and a constant.

    If all rules compare within rows, `tables` have a few rows at a time; otherwise there is one table, or one
    number for each quantity. Chains are applied last, when multipliers of sums are subtracted.
    """

    tables: Iterator[Whole]
    constant: Fraction
    scale: int
    unit: int
    chains: Chains | None


def reduced_costs(
    rules: Rules, leaf: Leaf, decisions: Decisions, factor: Enclosure
) -> tuple[Leaf, ReducedCosts]:
    """Return the leaf with all its multipliers of losses, and the reduced costs of entries."""
    leaf, charges = _charges(rules, leaf, decisions, factor)
    units = charges.units
    ratios, constant = leaf.rule("privacy", 3), charges.constant
    if rules.is_row_by_row:
        tables = _tables(rules, row_slices(rules.shape), charges.losses, ratios, units)
    else:
        whole = charges.losses.table(slice(0, rules.shape[0]), rules.shape[1], units.one)
        table = np.ascontiguousarray(whole)  # so that it is the same numbers in a row
        entries = np.arange(table.size).reshape(rules.shape)
        constant -= charge(Places(table.reshape(-1), entries), rules, leaf, decisions, charges)
        tables = iter([table])
    chains = Chains.of(rules, leaf, units.one, units.upper[0])
    return leaf, ReducedCosts(tables, constant, units.one * leaf.denominator, units.one, chains)


def reduced_costs_of_quantities(
    rules: Rules, leaf: Leaf, decisions: Decisions, factor: Enclosure
) -> tuple[Leaf, ReducedCosts]:
    """Return the same of each quantity, the sum over its entries, for a leaf without chains.

    Modular noise has a quantity for each noise value, far fewer than entries.
    """
    leaf, charges = _charges(rules, leaf, decisions, factor)
    units = charges.units
    sums = charges.losses.of_quantities(rules, units.one)
    rest = charge(Places(sums, rules.quantities.names), rules, leaf, decisions, charges)
    constant, scale = charges.constant - rest, units.one * leaf.denominator
    return leaf, ReducedCosts(iter([sums]), constant, scale, units.one, None)


def _charges(rules: Rules, leaf: Leaf, decisions: Decisions, factor: Enclosure) -> tuple[Leaf, Charges]:
    """Check the multipliers of a leaf; return it with all those of losses, and what these charge."""
    strange = rules.mismatch or unknown_multiplier(rules, leaf)
    require(strange is None, str(strange))
    worst, bounds = with_losses(rules, leaf)
    leaf = replace(leaf, worst=worst, bounds=bounds)
    losses = loss_multipliers(rules, leaf)
    uppers = [power_above(factor.upper, power) for power in rules.different_weights.tolist()]
    one = losses.scale * lcm(*(end.denominator for end in uppers))
    one *= 1 if rules.means is None else rules.means.scale
    one *= lcm(*(block.scale for block in rules.sums))
    further = _further(rules, leaf, factor)
    one *= lcm(*(end.denominator for _, _, ends in further for end in ends))
    require((leaf.rule("privacy", 3).weights >= 0).all(), "a privacy multiplier is negative")
    if rules.has_budgets:
        check_budgets(leaf, decisions)
    constant = -losses.bounds - spent_bounds(rules, leaf)
    return leaf, Charges(losses, further, constant, Units(one, multiples(one, uppers)))


def worth_of_means(rules: Rules, multipliers: Whole, unit: int) -> Whole:
    """Return the contributions of multipliers of the means to each entry, in multiples of `unit`."""
    table = np.zeros(rules.shape, dtype=object)
    if rules.means is not None and multipliers.any():
        block = rules.means
        each = multipliers[block.rows] * block.coefficients * (unit // block.scale)
        np.add.at(table.reshape(-1), block.entries, each)
    return table


def _tables(
    rules: Rules, parts: Iterable[slice], multipliers: LossMultipliers, ratios: Rule, units: Units
) -> Iterator[Whole]:
    """Yield the charges plus ``y (P - F Q)`` for each part of the rows: F replaces ``e^epsilon``."""
    order = np.argsort(ratios.places[:, 0], kind="stable")
    sorted_rows = ratios.places[order, 0]
    for rows in parts:
        table = np.ascontiguousarray(multipliers.table(rows, rules.shape[1], units.one))
        chosen = order[slice(*np.searchsorted(sorted_rows, (rows.start, rows.stop)))]
        own = Rule(places=ratios.places[chosen] - (rows.start, 0, 0), weights=ratios.weights[chosen])
        entries = np.arange(table.size).reshape(table.shape)
        add_ratios(Places(table.reshape(-1), entries), rules, own, units)
        yield table


def _further(rules: Rules, leaf: Leaf, factor: Enclosure) -> list[tuple[Rules, Leaf, list[Fraction]]]:
    """Return further privacies that have multipliers, these, and powers of F for their weights."""
    triples = zip(rules.each_privacy[1:], leaf.further or (), factor.further, strict=False)
    return [
        (
            own,
            replace(leaf, rules=own_multipliers),
            [power_above(f.upper, power) for power in own.different_weights.tolist()],
        )
        for own, own_multipliers, f in triples
    ]
