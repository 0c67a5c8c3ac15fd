"""The rules of a question on its quantities, equal entries being one: what a repair must keep.

Model
-----
    sum_k coefficient[i,k] x[k] = right[i]        columns that sum to one, totals           sums
    x[a] <= x[b]                                  Croft (10)-(13), honesty                  orders
    x[a] <= E^w x[b]                              pure privacy                              left, right
    x[a] <= E^w x[b] + delta                      an excess of each ratio
    sum_r max(0, x[a_r] - E^w x[b_r]) <= delta    of all ratios of a pair of neighbours
    sum_r x[a_r] [x[a_r] > E^w x[b_r]] <= delta   a choice for each ratio
    sum_k coefficient[i,k] x[k] <= right[i]       bounded losses, inequalities  bounds, inequalities
    least[k] <= x[k] <= most[k]                                                             limits
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.designs.repair.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import Bound, Total
    from optmech.rules import Rules


@dataclass(frozen=True, kw_only=True, eq=False)
class QuantityRules:
    """Rules on quantities, each once; `names` says which quantity each entry is.

    The values between which each quantity lies are doubles here, exact ones are in `rules`.
    """

    rules: Rules
    names: Integers
    least: Floats
    most: Floats

    @classmethod
    @lru_cache(maxsize=1)  # each proposal for a question is repaired by the same rules
    def of(cls, rules: Rules) -> QuantityRules:
        """Return the rules of a question on its quantities."""
        quantities = rules.quantities
        least, most = quantities.least.astype(float), quantities.most.astype(float)
        return cls(rules=rules, names=quantities.names, least=least, most=most)

    @cached_property
    def each_privacy(self) -> tuple[QuantityRules, ...]:
        """The same quantities with one of the privacies each."""
        return tuple(replace(self, rules=rules) for rules in self.rules.each_privacy)

    @property
    def size(self) -> int:
        """The number of quantities."""
        return len(self.least)

    def means(self, entries: Whole) -> Whole:
        """Return the mean of the entries of each quantity."""
        names = self.names.ravel()
        if entries.dtype == object:  # exact ones are equal
            return entries.ravel()[np.unique(names, return_index=True)[1]]
        means: Floats = np.bincount(names, entries.ravel()) / np.bincount(names)
        return means

    @cached_property
    def sums(self) -> Sums:
        """The equations: columns sum to one, then totals."""
        return self.sums_with(frozenset())

    def sums_with(self, equal: frozenset[int]) -> Sums:
        """Return the equations, and as further ones the inequalities that are `equal` in every mechanism."""
        number, truths = self.rules.shape
        entries = np.arange(number * truths)
        ones = np.full(entries.size, 1, dtype=object)
        parts = [(entries % truths, entries, ones, np.full(truths, 1, dtype=object))]
        parts += [_whole(total) for total in self.rules.totals]
        start = 0
        for block in self.rules.inequalities if equal else ():
            rows = [row for row in range(len(block.right)) if start + row in equal]
            parts += [_whole(_part(block, rows))] if rows else []
            start += len(block.right)
        starts = np.cumsum([0, *(len(right) for *_, right in parts)])
        return Sums.of(
            np.concatenate([rows + start for (rows, *_), start in zip(parts, starts, strict=False)]),
            self.names.ravel()[np.concatenate([entry for _, entry, _, _ in parts])],
            np.concatenate([coefficients for _, _, coefficients, _ in parts]),
            np.concatenate([right for *_, right in parts]),
            self.size,
        )

    @cached_property
    def orders(self) -> Integers:
        """Quantities of which the first is at most the second, shape (num_orders, 2)."""
        flat = self.names.ravel()
        pairs = [np.column_stack([flat[order.low], flat[order.high]]) for order in self.rules.orders]
        pairs_in_order = np.unique(np.concatenate([np.empty((0, 2), dtype=np.int64), *pairs]), axis=0)
        different: Integers = pairs_in_order[pairs_in_order[:, 0] != pairs_in_order[:, 1]]
        return different

    @cached_property
    def comparisons(self) -> tuple[Integers, Integers, Integers]:
        """Quantities that privacy compares, left and right, a row for each pair; and weights of the pairs."""
        rules = self.rules
        names = self.names if rules.privacy[0].responses is None else self.names[rules.privacy[0].responses]
        codes = names[:, rules.pairs[:, 0]].T * self.size + names[:, rules.pairs[:, 1]].T
        weights = rules.weights
        if rules.structural:  # noise makes many pairs alike
            rows = np.unique(np.column_stack([np.sort(codes, axis=1), weights]), axis=0)
            codes, weights = rows[:, :-1], rows[:, -1]
        return codes // self.size, codes % self.size, weights

    @cached_property
    def bounds(self) -> tuple[sparse.csr_array, Floats]:
        """Coefficients of losses that must stay within bounds, and the bounds, in doubles."""
        return self._matrix(self._bounds())

    @cached_property
    def inequalities(self) -> tuple[sparse.csr_array, Floats]:
        """Coefficients of weighted sums that are at most a number, and the numbers, in doubles."""
        return self._matrix(self._inequalities())

    def _matrix(self, rows: Iterator[tuple[Floats, float]]) -> tuple[sparse.csr_array, Floats]:
        listed = list(rows)
        matrix = sparse.csr_array(np.array([row for row, _ in listed]).reshape(-1, self.size))
        return matrix, np.array([right for _, right in listed])

    def _bounds(self) -> Iterator[tuple[Floats, float]]:
        rules, flat = self.rules, self.names.ravel()
        truth = np.arange(flat.size) % rules.shape[1]
        for loss in (*rules.bounds, *([] if rules.cost is None else [rules.cost])):
            table = loss.costs.table.ravel().astype(float) / loss.costs.scale
            for part in range(loss.num_sums):
                costs = np.where(truth == part, table, 0.0) if loss.each else table
                yield np.bincount(flat, costs, self.size).astype(float), float(loss.at_most or 0)

    def _inequalities(self) -> Iterator[tuple[Floats, float]]:
        flat = self.names.ravel()
        for block in self.rules.inequalities:
            coefficients = block.coefficients.astype(float) / block.scale
            for row, right in enumerate(block.right):
                at = block.rows == row
                row_names = flat[block.entries[at]]
                yield np.bincount(row_names, coefficients[at], self.size).astype(float), float(right)


def _part(block: Bound, rows: list[int]) -> Bound:
    """Return some rows of a block, in order."""
    inside = np.isin(block.rows, rows)
    return replace(
        block,
        subscripts=block.subscripts[rows],
        rows=np.searchsorted(rows, block.rows[inside]),
        entries=block.entries[inside],
        coefficients=block.coefficients[inside],
        right=block.right[rows],
    )


def _whole(total: Total | Bound) -> tuple[Integers, Integers, Whole, Whole]:
    """Return rows, entries, coefficients and right sides of sums, multiplied to whole numbers."""
    right = [Fraction(value) for value in total.right]
    times = np.array([value.denominator for value in right], dtype=object)
    rights = np.array([value.numerator * total.scale for value in right], dtype=object)
    return total.rows, total.entries, total.coefficients.astype(object) * times[total.rows], rights
