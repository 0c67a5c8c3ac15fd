"""What columns of whole numbers lack of one, shared out among entries that must stay equal.

Model
-----
    sum_g count[f,g] y[g] = lacking[f]        for each truth f, groups g of equal entries

with y zero but for as many groups as there are independent columns. The y are rational, so that the
denominator of the matrix may grow by a small factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from flint import fmpz_mat

from optmech.designs.repair.rounding import BITS
from optmech.proofs.matrix import ExactMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.designs.repair.interior import Interior

    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["Shared"]

# Counts are small whole numbers: what elimination leaves of a dependent column is rounding.
_DEPENDENT = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shared:
    """Groups that take what columns lack, and the columns that decide how much.

    Attributes
    ----------
    group : ndarray of int, shape (num_responses, num_truths)
        Of equal entries.
    takers, columns : ndarray of int
        As many of the one as of the other.
    counts : ndarray of int, shape (len(columns), len(takers))
        How often each taker stands in each column, a matrix with an inverse.
    """

    group: Integers
    takers: Integers
    columns: Integers
    counts: Integers

    @classmethod
    def among(cls, found: Interior) -> Shared:
        """Return groups that have much room, few of them in several columns."""
        group = found.group
        truths = group.shape[1]
        counts = np.zeros((truths, int(group.max()) + 1), dtype=np.int64)
        values = np.zeros(counts.shape[1])
        shown = group >= 0
        np.add.at(counts, (np.nonzero(shown)[1], group[shown]), 1)
        values[group[shown]] = found.matrix[shown]
        weights = values / np.maximum(counts.sum(axis=0), 1)
        takers = _independent(counts * weights)
        columns = _independent(counts[:, takers].T.astype(float))
        return cls(group=group, takers=takers, columns=columns, counts=counts[np.ix_(columns, takers)])

    def completed(self, whole: Whole) -> ExactMatrix | None:
        """Return numbers near ``whole / 2**BITS`` with columns of one sum, ``None`` if one is below zero."""
        lacking = [2**BITS - int(total) for total in whole.sum(axis=0)[self.columns]]
        solved = fmpz_mat(self.counts.tolist()).solve(fmpz_mat([[units] for units in lacking]))
        each = [solved[place, 0] for place in range(len(self.takers))]
        scale = lcm(*(int(units.q) for units in each))
        made = whole * scale
        for taker, units in zip(self.takers.tolist(), each, strict=True):
            made[self.group == taker] += int(units.p) * (scale // int(units.q))
        total = scale * 2**BITS
        if (made < 0).any() or (made.sum(axis=0) != total).any():
            return None
        return ExactMatrix(numerators=made, denominator=total)


def _independent(columns: NDArray[np.float64]) -> Integers:
    """Return which columns are a basis of all, the largest ones first."""
    triangle, order = scipy.linalg.qr(columns, mode="r", pivoting=True)
    left = np.abs(np.diag(triangle))
    chosen: Integers = np.sort(order[: int((left > _DEPENDENT * left.max()).sum())])
    return chosen
