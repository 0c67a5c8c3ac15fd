"""What a leaf charges for losses: of what is to be least, of what must stay within bounds, and of its price.

The expected loss counts once; of a worst loss each truth's counts by its weight, and weights sum to one,
since the largest of some numbers is no less than a mean of them; what a bounded loss exceeds its bound by,
which is nothing, counts as often as the leaf says.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.proofs.multipliers import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.multipliers import Leaf
    from optmech.rules import Loss, Rules

    Whole = NDArray[Any]

__all__ = ["LossMultipliers", "loss_multipliers", "with_losses"]

_TRUTHS = "only a worst loss has weights of truths, one for each"
_WEIGHTS = "weights of truths must be zero or more and sum to one"


class LossMultipliers(NamedTuple):
    """What a leaf charges for losses, and what the bounds on them give back.

    Attributes
    ----------
    parts : list of (Loss, multipliers)
        Multipliers over the denominator of the leaf: one for all truths, or one for each.
    scale : int
        A multiple of the scale of each part.
    bounds : Fraction
        Bounds times their multipliers.
    """

    parts: list[tuple[Loss, Whole | int]]
    scale: int
    bounds: Fraction

    def table(self, rows: slice, truths: int, unit: int) -> Whole:
        """Return the charges of the entries in some rows, a multiplier of one being worth `unit`."""
        tables = [
            loss.costs.table[rows].astype(object) * (times * (unit // loss.costs.scale))
            for loss, times in self.parts
        ]
        return sum(tables[1:], tables[0] if tables else np.zeros((rows.stop - rows.start, truths), object))


def with_losses(rules: Rules, leaf: Leaf) -> tuple[Whole, tuple[Whole, ...]]:
    """Return the leaf's weights of truths and multipliers of bounds; simple ones where it has none."""
    worst, bounds = leaf.worst, leaf.bounds
    if worst is None:
        each = rules.objective is not None and rules.objective.each
        worst = np.array([leaf.denominator] + [0] * (rules.shape[1] - 1), dtype=object)[: None if each else 0]
    if bounds is None:
        bounds = tuple(np.zeros(loss.num_sums, dtype=object) for loss in rules.bounds)
    return worst, bounds


def loss_multipliers(rules: Rules, leaf: Leaf) -> LossMultipliers:
    """Return what a leaf charges for losses.

    Raises
    ------
    NotAProofError
        If a multiplier stands on no loss of the question, is negative, or weights do not sum to one.
    """
    objective, one = rules.objective, leaf.denominator
    worst, multipliers = with_losses(rules, leaf)
    each = objective is not None and objective.each
    require(len(worst) == (rules.shape[1] if each else 0), _TRUTHS)
    require(not len(worst) or (min(worst) >= 0 and sum(worst) == one), _WEIGHTS)
    require(len(multipliers) == len(rules.bounds), "each bounded loss must have its multipliers")
    require(
        leaf.cost == 0 or (leaf.cost > 0 and rules.cost is not None),
        "a cost needs a bound, and is not negative",
    )
    parts: list[tuple[Loss, Whole | int]] = []
    if objective is not None:
        parts.append((objective, worst if each else one))
    bounds = Fraction(0)
    if rules.cost is not None:
        parts.append((rules.cost, leaf.cost))
        bounds += Fraction(leaf.cost, one) * rules.cost.most
    for loss, times in zip(rules.bounds, multipliers, strict=True):
        sound = len(times) == loss.num_sums and min(times) >= 0
        require(sound, "a bounded loss has other multipliers, or negative")
        parts.append((loss, times if loss.each else int(times[0])))
        bounds += Fraction(int(sum(times)), one) * loss.most
    return LossMultipliers(parts, lcm(*(loss.costs.scale for loss, _ in parts)), bounds)
