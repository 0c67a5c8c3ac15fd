"""Places of what couples entries, and of the coefficients of prices, the same at every step of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.interior.chain_of_rows import ChainOfRows
from optmech.designs.interior.elimination import Elimination
from optmech.designs.interior.fronts import Cells, Fronts

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.interior.point import Equations
    from optmech.designs.interior.row_program import RowProgram


class Couplings:
    """The elimination of a program's entries: by dissection, or row by row where orders tie rows.

    Ratios couple two places in all rows, an order in one row alone.
    """

    def __init__(self, program: RowProgram) -> None:
        self._program = program
        self._places, self._rows = len(program.order), len(program.rows)
        self._is_chain = program.rows_apart > 0
        left, right, totals = program.left, program.right, program.truths.number
        first, last = np.minimum(left, right), np.maximum(left, right)
        places = np.arange(self._places)
        spending, of_budget = program.spending, totals + program.budgets.of
        sums = program.demands.sums.table.tocoo()
        of_sums = sums.row.astype(np.int64) + program.num_prices - sums.shape[0]
        place, row = np.divmod(sums.col.astype(np.int64), self._rows)
        self._sum_places, of_sums, at = _distinct(place, of_sums, program.num_prices)
        size = len(of_sums) * self._rows
        self._sums = np.bincount(at * self._rows + row, -sums.data, size).reshape(-1, self._rows)
        at_prices = [places, left[spending], right[spending], self._sum_places]
        of_prices = [program.truths.of, of_budget, of_budget, of_sums]
        if program.has_level:
            at_prices.append(places)
            of_prices.append(totals + program.budgets.number + program.truths.of)
        self._prices = Cells.over(np.concatenate(at_prices), np.concatenate(of_prices), program.num_prices)
        orders = program.demands.orders
        low, low_row = np.divmod(orders.low, self._rows)
        high, high_row = np.divmod(orders.high, self._rows)
        if self._is_chain:
            every = np.arange(self._rows)
            self._pairs = self._in_chain(first[:, None], every, last[:, None], every).ravel()
            self._orders = self._in_chain(low, low_row, high, high_row)
            return
        tied, others, of_order = _distinct(np.minimum(low, high), np.maximum(low, high), self._places)
        self._num_tied, self._orders = len(tied), of_order * self._rows + low_row
        cells = Cells.over(np.concatenate([first, tied]), np.concatenate([last, others]), self._places)
        self._fronts = Fronts.over(program.dissection.blocks, cells, self._prices)

    def _in_chain(self, place: Integers, row: Integers, other: Integers, other_row: Integers) -> Integers:
        """Return where the coupling of two entries stands in a chain of rows."""
        at, other_at = row * self._places + place, other_row * self._places + other
        first = np.minimum(at, other_at)
        # A place of the next row stands behind those of the row.
        behind = np.maximum(at, other_at) - first // self._places * self._places
        positions: Integers = first * 2 * self._places + behind
        return positions

    def eliminated(
        self, row_sums: Floats, of_pairs: Floats, of_orders: Floats
    ) -> ChainOfRows | Elimination | None:
        """Return the factors of row sums and couplings, ``None`` where rounding leaves none."""
        if self._is_chain:
            size = 2 * self._places**2 * self._rows
            couplings: Floats = np.bincount(self._pairs, of_pairs.ravel(), size).astype(float)
            couplings += np.bincount(self._orders, of_orders, size)
            shape = self._rows, self._places, 2 * self._places
            return ChainOfRows.of(self._prices, row_sums, couplings.reshape(shape))
        tied = np.bincount(self._orders, of_orders, self._num_tied * self._rows).reshape(-1, self._rows)
        couplings = self._fronts.couplings.sum @ np.concatenate([of_pairs, tied])
        return Elimination.of(self._fronts, row_sums, couplings)

    def coefficients(self, equations: Equations, part: Floats, x: Floats) -> Floats:
        """Return ``X G``, summed where a pair and its image meet; `part` is ``B shares`` of budgets."""
        program = self._program
        left, right = program.left[program.spending], program.right[program.spending]
        factors = program.factors[program.spending, None]
        values = [
            equations.shares * x,
            -part * x[left],
            factors * part * x[right],
            self._sums * x[self._sum_places],
        ]
        if program.has_level:
            values.append(-equations.weights * x)
        summed: Floats = self._prices.sum @ np.concatenate(values)
        return summed


def _distinct(rows: Integers, columns: Integers, width: int) -> tuple[Integers, Integers, Integers]:
    """Return the rows and columns of distinct cells, and of each one given which of them it is."""
    cells, of = np.unique(rows * width + columns, return_inverse=True)
    return cells // width, cells % width, of
