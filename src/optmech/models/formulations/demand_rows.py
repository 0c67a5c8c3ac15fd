"""Constraints of properties and limits, as rows on entries, for every structure.

Model
-----
    tie      M[left] - M[right] = 0                      symmetric, fair: Croft (14), (15)
    order    M[low] - M[high] <= 0                       column_rising, …: Croft (10)-(13); column_honest, …
    total    sum_k coefficient[k] M[entry[k]] = right    unbiased
    bound    sum_k coefficient[k] M[entry[k]] <= right
    limit    least(r,f) <= M[r,f] <= most(r,f)           limit[r,f]        where that is more than 0..1
             M[r,f] <= most(r,f)                         limit_most[r,f]   where that is below least(r,f)

Algebra: formulations/croft_variant_2.mod, properties.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import numpy as np
from scipy import sparse

from optmech.base.blocks import Bound, Limit, Order, Tie, Total
from optmech.models.formulations.layout import Rows, at_most, exactly
from optmech.models.linear_model import Block
from optmech.models.origin import BlockOrigin, BlockPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Marks
    from optmech.models.formulations.layout import Layout
    from optmech.rules import Rules


def demand_rows(rules: Rules, layout: Layout) -> Iterator[Rows]:
    """Yield the rows of each demand, in the order of the papers; limits last, all in one block."""
    for block in rules.demands:
        match block:
            case Tie():
                difference, constant = layout.difference(block.left, block.right)
                yield exactly(_block(block), difference, -constant)
            case Order():
                yield order_rows(block, layout)
            case Total():
                yield _sums(block, layout, equal=True)
            case Bound():
                yield _sums(block, layout, equal=False)
            case Limit():
                pass  # one row holds an entry to all its limits
            case _:
                assert_never(block)
    if rules.demanded_limits is not None:
        least, most = (end.astype(float).reshape(rules.shape) for end in rules.demanded_limits)
        yield _between("limit", (least > 0) | (most < 1), least, np.maximum(least, most), layout)
        if (least > most).any():  # no mechanism has such an entry: the program must be infeasible
            yield _between("limit_most", least > most, np.zeros_like(most), most, layout)


def order_rows(block: Order, layout: Layout) -> Rows:
    """Return that the first of two entries is at most the second."""
    difference, constant = layout.difference(block.low, block.high)
    return at_most(_block(block), difference, -constant)


def _sums(block: Total | Bound, layout: Layout, *, equal: bool) -> Rows:
    """Return weighted sums; a coefficient is the double nearest to its rational."""
    values = np.array([value / block.scale for value in block.coefficients.tolist()])
    shape = (len(block.right), layout.shape[0] * layout.shape[1])
    sums = sparse.csr_array((values, (block.rows, block.entries)), shape=shape)
    right = block.right.astype(float) - sums @ layout.constant
    rows = exactly if equal else at_most
    return rows(_block(block), sparse.csr_array(sums @ layout.entries), right)


def _block(block: Tie | Order | Total | Bound) -> Block:
    return Block(name=block.name, indices=block.subscripts, origin=BlockOrigin(BlockPart.ROWS, block))


def _between(name: str, where: Marks, lower: Floats, upper: Floats, layout: Layout) -> Rows:
    response, truth = np.nonzero(where)
    entry = response * layout.shape[1] + truth
    constant = layout.constant[entry]
    return Rows(
        block=Block(
            name=name, indices=np.column_stack([response, truth]), origin=BlockOrigin(BlockPart.LIMITS)
        ),
        matrix=sparse.csr_array(layout.entries[entry]),
        lower=lower[response, truth] - constant,
        upper=upper[response, truth] - constant,
    )
