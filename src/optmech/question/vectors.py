"""Answers that are vectors, and the noise on them, coordinate by coordinate."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import flag, items, numbers, one_of, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief
from optmech.question.kinds.circles import Vector, all_vectors, vector_label
from optmech.question.neighbours import MOST_PAIRS
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats

    Vectors = list[tuple[int, ...]]

__all__ = ["CHANGES", "all_vectors", "joint_pmf", "marginal_pmf", "vector"]

CHANGES = ("vectors", "together", "apart")
"""Values that the distances of `vector` may have."""


def vector(
    moduli: Sequence[int],
    distances: Iterable[Any],
    changes: str = "vectors",
    *,
    symmetric: bool = True,
) -> Query:
    """Ask for a vector, each coordinate on a circle: Z_m1 x Z_m2 x … in lexicographic order.

    The truths are positions 0, 1, …, with labels such as ``"(0,1)"``. Kadam et al. 2024, section on vector
    queries. Loss is measured coordinate by coordinate and summed.

    Parameters
    ----------
    moduli : sequence of int
        Number of values of each coordinate, at least 2 each.
    distances : iterable
        Moves of the answer by one person: true answer minus neighbour's answer, modulo each coordinate.
        With ``changes="vectors"`` a list of vectors, none of them zero. Else one set of whole numbers for
        each coordinate, or one set for all of them; 0 says that a coordinate may stay as it is.
    changes : {"vectors", "together", "apart"}
        ``"together"``: all coordinates move, each by a distance of its set, which makes the product of the
        sets without the zero vector. ``"apart"``: one coordinate moves at a time, the others stay.
    symmetric : bool, default True
        Whether ``-distance`` is protected as well. As in `residues`, ``False`` is *not* differential privacy.

    Raises
    ------
    ProblemError
        If a modulus is below 2, a distance is missing, zero or outside its modulus, or there are too many.

    Examples
    --------
    >>> query = vector((2, 3), [(0, 1), (1, 2)])
    >>> query.labels[:4], len(query.pairs)
    (('(0,0)', '(0,1)', '(0,2)', '(1,0)'), 24)

    The neighbours of Kadam et al. 2024, (57), and all that differ in one coordinate by one:

    >>> vector((5, 5), [0, 1, 2], "together", symmetric=False).name
    'vectors modulo 5, 5, 8 distances, one-sided'
    >>> vector((5, 5), [1], "apart").name
    'vectors modulo 5, 5, distances (0,1), (1,0)'
    """
    flag(symmetric, "symmetric")
    sizes = _whole(moduli, "moduli")
    one_of(changes, CHANGES, "changes")
    steps = _steps(sizes, distances, changes)
    kind, number = Vector(sizes, tuple(steps)), prod(sizes)
    if number * len(steps) > MOST_PAIRS:
        message = (
            f"a query must have at most {MOST_PAIRS:,} pairs of neighbours; got about "
            f"{number * len(steps):,}. Ask for smaller moduli or fewer distances."
        )
        raise ProblemError(message)
    return Query(
        range(number),
        neighbours=kind.pairs(),
        symmetric=symmetric,
        labels=map(vector_label, all_vectors(sizes).tolist()),
        kind=kind,
    )


def joint_pmf(matrix: ArrayLike, moduli: Sequence[int], truth: Sequence[int] | None = None) -> Floats:
    """Return the probability of each noise vector: response minus truth, modulo each coordinate.

    Parameters
    ----------
    matrix : array_like, shape (num_responses, num_truths)
        Mechanism matrix on vectors, such as ``design.mechanism.matrix``.
    moduli : sequence of int
        Number of values of each coordinate.
    truth : sequence of int, optional
        The truth; zero if left out. Modular noise is the same at all of them.

    Returns
    -------
    ndarray, shape `moduli`

    Raises
    ------
    ProblemError
        If the matrix does not have a row and a column for each vector, or the truth is none of them.

    Examples
    --------
    >>> matrix = 0.6 * np.eye(4) + 0.1  # the truth with probability 0.7
    >>> joint_pmf(matrix, (2, 2), truth=(0, 1)).tolist()
    [[0.7, 0.1], [0.1, 0.1]]
    """
    entries, sizes = numbers(matrix, "matrix"), _whole(moduli, "moduli")
    number = prod(sizes)
    if entries.shape != (number, number):
        raise broken_rule("matrix", f"have shape {(number, number)} for moduli {sizes}", entries.shape)
    at = (0,) * len(sizes) if truth is None else _whole(truth, "truth")
    if len(at) != len(sizes) or not all(0 <= value < size for value, size in zip(at, sizes, strict=True)):
        raise broken_rule("truth", f"be a vector below the moduli {sizes}", brief(truth))
    column: Floats = entries[:, np.ravel_multi_index(at, sizes)].reshape(sizes)
    return np.roll(column, tuple(-value for value in at), axis=tuple(range(len(sizes))))


def marginal_pmf(joint: ArrayLike, coordinate: int) -> Floats:
    """Return the probability of each noise value of one coordinate, summed over the others.

    Parameters
    ----------
    joint : array_like, shape (m1, m2, …)
        From `joint_pmf`.
    coordinate : int
        Counted from 0.

    Returns
    -------
    ndarray, shape (modulus,)

    Raises
    ------
    ProblemError
        If there is no such coordinate.

    Examples
    --------
    >>> marginal_pmf([[0.5, 0.25], [0.25, 0.0]], 1).tolist()
    [0.75, 0.25]
    """
    masses = numbers(joint, "joint")
    if not 0 <= whole_number(coordinate, "coordinate") < masses.ndim:
        raise broken_rule("coordinate", f"be a whole number from 0 to {masses.ndim - 1}", coordinate)
    sums: Floats = masses.sum(axis=tuple(axis for axis in range(masses.ndim) if axis != coordinate))
    return sums


def _steps(sizes: tuple[int, ...], distances: Iterable[Any], changes: str) -> Vectors:
    """Return the distances as vectors, sorted and once each."""
    members = items(distances, "distances")
    if changes == "vectors":
        steps = [_whole(step, "distances") for step in members]
    else:
        alike = all(hasattr(each, "__index__") for each in members)
        sets = [_whole(each, "distances") for each in ([members] * len(sizes) if alike else members)]
        if len(sets) != len(sizes):
            raise broken_rule("distances", f"be one set, or one for each of {len(sizes)} moduli", len(sets))
        if prod(map(len, sets)) > MOST_PAIRS:
            message = f"`distances` must make at most {MOST_PAIRS:,} vectors; got {prod(map(len, sets)):,}."
            raise ProblemError(message)
        zero = (0,) * len(sizes)
        apart = [(*zero[:at], step, *zero[at + 1 :]) for at, steps in enumerate(sets) for step in steps]
        steps = [step for step in (product(*sets) if changes == "together" else apart) if any(step)]
    return sorted(set(steps))


def _whole(values: Any, name: str) -> tuple[int, ...]:  # noqa: ANN401 - whatever was given
    try:
        return tuple(whole_number(value, name) for value in items(values, name))
    except ProblemError:
        raise broken_rule(name, "hold lists of whole numbers", brief(values)) from None
