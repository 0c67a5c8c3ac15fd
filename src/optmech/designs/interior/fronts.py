"""Places of couplings and of prices in the blocks of an elimination, the same at every step of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Integers
    from optmech.designs.interior.dissection import PlaceBlock


class Child(NamedTuple):
    """The block `number`, whose places behind and whose prices have these positions in its parent."""

    number: int
    places: Integers
    prices: Integers


class Front(NamedTuple):
    """A block: positions (row, column) of its couplings and coefficients, its prices and its children.

    Positions are among its own places and those behind it, and of coefficients among its prices.
    """

    block: PlaceBlock
    places: Integers
    couplings: slice
    at_couplings: tuple[Integers, Integers]
    coefficients: slice
    at_coefficients: tuple[Integers, Integers]
    prices: Integers
    children: tuple[Child, ...]

    @property
    def own(self) -> slice:
        """The places that are eliminated."""
        return slice(self.block.first, self.block.last)


class Cells(NamedTuple):
    """Cells of values that meet in one cell, cells in the order of their rows, of `width` columns."""

    sum: sparse.csr_array
    rows: Integers
    columns: Integers
    width: int

    @classmethod
    def over(cls, rows: Integers, columns: Integers, width: int) -> Self:
        """Return the sums of values at these rows and columns."""
        cells, of = np.unique(rows * width + columns, return_inverse=True)
        values = np.arange(len(rows))
        total = sparse.csr_array((np.ones(len(rows)), (of, values)), shape=(len(cells), len(rows)))
        return cls(total, cells // width, cells % width, width)

    def within(self, block: PlaceBlock) -> slice:
        """Return the cells whose rows are a block's own places."""
        return slice(*np.searchsorted(self.rows, [block.first, block.last]).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Fronts:
    """All blocks of a program."""

    all: tuple[Front, ...]
    couplings: Cells
    coefficients: Cells

    @classmethod
    def over(cls, blocks: Sequence[PlaceBlock], couplings: Cells, coefficients: Cells) -> Self:
        """Return the blocks with the positions of their couplings and coefficients."""
        fronts: list[Front] = []
        for block in blocks:
            coupled, priced = couplings.within(block), coefficients.within(block)
            own, places = coefficients.columns[priced], block.places
            prices = np.unique(np.concatenate([own, *(fronts[child].prices for child in block.children)]))
            at_couplings = (
                couplings.rows[coupled] - block.first,
                np.searchsorted(places, couplings.columns[coupled]),
            )
            at_coefficients = coefficients.rows[priced] - block.first, np.searchsorted(prices, own)
            children = tuple(
                Child(
                    child,
                    np.searchsorted(places, fronts[child].block.behind),
                    np.searchsorted(prices, fronts[child].prices),
                )
                for child in block.children
            )
            fronts.append(
                Front(block, places, coupled, at_couplings, priced, at_coefficients, prices, children)
            )
        return cls(tuple(fronts), couplings, coefficients)

    def __iter__(self) -> Iterator[Front]:
        """Give the blocks, each before those that it couples."""
        return iter(self.all)
