"""The last multipliers of a proof: what each column's sum, and each column's mean, is worth.

Given all other multipliers, the reduced costs D are known, and these are the largest that leave nothing
negative: a column of a free matrix is a distribution, so its sum is worth its least reduced cost, or where
entries have limits the last one that is needed to fill the column. They are rounded down, so that the bound
stays proved and loses next to nothing. Nothing is proved here: any multipliers of sums and means are sound.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Tie
from optmech.proofs.reduced_costs import worth_of_means

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers, Whole
    from optmech.rules import Rules


def best_totals(rules: Rules, means: Whole | None, reduced_costs: Whole, unit: int) -> tuple[Whole, Whole]:
    """Return multipliers of sums and of means, shape (num_truths,) each.

    `unit` is what one unit of a multiplier is worth on the scale of reduced costs; `means` are known ones.
    """
    truths, quantities = rules.shape[1], rules.quantities
    totals = np.zeros(truths, dtype=object)
    means = 0 * totals if means is None else means
    free = quantities.least != quantities.most
    # How often the first column has each quantity: where it has them all, its sum says everything.
    times = np.bincount(quantities.names[:, 0], minlength=len(free))
    if rules.structural and not rules.demands and times[free].all():
        totals[0] = (quantities.sums(reduced_costs)[free] // times[free]).min() // unit
        return totals, means
    lines = rules.means in rules.structural and not times[free].all()
    if lines:
        totals, means = _lines_below(rules, reduced_costs, unit)
    if rules.demands or not lines:
        totals = _fillings(rules, reduced_costs - worth_of_means(rules, means, unit)) // unit
    return totals, means


def _fillings(rules: Rules, reduced_costs: Whole) -> Whole:
    """Return for each column the cost of what fills it last, where the cheapest come first."""
    quantities = rules.quantities
    members = np.maximum(np.bincount(quantities.names.ravel()), 1)
    share = (quantities.sums(reduced_costs) // members)[quantities.names]
    for entries in _common(rules):  # the rest decides; the common probability is paid for once
        share.flat[entries] = share.max()
    least, most = quantities.least[quantities.names], quantities.most[quantities.names]
    if not (quantities.least != 0).any() and not (quantities.most != 1).any():
        lowest: Whole = share.min(axis=0)
        return lowest
    return np.array([_last(*column) for column in zip(share.T, least.T, most.T, strict=True)], dtype=object)


def _common(rules: Rules) -> Iterator[Integers]:
    """Yield the entries that a demand ties together, one in each column, as fairness does."""
    for tie in rules.demands:
        if isinstance(tie, Tie):
            entries = np.union1d(tie.left, tie.right)
            if np.array_equal(np.sort(entries % rules.shape[1]), np.arange(rules.shape[1])):
                yield entries


def _last(costs: Whole, least: Whole, most: Whole) -> int:
    """Return the largest cost that is paid where one is shared out at least cost, all within limits."""
    remainder, payment = 1 - least.sum(), None
    for place in np.argsort(costs, kind="stable"):
        if most[place] > least[place]:
            payment = int(costs[place])
            remainder -= most[place] - least[place]
            if remainder <= 0:
                break
    return int(costs.min()) if payment is None else payment


def _lines_below(rules: Rules, reduced_costs: Whole, unit: int) -> tuple[Whole, Whole]:
    """Return the multipliers of each column's sum and mean that leave no entry off the truth below zero."""
    quantities, truths = rules.quantities, rules.shape[1]
    errors = worth_of_means(rules, np.ones(truths, dtype=object), unit)
    off = (quantities.most[quantities.names] > 0) & (errors != 0)
    lines = [
        _line_below(errors[off[:, truth], truth].tolist(), reduced_costs[off[:, truth], truth].tolist(), unit)
        for truth in range(truths)
    ]
    totals, means = np.array(lines, dtype=object).T
    return totals, means


def _line_below(errors: list[int], costs: list[int], unit: int) -> tuple[int, int]:
    """Return height at 0, in units, and slope of the highest line below all places, rounded."""
    at = dict(zip(errors, costs, strict=True))
    below = [(-error, cost) for error, cost in at.items() if error < 0]
    above = [(error, cost) for error, cost in at.items() if error > 0]
    # A line through one place on each side; its height at 0 is their mean under noise without bias.
    _, i, j = min((Fraction(j * low + i * high, i + j), i, j) for i, low in below for j, high in above)
    slope = (at[j] - at[-i]) // (i + j)
    return min((cost - slope * error) // unit for error, cost in at.items()), slope
