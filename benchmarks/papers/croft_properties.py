"""Croft et al. 2020: properties (10)-(15), boundary snapping, Theorems 1 and 2, Corollary 1, executable.

=========== ===== ==================================================================================
Theorem 1   true  *if the response categories tile the range*. Requirement R.2 allows gaps; the mass in
                  a gap is then lost and columns sum to less than one.
Theorem 2   false as printed for categories that hold two truths: (12) and (13) then ask for equality
                  inside the category, and the first row of boundary snapping falls strictly. True when
                  no category holds two truths (and cells and truths are uniform and share a centre).
Theorem 3   true  for any loss that does not decrease with the distance; `optmech.theorems` asks for that.
Corollary 1 false as printed: under a constant loss everything is a minimiser. True for a loss that
                  increases strictly, as the absolute one does.
=========== ===== ==================================================================================
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from optmech.theorems.croft_question import uniform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = [
    "boundary_snapping",
    "column_monotony_gap",
    "corollary_1_objection",
    "fairness_gap",
    "is_minimal",
    "is_smaller",
    "row_monotony_gap",
    "symmetry_gap",
    "theorem_1_objection",
    "theorem_2_objection",
]


def column_monotony_gap(matrix: ArrayLike, query: Query) -> float:
    """Return by how much (10)-(11) fail at worst: a response farther from the truth, yet likelier."""
    entries = np.asarray(matrix, dtype=float)
    rise = np.diff(entries, axis=0)
    lower = np.arange(len(entries) - 1)[:, None]
    gaps = np.where(lower < query.home[None, :], -rise, rise)  # (10) before the home category, (11) from it
    return float(gaps.max(initial=0.0))


def row_monotony_gap(matrix: ArrayLike, query: Query) -> float:
    """Return by how much (12)-(13) fail at worst: a truth farther from the response, yet likelier."""
    rise = np.diff(np.asarray(matrix, dtype=float), axis=1)
    worst = 0.0
    for row, category in zip(rise, query.responses, strict=True):
        for position, (truth, following) in enumerate(pairwise(query.truths)):
            if following <= category.upper:  # (12)
                worst = max(worst, -row[position])
            if truth >= category.lower:  # (13)
                worst = max(worst, row[position])
    return float(worst)


def symmetry_gap(matrix: ArrayLike) -> float:
    """Return by how much (14) fails at worst: half a turn changes an entry."""
    entries = np.asarray(matrix, dtype=float)
    return float(np.abs(entries - entries[::-1, ::-1]).max())


def fairness_gap(matrix: ArrayLike, query: Query) -> float:
    """Return by how much (15) fails at worst: two truths whose own categories are not equally likely."""
    own = np.asarray(matrix, dtype=float)[query.home, np.arange(query.num_truths)]
    return float(own.max() - own.min())


def boundary_snapping(
    query: Query, cdf: Callable[[Floats], Floats], sf: Callable[[Floats], Floats]
) -> Floats:
    """Return the matrix (16) of noise with this distribution, its outlying mass put on the end categories.

    Parameters
    ----------
    query : Query
        Truths, and categories that are intervals.
    cdf, sf : callable
        Probability that the noise is at most, and above, a number; SciPy's distributions have both. The
        upper tail is used above the truth, where differences of `cdf` cancel to zero.
    """
    ends = np.array([[float(category.lower), float(category.upper)] for category in query.responses])
    ends[0, 0], ends[-1, 1] = -np.inf, np.inf  # Definition 4
    lower, upper = (ends[:, [side]] - query.truth_values[None, :] for side in (0, 1))
    matrix: Floats = np.where(lower > 0, sf(lower) - sf(upper), cdf(upper) - cdf(lower))  # (16)
    return matrix


def theorem_1_objection(query: Query) -> str | None:
    """Say why snapping a private mechanism need not give a private range-adherent one, or ``None``."""
    for low, high in pairwise(query.responses):
        if low.upper != high.lower:
            return f"the categories leave a gap from {low.upper} to {high.lower}, whose mass is lost"
    if (query.home < 0).any():
        return f"no category holds the truth {query.truths[int(np.argmin(query.home))]}"
    return None


def theorem_2_objection(query: Query) -> str | None:
    """Say why snapped symmetric monotone noise need not be row-monotone and symmetric, or ``None``."""
    widths = {category.upper - category.lower for category in query.responses}
    if len(widths) > 1:
        return "the categories are not uniformly sized"
    if not uniform(query.truths):
        return "the truths are not uniformly spread"
    first, last = query.responses[0], query.responses[-1]
    if first.lower + last.upper != query.truths[0] + query.truths[-1]:
        return "truths and categories do not share a centre"
    if len(set(query.home.tolist())) < query.num_truths:
        return "a category holds two truths, where (12) and (13) together ask for equality"
    return theorem_1_objection(query)


def is_smaller(first: ArrayLike, second: ArrayLike, distances: ArrayLike) -> bool:
    """Whether `first` comes from `second` by moving mass closer to the truth, Definitions 5 and 7.

    Within every distance `first` must hold as much mass. Mirror images are each smaller than the other: this
    is a preorder. Columns of two matrices are compared one by one, with one column of distances for each.
    """
    one, two, far = (np.asarray(values, dtype=float) for values in (first, second, distances))
    rounding = 1e-12
    return all(
        bool((((far <= reach) * (one - two)).sum(axis=0) >= -rounding).all()) for reach in np.unique(far)
    )


def is_minimal(candidate: ArrayLike, others: Iterable[ArrayLike], distances: ArrayLike) -> bool:
    """Whether none of `others` is strictly smaller than `candidate`, Definitions 6 and 8."""
    return not any(
        is_smaller(other, candidate, distances) and not is_smaller(candidate, other, distances)
        for other in others
    )


def corollary_1_objection(losses: ArrayLike) -> str | None:
    """Say why least expected loss need not be optimal in Definition 8; `losses` by increasing distance."""
    if (np.diff(losses) <= 0).any():
        return "the loss does not increase strictly: mass can move closer at no gain"
    return None
