"""A solver's duals as multipliers in whole numbers: the proposal for a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.repair.rounding import as_integers
from optmech.models.formulations.cases import OPEN, PAID
from optmech.models.formulations.layout import Layout
from optmech.proofs.multipliers import BITS, Leaf, Rule
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.formulations.cases import Cases, Decisions
    from optmech.question.problem import Problem
    from optmech.question.query import Query

    Multipliers = Callable[[str], Floats]

_ONE = 2**BITS
# A larger dual is a solver's trouble, and times 2**BITS it might be infinite.
_LARGEST = 2.0**900
# Rows that say of an entry that it is at most another, with how far that one lies from the row's subscripts.
# Equal entries need no multiplier: they are one quantity. Nor do limits, which say what it can be.
_ORDERS = {
    "column_rising": (0, 0, 1, 0),
    "column_falling": (1, 0, 0, 0),
    "row_rising": (0, 0, 0, 1),
    "row_falling": (0, 1, 0, 0),
}


def leaf_of_duals(
    problem: Problem, formulation: Formulation, row_duals: Floats, privacy: dict[str, Rule] | None = None
) -> Leaf:
    """Return the multipliers that the duals of a linear program propose; `privacy` stands for its own.

    A dual says by how much the objective changes for one more unit on the right-hand side, so the multiplier
    of a row "at most" is its negative. What has the wrong sign is a solver's rounding and is left out; what
    rules allow no more of is cut off.
    """
    model = formulation.model
    row_duals = _of_unscaled_rows(formulation, row_duals)
    names = {block.name for block in model.rows}

    def weights_of(name: str) -> Floats:
        weights: Floats = np.maximum(-row_duals[model.rows_of(name)], 0.0)
        return weights

    rules = (
        privacy
        if privacy is not None
        else _of_privacy(
            formulation.layout,
            weights_of(formulation.layout.comparisons.name),
            weights_of("budget") if problem.privacy.sums_excess else None,
            seeks_delta=problem.objective.is_delta,
        )
    )
    honest = {"column_honest", "row_honest"}
    orders = [block for block in model.rows if block.name in _ORDERS or block.name in honest]
    if orders:
        places = [_order_places(block.name, block.indices, problem.query) for block in orders]
        weights = [weights_of(block.name) for block in orders]
        rules["order"] = rule_of(np.concatenate(places), whole_multipliers(np.concatenate(weights)))
    return Leaf(
        rules=rules,
        cost=int(whole_multipliers(weights_of("cost"))[0]) if "cost" in names else 0,
        worst=weights_of_truths(weights_of("worst_case")) if problem.objective.is_worst else None,
        bounds=_of_bounds(formulation, weights_of),
        means=whole_multipliers(row_duals[model.rows_of("unbiased")]) if "unbiased" in names else None,
        sums=_of_sums(formulation, row_duals),
        further=_of_further(problem, weights_of) if problem.further_privacy else None,
    )


def totals_of_duals(formulation: Formulation, row_duals: Floats) -> Whole | None:
    """Return what each column's sum is worth to the solver, ``None`` where all columns share one row.

    A row that stands for a column and its mirror is shared out between the two.
    """
    model, truths = formulation.model, formulation.layout.shape[1]
    (block,) = (block for block in model.rows if block.name == "total")
    totals = _of_unscaled_rows(formulation, row_duals)[model.rows_of("total")]
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
    layout: Layout, ratios: Floats, budgets: Floats | None, *, seeks_delta: bool = False
) -> dict[str, Rule]:
    """Return multipliers of ratios, and where delta is spent on several responses those of its budgets.

    What delta is worth is one: where it is sought they sum to no more.
    """
    weights = whole_multipliers(ratios)
    if budgets is None:
        return _rules(layout, _of_one(weights) if seeks_delta else weights)
    payments = whole_multipliers(budgets)
    payments = _of_one(payments) if seeks_delta else payments
    return _rules(layout, np.minimum(weights, payments[layout.comparisons.group]), payments)


def of_choices(
    cases: Cases, decisions: Decisions, row_duals: Floats, *, seeks_delta: bool
) -> dict[str, Rule]:
    """Return multipliers of ratios and budgets, cut down to what a leaf below the decisions may have.

    What is open has no more than its budget. What is paid for has none, or in the printed program those of
    its reversed ratios, which are negative.
    """
    model, layout = cases.formulation.model, cases.formulation.layout
    comparisons = layout.comparisons
    weights, payments = (
        whole_multipliers(np.maximum(-row_duals[model.rows_of(name)], 0.0))
        for name in (comparisons.name, "budget")
    )
    payments = _of_one(payments) if seeks_delta else payments
    paid = (decisions == PAID)[cases.choice]
    weights[paid] = 0
    if cases.is_shared:
        reversed_ones = whole_multipliers(np.maximum(-row_duals[model.rows_of("converse")], 0.0))
        weights[paid] = -reversed_ones[paid]
    limit = payments[0 * comparisons.group if cases.is_shared else comparisons.group]
    load = np.zeros(len(cases.first), dtype=object)
    np.add.at(load, cases.choice, weights)
    heavy = (decisions == OPEN)[cases.choice] & (load[cases.choice] > limit)
    weights[heavy] = weights[heavy] * limit[heavy] // load[cases.choice][heavy]
    return _rules(layout, weights, payments, is_shared=cases.is_shared)


def _rules(
    layout: Layout, weights: Whole, payments: Whole | None = None, *, is_shared: bool = False
) -> dict[str, Rule]:
    """Return multipliers of ratios and of budgets by their places; a budget that `is_shared` is the first."""
    comparisons, truths = layout.comparisons, layout.shape[1]
    between = np.column_stack([comparisons.left % truths, comparisons.right % truths])
    rules = {"privacy": rule_of(np.column_stack([comparisons.left // truths, between]), weights)}
    if payments is not None:
        _, first = np.unique(comparisons.group, return_index=True)
        payers = np.zeros((1, 2), dtype=np.int64) if is_shared else between[first]
        rules["budget"] = rule_of(payers, payments)
    return {name: rule for name, rule in rules.items() if len(rule.weights)}


def _order_places(name: str, subscripts: Integers, query: Query) -> Integers:
    """Return which entries (r, f) the rows of that name hold to be at most which (s, g)."""
    if name == "column_honest":
        return np.column_stack([subscripts, query.home[subscripts[:, 1]], subscripts[:, 1]])
    if name == "row_honest":
        row = query.home[subscripts[:, 1]]
        return np.column_stack([row, subscripts[:, 0], row, subscripts[:, 1]])
    places: Integers = np.tile(subscripts, 2) + _ORDERS[name]
    return places


def weights_of_truths(weights: Floats) -> Whole:
    """Return weights of truths that sum to one exactly."""
    shares = weights / weights.sum() if 0 < weights.sum() < np.inf else np.zeros(len(weights))
    whole = whole_multipliers(shares)
    whole[int(shares.argmax())] += _ONE - int(whole.sum())
    return whole


def _of_bounds(formulation: Formulation, weights_of: Multipliers) -> tuple[Whole, ...]:
    """Return the multipliers of each bounded loss, in order; the first subscript of its rows is its place."""
    multipliers: dict[int, Whole] = {}
    for block in formulation.model.rows:
        if block.name in {"bound", "bound_case"}:
            weights, place = whole_multipliers(weights_of(block.name)), block.indices[:, 0]
            multipliers |= {each: weights[place == each] for each in np.unique(place).tolist()}
    return tuple(multipliers[place] for place in sorted(multipliers))


def _of_further(problem: Problem, weights_of: Multipliers) -> tuple[dict[str, Rule], ...]:
    """Return the multipliers of further privacies, whose rows are named as the first one's, numbered."""
    rules = []
    for number, own in enumerate(compile_rules(problem).each_privacy[1:], start=2):
        layout = Layout.of(own.columns(), own.privacy[0].responses)
        budgets = weights_of(f"budget_{number}") if own.has_budgets else None
        rules.append(_of_privacy(layout, weights_of(f"{layout.comparisons.name}_{number}"), budgets))
    return tuple(rules)


def _of_sums(formulation: Formulation, row_duals: Floats) -> Whole | None:
    """Return the multipliers of linear rules, in order; of "at most" none is below 0."""
    model = formulation.model
    blocks = [block.name for block in model.rows if block.name.startswith("rules_")]
    if not blocks:
        return None
    places = [model.rows_of(name) for name in blocks]
    multipliers = np.concatenate([-row_duals[place] for place in places])
    equal = np.concatenate([model.row_lower[place] == model.row_upper[place] for place in places])
    return whole_multipliers(np.where(equal, multipliers, np.maximum(multipliers, 0.0)))


def _of_unscaled_rows(formulation: Formulation, row_duals: Floats) -> Floats:
    """Return the duals of the rows before they were scaled."""
    return row_duals if formulation.row_scale is None else row_duals * formulation.row_scale


def rule_of(places: Integers, weights: Whole) -> Rule:
    """Return the multipliers that are not zero."""
    nonzero = np.flatnonzero(weights != 0)
    return Rule(places=places[nonzero], weights=weights[nonzero])


def _of_one(weights: Whole) -> Whole:
    """Return multipliers scaled down to a sum of at most one."""
    total = int(weights.sum())
    return weights if total <= _ONE else weights * _ONE // total
