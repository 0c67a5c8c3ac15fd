"""Map the columns of a structure to the entries of a mechanism matrix.

A structure has columns ``x`` and one affine map to the entries of the matrix, ``entries x + constant``.
Privacy, properties and objective are stated once, *on entries*; through the map they become rows and costs
on columns. Entries are counted row by row: entry ``(r, f)`` stands at ``r * num_truths + f``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import ModelError
from optmech.models.linear_model import Block
from optmech.models.origin import BlockOrigin, BlockPart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Floats, Integers
    from optmech.question.structures import Columns, Comparisons


ENTRIES, TOTALS = BlockOrigin(BlockPart.ENTRIES), BlockOrigin(BlockPart.TOTALS)
"""Origins of the columns of every structure, and of the sums of them that are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """One block of rows ``lower <= matrix x <= upper``, before it is part of a model."""

    block: Block
    matrix: sparse.csr_array
    lower: Floats
    upper: Floats

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            bounds = np.broadcast_to(np.asarray(getattr(self, name), float), (self.block.size,))
            object.__setattr__(self, name, bounds)
        if self.matrix.shape[0] != self.block.size:
            message = f"rows {self.block.name}: {self.block.size} names for {self.matrix.shape[0]} rows"
            raise ModelError(message)


def stack_rows(parts: Iterable[Rows], num_columns: int) -> sparse.csr_array:
    """Return the matrices of all parts, one above the other, each filled up with zeros on the right."""
    matrices = [
        sparse.csr_array((m.data, m.indices, m.indptr), shape=(m.shape[0], num_columns))
        for m in (part.matrix for part in parts)
    ]
    if not matrices:
        return sparse.csr_array((0, num_columns))
    return sparse.csr_array(sparse.vstack(matrices, format="csr"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A structure for one query: columns, the map to entries, rows of the structure, and comparisons.

    Every column lies between zero and one.
    """

    columns: tuple[Block, ...]
    entries: sparse.csr_array
    constant: Floats
    rows: tuple[Rows, ...]
    comparisons: Comparisons
    shape: tuple[int, int]

    @classmethod
    def of(cls, columns: Columns, responses: Integers | None = None) -> Layout:
        """Return the layout of a structure's columns, comparing at all responses or at some."""
        total, comparisons, truths = columns.total_subscripts, columns.comparisons, columns.shape[1]
        if responses is not None:
            comparisons = comparisons.only(np.isin(comparisons.left // truths, responses))
        return cls(
            columns=(Block(name=columns.name, indices=columns.subscripts, origin=ENTRIES),),
            entries=columns.entries,
            constant=columns.constant,
            rows=(exactly(Block(name="total", indices=total, origin=TOTALS), columns.total, 1.0),),
            comparisons=comparisons,
            shape=columns.shape,
        )

    @property
    def num_columns(self) -> int:
        """Number of columns of the structure."""
        return int(self.entries.shape[1])

    def matrix(self, values: Floats) -> Floats:
        """Return the mechanism matrix of the columns, shape (num_responses, num_truths)."""
        entries: Floats = self.entries @ values[: self.num_columns] + self.constant
        return entries.reshape(self.shape)

    def difference(
        self, left: Integers, right: Integers, factor: Floats | float = 1.0
    ) -> tuple[sparse.csr_array, Floats]:
        """Return ``left - factor * right`` for pairs of entries: its coefficients and its constant part."""
        factor = np.broadcast_to(np.asarray(factor, float), left.shape)
        subtrahend = sparse.diags_array(factor) @ self.entries[right]
        coefficients = sparse.csr_array(self.entries[left] - subtrahend)
        return coefficients, self.constant[left] - factor * self.constant[right]


def at_most(block: Block, matrix: sparse.csr_array, upper: Floats | float) -> Rows:
    """Return rows ``matrix x <= upper``."""
    bounds = np.broadcast_to(np.asarray(upper, float), (block.size,))
    return Rows(block=block, matrix=matrix, lower=np.full(block.size, -np.inf), upper=bounds)


def exactly(block: Block, matrix: sparse.csr_array, value: Floats | float) -> Rows:
    """Return rows ``matrix x = value``."""
    bounds = np.broadcast_to(np.asarray(value, float), (block.size,))
    return Rows(block=block, matrix=matrix, lower=bounds, upper=bounds)


def columns_at(start: int, weights: Floats | float, number: int) -> sparse.csr_array:
    """Return a diagonal of `weights` on the columns that begin at `start`."""
    weights = np.broadcast_to(np.asarray(weights, float), (number,))
    where = np.arange(number)
    return sparse.csr_array((weights, (where, start + where)), shape=(number, start + number))
