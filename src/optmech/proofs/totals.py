"""The last multipliers of a proof: what each column's sum, and each column's mean, is worth.

Given all other multipliers, the reduced costs D are known, and these are the largest that leave nothing
negative: a column of a free matrix is a distribution, so its sum is worth its least reduced cost, or where
entries have limits the last one that is needed to fill the column. They are rounded down, so that the bound
stays proved and loses next to nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.proofs.entries import errors_of_entries, noise_of_entries
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.entries import Quantities
    from optmech.proofs.multipliers import Leaf
    from optmech.question.problem import Problem

    Whole = NDArray[Any]

__all__ = ["best_totals"]


def best_totals(
    problem: Problem, found: Quantities, leaf: Leaf, reduced: Whole, unit: int
) -> tuple[Whole, Whole]:
    """Return multipliers of sums and of means, shape (num_truths,) each, in units.

    Parameters
    ----------
    problem : Problem
        Says what is distributed, and what has a mean.
    found : Quantities
        Says which entries are equal.
    leaf : Leaf
        Multipliers of means that it has are kept.
    reduced : ndarray of int, shape (num_responses, num_truths)
        Reduced costs.
    unit : int
        What one unit of a multiplier is worth on their scale.
    """
    truths = problem.query.num_truths
    totals, means = np.zeros((2, truths), dtype=object)
    structure, more = problem.structure, bool(problem.properties or problem.limits)
    if leaf.means is not None:
        means = leaf.means
    if isinstance(structure, ZeroBiasNoise):
        noise = noise_of_entries(problem)
        for truth in range(truths):
            inside = (found.most[found.names[:, truth]] > 0) | (noise[:, truth] == 0)
            places = dict(zip(noise[inside, truth].tolist(), reduced[inside, truth].tolist(), strict=True))
            totals[truth], means[truth] = _line_below(places, unit)
    if isinstance(structure, ModularNoise) and not more:
        totals[0] = found.sums(reduced).min() // unit
    elif isinstance(structure, SymmetricNoise) and not more:
        totals[0] = found.sums(reduced)[found.least != found.most].min() // (2 * unit)
    elif isinstance(structure, FreeMatrix) or more:
        if means.any():
            errors, scale = errors_of_entries(problem)
            reduced = reduced - means[None, :] * errors * (unit // scale)
        totals = _fillings(problem, found, reduced) // unit
    return totals, means


def _fillings(problem: Problem, found: Quantities, reduced: Whole) -> Whole:
    """Return for each column the cost of what fills it last, where the cheapest come first."""
    members = np.maximum(np.bincount(found.names.ravel()), 1)
    share = (found.sums(reduced) // members)[found.names]
    if "fair" in problem.properties:  # the rest decides; the common probability is paid for once
        share[problem.query.home, np.arange(problem.query.num_truths)] = share.max()
    if not (problem.limits or "weakly-honest" in problem.properties) and isinstance(
        problem.structure, FreeMatrix | ModularNoise
    ):
        lowest: Whole = share.min(axis=0)
        return lowest
    least, most = found.least[found.names], found.most[found.names]
    return np.array([_last(*column) for column in zip(share.T, least.T, most.T, strict=True)], dtype=object)


def _last(costs: Whole, least: Whole, most: Whole) -> int:
    """Return the largest cost that is paid where one is shared out at least cost, all within limits."""
    left, paid = 1 - least.sum(), None
    for place in np.argsort(costs, kind="stable"):
        if most[place] > least[place]:
            paid = int(costs[place])
            left -= most[place] - least[place]
            if left <= 0:
                break
    return int(costs.min()) if paid is None else paid


def _line_below(places: dict[int, int], unit: int) -> tuple[int, int]:
    """Return height at 0 and slope of the highest line below all places but 0, in units, rounded."""
    below = [(-noise, cost) for noise, cost in places.items() if noise < 0]
    above = [(noise, cost) for noise, cost in places.items() if noise > 0]
    # A line through one place on each side; its height at 0 is their mean under noise without bias.
    _, i, j = min((Fraction(j * low + i * high, i + j), i, j) for i, low in below for j, high in above)
    slope = (places[j] - places[-i]) // ((i + j) * unit)
    return min((cost - slope * unit * noise) // unit for noise, cost in places.items() if noise), slope
