"""The objective and the bounded losses, stated on entries for every structure.

Model
-----
    expected loss     min  sum_f w(f) sum_r loss(r,f) M[r,f]
    worst loss        min  worst
                           sum_r loss(r,f) M[r,f] - worst <= 0        worst_case[f]       each truth f
    least delta       min  delta                                      the column of the privacy rows
    further bounds         sum_f w_i(f) sum_r loss_i(r,f) M[r,f] <= b_i      bound[i]         expected loss i
                           sum_r loss_i(r,f) M[r,f] <= b_i                   bound_case[i,f]  worst loss i
    Kadam (15)             sum_f w(f) sum_r loss(r,f) M[r,f] <= b            cost

The worst loss is a minimax problem: its duals are a least favourable prior.

Sources: Kadam et al. 2024 (9), (15); Croft et al. 2020 (9).
Algebra: formulations/worst_loss.mod, kadam_least_delta.mod.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.formulations.layout import Rows, at_most
from optmech.models.linear_model import Block
from optmech.models.origin import BlockOrigin, BlockPart

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.formulations.layout import Layout
    from optmech.rules import CompiledLoss, Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class LossPart:
    """Costs of old and new columns, and the rows that the objective and the bounds add to a model.

    `offset` is the constant part. The column ``worst`` of a worst loss is the last and has no upper bound.
    """

    cost: Floats
    offset: float
    columns: tuple[Block, ...]
    rows: tuple[Rows, ...]


def loss_part(rules: Rules, layout: Layout, columns_before: int) -> LossPart:
    """Return the columns and rows of the objective and the bounds, on `layout`.

    The columns of layout and privacy come before; an unknown delta is the last of them.
    """
    cost, offset = np.zeros(columns_before), 0.0
    columns: tuple[Block, ...] = ()
    rows: list[Rows] = []
    objective = rules.objective
    if objective is None:
        cost[-1] = 1.0
        if rules.cost is not None:
            rows.append(_expectation("cost", (), rules.cost, layout))
    elif objective.each:
        each, constant = _at_each_truth(objective, layout)
        worst = sparse.csr_array(np.full((each.shape[0], 1), -1.0))
        gap = sparse.csr_array((each.shape[0], columns_before - layout.num_columns))
        rows.append(_cases("worst_case", (), objective, sparse.hstack([each, gap, worst]), -constant))
        origin = BlockOrigin(BlockPart.WORST, objective)
        columns = (Block(name="worst", indices=np.empty((1, 0), dtype=np.int64), origin=origin),)
        cost = np.append(cost, 1.0)
    else:
        cost[: layout.num_columns], offset = _on_columns(objective, layout)
    expectations, worst_cases = [], []
    for index, bound in enumerate(rules.bounds):
        if bound.each:
            each, constant = _at_each_truth(bound, layout)
            most = float(bound.at_most or 0)
            worst_cases.append(_cases("bound_case", (index,), bound, each, most - constant))
        else:
            expectations.append(_expectation("bound", (index,), bound, layout))
    return LossPart(cost=cost, offset=offset, columns=columns, rows=(*rows, *expectations, *worst_cases))


def _on_columns(loss: CompiledLoss, layout: Layout) -> tuple[Floats, float]:
    """Return the expected loss as costs of the layout's columns, and its constant part."""
    weights = loss.doubles.ravel()
    return layout.entries.T @ weights, float(weights @ layout.constant)


def _at_each_truth(loss: CompiledLoss, layout: Layout) -> tuple[sparse.csr_array, Floats]:
    """Return the expected loss at each truth: its coefficients on the layout's columns and its constant."""
    table = loss.doubles
    size, truths = table.size, table.shape[1]
    truth = np.tile(np.arange(truths), table.shape[0])
    sums = sparse.csr_array((table.ravel(), (truth, np.arange(size))), shape=(truths, size))
    return sparse.csr_array(sums @ layout.entries), sums @ layout.constant


def _expectation(name: str, subscripts: tuple[int, ...], loss: CompiledLoss, layout: Layout) -> Rows:
    weights, constant = _on_columns(loss, layout)
    indices = np.array([subscripts], dtype=np.int64).reshape(1, len(subscripts))
    block = Block(name=name, indices=indices, origin=BlockOrigin(BlockPart.ROWS, loss))
    return at_most(block, sparse.csr_array(weights[None, :]), float(loss.at_most or 0) - constant)


def _cases(
    name: str, subscripts: tuple[int, ...], loss: CompiledLoss, each: sparse.sparray, upper: Floats
) -> Rows:
    truths = each.shape[0]
    indices = np.column_stack([np.full(truths, subscript) for subscript in subscripts] + [np.arange(truths)])
    block = Block(name=name, indices=indices, origin=BlockOrigin(BlockPart.ROWS, loss))
    return at_most(block, sparse.csr_array(each), upper)
