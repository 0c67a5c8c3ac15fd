"""Properties that couple the rows of a matrix, as rows of the master program.

Fairness says that the entries of all truths' responses are one number, a column of the master program; column
monotony that an entry is at most the next one in its column, nearer to the truth's response. Each is a *tie*,
a pair of entries by their flat positions: the first is at most the second, or equal to the common number
where the second is missing.

Law: a tie adds its dual, times its coefficients, to what entries cost, and nothing to right-hand sides. So
with these costs in place of a question's own, rows of its matrix are as free as before. Symmetry needs no
ties: see `PrivateRows`.

Column monotony has as many ties as entries, and few of them raise the bound: those that a mixture breaks are
found when it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.question.properties import COLUMN_MONOTONE, FAIR, SYMMETRIC

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.question.problem import Problem

COMMON = -1
"""In place of an entry: the probability that all truths' entries share."""

# A tie is broken by more than this share of its entry, and by more than a solver's rounding.
_LEAST_EXCESS = 1e-9
_ROUNDING = 1e-13
# Ties of small entries are scaled up to one, up to so much.
_MOST_SCALED = 2.0**20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coupling:
    """All ties of a question, two positions of entries each, and the shape of its matrix."""

    shape: tuple[int, int]
    fair: Integers
    ordered: Integers
    # Whether the matrix is its own mirror image, so that of a tie and its image one is enough.
    mirrored: bool
    # Whether it must be, so that an entry and its image are one quantity.
    symmetric: bool

    @classmethod
    def of(cls, problem: Problem, *, mirrored: bool) -> Coupling | None:
        """Return the ties of a problem, ``None`` if it has none."""
        query, properties = problem.query, problem.properties
        shape = query.num_responses, query.num_truths
        index = np.arange(shape[0] * shape[1]).reshape(shape)
        fair, order_ties = np.empty((2, 0, 2), dtype=np.int64)
        if FAIR in properties:
            entries = index[query.home, np.arange(shape[1])]
            fair = np.column_stack([entries, np.full(shape[1], COMMON)])
        if COLUMN_MONOTONE in properties:
            rising = np.arange(shape[0] - 1)[:, None] < query.home
            low, high = np.where(rising, index[:-1], index[1:]), np.where(rising, index[1:], index[:-1])
            order_ties = np.column_stack([low.ravel(), high.ravel()])
        if not len(fair) and not len(order_ties):
            return None
        if mirrored:
            fair, order_ties = (_one_of_two(ties, index.size - 1) for ties in (fair, order_ties))
        symmetric = SYMMETRIC in properties
        return cls(shape=shape, fair=fair, ordered=order_ties, mirrored=mirrored, symmetric=symmetric)

    def violations(self, matrix: Floats) -> Marks:
        """Return a mask of the ties of column monotony that a matrix breaks."""
        low, high = (matrix.ravel()[self.ordered[:, end]] for end in (0, 1))
        excess: Marks = low - high > np.maximum(_LEAST_EXCESS * low, _ROUNDING)
        return excess

    def orders(self, ties: Integers, weights: Floats) -> tuple[Integers, Floats]:
        """Return multipliers of a proof: subscripts (r, f, s, f), M[r,f] at most M[s,f], and weights."""
        mask = (ties[:, 1] != COMMON) & (weights > 0)
        ties, weights = ties[mask], weights[mask]
        if self.mirrored and not self.symmetric:
            ties = np.concatenate([ties, self.shape[0] * self.shape[1] - 1 - ties])
            weights = np.tile(weights / 2, 2)
        row, truth = np.divmod(ties, self.shape[1])
        return np.column_stack([row[:, 0], truth[:, 0], row[:, 1], truth[:, 1]]), weights


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ties:
    """Some ties of a question, the fair ones first.

    Each is scaled by a power of two, with which small entries are about one. The table, of shape
    (num_ties, num_entries), has the scaled coefficients; where mirrored the mean of a tie's and its image's.
    """

    pairs: Integers
    scale: Floats
    table: sparse.csr_array

    @classmethod
    def none(cls, entries: int) -> Ties:
        """Return no ties."""
        return cls(
            pairs=np.empty((0, 2), dtype=np.int64), scale=np.empty(0), table=sparse.csr_array((0, entries))
        )

    @classmethod
    def fair(cls, coupling: Coupling) -> Ties:
        """Return the ties of fairness."""
        return cls._of(coupling, coupling.fair, np.ones(len(coupling.fair)))

    @classmethod
    def ordered(cls, coupling: Coupling, mask: Marks, matrix: Floats) -> Ties:
        """Return the chosen ties of column monotony, scaled to the entries of a matrix."""
        indices = coupling.ordered[mask]
        scale = np.exp2(np.floor(-np.log2(np.maximum(matrix.ravel()[indices[:, 0]], 1 / _MOST_SCALED))))
        return cls._of(coupling, indices, scale)

    @classmethod
    def _of(cls, coupling: Coupling, indices: Integers, scale: Floats) -> Ties:
        number = np.arange(len(indices))
        second = indices[:, 1] != COMMON
        table = sparse.csr_array(
            (
                np.concatenate([scale, -scale[second]]),
                (
                    np.concatenate([number, number[second]]),
                    np.concatenate([indices[:, 0], indices[second, 1]]),
                ),
            ),
            shape=(len(indices), coupling.shape[0] * coupling.shape[1]),
        )
        if coupling.mirrored:
            table = sparse.csr_array((table + table[:, ::-1]) / 2)
        return cls(pairs=indices, scale=scale, table=table)

    def with_more(self, other: Ties) -> Ties:
        """Return these ties and other ones."""
        return Ties(
            pairs=np.concatenate([self.pairs, other.pairs]),
            scale=np.concatenate([self.scale, other.scale]),
            table=sparse.csr_array(sparse.vstack([self.table, other.table])),
        )

    def of_rays(self, responses: Integers, rays: Floats) -> Floats:
        """Return the contribution of each ray to each tie, shape (num_rays, num_ties)."""
        number, truths = rays.shape
        if not len(self.pairs):
            return np.empty((number, 0))
        entries = responses[:, None] * truths + np.arange(truths)
        shape = (number, self.table.shape[1])
        entries_of_rays = sparse.csr_array(
            (rays.ravel(), entries.ravel(), truths * np.arange(number + 1)), shape=shape
        )
        table: Floats = (entries_of_rays @ self.table.T).toarray()
        return table


def _one_of_two(ties: Integers, last: int) -> Integers:
    """Return one tie of each that are mirror images of each other, as the question states it."""
    images = np.where(ties == COMMON, COMMON, last - ties)
    codes = np.minimum(*((last + 2) * (both[:, 0] + 1) + both[:, 1] + 1 for both in (ties, images)))
    _, first = np.unique(codes, return_index=True)
    return ties[first]
