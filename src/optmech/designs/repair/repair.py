"""From any solver's matrix to whole numbers that keep a question's rules, or to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.designs.repair.general import repair_general
from optmech.designs.repair.pure_matrix import pure_matrices
from optmech.proofs.violation import objective_of

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.rules import Rules

# A larger share of an interior mechanism costs enough to look for a better one first.
_CHEAP = 1e-7
# With more comparisons than this the program for a strictly feasible point takes minutes.
_MOST_COMPARED = 30_000


def repair(rules: Rules, raw: Floats | Whole, factor: Enclosure) -> ExactMatrix | None:
    """Return a matrix of whole numbers near `raw` that breaks nothing, proved, or ``None``.

    Raw are a solver's doubles, zeros beside positive entries, sums a little off, anything; or the rationals
    of a theorem, as Python's fractions.
    """
    # Of a large matrix the quick way may succeed where a program over all its entries fails.
    quick = pure_matrices(rules, raw, factor) if _is_quick(rules) and raw.dtype != object else iter(())
    share, matrix = next(quick, (1.0, None))
    if share <= _CHEAP or (matrix is not None and len(rules.pairs) * rules.shape[0] > _MOST_COMPARED):
        return matrix
    general = repair_general(rules, raw, factor)
    if matrix is None or general is None:
        return general or matrix
    # Of a rough solution either may be several times the better one.
    return min(matrix, general, key=lambda repaired: objective_of(rules, repaired, factor))


def _is_quick(rules: Rules) -> bool:
    """Whether nothing but ratios and properties is to be kept: a cone, but for columns that sum to one."""
    has_limits = rules.demanded_limits or rules.bounds or rules.inequalities
    return rules.is_pure and not (rules.structural or rules.totals or has_limits)
