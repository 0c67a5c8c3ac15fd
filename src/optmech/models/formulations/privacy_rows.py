"""Rows of privacy, stated once on the comparisons of a layout, for every structure.

Model
-----
Below, P and Q are the left and the right entry of a comparison, and E = e^epsilon, or e^(w epsilon) for
neighbours with a weight w.

    pure           P - E Q <= 0                                        Croft (4), Kadam (14c)
    approximate    P - E Q - h <= 0                                    hockey-stick divergence
                   sum h - delta <= 0          budget, for each pair of neighbours
                   h >= 0                      for each comparison
    per outcome    P - E Q - delta <= 0                                Sadeghi (7)-(8), (10)-(11)
    probabilistic  P - y - E Q <= 0            ratio                   Kadam, Definition 2
                   P - y + u <= 1              remainder
                   y - min(1, delta) u <= 0    violation
                   sum y - delta <= 0          budget, for each pair of neighbours
                   y >= 0, u in {0, 1}         for each comparison
    by cases       P - E Q - h - t <= 0        ratio                   some choices decided: `cases`
                   sum h - delta - t <= 0      budget, for each pair of neighbours
                   P - h - t <= 0              paid, for each choice that is decided so
                   h >= 0                      for each choice; t = 0 but to find the least violation

The probabilistic rows say "u = 0, y = 0, P <= E Q" or "u = 1, y >= P". Their relaxation is tighter than that
of the printed (13c)-(13g), which `printed` states. Rows that only bound y or u from the other side are left
out.

Sources: Croft et al. 2020; Sadeghi et al. 2020; Kadam et al. 2024.
Algebra: formulations/kadam.mod, kadam_least_delta.mod; approximate.mod, approximate_least_delta.mod,
modular_approximate.mod, modular_approximate_least_delta.mod,
sadeghi_approximate.mod, sadeghi_symmetric_approximate.mod, sadeghi_symmetric_given_delta.mod; metric.mod.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, assert_never

import numpy as np
from scipy import sparse

from optmech.base.blocks import Choice, Excess, Ratio
from optmech.models.formulations.layout import Rows, at_most, columns_at
from optmech.models.linear_model import Block
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.question.epsilon import factors_of

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.base.blocks import PrivacyBlock
    from optmech.models.formulations.layout import Layout


SCALAR = np.empty((1, 0), dtype=np.int64)
"""The subscripts of a scalar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyPart:
    """Columns and rows that privacy adds to a layout. Its columns follow those of the layout."""

    columns: tuple[Block, ...] = ()
    rows: tuple[Rows, ...]

    def with_suffix(self, suffix: str) -> PrivacyPart:
        """Return the same under names that end with `suffix`."""
        columns, blocks = (
            [replace(block, name=block.name + suffix) for block in family]
            for family in (self.columns, [part.block for part in self.rows])
        )
        rows = (replace(part, block=block) for part, block in zip(self.rows, blocks, strict=True))
        return replace(self, columns=tuple(columns), rows=tuple(rows))


def privacy_part(
    privacy: PrivacyBlock, layout: Layout, start: int | None = None, suffix: str = ""
) -> PrivacyPart:
    """Return the columns and rows of `privacy` on `layout`. An unknown delta becomes a column ``delta``.

    Its columns begin at `start`, by default after those of the layout. The names of a further privacy end
    with `suffix`.
    """
    match privacy:
        case Choice():
            return _probabilistic(privacy, layout)
        case Ratio():
            start = layout.num_columns if start is None else start
            part = _ratios(privacy, layout, start)
            return part.with_suffix(suffix) if suffix else part
        case _:
            assert_never(privacy)


def _ratios(privacy: Ratio, layout: Layout, start: int) -> PrivacyPart:
    match privacy.excess:
        case Excess.NONE:
            return _pure(privacy, layout)  # probabilistic privacy without delta is Kadam (14)
        case Excess.SUM:
            return _approximate(privacy, layout, start)
        case Excess.EACH:
            return _per_outcome(privacy, layout, start)
        case _:
            assert_never(privacy.excess)


def _pure(privacy: Ratio, layout: Layout) -> PrivacyPart:
    ratio, constant = ratio_of(privacy, layout)
    return PrivacyPart(rows=(at_most(compared_rows(privacy, layout), ratio, -constant),))


def _approximate(privacy: Ratio, layout: Layout, start: int) -> PrivacyPart:
    comparisons, origin = layout.comparisons, partial(BlockOrigin, block=privacy)
    number = len(comparisons.left)
    excess = columns_at(start, 1.0, number)  # h
    ratio, constant = ratio_of(privacy, layout)
    budget = within_delta(_budget(layout, start), privacy.delta, start + number)
    rows = (
        at_most(compared_rows(privacy, layout), plus(ratio, -excess), -constant),
        at_most(named_block("budget", comparisons.group_subscripts, origin(BlockPart.BUDGETS)), *budget),
    )
    columns = (named_block("h", comparisons.subscripts, origin(BlockPart.EXCESSES)), *sought_delta(privacy))
    return PrivacyPart(columns=columns, rows=rows)


def _per_outcome(privacy: Ratio, layout: Layout, start: int) -> PrivacyPart:
    ratio, constant = ratio_of(privacy, layout)
    block = compared_rows(privacy, layout)
    if privacy.delta is not None:
        return PrivacyPart(rows=(at_most(block, ratio, float(privacy.delta) - constant),))
    delta = _one_column(start, -1.0, block.size)
    return PrivacyPart(columns=sought_delta(privacy), rows=(at_most(block, plus(ratio, delta), -constant),))


def _probabilistic(privacy: Choice, layout: Layout) -> PrivacyPart:
    comparisons, origin = layout.comparisons, partial(BlockOrigin, block=privacy)
    number = len(comparisons.left)
    start_y = layout.num_columns
    start_u = start_y + number
    violations = columns_at(start_y, 1.0, number)  # y
    indicator = columns_at(start_u, 1.0, number)  # u
    mass, mass_constant = layout.entries[comparisons.left], layout.constant[comparisons.left]
    ratio, constant = ratio_of(privacy, layout)
    delta = 1.0 if privacy.delta is None else float(privacy.delta)
    budget = within_delta(_budget(layout, start_y), privacy.delta, start_u + number)
    rows = (
        at_most(compared_rows(privacy, layout), plus(ratio, -violations), -constant),
        at_most(
            named_block("remainder", comparisons.subscripts, origin(BlockPart.INDICATED)),
            plus(mass, -violations, indicator),
            1.0 - mass_constant,
        ),
        at_most(
            named_block("violation", comparisons.subscripts, origin(BlockPart.INDICATED)),
            plus(violations, -delta * indicator),
            0.0,
        ),
        at_most(named_block("budget", comparisons.group_subscripts, origin(BlockPart.BUDGETS)), *budget),
    )
    columns = (
        named_block("y", comparisons.subscripts, origin(BlockPart.EXCESSES)),
        named_block("u", comparisons.subscripts, origin(BlockPart.INDICATORS)),
    )
    return PrivacyPart(columns=(*columns, *sought_delta(privacy)), rows=rows)


def case_part(privacy: Choice, layout: Layout) -> PrivacyPart:
    """Return the rows of a proof by cases with no choice decided.

    A row that binds only after a decision has the limit 2 here, which always holds.
    """
    comparisons, origin = layout.comparisons, partial(BlockOrigin, block=privacy)
    number, start = len(comparisons.left), layout.num_columns
    excess, eased = columns_at(start, 1.0, number), _one_column(start + number, -1.0, number)  # h, t
    ratio, constant = ratio_of(privacy, layout)
    mass, mass_constant = layout.entries[comparisons.left], layout.constant[comparisons.left]
    pairs = comparisons.group_subscripts
    spent = plus(_budget(layout, start), _one_column(start + number, -1.0, len(pairs)))
    budget = within_delta(spent, privacy.delta, start + number + 1)
    rows = (
        at_most(compared_rows(privacy, layout), plus(ratio, -excess, eased), -constant),
        at_most(named_block("budget", pairs, origin(BlockPart.BUDGETS)), *budget),
        at_most(
            named_block("paid", comparisons.subscripts, origin(BlockPart.PAID)),
            plus(mass, -excess, eased),
            2.0 - mass_constant,
        ),
    )
    columns = (
        named_block("h", comparisons.subscripts, origin(BlockPart.EXCESSES)),
        named_block("t", SCALAR, origin(BlockPart.EASE)),
    )
    return PrivacyPart(columns=(*columns, *sought_delta(privacy)), rows=rows)


def ratio_of(privacy: PrivacyBlock, layout: Layout) -> tuple[sparse.csr_array, Floats]:
    """Return ``P - E Q`` for each comparison: its coefficients and its constant part."""
    comparisons = layout.comparisons
    return layout.difference(
        comparisons.left, comparisons.right, factors_of(privacy.epsilon, comparisons.weights)
    )


def _budget(layout: Layout, start: int) -> sparse.csr_array:
    """Return for each pair of neighbours the sum over its comparisons of the columns from `start` on."""
    comparisons = layout.comparisons
    number = len(comparisons.left)
    shape = len(comparisons.group_subscripts), start + number
    return sparse.csr_array((np.ones(number), (comparisons.group, start + np.arange(number))), shape=shape)


def within_delta(
    sums: sparse.csr_array, delta: Fraction | None, index: int
) -> tuple[sparse.csr_array, float]:
    """Return the left-hand sides bounded by delta, and the bound; an unknown delta is the column `index`."""
    if delta is None:
        return plus(sums, _one_column(index, -1.0, sums.shape[0])), 0.0
    return sums, float(delta)


def sought_delta(privacy: PrivacyBlock) -> tuple[Block, ...]:
    """Return the column of an unknown delta; none for a given one."""
    return (
        (named_block("delta", SCALAR, BlockOrigin(BlockPart.DELTA, privacy)),)
        if privacy.delta is None
        else ()
    )


def compared_rows(privacy: PrivacyBlock, layout: Layout) -> Block:
    """Return the names of a row for each comparison."""
    comparisons = layout.comparisons
    return named_block(comparisons.name, comparisons.subscripts, BlockOrigin(BlockPart.RATIOS, privacy))


def named_block(name: str, subscripts: Integers, origin: BlockOrigin) -> Block:
    """Return the names and the origin of columns or rows."""
    return Block(name=name, indices=subscripts, origin=origin)


def _one_column(index: int, weight: float, number: int) -> sparse.csr_array:
    """Return `number` rows with `weight` in the column `index`."""
    where = np.arange(number)
    return sparse.csr_array(
        (np.full(number, weight), (where, np.full(number, index))), shape=(number, index + 1)
    )


def plus(*parts: sparse.csr_array) -> sparse.csr_array:
    """Return the sum of matrices of the same height, the narrower ones filled up with zeros."""
    width = max(part.shape[1] for part in parts)
    total = sparse.csr_array((parts[0].shape[0], width))
    for part in parts:
        total = total + sparse.csr_array((part.data, part.indices, part.indptr), shape=total.shape)
    return sparse.csr_array(total)
