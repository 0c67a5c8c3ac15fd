"""Noise of bounded width and mean zero that tells the truth with a given probability, count by count.

Model
-----
    alpha[i1,i2,n] >= 0                              n = count, A = min(n, D), i1 = -A..-1, i2 = 1..D
    M[n+z,n] = sum_{i1,i2} alpha[i1,i2,n] p(z)       p(i1) = (1-eta) i2/(i2+|i1|), p(0) = eta,
                                                     p(i2) = (1-eta) |i1|/(i2+|i1|)
    sum_{i1,i2} alpha[i1,i2,n] = 1                   total[n]
    privacy compares M[y,n] with M[y,m]              privacy[y,n,m]    |n-m| = 1, y = n-A..n+D

Each atom (i1, i2) takes two values besides zero and has mean zero; together they are the vertices of all
noise with properties P1-P3. A released number outside n-A..n+D compares 0 with something and always holds.

Size: D sum_n min(n,D) columns, one row and up to 2(2D+1) comparisons for each count.
Source: Sadeghi, Asoodeh, Calmon 2020, Proposition 1 (2)-(3), Proposition 2 (10)-(13).
Algebra: formulations/sadeghi.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.layout import Comparisons, Layout, exactly
from optmech.models.linear_model import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.query import Query
    from optmech.question.structure import ZeroBiasNoise

    Integers = NDArray[np.int64]

__all__ = ["counts_of", "zero_bias_layout"]

_MOST_ATOMS = 4_000_000


def counts_of(query: Query, half_width: int) -> tuple[Integers, Integers]:
    """Return the counts and the released numbers of a query that bounded noise fits.

    Raises
    ------
    NotAcceptedError
        If the truths are no range of counts, the neighbours are not one apart, or the responses do not hold
        every number within `half_width` of a count.
    """
    counts = np.arange(query.num_truths) + int(query.truths[0])
    steps = np.abs(query.pairs[:, 0] - query.pairs[:, 1])
    released = np.arange(max(0, int(counts[0]) - half_width), int(counts[-1]) + half_width + 1)
    fits = (
        np.array_equal(query.truth_values, counts)
        and (steps == 1).all()
        and len(steps) == 2 * (len(counts) - 1)
        and np.array_equal(query.response_values, released)
    )
    if not fits:
        message = (
            f"noise of half-width {half_width} needs counts one apart and every number within "
            f"{half_width} of them, from 0 on, as a response; got {query.title}. Such a query is "
            f"Query(range({half_width}, {half_width + 7}), range({2 * half_width + 7}), 1)."
        )
        raise NotAcceptedError(message)
    return counts, released


def zero_bias_layout(query: Query, structure: ZeroBiasNoise) -> Layout:
    """Return the layout of zero-bias noise. Subscripts are the noise, counts and released numbers.

    Raises
    ------
    NotAcceptedError
        If the query is no range of counts from 1 on.
    """
    width = structure.half_width
    counts, released = counts_of(query, width)
    if counts[0] < 1:
        message = (
            "zero-bias noise needs counts from 1 on; got 0. "
            "Noise added to 0 cannot fall below it, so its mean is zero only without noise."
        )
        raise NotAcceptedError(message)
    num_truths = len(counts)
    atoms = num_truths * width * width
    if atoms > _MOST_ATOMS:
        message = (
            f"zero-bias noise of half-width {width} on {num_truths} counts needs up to {atoms:,} columns; "
            f"at most {_MOST_ATOMS:,} can be designed. Ask for fewer counts or a smaller half-width."
        )
        raise NotAcceptedError(message)
    # All atoms of all counts: the noise below, the noise above, the count's position.
    below, above, position = (
        axis.ravel()
        for axis in np.meshgrid(np.arange(-width, 0), np.arange(1, width + 1), np.arange(num_truths))
    )
    in_range = counts[position] + below >= 0  # P1: nothing negative is released
    below, above, position = below[in_range], above[in_range], position[in_range]
    atom = np.arange(len(position))
    error = float(1 - structure.accuracy)
    # Sadeghi (2), one sparse column for each atom.
    shifts = np.stack([below, np.zeros_like(below), above])
    masses = np.stack(
        [
            error * above / (above - below),
            np.full(len(atom), float(structure.accuracy)),
            error * -below / (above - below),
        ]
    )
    row = counts[position] + shifts - released[0]
    entries = sparse.csr_array(
        (masses.ravel(), ((row * num_truths + position).ravel(), np.tile(atom, 3))),
        shape=(len(released) * num_truths, len(atom)),
    )
    total = exactly(
        Block(name="total", indices=counts[:, None]),
        sparse.csr_array((np.ones(len(atom)), (position, atom)), shape=(num_truths, len(atom))),
        1.0,
    )
    return Layout(
        columns=(Block(name="alpha", indices=np.column_stack([below, above, counts[position]])),),
        entries=entries,
        constant=np.zeros(len(released) * num_truths),
        rows=(total,),
        comparisons=_comparisons(query, counts, released, width),
        shape=(len(released), num_truths),
    )


def _comparisons(query: Query, counts: Integers, released: Integers, width: int) -> Comparisons:
    num_truths, pairs = len(counts), query.pairs
    row, group = (axis.ravel() for axis in np.meshgrid(np.arange(len(released)), np.arange(len(pairs))))
    first, second = pairs[group, 0], pairs[group, 1]
    shown = np.abs(released[row] - counts[first]) <= width
    row, group, first, second = row[shown], group[shown], first[shown], second[shown]
    return Comparisons(
        name="privacy",
        left=row * num_truths + first,
        right=row * num_truths + second,
        subscripts=np.column_stack([released[row], counts[first], counts[second]]),
        group=group,
        group_subscripts=counts[pairs],
        group_weights=query.weights,
    )
