"""Which entries of a matrix are equal in every mechanism of a problem, and which are fixed.

Structure and the properties of symmetry and fairness say so. Entries that are equal are one quantity: they
share a name, and their reduced costs add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.problem.properties import Property
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.problem.problem import Problem

    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["FIXED", "NEVER", "names_of_entries", "noise_of_entries", "sums_by_name"]

NEVER = -1
"""Name of entries that are zero: noise beyond its width."""
FIXED = 0
"""Name of the truths' entries where the structure fixes their probability."""


def names_of_entries(problem: Problem) -> Integers:
    """Return a name for each entry, shape (num_responses, num_truths); entries of one name are equal.

    Examples
    --------
    >>> from optmech.formulations.croft import croft
    >>> from optmech.problem.queries import count
    >>> names_of_entries(croft(count(2), 1, properties=["symmetric"])).tolist()
    [[0, 1, 2], [3, 4, 3], [2, 1, 0]]
    """
    query = problem.query
    rows, truths = query.num_responses, query.num_truths
    names = np.arange(rows * truths).reshape(rows, truths)
    match problem.structure:
        case FreeMatrix():
            if Property.SYMMETRIC in problem.properties:
                names = np.minimum(names, names[::-1, ::-1])
            if Property.FAIR in problem.properties:
                names[query.home, np.arange(truths)] = rows * truths
                if Property.SYMMETRIC in problem.properties:  # the mirror of such an entry is equal to it
                    names = np.where(names[::-1, ::-1] == rows * truths, rows * truths, names)
        case ModularNoise():
            names = (np.arange(rows)[:, None] - np.arange(truths)[None, :]) % truths
        case SymmetricNoise(half_width=width):
            size = np.abs(noise_of_entries(problem))
            names = np.where(size <= width, size, NEVER)
        case ZeroBiasNoise(half_width=width):
            noise = noise_of_entries(problem)
            names = np.where(np.abs(noise) <= width, names + 1, NEVER)
            names[noise == 0] = FIXED
    return names


def noise_of_entries(problem: Problem) -> Integers:
    """Return by how many responses each entry lies from that of the truth."""
    noise: Integers = np.arange(problem.query.num_responses)[:, None] - problem.query.home[None, :]
    return noise


def sums_by_name(names: Integers, table: Whole) -> Whole:
    """Return what the entries of each name sum to: at the name's place, for `NEVER` at the end.

    Examples
    --------
    >>> sums_by_name(np.array([[1, 0], [NEVER, 1]]), np.array([[3, 5], [7, 4]], dtype=object)).tolist()
    [5, 7, 7]
    """
    sums = np.zeros(names.max() + 2, dtype=object)
    np.add.at(sums, names, table)
    return sums
