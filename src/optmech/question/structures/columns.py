"""How the columns of a program make the entries of a mechanism matrix, and which entries privacy compares.

A structure owns columns ``x`` and one affine map to the entries of the matrix, ``entries x + constant``: all
else is stated once, *on entries*. Entries are counted row by row: ``(r, f)`` is ``r * num_truths + f``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy import sparse

    from optmech.base.arrays import Booleans, Floats, Integers


__all__ = ["Columns", "Comparisons"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """Pairs of entries that privacy holds against each other, one for each response and pair of neighbours.

    A structure that makes many of them equal lists one of each class only. An entry of `left` may exceed that
    of `right` by the factor ``e^epsilon``; `name` and `subscripts` are those of the rows, as in the algebra.
    `group` says which pair of neighbours a comparison belongs to, with the weights, how many times epsilon
    lie there, and subscripts of each pair.
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

    def only(self, mask: Booleans) -> Comparisons:
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

    `name` and `subscripts` are those of the columns, as in the algebra; `entries`, shape (num_entries,
    num_columns), and `constant` make the matrix, of this `shape`; `total`, shape (num_totals, num_columns),
    are sums of columns that are one.
    """

    name: str
    subscripts: Integers
    entries: sparse.csr_array
    constant: Floats
    total: sparse.csr_array
    total_subscripts: Integers
    comparisons: Comparisons
    shape: tuple[int, int]
