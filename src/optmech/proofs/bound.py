"""A number that no mechanism of a question can go below, proved by multipliers in exact arithmetic.

Law: for multipliers y of rules ``a <= b`` and reduced costs ``D = cost + sum y (a - b)``,

    cost(M)  >=  sum D[r,f] M[r,f] + k  >=  least of the right-hand side over the structure,

for every mechanism M of the question, k being what the right-hand sides b contribute. Multipliers of the sums
of the columns, which are one, and of the means that must be the truth take out of D what must be there.

``e^epsilon`` is replaced by its upper bound F where a rule allows more (``P <= e^epsilon Q <= F Q``), so the
bound holds for the real number.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.multipliers import NotAProofError, Split, require
from optmech.proofs.reduced_costs import reduced_costs, worth_of_means
from optmech.proofs.totals import best_totals

if TYPE_CHECKING:
    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, Tree
    from optmech.proofs.reduced_costs import ReducedCosts
    from optmech.rules import Rules

    Decisions = dict[tuple[int, ...], bool]

__all__ = ["NotAProofError", "prove_tree", "proved_bound"]

_NO_MEANS = "only a column whose mean is its truth has a multiplier of that"


def proved_bound(rules: Rules, tree: Tree, factor: Enclosure) -> Fraction:
    """Return the bound that the multipliers prove: the least of all leaves'.

    A NotAProofError says that some multiplier stands on no rule of the question, has the wrong sign or is too
    large.
    """
    return prove_tree(rules, tree, factor)[1]


def prove_tree(
    rules: Rules, tree: Tree, factor: Enclosure, decisions: Decisions | None = None
) -> tuple[Tree, Fraction]:
    """Return the tree with the multipliers that each leaf left open written out, and its bound.

    Leaves that have them keep them. `decisions` are those on the way to a part of a tree.
    """
    decisions_here: Decisions = decisions or {}
    if isinstance(tree, Split):
        kept_tree, low = prove_tree(rules, tree.kept, factor, {**decisions_here, tree.comparison: False})
        tree_violated, high = prove_tree(
            rules, tree.violated, factor, {**decisions_here, tree.comparison: True}
        )
        return Split(comparison=tree.comparison, kept=kept_tree, violated=tree_violated), min(low, high)
    leaf, costs = reduced_costs(rules, tree, decisions_here, factor)
    least, totals, means = (_least_by_rows if rules.is_row_by_row else _least)(rules, leaf, costs)
    return replace(leaf, totals=totals, means=means), costs.constant + Fraction(least) / costs.scale


def _fixed_multipliers(rules: Rules, leaf: Leaf) -> tuple[Whole, Whole] | None:
    """Return the multipliers of sums and means, ``None`` where the best ones are wanted."""
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
    totals, means = _fixed_multipliers(rules, leaf) or best_totals(
        rules, leaf.means, reduced_costs, costs.unit
    )
    remainder = reduced_costs - totals[None, :] * costs.unit - worth_of_means(rules, means, costs.unit)
    rights = 0 if rules.means is None else (means * rules.means.right).sum() * costs.unit
    return (
        int(totals.sum()) * costs.unit + rights + quantities.least_cost(quantities.sums(remainder)),
        totals,
        means,
    )


def _least_by_rows(rules: Rules, leaf: Leaf, costs: ReducedCosts) -> tuple[Fraction | int, Whole, Whole]:
    """Do the same where each entry is a quantity of its own, and best sums leave none below zero."""
    fixed = _fixed_multipliers(rules, leaf)
    if fixed is None:
        lowest = reduce(np.minimum, (table.min(axis=0) for table in costs.tables))
        totals = lowest // costs.unit
        return int(totals.sum()) * costs.unit, totals, 0 * totals
    totals, means = fixed
    payment = totals * costs.unit
    below = sum(int(np.minimum(table - payment, 0).sum()) for table in costs.tables)
    return int(payment.sum()) + below, totals, means
