"""A solver's duals as multipliers in whole numbers: the proposal for a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.exact.multipliers import BITS, Leaf, Rule
from optmech.exact.rounding import as_integers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.formulations.assemble import Formulation

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["leaf_of_duals", "totals_of_duals", "whole_multipliers"]

# A larger dual is a solver's trouble, and times 2**BITS it might be infinite.
_LARGEST = 2.0**900
# Rows that say of an entry that it is at most another, with how far that one lies from the row's subscripts.
# Equal entries need no multiplier: they are one quantity.
_ORDERS = {
    "column_rising": (0, 0, 1, 0),
    "column_falling": (1, 0, 0, 0),
    "row_rising": (0, 0, 0, 1),
    "row_falling": (0, 1, 0, 0),
}


def leaf_of_duals(formulation: Formulation, row_duals: Floats, *, delta_is_sought: bool) -> Leaf:
    """Return the multipliers that the duals of a linear program propose.

    A dual says by how much the objective changes for one more unit on the right-hand side, so the multiplier
    of a row "at most" is its negative. What has the wrong sign is a solver's rounding and is left out.
    """
    model, compared = formulation.model, formulation.layout.comparisons
    row_duals = _of_rows_as_stated(formulation, row_duals)
    truths = formulation.layout.shape[1]
    names = {block.name for block in model.rows}
    wanted = np.maximum(-row_duals[model.rows_of(compared.name)], 0.0)
    places = np.column_stack([compared.left // truths, compared.left % truths, compared.right % truths])
    rules = {"privacy": _rule(places, wanted)}
    if delta_is_sought:
        rules["privacy"] = _of_one(rules["privacy"])
    orders = []
    for block in model.rows:
        if block.name in _ORDERS:
            weights = np.maximum(-row_duals[model.rows_of(block.name)], 0.0)
            orders.append(_rule(np.tile(block.indices, 2) + _ORDERS[block.name], weights))
    if orders:
        rules["order"] = Rule(
            places=np.concatenate([rule.places for rule in orders]),
            weights=np.concatenate([rule.weights for rule in orders]),
        )
    cost = 0
    if "cost" in names:
        cost = int(whole_multipliers(np.maximum(-row_duals[model.rows_of("cost")], 0.0))[0])
    return Leaf(rules=rules, cost=cost)


def totals_of_duals(formulation: Formulation, row_duals: Floats) -> Whole | None:
    """Return what each column's sum is worth to the solver, ``None`` where all columns share one row.

    A row that stands for a column and its mirror is shared out between the two.
    """
    model, truths = formulation.model, formulation.layout.shape[1]
    (block,) = (block for block in model.rows if block.name == "total")
    worth, totals = _of_rows_as_stated(formulation, row_duals)[model.rows_of("total")], np.zeros(truths)
    if block.size == truths:
        totals = worth
    elif block.indices.shape[1] == 1:
        np.add.at(totals, np.r_[block.indices[:, 0], truths - 1 - block.indices[:, 0]], np.tile(worth / 2, 2))
    else:
        return None
    return whole_multipliers(totals)


def whole_multipliers(weights: Floats) -> NDArray[Any]:
    """Return multipliers as whole numbers over ``2**BITS``, towards zero."""
    sound = np.clip(weights, -_LARGEST, _LARGEST)
    return as_integers(sound * 2.0**BITS)  # a double times a power of two is exact


def _of_rows_as_stated(formulation: Formulation, row_duals: Floats) -> Floats:
    """Return the duals of the rows before they were scaled."""
    return row_duals if formulation.row_scale is None else row_duals * formulation.row_scale


def _rule(places: Integers, weights: Floats) -> Rule:
    whole = whole_multipliers(weights)
    used = np.flatnonzero(whole != 0)
    return Rule(places=places[used], weights=whole[used])


def _of_one(rule: Rule) -> Rule:
    """Return the multipliers scaled down to a sum of at most one, which is what delta is worth."""
    total = int(rule.weights.sum())
    return rule if total <= 2**BITS else Rule(places=rule.places, weights=rule.weights * 2**BITS // total)
