"""Elimination of the entries of rows of which each is tied to the next, without cancellation.

Orders within a column tie an entry to that of the next response. The entries of all rows then have one
matrix, with a dense block for each row and one for each row and the next. It is eliminated row by row as in
`elimination`: off-diagonals ``-m`` and row sums are carried, the diagonal never is. The rest that
some pivots leave of entries further behind is one product of matrices, and no term of it is negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.linalg.lapack import dtrtri

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.interior.fronts import Cells

# Pivots that are taken before what is further behind follows.
_TOGETHER = 16


@dataclass(frozen=True, slots=True, eq=False)
class ChainOfRows:
    """The factors L D L' of all rows: pivots (places, rows), and two tables (rows, places, places).

    `onward` takes what stands at a place to those of the next row. `within` takes it to later places of its
    own row, all the way: it is the inverse of one less the multipliers, and no entry of it is negative.
    `prices` are the places and prices of coefficients.
    """

    prices: Cells
    pivots: Floats
    within: Floats
    onward: Floats

    @classmethod
    def of(cls, prices: Cells, row_sums: Floats, couplings: Floats) -> Self | None:
        """Return the factors, ``None`` where rounding leaves a pivot that is not positive.

        Row sums have the shape (places, rows). Couplings ``[r, i, j]`` are m between place i of row r and
        place j > i of it, or, from ``j = places`` on, place ``j - places`` of the next row. Both are
        overwritten.
        """
        places, rows = row_sums.shape
        pivots = np.empty_like(row_sums)
        sums = np.concatenate([row_sums.T, np.zeros((1, places))])
        for row in range(rows):
            block, own_sums = couplings[row], np.concatenate([sums[row], sums[row + 1]])
            following = couplings[row + 1, :, :places] if row + 1 < rows else np.zeros((places, places))
            if row + 1 == rows:
                block[:, places:] = 0.0
            if not _eliminate(block, own_sums, following, pivots[:, row]):
                return None
            sums[row + 1] = own_sums[places:]
        within = np.stack([_all_the_way(block[:, :places]) for block in couplings])
        return cls(prices, pivots, within, np.ascontiguousarray(couplings[:, :, places:]))

    def solve(self, right: Floats) -> Floats:
        """Return the solutions of all rows, for right-hand sides of the shape (places, rows)."""
        solution = right[:, :, None].copy()
        self.solve_all(solution)
        return solution[:, :, 0]

    def of_prices(self, coefficients: Floats) -> Floats:
        """Return ``G' (X K X)^-1 G``, of all rows, of coefficients in the order of `prices`."""
        at, (places, rows) = self.prices, self.pivots.shape
        block = np.zeros((places, rows, at.width))
        block[at.rows, :, at.columns] = coefficients
        touched = np.split(at.columns, np.searchsorted(at.rows, np.arange(1, places)))
        own = [np.ascontiguousarray(block[i][:, columns].T) for i, columns in enumerate(touched)]
        self.solve_all(block)
        system = np.zeros((at.width, at.width))
        for columns, some, solved in zip(touched, own, block, strict=True):
            system[columns] += some @ solved
        symmetric: Floats = (system + system.T) / 2
        return symmetric

    def solve_all(self, right: Floats) -> None:
        """Replace right-hand sides, of the shape (places, rows, columns), by the solutions of all rows."""
        rows, pivots = right.shape[1], self.pivots[:, :, None]
        solved = np.zeros_like(right[:, 0])
        each = []
        for row in range(rows):
            before = self.onward[row - 1].T @ solved if row else solved
            solved = self.within[row].T @ (right[:, row] + before)
            each.append(solved)
        for row in reversed(range(rows)):
            behind = self.onward[row] @ solved if row + 1 < rows else 0.0
            solved = self.within[row] @ (each[row] / pivots[:, row] + behind)
            right[:, row] = solved


def _all_the_way(multipliers: Floats) -> Floats:
    """Return the inverse of one less the multipliers to later places."""
    triangle = -np.triu(multipliers, 1)
    inverse, _ = dtrtri(triangle.T, lower=1, unitdiag=1)
    inverse[np.diag_indices_from(inverse)] = 1.0
    whole: Floats = np.ascontiguousarray(np.tril(inverse).T)
    return whole


def _eliminate(block: Floats, sums: Floats, following: Floats, pivots: Floats) -> bool:
    """Eliminate the entries of one row; return whether all pivots are positive.

    `block` becomes the multipliers, `sums` are those of the row and the next, and `following` is the block of
    the next row.
    """
    places = len(block)
    for first in range(0, places, _TOGETHER):
        last = min(first + _TOGETHER, places)
        values = np.zeros((last - first, 2 * places - last))
        for i in range(first, last):
            ahead = block[i, i + 1 :]
            pivot = sums[i] + ahead.sum()
            if not pivot > 0:
                return False
            pivots[i] = pivot
            multipliers = ahead / pivot
            sums[i + 1 :] += multipliers * sums[i]
            within = last - i - 1
            block[i + 1 : last, i + 1 :] += multipliers[:within, None] * ahead
            values[i - first] = ahead[within:]
            block[i, i + 1 :] = multipliers
        behind = places - last
        products = block[first:last, last:].T @ values
        block[last:, last:] += products[:behind]
        following += products[behind:, behind:]
    return True
