"""How the columns of a program make the entries of a mechanism matrix, and which entries privacy compares.

A structure owns columns ``x`` and one affine map to the entries of the matrix, ``entries x + constant``: all
else is stated once, *on entries*. Entries are counted row by row: ``(r, f)`` is ``r * num_truths + f``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Columns", "Comparisons"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """Pairs of entries that privacy holds against each other, one for each response and pair of neighbours.

    A structure that makes many of them equal lists one of each class only.

    Attributes
    ----------
    name : str
        Name of the rows that compare, as in the algebra.
    left, right : ndarray of int, shape (num_comparisons,)
        Entries: the left one may exceed the right one by the factor ``e^epsilon``.
    subscripts : ndarray of int, shape (num_comparisons, dimensions)
        Subscripts of the rows.
    group : ndarray of int, shape (num_comparisons,)
        Which pair of neighbours a comparison belongs to.
    group_weights : ndarray of int, shape (num_groups,)
        How many times epsilon lie between the neighbours of each pair.
    group_subscripts : ndarray of int, shape (num_groups, dimensions)
        Subscripts of each pair of neighbours.
    """

    name: str
    left: Integers
    right: Integers
    subscripts: Integers
    group: Integers
    group_subscripts: Integers
    group_weights: Integers

    @property
    def weights(self) -> Integers:
        """How many times epsilon each comparison allows."""
        return self.group_weights[self.group]

    def only(self, mask: NDArray[np.bool_]) -> Comparisons:
        """Return some of them, of the same pairs of neighbours."""
        return Comparisons(
            name=self.name,
            left=self.left[mask],
            right=self.right[mask],
            subscripts=self.subscripts[mask],
            group=self.group[mask],
            group_subscripts=self.group_subscripts,
            group_weights=self.group_weights,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """A structure for one query, as a program states it. Every column lies between zero and one.

    Attributes
    ----------
    name : str
        Of the columns, as in the algebra.
    subscripts : ndarray of int, shape (num_columns, dimensions)
    entries : csr_array, shape (num_entries, num_columns)
    constant : ndarray, shape (num_entries,)
    total : csr_array, shape (num_totals, num_columns)
        Sums of columns that are one.
    total_subscripts : ndarray of int, shape (num_totals, dimensions)
    comparisons : Comparisons
    shape : (int, int)
        Responses and truths.
    """

    name: str
    subscripts: Integers
    entries: sparse.csr_array
    constant: Floats
    total: sparse.csr_array
    total_subscripts: Integers
    comparisons: Comparisons
    shape: tuple[int, int]
