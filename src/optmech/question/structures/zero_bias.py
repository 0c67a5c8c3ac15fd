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

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.number_format import exactly
from optmech.question.limits import Accuracy, Within
from optmech.question.properties import UNBIASED
from optmech.question.structures.bounded import BoundedNoise, counts_of, holds_noise, noise_of_entries
from optmech.question.structures.structure import Columns, Comparisons

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.question.limits import StatedLimit
    from optmech.question.properties import Property
    from optmech.question.query import Query


_MOST_ATOMS = 4_000_000


@dataclass(frozen=True, slots=True)
class ZeroBiasNoise(BoundedNoise):
    """Noise within `half_width`, of mean zero, that is zero with probability `accuracy`, at each count.

    Properties P1 to P3 of Sadeghi et al. 2020; the distribution may differ from count to count.
    """

    word = "zero-bias"

    @property
    def sentence(self) -> str:
        """The allowed mechanisms."""
        return (
            f"Noise of at most {self.half_width}, zero on average, that is zero with probability "
            f"{exactly(self.accuracy)}; its distribution may differ between true answers."
        )

    def mismatch(self, query: Query) -> str | None:
        """Return why it does not fit a query."""
        width = self.half_width
        fits = holds_noise(query, width, 1)
        return None if fits else f"noise within {width} needs counts one apart and all that it makes of them"

    @property
    def as_demands(self) -> tuple[frozenset[Property], frozenset[StatedLimit]]:
        """P1 to P3 as limits and a property of any matrix."""
        limits: frozenset[StatedLimit] = frozenset(
            {Accuracy(self.accuracy, exactly=True), Within(Fraction(self.half_width))}
        )
        return frozenset({UNBIASED}), limits

    def alike(self, query: Query) -> Integers:
        """Return one number for all entries of the truth, and one for all that are beyond the width."""
        noise = noise_of_entries(query)
        alike = np.arange(noise.size).reshape(noise.shape)
        alike[noise == 0] = alike[noise == 0][0]
        beyond = np.abs(noise) > self.half_width
        alike[beyond] = alike[beyond].min(initial=noise.size)
        return alike

    def columns(self, query: Query) -> Columns:
        """Return a column for each atom of each count. Subscripts are the noise, counts and released numbers.

        Raises
        ------
        NotAcceptedError
            If the query is no range of counts from 1 on.
        """
        from scipy import sparse  # noqa: PLC0415 - a question alone needs no SciPy

        width = self.half_width
        counts, responses = counts_of(query, width)
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
                f"zero-bias noise of half-width {width} on {num_truths} counts needs up to {atoms:,} "
                f"columns; at most {_MOST_ATOMS:,} can be designed. Ask for fewer counts or less width."
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
        error = float(1 - self.accuracy)
        # Sadeghi (2), one sparse column for each atom.
        shifts = np.stack([below, np.zeros_like(below), above])
        masses = np.stack(
            [
                error * above / (above - below),
                np.full(len(atom), float(self.accuracy)),
                error * -below / (above - below),
            ]
        )
        row = counts[position] + shifts - responses[0]
        entries = sparse.csr_array(
            (masses.ravel(), ((row * num_truths + position).ravel(), np.tile(atom, 3))),
            shape=(len(responses) * num_truths, len(atom)),
        )
        return Columns(
            name="alpha",
            subscripts=np.column_stack([below, above, counts[position]]),
            entries=entries,
            constant=np.zeros(len(responses) * num_truths),
            total=sparse.csr_array((np.ones(len(atom)), (position, atom)), shape=(num_truths, len(atom))),
            total_subscripts=counts[:, None],
            comparisons=_comparisons(query, counts, responses, width),
            shape=(len(responses), num_truths),
        )


def _comparisons(query: Query, counts: Integers, responses: Integers, width: int) -> Comparisons:
    num_truths, pairs = len(counts), query.pairs
    row, group = (axis.ravel() for axis in np.meshgrid(np.arange(len(responses)), np.arange(len(pairs))))
    first, second = pairs[group, 0], pairs[group, 1]
    inside = np.abs(responses[row] - counts[first]) <= width
    row, group, first, second = row[inside], group[inside], first[inside], second[inside]
    return Comparisons(
        name="privacy",
        left=row * num_truths + first,
        right=row * num_truths + second,
        subscripts=np.column_stack([responses[row], counts[first], counts[second]]),
        group=group,
        group_subscripts=counts[pairs],
        group_weights=query.weights,
    )
