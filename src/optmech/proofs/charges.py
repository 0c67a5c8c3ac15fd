"""The losses of a problem without rounding: what is to be least, what must stay within bounds, and its price.

A leaf weighs them: the expected loss counts once; of a worst loss each truth's counts by its weight, and
weights sum to one, since the largest of some numbers is no less than a mean of them; what a bounded loss
exceeds its bound by, which is nothing, counts as often as the leaf says.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.proofs.multipliers import require
from optmech.question.costs import exact_costs
from optmech.question.losses import ExpectedLoss, LeastDelta, Loss, WorstLoss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.multipliers import Leaf
    from optmech.question.costs import ExactCosts
    from optmech.question.problem import Problem
    from optmech.question.query import Query

    Whole = NDArray[Any]

__all__ = ["Charges", "charges", "costs_of", "exact_loss", "with_losses"]


class Charges(NamedTuple):
    """What a leaf charges for losses, and what the bounds on them give back.

    Attributes
    ----------
    parts : list of (ExactCosts, multipliers)
        Multipliers over the denominator of the leaf: one for all truths, or one for each.
    scale : int
        A multiple of the scale of each part.
    bounds : Fraction
        Bounds times their multipliers.
    """

    parts: list[tuple[ExactCosts, Whole | int]]
    scale: int
    bounds: Fraction

    def table(self, rows: slice, truths: int, unit: int) -> Whole:
        """Return the charges of the entries in some rows, a multiplier of one being worth `unit`."""
        charged = [
            costs.table[rows].astype(object) * (times * (unit // costs.scale)) for costs, times in self.parts
        ]
        return sum(charged[1:], charged[0] if charged else np.zeros((rows.stop - rows.start, truths), object))


def costs_of(loss: Loss, query: Query) -> ExactCosts:
    """Return the exact costs of a loss: weights included, where it has any."""
    return exact_costs(loss, query)


def exact_loss(loss: Loss, query: Query, numerators: Whole, denominator: int) -> Fraction:
    """Return the loss of the matrix ``numerators / denominator``."""
    costs = costs_of(loss, query)
    if loss.is_worst:
        return max(costs.at_each_truth(numerators, denominator))
    return costs.of(numerators, denominator)


def with_losses(problem: Problem, leaf: Leaf) -> tuple[Whole, tuple[Whole, ...]]:
    """Return the leaf's weights of truths and multipliers of bounds; simple ones where it has none."""
    truths, worst = problem.query.num_truths, leaf.worst
    if worst is None:
        worst = np.array([leaf.denominator] + [0] * (truths - 1), dtype=object)
        worst = worst if isinstance(problem.objective, WorstLoss) else worst[:0]
    if leaf.bounds is not None:
        return worst, leaf.bounds
    sizes = [truths if isinstance(bound.loss, WorstLoss) else 1 for bound in problem.bounds]
    return worst, tuple(np.zeros(size, dtype=object) for size in sizes)


def charges(problem: Problem, leaf: Leaf) -> Charges:
    """Return what a leaf charges for losses.

    Raises
    ------
    NotAProofError
        If a multiplier stands on no loss of the problem, is negative, or weights do not sum to one.
    """
    query, objective, one = problem.query, problem.objective, leaf.denominator
    worst, multipliers = with_losses(problem, leaf)
    require(len(worst) == (query.num_truths if isinstance(objective, WorstLoss) else 0), _TRUTHS)
    require(not len(worst) or (min(worst) >= 0 and sum(worst) == one), _WEIGHTS)
    require(len(multipliers) == len(problem.bounds), "each bounded loss must have its multipliers")
    parts: list[tuple[ExactCosts, Whole | int]] = []
    bounds, bounded = Fraction(0), False
    match objective:
        case ExpectedLoss() as loss:
            parts.append((exact_costs(loss, query), one))
        case WorstLoss() as loss:
            parts.append((costs_of(loss, query), worst))
        case LeastDelta(cost=cost, at_most=at_most):
            if cost is not None and at_most is not None:
                parts.append((exact_costs(cost, query), leaf.cost))
                bounds, bounded = Fraction(leaf.cost, one) * at_most, True
    require(leaf.cost == 0 or (leaf.cost > 0 and bounded), "a cost needs a bound, and is not negative")
    for bound, times in zip(problem.bounds, multipliers, strict=True):
        size = query.num_truths if isinstance(bound.loss, WorstLoss) else 1
        require(len(times) == size and min(times) >= 0, "a bounded loss has other multipliers, or negative")
        parts.append((costs_of(bound.loss, query), times if size > 1 else int(times[0])))
        bounds += Fraction(int(sum(times)), one) * bound.at_most
    return Charges(parts, lcm(*(costs.scale for costs, _ in parts)), bounds)


_TRUTHS = "only a worst loss has weights of truths, one for each"
_WEIGHTS = "weights of truths must be zero or more and sum to one"
