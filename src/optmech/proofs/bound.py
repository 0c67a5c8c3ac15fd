"""A lower bound on the objective of every mechanism of a question, proved by exact multipliers.

Law: for multipliers y of rules ``a <= b`` and reduced costs ``D = cost + sum y (a - b)``,

    cost(M)  >=  sum D[r,f] M[r,f] + k  >=  least of the right-hand side over the structure,

for every mechanism M of the question, where k collects the right-hand sides b. Multipliers of the column
sums, which are one, and of the means, which must be the truth, are subtracted from D.

``e^epsilon`` is replaced by its upper bound F where a rule allows more (``P <= e^epsilon Q <= F Q``), so the
bound holds for the real number.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Tie
from optmech.proofs.multipliers import NotAProofError, Split, require
from optmech.proofs.reduced_costs import reduced_costs, reduced_costs_of_quantities, worth_of_means
from optmech.proofs.unknown_multipliers import unknown_comparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers, Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, Tree
    from optmech.proofs.reduced_costs import ReducedCosts
    from optmech.rules import Rules

    Decisions = dict[tuple[int, ...], bool]

__all__ = ["NotAProofError", "prove_tree", "proved_bound", "what_is_left"]

_NO_MEANS = "only a column whose mean is its truth has a multiplier of that"


def proved_bound(rules: Rules, tree: Tree, factor: Enclosure) -> Fraction:
    """Return the bound that the multipliers prove: the least over all leaves.

    NotAProofError: a multiplier belongs to no rule of the question, has the wrong sign or is too large.
    """
    return prove_tree(rules, tree, factor)[1]


def prove_tree(
    rules: Rules, tree: Tree, factor: Enclosure, decisions: Decisions | None = None
) -> tuple[Tree, Fraction]:
    """Return the tree with the missing multipliers of each leaf computed, and its bound.

    Leaves that have all multipliers keep them. `decisions` are those above a part of a tree.
    """
    strange = unknown_comparison(rules, decisions or {})
    require(strange is None, str(strange))
    return _prove(rules, tree, factor, decisions or {})


def _prove(rules: Rules, tree: Tree, factor: Enclosure, decisions: Decisions) -> tuple[Tree, Fraction]:
    if isinstance(tree, Split):
        strange = unknown_comparison(rules, [tree.comparison])
        require(strange is None, str(strange))
        kept, low = _prove(rules, tree.kept, factor, {**decisions, tree.comparison: False})
        violated, high = _prove(rules, tree.violated, factor, {**decisions, tree.comparison: True})
        return Split(comparison=tree.comparison, kept=kept, violated=violated), min(low, high)
    times = _times_in_column(rules, tree)
    if times is not None:
        leaf, costs = reduced_costs_of_quantities(rules, tree, decisions, factor)
        least, totals, means = _least_by_quantities(rules, leaf, costs, times)
    else:
        leaf, costs = reduced_costs(rules, tree, decisions, factor)
        least, totals, means = (_least_by_rows if rules.is_row_by_row else _least)(rules, leaf, costs)
    return replace(leaf, totals=totals, means=means), costs.constant + Fraction(least) / costs.scale


def _times_in_column(rules: Rules, leaf: Leaf) -> Integers | None:
    """Return how often each quantity stands in a column, if no more of its entries is to be known."""
    if leaf.chains is not None or rules.means is not None or rules.is_row_by_row:
        return None
    if rules.demands and (leaf.totals is None or leaf.means is None):
        return None
    return rules.times_in_column


def _fixed_multipliers(rules: Rules, leaf: Leaf) -> tuple[Whole, Whole] | None:
    """Return the multipliers of sums and means, ``None`` where the best ones are to be computed."""
    totals, means = leaf.totals, leaf.means
    require(means is None or rules.means is not None or not means.any(), _NO_MEANS)
    if totals is None or means is None:
        return None
    require(
        totals.shape == means.shape == (rules.shape[1],),
        "each column must have a multiplier of its sum and its mean",
    )
    return totals, means


def _least(rules: Rules, leaf: Leaf, costs: ReducedCosts) -> tuple[Fraction | int, Whole, Whole]:
    """Return the least of ``sum reduced * M`` that the multipliers of sums and means prove, and these."""
    (reduced_costs,) = costs.tables
    quantities = rules.quantities
    totals, means = _fixed_multipliers(rules, leaf) or _best_totals(
        rules, leaf.means, reduced_costs, costs.unit
    )
    remainder = reduced_costs - totals[None, :] * costs.unit - worth_of_means(rules, means, costs.unit)
    if costs.chains is not None:
        costs.chains.hand_on(remainder)
    rights = 0 if rules.means is None else (means * rules.means.right).sum() * costs.unit
    return (
        int(totals.sum()) * costs.unit + rights + quantities.least_cost(quantities.sums(remainder)),
        totals,
        means,
    )


def _least_by_quantities(
    rules: Rules, leaf: Leaf, costs: ReducedCosts, times: Integers
) -> tuple[Fraction | int, Whole, Whole]:
    """Do the same for columns that hold every quantity as often as one another, from sums over entries."""
    (sums,), quantities = costs.tables, rules.quantities
    fixed = _fixed_multipliers(rules, leaf)
    if fixed is None:
        totals = np.zeros(rules.shape[1], dtype=object)
        free = quantities.least != quantities.most
        totals[0] = (sums[free] // times[free]).min() // costs.unit
        fixed = totals, 0 * totals
    paid = int(fixed[0].sum()) * costs.unit
    return paid + quantities.least_cost(sums - paid * times.astype(object)), *fixed


def _least_by_rows(rules: Rules, leaf: Leaf, costs: ReducedCosts) -> tuple[Fraction | int, Whole, Whole]:
    """Do the same for rules that compare within rows, with sums that leave no reduced cost negative."""
    fixed = _fixed_multipliers(rules, leaf)
    if fixed is None:
        lowest = reduce(np.minimum, (table.min(axis=0) for table in costs.tables))
        totals = lowest // costs.unit
        return int(totals.sum()) * costs.unit, totals, 0 * totals
    totals, means = fixed
    payment = totals * costs.unit
    below = sum(int(np.minimum(rest, 0).sum()) for rest in what_is_left(costs, payment))
    return int(payment.sum()) + below, totals, means


def what_is_left(costs: ReducedCosts, payment: Whole) -> Iterator[Whole]:
    """Yield the reduced costs less payments of each column, and after chains, of some rows at a time."""
    begin = 0
    for table in costs.tables:
        rest = table - payment
        if costs.chains is not None:
            costs.chains.hand_on(rest, begin)
        begin += len(rest)
        yield rest


def _best_totals(rules: Rules, means: Whole | None, reduced_costs: Whole, unit: int) -> tuple[Whole, Whole]:
    """Return the best multipliers of each column's sum and mean, given all others; `means` are known ones.

    They are the largest that leave no reduced cost negative. A column of a free matrix is a distribution, so
    the multiplier of its sum is its least reduced cost; with limits on entries, the last one needed to fill
    the column. They are rounded down. Any multipliers of sums and means are sound.
    """
    truths, quantities = rules.shape[1], rules.quantities
    totals = np.zeros(truths, dtype=object)
    means = 0 * totals if means is None else means
    free = quantities.least != quantities.most
    # Multiplicity of each quantity in the first column: if it has them all, its sum is enough.
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
    """Return for each column the cost of the last entry needed to fill it, cheapest first."""
    quantities = rules.quantities
    members = np.maximum(np.bincount(quantities.names.ravel()), 1)
    share = (quantities.sums(reduced_costs) // members)[quantities.names]
    for entries in _common(rules):  # the other entries decide; the common probability is paid for once
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
    """Return the largest cost used when a mass of one is distributed at least cost within limits."""
    remainder, payment = 1 - least.sum(), None
    for index in np.argsort(costs, kind="stable"):
        if most[index] > least[index]:
            payment = int(costs[index])
            remainder -= most[index] - least[index]
            if remainder <= 0:
                break
    return int(costs.min()) if payment is None else payment


def _lines_below(rules: Rules, reduced_costs: Whole, unit: int) -> tuple[Whole, Whole]:
    """Return multipliers of each column's sum and mean that leave no entry off the truth negative."""
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
    """Return height at 0, in units, and slope of the highest line below all points, rounded."""
    at = dict(zip(errors, costs, strict=True))
    below = [(-error, cost) for error, cost in at.items() if error < 0]
    above = [(error, cost) for error, cost in at.items() if error > 0]
    # A line through one point on each side; its height at 0 is their mean under noise without bias.
    _, i, j = min((Fraction(j * low + i * high, i + j), i, j) for i, low in below for j, high in above)
    slope = (at[j] - at[-i]) // (i + j)
    return min((cost - slope * error) // unit for error, cost in at.items()), slope
