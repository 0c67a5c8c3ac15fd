"""Variant 2 of the range-constrained mechanism without redundant variables and rows.

Model
-----
Truths and responses are 0..N-1, neighbours all pairs within reach S; M[r,f] for r < f stands for its mirror
M[N-1-r,N-1-f] as well, y for the whole diagonal.

    min   sum of costs of all entries that a variable stands for
    s.t.  sum_r M[r,f] = 1                    total[f]            f < N/2
          M[r,f-S] <= e^epsilon M[r,f]        privacy[r,f-S,f]    f - S >= r
          y        <= e^epsilon M[r,N-1]      privacy[r,r,N-1]    N-1-S < r < N-1
          M[r,f]   <= M[r+1,f]                column_rising[r,f]  r + 1 < f
          M[r,f+1] <= M[r,f]                  row_falling[r,f]    r <= f
          M, y >= 0

Why these are all rows
----------------------
*Symmetry and fairness* are the choice of variables. *Rows below the diagonal* are the mirrors of rows above.
*Column sums*: that of truth N-1-f is the mirror of that of f. *Row monotony* is kept. *Column monotony*: of
``M[f-1,f] <= M[f,f] = y`` and ``M[f-1,f] <= M[f-1,f-1] = y`` the second is kept.
*Privacy* ``M[r,f] <= e^epsilon M[r,g]`` with |f - g| <= S: let g > r, the other side being its mirror, and
g = r being an entry that nothing in its row exceeds. Rows rise to the diagonal and fall from it, so of all
f >= g - S the largest entry is at max(g - S, r). If g - S >= r, that is the kept row. Otherwise the largest
is y, and M[r,g] >= M[r,min(r+S,N-1)], for which one of the two kept rows says y <= e^epsilon M.

Size: N(N-1)/2 + 1 columns and about three rows for each, for every reach.
Units: M[r,f] = e^(-epsilon d) z[r,f], d = ceil((f-r)/S) steps from neighbour to neighbour. A solver keeps
rows within an absolute tolerance, so far entries would be noise; in these units each is about as large as the
probability of the truth, and a row of privacy between neighbours reads ``z <= z'``.
Source: Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variant 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.blocks import Order
from optmech.models.formulations.assemble import Formulation, ratios_of
from optmech.models.formulations.demand_rows import order_rows
from optmech.models.formulations.layout import ENTRIES, TOTALS, Layout, at_most, exactly, stack_rows
from optmech.models.linear_model import Block, LinearModel
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.models.solvers.preparation import with_scaled_columns, with_scaled_rows
from optmech.question.properties import VARIANT_2
from optmech.question.shape import Shape
from optmech.question.structures import Comparisons
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.models.formulations.layout import Rows
    from optmech.question.problem import Problem


# e^-300 is far below what counts and far above what doubles can hold.
_LARGEST_EXPONENT = 300.0
# The e^epsilon of a row and the quotient of two units are rounded separately: an exact 1 may be off by this.
_ROUNDING = 1e-12
# Solvers' tolerances are absolute, and their rounding is that of the right-hand sides: columns that sum to
# 1024 in place of one are met to three more digits.
_UNIT = 2.0**-10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReducedProgram:
    """The reduced program in units of e^(-epsilon d), and the order of its columns.

    The matrix of the `formulation` is the full one; its rows name the full entries that they compare. For
    each column `distance` is d, its steps from the diagonal, `inner` the column S truths nearer to the
    diagonal in the same row, and `chain` the row ``z[inner] <= z`` of privacy between the two; both are -1
    where d is less than two.
    """

    formulation: Formulation
    distance: Integers
    inner: Integers
    chain: Integers


def reach_of_variant_2(problem: Problem) -> int | None:
    """Return S if a problem is Variant 2 with truths as responses and all within S steps as neighbours.

    ``None`` elsewhere.
    """
    shape = Shape.of(problem)
    is_variant_2 = problem.asks == {"properties"} and problem.properties == VARIANT_2
    return shape.reach if is_variant_2 and shape.own_responses else None


def least_ratios_of(problem: Problem) -> int:
    """Return the number of ratios of privacy in the smallest program that is known of a problem.

    >>> import optmech as om
    >>> least_ratios_of(om.croft(om.mean(40, 4), 1)), least_ratios_of(om.croft(om.mean(40, 4), 1, variant=2))
    (204148, 12406)
    """
    reach, size = reach_of_variant_2(problem), problem.query.num_truths
    if reach is None:
        return ratios_of(problem)
    far = max(size - reach, 0)
    return far * (far + 1) // 2 + min(reach, size) - 1


def reduce_variant_2(problem: Problem) -> ReducedProgram | None:
    """Return the reduced program of `problem`, ``None`` where it is not Variant 2 on a range."""
    reach = reach_of_variant_2(problem)
    objective = problem.least_loss
    if reach is None or objective is None:
        return None
    size = problem.query.num_truths
    row, truth = np.triu_indices(size, 1)
    last = len(row)
    column = np.full((size, size), last)
    column[row, truth] = np.arange(last)
    column[np.tril_indices(size, -1)] = column[::-1, ::-1][np.tril_indices(size, -1)]
    distance = np.append(-(-(truth - row) // reach), 0)
    layout = _layout(column, reach)
    rules = compile_rules(problem)
    compared = BlockOrigin(BlockPart.RATIOS, rules.privacy[0])
    rows = (*layout.rows, *_rows(layout, column, problem.privacy.factor, compared))
    formulation = Formulation(
        rules=rules,
        model=LinearModel(
            name=problem.name,
            columns=layout.columns,
            rows=tuple(part.block for part in rows),
            cost=layout.entries.T @ (objective.loss * objective.weights[None, :]).ravel(),
            offset=0.0,
            matrix=stack_rows(rows, last + 1),
            row_lower=np.concatenate([part.lower for part in rows]),
            row_upper=np.concatenate([part.upper for part in rows]),
            column_lower=np.zeros(last + 1),
            # Sums of columns bound every column; in these units bounds on single columns would be e^(epsilon
            # d), which makes an interior-point method slower and a simplex method fail.
            column_upper=np.full(last + 1, np.inf),
            integer=np.zeros(last + 1, dtype=bool),
        ),
        layout=layout,
    )
    inner, chain = np.full((2, last + 1), -1)
    far = np.flatnonzero(distance > 1)
    inner[far] = column[row[far], truth[far] - reach]
    comparisons = layout.comparisons
    start = formulation.model.rows_from(compared).start
    chain[column.ravel()[comparisons.right]] = start + np.arange(len(comparisons.right))
    chain[distance < 2] = -1  # noqa: PLR2004 - nothing but the diagonal is nearer
    exponents = np.minimum(float(problem.privacy.epsilon) * distance, _LARGEST_EXPONENT)
    return ReducedProgram(
        formulation=scale_columns(formulation, _UNIT * np.exp(-exponents)),
        distance=distance,
        inner=inner,
        chain=chain,
    )


def scale_columns(formulation: Formulation, unit: Floats) -> Formulation:
    """Return the program with column j in units of ``unit[j]``, each row of a largest coefficient of one.

    A row's dual times its `row_scale` is its multiplier in the original program.
    """
    model, layout = with_scaled_columns(formulation.model, unit), formulation.layout
    largest = abs(model.matrix).max(axis=1).toarray().ravel()
    scale = 1.0 / np.where(largest > 0, largest, 1.0)
    model = with_scaled_rows(model, scale)
    numbers = model.matrix.data.copy()
    one = np.abs(np.abs(numbers) - 1.0) <= _ROUNDING
    numbers[one] = np.sign(numbers[one])
    matrix = sparse.csr_array((numbers, model.matrix.indices, model.matrix.indptr), shape=model.matrix.shape)
    units = sparse.diags_array(unit[: layout.num_columns], format="csr")
    rows = (replace(part, matrix=sparse.csr_array(part.matrix @ units)) for part in layout.rows)
    return replace(
        formulation,
        model=replace(model, matrix=matrix),
        layout=replace(layout, entries=sparse.csr_array(layout.entries @ units), rows=tuple(rows)),
        row_scale=scale,
    )


def _layout(column: Integers, reach: int) -> Layout:
    """Return the layout of a symmetric matrix with one probability of the truth."""
    size = len(column)
    row, truth = np.triu_indices(size, 1)
    entries = sparse.csr_array(
        (np.ones(size * size), (np.arange(size * size), column.ravel())), shape=(size * size, len(row) + 1)
    )
    first = np.arange((size + 1) // 2)
    indices = (np.arange(size)[None, :] * size + first[:, None]).ravel()
    sums = sparse.csr_array(
        (np.ones(len(indices)), (np.repeat(first, size), indices)), shape=(len(first), size * size)
    )
    far = truth - reach >= row
    short = np.arange(max(size - reach, 0), size - 1)
    response = np.concatenate([row[far], short])
    nearer = np.concatenate([truth[far] - reach, short])
    farther = np.concatenate([truth[far], np.full(len(short), size - 1)])
    comparisons = Comparisons(
        name="privacy",
        left=response * size + nearer,
        right=response * size + farther,
        subscripts=np.column_stack([response, nearer, farther]),
        group=np.zeros(len(response), dtype=np.int64),
        group_subscripts=np.empty((1, 0), dtype=np.int64),
        group_weights=np.ones(1, dtype=np.int64),
    )
    subscripts = np.append(np.column_stack([row, truth]), [[0, 0]], axis=0)
    total = Block(name="total", indices=first[:, None], origin=TOTALS)
    return Layout(
        columns=(Block(name="M", indices=subscripts, origin=ENTRIES),),
        entries=entries,
        constant=np.zeros(size * size),
        rows=(exactly(total, sparse.csr_array(sums @ entries), 1.0),),
        comparisons=comparisons,
        shape=(size, size),
    )


def _rows(layout: Layout, column: Integers, factor: float, compared: BlockOrigin) -> list[Rows]:
    size = len(column)
    row, truth = np.triu_indices(size, 1)
    comparisons = layout.comparisons
    ratio, _ = layout.difference(comparisons.left, comparisons.right, factor)
    privacy = Block(name=comparisons.name, indices=comparisons.subscripts, origin=compared)
    inside = row + 1 < truth
    rising = Order(
        name="column_rising",
        subscripts=np.column_stack([row, truth])[inside],
        low=(row * size + truth)[inside],
        high=((row + 1) * size + truth)[inside],
    )
    falling = Order(
        name="row_falling",
        subscripts=np.column_stack([row, truth - 1]),
        low=row * size + truth,
        high=row * size + truth - 1,
    )
    return [at_most(privacy, ratio, 0.0), order_rows(rising, layout), order_rows(falling, layout)]
