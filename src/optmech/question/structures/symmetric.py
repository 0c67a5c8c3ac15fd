"""Symmetric noise of bounded width that releases the truth with a given probability.

Model
-----
    alpha[i] >= 0                                                       i = 1..D
    M[n+i,n] = M[n-i,n] = (1 - eta)/2 alpha[i],   M[n,n] = eta          for each count n >= D
    sum_i alpha[i] = 1                              total
    privacy compares M[y,n] with M[y,n+1]           privacy[y,n,n+1]    first count n, y = n-D..n+D

All counts share the noise, so one pair of neighbours stands for all; and the noise is symmetric, so one
direction stands for both. Outcome n+D+1 compares 0 with something and always holds.

Size: D columns, 1 row, 2D+1 comparisons.
Source: Sadeghi, Asoodeh, Calmon 2020, Proposition 3 (14)-(16).
Algebra: formulations/sadeghi_symmetric.mod.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.number_format import exactly
from optmech.question.structures.bounded import BoundedNoise, counts_of, holds_noise, noise_of_entries
from optmech.question.structures.structure import Columns, Comparisons, Gap, Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True)
class SymmetricNoise(BoundedNoise):
    """One symmetric noise distribution for all counts, otherwise as `ZeroBiasNoise`.

    Sadeghi et al. 2020, Proposition 3; the counts start at `half_width` or above.
    """

    word = "symmetric"

    @property
    def sentence(self) -> str:
        """The allowed mechanisms."""
        return (
            f"Noise of at most {self.half_width}, the same for every true answer and alike on both sides, "
            f"that is zero with probability {exactly(self.accuracy)}."
        )

    def columns(self, query: Query) -> Columns:
        """Return a column for each size of noise. Subscripts are counts and released numbers."""
        from scipy import sparse  # noqa: PLC0415 - a question alone needs no SciPy

        width = self.half_width
        counts, responses = counts_of(query, width)
        if counts[0] < width or len(counts) == 1:
            message = (
                f"symmetric noise of half-width {width} needs two or more counts from {width} on; "
                f"got {counts[0]}..{counts[-1]}. For smaller counts use the zero-bias noise of `sadeghi`."
            )
            raise NotAcceptedError(message)
        num_truths = len(counts)
        shift = responses[:, None] - counts[None, :]  # the noise that turns a count into a released number
        size = np.abs(shift).ravel()
        entry = np.flatnonzero((size >= 1) & (size <= width))
        half = float((1 - self.accuracy) / 2)
        outcomes = np.arange(2 * width + 1)  # released numbers n-D..n+D of the first count n
        first, second = np.full(len(outcomes), counts[0]), np.full(len(outcomes), counts[1])
        return Columns(
            name="alpha",
            subscripts=np.arange(1, width + 1)[:, None],
            entries=sparse.csr_array(
                (np.full(len(entry), half), (entry, size[entry] - 1)), shape=(len(size), width)
            ),
            constant=np.where(size == 0, float(self.accuracy), 0.0),
            total=sparse.csr_array(np.ones((1, width))),
            total_subscripts=np.empty((1, 0), dtype=np.int64),
            comparisons=Comparisons(
                name="privacy",
                left=outcomes * num_truths,
                right=outcomes * num_truths + 1,
                subscripts=np.column_stack([responses[outcomes], first, second]),
                group=np.zeros(len(outcomes), dtype=np.int64),
                group_subscripts=np.array([[counts[0], counts[1]]]),
                group_weights=np.ones(1, dtype=np.int64),
            ),
            shape=(len(responses), num_truths),
        )

    def mismatch(self, query: Query) -> str | None:
        """Return why it does not fit a query."""
        width = self.half_width
        fits = query.num_truths > 1 and not query.is_weighted and holds_noise(query, width, width)
        return None if fits else f"noise within {width} needs counts one apart and all that it makes of them"

    def counts_in(self, smallest: int, largest: int) -> tuple[int, int]:
        """Return a range of counts from the half-width on: all share one distribution."""
        smallest = max(smallest, self.half_width)
        return smallest, max(largest, smallest + self.half_width)

    def noise_origin(self, query: Query) -> Fraction:
        """Return the first truth: noise is what is added to it."""
        return query.truths[0]

    def representative(self, outcome: int, truth: int, other: int) -> tuple[int, int, int]:
        """Return the comparison of the first count with the second, which stands for all."""
        return (outcome - truth) * (other - truth), 0, 1

    def alike(self, query: Query) -> Integers:
        """Return the size of the noise of each entry."""
        return np.abs(noise_of_entries(query))

    def outcomes(self, query: Query) -> Outcomes:  # noqa: ARG002 - the first two stand for all
        """Return the outcomes of the first two counts: all counts share the noise."""
        number = 2 * self.half_width + 1
        return Outcomes(np.array([[0, 1]]), np.ones(1, dtype=np.int64), np.arange(number))

    def gaps(self, matrix: Floats, query: Query) -> Iterator[Gap]:
        """Yield the violations of P1 to P3 and of the one noise for all counts."""
        yield from BoundedNoise.gaps(self, matrix, query)
        noise = np.abs(query.response_values[:, None] - query.truth_values[None, :])
        shape = max(float(np.ptp(matrix[noise == size])) for size in range(1, self.half_width + 1))
        text = f"the same on both sides and for each count within {shape:.1e}"
        yield Gap("symmetric noise", shape, text)
