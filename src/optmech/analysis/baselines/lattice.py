"""Grids of equal steps, and whole-number noise clamped to their ends.

Clamping releases ``min(max(0, q + noise), n)``, Kadam et al. 2024 (55). The law of the answer is

    M[0, q] = F(-q),   M[k, q] = f(k - q),   M[n, q] = 1 - F(n - q - 1)

for noise with the probabilities f and the distribution function F. The paper prints ``1 - F(n - q)`` in the
last row of (56), which loses ``f(n - q)``: columns then sum to 0.82 and less at alpha = 0.7, n = 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from optmech.analysis.baselines.baseline import Distribution, sensitivity
from optmech.base.errors import NotAcceptedError

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Lattice", "WholeNumberNoise", "clamp", "lattice_of", "own_lattice_of"]


class WholeNumberNoise(Distribution, Protocol):
    """Noise on the whole numbers."""

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """A query whose responses are points, equally spaced, with every truth on a multiple of the step.

    Of shape (num_responses, num_truths), `shifts` has how many steps each response lies above each truth;
    `distances` are the numbers of steps between neighbours, increasing.
    """

    step: Fraction
    shifts: Integers
    distances: tuple[int, ...]

    @property
    def reach(self) -> int:
        """How many steps one person can move the answer."""
        return self.distances[-1]


def lattice_of(query: Query) -> Lattice:
    """Return the grid of a query; NotAcceptedError if it has none that is even, with all truths on it."""
    sensitivity(query)
    points = [category.midpoint for category in query.responses]
    steps = {high - low for low, high in pairwise(points)}
    flat = all(category.lower == category.upper for category in query.responses)
    if len(steps) == 1 and flat:
        step = steps.pop()
        positions = [(truth - points[0]) / step for truth in query.truths]
        if all(position.denominator == 1 for position in positions):
            columns = np.array([int(position) for position in positions])
            apart = np.abs(columns[query.pairs[:, 0]] - columns[query.pairs[:, 1]])
            return Lattice(
                step=step,
                shifts=np.arange(len(points))[:, None] - columns[None, :],
                distances=tuple(np.unique(apart).tolist()),
            )
    message = (
        "whole-number noise needs two or more equally spaced points as responses and truths on their grid; "
        f"got {query.title}. For categories use a snapped mechanism."
    )
    raise NotAcceptedError(message)


def own_lattice_of(query: Query) -> Lattice:
    """Return the grid of a query whose responses are its truths."""
    lattice = lattice_of(query)
    if not np.array_equal(lattice.shifts[:, 0], np.arange(query.num_truths)):
        message = (
            "this mechanism needs responses that are the truths; "
            f"got {query.num_responses} responses for {query.num_truths} truths ({query.title})."
        )
        raise NotAcceptedError(message)
    return lattice


def clamp(noise: WholeNumberNoise, shifts: Integers) -> Floats:
    """Return the matrix of additive noise clamped to the grid: Kadam (56) with the last row corrected."""
    matrix = np.array(noise.pmf(shifts), dtype=float)
    matrix[0] = noise.cdf(shifts[0])
    matrix[-1] = noise.sf(shifts[-1] - 1)  # as printed, 1 - F(n - q), the mass at n - q is lost
    return matrix
