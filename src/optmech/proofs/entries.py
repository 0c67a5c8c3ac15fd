"""Which entries of a matrix are equal in every mechanism of a problem, and between which values they lie.

Structure and the properties of symmetry and fairness say which are equal. Those are one quantity: they share
a name, and their reduced costs add up. Structure and limits say what the quantity may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from optmech.question.properties import FAIR, SYMMETRIC, UNBIASED
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.rules.quantities import entry_limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.problem import Problem

    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["Quantities", "errors_of_entries", "has_means", "noise_of_entries", "quantities"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantities:
    """The quantities that a matrix is made of.

    Attributes
    ----------
    names : ndarray of int, shape (num_responses, num_truths)
        Entries of one name, from 0 on, are equal.
    least, most : ndarray of Fraction, shape (number of names,)
        Between which values each quantity lies.
    """

    names: Integers
    least: Whole
    most: Whole

    def sums(self, table: Whole) -> Whole:
        """Return what the entries of each name sum to.

        Examples
        --------
        >>> given = Quantities(names=np.array([[1, 0], [2, 1]]), least=np.zeros(3), most=np.ones(3))
        >>> given.sums(np.array([[3, 5], [7, 4]], dtype=object)).tolist()
        [5, 7, 7]
        """
        sums = np.zeros(len(self.least), dtype=object)
        np.add.at(sums, self.names, table)
        return sums

    def worth(self, costs: Whole) -> Fraction | int:
        """Return the least that quantities of these costs can cost together, each within its limits."""
        whole = (self.least == 0) & (self.most == 1)
        limited = zip(costs[~whole], self.least[~whole], self.most[~whole], strict=True)
        worth: Fraction = sum((min(cost * least, cost * most) for cost, least, most in limited), Fraction(0))
        return int(np.minimum(costs[whole], 0).sum()) + worth


def quantities(problem: Problem) -> Quantities:
    """Return the quantities of a problem's matrix.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> quantities(croft(count(2), 1, properties=["symmetric"])).names.tolist()
    [[0, 1, 2], [3, 4, 3], [2, 1, 0]]
    """
    query = problem.query
    shape = query.num_responses, query.num_truths
    place = np.arange(shape[0] * shape[1]).reshape(shape)
    links = [np.stack([place, _by_structure(problem)])]
    if SYMMETRIC in problem.properties:
        links.append(np.stack([place, place[::-1, ::-1]]))
    if FAIR in problem.properties:
        home = place[query.home, np.arange(shape[1])]
        links.append(np.stack([home, np.roll(home, 1)]))
    left, right = np.concatenate([link.reshape(2, -1) for link in links], axis=1)
    graph = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(place.size, place.size))
    number, names = sparse.csgraph.connected_components(graph, directed=False)
    names = names.astype(np.int64).reshape(shape)
    least = np.full(number, Fraction(0), dtype=object)
    most = np.full(number, Fraction(1), dtype=object)
    for low, high in _limits(problem):
        np.maximum.at(least, names, low)
        np.minimum.at(most, names, high)
    return Quantities(names=names, least=least, most=most)


def _by_structure(problem: Problem) -> Integers:
    """Return for each entry the position of one that the structure makes equal to it."""
    query, structure = problem.query, problem.structure
    shape = query.num_responses, query.num_truths
    match structure:
        case FreeMatrix():
            alike = np.arange(shape[0] * shape[1]).reshape(shape)
        case ModularNoise():
            alike = structure.noise(shape[1])
        case SymmetricNoise():
            alike = np.abs(noise_of_entries(problem))
        case ZeroBiasNoise(half_width=width):
            noise = noise_of_entries(problem)
            alike = np.arange(noise.size).reshape(shape)
            alike[noise == 0] = alike[noise == 0][0]
            alike[np.abs(noise) > width] = alike[np.abs(noise) > width].min(initial=noise.size)
    _, first, which = np.unique(alike, return_index=True, return_inverse=True)
    return first[which].reshape(shape)


def _limits(problem: Problem) -> list[tuple[Whole, Whole]]:
    """Return tables of the least and the largest value of each entry."""
    found = []
    structure = problem.structure
    if isinstance(structure, (SymmetricNoise, ZeroBiasNoise)):
        size = np.abs(noise_of_entries(problem))
        least = np.full(size.shape, Fraction(0), dtype=object)
        most = np.full(size.shape, Fraction(1), dtype=object)
        least[size == 0] = most[size == 0] = structure.accuracy
        most[size > structure.half_width] = Fraction(0)
        found.append((least, most))
    limited = entry_limits(problem.limits, problem.properties, problem.query)
    return found if limited is None else [*found, limited]


def has_means(problem: Problem) -> bool:
    """Whether the mean of each column is its truth: by structure or because it is asked."""
    structured = isinstance(problem.structure, (SymmetricNoise, ZeroBiasNoise))
    return structured or UNBIASED in problem.properties


def errors_of_entries(problem: Problem) -> tuple[Whole, int]:
    """Return by how much each response's midpoint exceeds each truth, as whole numbers over a scale."""
    query = problem.query
    points = [response.midpoint for response in query.responses]
    scale = lcm(*(value.denominator for value in (*points, *query.truths)))
    rows, columns = (
        np.array([int(value * scale) for value in values], dtype=object) for values in (points, query.truths)
    )
    return rows[:, None] - columns[None, :], scale


def noise_of_entries(problem: Problem) -> Integers:
    """Return by how many responses each entry lies from that of the truth."""
    noise: Integers = np.arange(problem.query.num_responses)[:, None] - problem.query.home[None, :]
    return noise
