"""A solver's duals as multipliers in whole numbers: the proposal for a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Excess, Means, Order, Ratio, Total
from optmech.designs.repair.rounding import as_integers
from optmech.models.formulations.cases import OPEN, PAID
from optmech.models.formulations.layout import Layout
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.proofs.multipliers import BITS, Leaf, Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import Bound, Demand, PrivacyBlock
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.formulations.cases import Cases, Decisions
    from optmech.rules import CompiledLoss

_ONE = 2**BITS
# A larger dual is a numerical error of the solver, and times 2**BITS it might be infinite.
_LARGEST = 2.0**900


def leaf_of_duals(
    formulation: Formulation, row_duals: Floats, privacy: dict[str, Rule] | None = None
) -> Leaf:
    """Return the multipliers that the duals of a linear program propose; `privacy` stands for its own.

    A dual says by how much the objective changes for one more unit on the right-hand side, so the multiplier
    of a row "at most" is its negative. A multiplier of the wrong sign is a solver's rounding and is left out;
    one beyond what rules allow is cut off. Rows are found by the block of the rules that they state. Equal
    entries need no multiplier: they are one quantity. Nor do limits, which say what it can be.
    """
    rules, duals = formulation.rules, _Duals(formulation, row_duals)
    main, *further = rules.privacy
    multipliers = privacy
    if multipliers is None:
        multipliers = _of_privacy(main, formulation.layout, duals, seeks_delta=rules.seeks_delta)
    objective, cost = rules.objective, rules.cost
    return Leaf(
        rules={**multipliers, **_of_orders(formulation, duals)},
        cost=0 if cost is None else int(whole_multipliers(duals.weights(BlockPart.ROWS, cost))[0]),
        worst=None
        if objective is None or not objective.each
        else weights_of_truths(duals.weights(BlockPart.ROWS, objective)),
        bounds=tuple(whole_multipliers(duals.weights(BlockPart.ROWS, bound)) for bound in rules.bounds),
        means=_of_means(formulation, duals),
        sums=_of_sums(formulation, duals),
        further=tuple(
            _of_privacy(also, Layout.of(rules.columns(), also.responses), duals) for also in further
        )
        or None,
    )


class _Duals:
    """The duals of the rows before they were scaled, by the block of the rules that the rows state."""

    def __init__(self, formulation: Formulation, row_duals: Floats) -> None:
        self._model = formulation.model
        self._duals = row_duals if formulation.row_scale is None else row_duals * formulation.row_scale

    def of(self, part: BlockPart, block: Demand | PrivacyBlock | CompiledLoss | None = None) -> Floats:
        """Return the duals of rows, which the model must have."""
        return self._duals[self._model.rows_from(BlockOrigin(part, block))]

    def weights(self, part: BlockPart, block: PrivacyBlock | Order | Bound | CompiledLoss) -> Floats:
        """Return the multipliers of rows that are at most a number."""
        weights: Floats = np.maximum(-self.of(part, block), 0.0)
        return weights


def totals_of_duals(formulation: Formulation, row_duals: Floats) -> Whole | None:
    """Return the dual of each column's sum, ``None`` where all columns share one row.

    A row that stands for a column and its mirror is shared out between the two.
    """
    truths = formulation.layout.shape[1]
    (block,) = (part.block for part in formulation.layout.rows)
    totals = _Duals(formulation, row_duals).of(BlockPart.TOTALS)
    if block.size == truths:
        return whole_multipliers(totals)
    if block.indices.shape[1] != 1:
        return None
    column, halves = block.indices[:, 0], np.zeros(truths)
    np.add.at(halves, np.r_[column, truths - 1 - column], np.tile(totals / 2, 2))
    return whole_multipliers(halves)


def whole_multipliers(weights: Floats) -> Whole:
    """Return multipliers as whole numbers over ``2**BITS``, towards zero."""
    sound = np.clip(weights, -_LARGEST, _LARGEST)
    return as_integers(sound * 2.0**BITS)  # a double times a power of two is exact


def _of_privacy(
    privacy: PrivacyBlock, layout: Layout, duals: _Duals, *, seeks_delta: bool = False
) -> dict[str, Rule]:
    """Return multipliers of ratios, and where delta is spent on several responses those of its budgets.

    Delta has price one: where it is sought the multipliers sum to at most one.
    """
    weights = whole_multipliers(duals.weights(BlockPart.RATIOS, privacy))
    if not (isinstance(privacy, Ratio) and privacy.excess is Excess.SUM):
        return _rules(layout, _of_one(weights) if seeks_delta else weights)
    payments = whole_multipliers(duals.weights(BlockPart.BUDGETS, privacy))
    payments = _of_one(payments) if seeks_delta else payments
    return _rules(layout, np.minimum(weights, payments[layout.comparisons.group]), payments)


def of_choices(
    cases: Cases, decisions: Decisions, row_duals: Floats, *, seeks_delta: bool
) -> dict[str, Rule]:
    """Return multipliers of ratios and budgets, cut down to what a leaf below the decisions may have.

    A ratio that is open has no more than its budget, and one that is paid for has none.
    """
    layout = cases.formulation.layout
    weights, payments = (
        whole_multipliers(np.maximum(-row_duals[cases.rows(part)], 0.0))
        for part in (BlockPart.RATIOS, BlockPart.BUDGETS)
    )
    payments = _of_one(payments) if seeks_delta else payments
    weights[decisions == PAID] = 0
    limit = payments[layout.comparisons.group]
    weights = np.where(decisions == OPEN, np.minimum(weights, limit), weights)
    return _rules(layout, weights, payments)


def _rules(layout: Layout, weights: Whole, payments: Whole | None = None) -> dict[str, Rule]:
    """Return multipliers of ratios and of budgets with their subscripts."""
    comparisons, truths = layout.comparisons, layout.shape[1]
    between = np.column_stack([comparisons.left % truths, comparisons.right % truths])
    rules = {"privacy": rule_of(np.column_stack([comparisons.left // truths, between]), weights)}
    if payments is not None:
        _, first = np.unique(comparisons.group, return_index=True)
        rules["budget"] = rule_of(between[first], payments)
    return {name: rule for name, rule in rules.items() if len(rule.weights)}


def _of_orders(formulation: Formulation, duals: _Duals) -> dict[str, Rule]:
    """Return the multipliers of entries (r, f) that are at most others (s, g), by r, f, s, g."""
    origins = (block.origin for block in formulation.model.rows if block.origin is not None)
    orders = [origin.block for origin in origins if isinstance(origin.block, Order)]
    if not orders:
        return {}
    truths = formulation.layout.shape[1]
    low, high = (np.concatenate([getattr(order, end) for order in orders]) for end in ("low", "high"))
    weights = np.concatenate([duals.weights(BlockPart.ROWS, order) for order in orders])
    subscripts = np.column_stack([low // truths, low % truths, high // truths, high % truths])
    return {"order": rule_of(subscripts, whole_multipliers(weights))}


def weights_of_truths(weights: Floats) -> Whole:
    """Return weights of truths that sum to one exactly."""
    shares = weights / weights.sum() if 0 < weights.sum() < np.inf else np.zeros(len(weights))
    whole = whole_multipliers(shares)
    whole[int(shares.argmax())] += _ONE - int(whole.sum())
    return whole


def _of_means(formulation: Formulation, duals: _Duals) -> Whole | None:
    """Return the dual of each column's mean; a structure without bias has no such rows."""
    origins = (block.origin for block in formulation.model.rows if block.origin is not None)
    means = [origin.block for origin in origins if isinstance(origin.block, Means)]
    return whole_multipliers(duals.of(BlockPart.ROWS, means[0])) if means else None


def _of_sums(formulation: Formulation, duals: _Duals) -> Whole | None:
    """Return the multipliers of linear rules, in order; of "at most" none is below 0."""
    sums = formulation.rules.sums
    if not sums:
        return None
    multipliers = [
        -duals.of(BlockPart.ROWS, block) if isinstance(block, Total) else duals.weights(BlockPart.ROWS, block)
        for block in sums
    ]
    return whole_multipliers(np.concatenate(multipliers))


def rule_of(subscripts: Integers, weights: Whole) -> Rule:
    """Return the multipliers that are not zero."""
    nonzero = np.flatnonzero(weights != 0)
    return Rule(places=subscripts[nonzero], weights=weights[nonzero])


def _of_one(weights: Whole) -> Whole:
    """Return multipliers scaled down to a sum of at most one."""
    total = int(weights.sum())
    return weights if total <= _ONE else weights * _ONE // total
