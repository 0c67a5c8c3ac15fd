"""The last multipliers of a proof: what each column's sum, and each column's mean, is worth.

Given all other multipliers, the reduced costs D are known, and these are the largest that leave nothing
negative: a column of a free matrix is a distribution, so its sum is worth its least reduced cost. They are
rounded down, so that the bound stays proved and loses next to nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.exact.entries import FIXED, NEVER, names_of_entries, noise_of_entries, sums_by_name
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.problem.problem import Problem

    Whole = NDArray[Any]

__all__ = ["best_totals"]


def best_totals(problem: Problem, reduced: Whole, unit: int) -> tuple[Whole, Whole]:
    """Return multipliers of sums and of means, shape (num_truths,) each, in units.

    Parameters
    ----------
    problem : Problem
        Says which entries are equal.
    reduced : ndarray of int, shape (num_responses, num_truths)
        Reduced costs.
    unit : int
        What one unit of a multiplier is worth on their scale.
    """
    truths = problem.query.num_truths
    totals, means = np.zeros((2, truths), dtype=object)
    names = names_of_entries(problem)
    match problem.structure:
        case FreeMatrix():
            share = _shares(names, reduced)
            if "fair" in problem.properties:  # the rest decides; the common probability is paid for once
                share[problem.query.home, np.arange(truths)] = share.max()
            totals = share.min(axis=0) // unit
        case ModularNoise():
            totals[0] = sums_by_name(names, reduced)[:NEVER].min() // unit
        case SymmetricNoise():
            totals[0] = sums_by_name(names, reduced)[FIXED + 1 : NEVER].min() // (2 * unit)
        case ZeroBiasNoise():
            noise = noise_of_entries(problem)
            for truth in range(truths):
                inside = names[:, truth] != NEVER
                places = dict(
                    zip(noise[inside, truth].tolist(), reduced[inside, truth].tolist(), strict=True)
                )
                totals[truth], means[truth] = _line_below(places, unit)
    return totals, means


def _shares(names: NDArray[np.int64], reduced: Whole) -> Whole:
    """Return for each entry its share of what the entries of its name cost together."""
    members = np.maximum(np.bincount(names.ravel()), 1)
    shares: Whole = (sums_by_name(names, reduced)[:NEVER] // members)[names]
    return shares


def _line_below(places: dict[int, int], unit: int) -> tuple[int, int]:
    """Return height at 0 and slope of the highest line below all places but 0, in units, rounded."""
    below = [(-noise, cost) for noise, cost in places.items() if noise < 0]
    above = [(noise, cost) for noise, cost in places.items() if noise > 0]
    # A line through one place on each side; its height at 0 is their mean under noise without bias.
    _, i, j = min((Fraction(j * low + i * high, i + j), i, j) for i, low in below for j, high in above)
    slope = (places[j] - places[-i]) // ((i + j) * unit)
    return min((cost - slope * unit * noise) // unit for noise, cost in places.items() if noise), slope
