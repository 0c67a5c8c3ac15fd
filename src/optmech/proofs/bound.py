"""A number that no mechanism of a problem can go below, proved by multipliers in exact arithmetic.

Law: for multipliers y of rules ``a <= b`` and reduced costs ``D = cost + sum y (a - b)``,

    cost(M)  >=  sum D[r,f] M[r,f] + k  >=  least of the right-hand side over the structure,

for every mechanism M of the problem, k being what the right-hand sides b contribute. Multipliers of the sums
of the columns, which are one, and of the means that must be the truth take out of D what must be there.

``e^epsilon`` is replaced by its upper bound F where a rule allows more (``P <= e^epsilon Q <= F Q``), so the
bound holds for the real number.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.proofs.entries import errors_of_entries, has_means, quantities
from optmech.proofs.multipliers import NotAProofError, Split, require
from optmech.proofs.reduced import is_row_by_row, reduced_costs
from optmech.proofs.totals import best_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, Tree
    from optmech.proofs.reduced import Reduced
    from optmech.question.problem import Problem

    Whole = NDArray[Any]
    Decided = dict[tuple[int, ...], bool]

__all__ = ["NotAProofError", "proved", "proved_bound"]

_NO_MEANS = "only a column whose mean is its truth has a multiplier of that"


def proved_bound(problem: Problem, tree: Tree, factor: Enclosure) -> Fraction:
    """Return the bound that the multipliers prove: the least of all leaves'.

    Raises
    ------
    NotAProofError
        If some multiplier stands on no rule of the problem, has the wrong sign or is too large.
    """
    return proved(problem, tree, factor)[1]


def proved(
    problem: Problem, tree: Tree, factor: Enclosure, decided: Decided | None = None
) -> tuple[Tree, Fraction]:
    """Return the tree with the multipliers that each leaf left open written out, and its bound.

    Leaves that have them keep them. What is `decided` on the way to a part of a tree is given with it.

    Raises
    ------
    NotAProofError
        As `proved_bound`.
    """
    known: Decided = decided or {}
    if isinstance(tree, Split):
        kept, low = proved(problem, tree.kept, factor, {**known, tree.comparison: False})
        violated, high = proved(problem, tree.violated, factor, {**known, tree.comparison: True})
        return Split(comparison=tree.comparison, kept=kept, violated=violated), min(low, high)
    leaf, costs = reduced_costs(problem, tree, known, factor)
    least, totals, means = (_least_by_rows if is_row_by_row(problem) else _least)(problem, leaf, costs)
    return replace(leaf, totals=totals, means=means), costs.constant + Fraction(least) / costs.scale


def _given(problem: Problem, leaf: Leaf) -> tuple[Whole, Whole] | None:
    """Return the multipliers of sums and means, ``None`` where the best ones are wanted."""
    totals, means = leaf.totals, leaf.means
    require(means is None or has_means(problem) or not means.any(), _NO_MEANS)
    if totals is None or means is None:
        return None
    require(
        totals.shape == means.shape == (problem.query.num_truths,),
        "each column must have a multiplier of its sum and its mean",
    )
    return totals, means


def _least(problem: Problem, leaf: Leaf, costs: Reduced) -> tuple[Fraction | int, Whole, Whole]:
    """Return the least of ``sum reduced * M`` that the multipliers of sums and means prove, and these."""
    (reduced,) = costs.tables
    found = quantities(problem)
    totals, means = _given(problem, leaf) or best_totals(problem, found, leaf, reduced, costs.unit)
    left = reduced - totals[None, :] * costs.unit
    if means.any():
        errors, scale = errors_of_entries(problem)
        left -= means[None, :] * errors * (costs.unit // scale)
    return int(totals.sum()) * costs.unit + found.worth(found.sums(left)), totals, means


def _least_by_rows(problem: Problem, leaf: Leaf, costs: Reduced) -> tuple[Fraction | int, Whole, Whole]:
    """Do the same where each entry is a quantity of its own, and best sums leave none below zero."""
    given = _given(problem, leaf)
    if given is None:
        lowest = reduce(np.minimum, (table.min(axis=0) for table in costs.tables))
        totals = lowest // costs.unit
        return int(totals.sum()) * costs.unit, totals, 0 * totals
    totals, means = given
    paid = totals * costs.unit
    below = sum(int(np.minimum(table - paid, 0).sum()) for table in costs.tables)
    return int(paid.sum()) + below, totals, means
