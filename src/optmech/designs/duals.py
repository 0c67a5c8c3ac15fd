"""A solver's duals as multipliers in whole numbers: the proposal for a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.repair.rounding import as_integers
from optmech.models.formulations.layout import Layout
from optmech.proofs.multipliers import BITS, Leaf, Rule
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.models.formulations.assemble import Formulation
    from optmech.question.problem import Problem
    from optmech.question.query import Query

    Multipliers = Callable[[str], Floats]

__all__ = ["leaf_of_duals", "totals_of_duals", "weights_of_truths", "whole_multipliers"]

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


def leaf_of_duals(problem: Problem, formulation: Formulation, row_duals: Floats) -> Leaf:
    """Return the multipliers that the duals of a linear program propose.

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

    rules = _of_privacy(problem, formulation, weights_of)
    orders = [
        _rule(_order_places(block.name, block.indices, problem.query), weights_of(block.name))
        for block in model.rows
        if block.name in _ORDERS or block.name in {"column_honest", "row_honest"}
    ]
    if orders:
        rules["order"] = Rule(
            places=np.concatenate([rule.places for rule in orders]),
            weights=np.concatenate([rule.weights for rule in orders]),
        )
    return Leaf(
        rules=rules,
        cost=int(whole_multipliers(weights_of("cost"))[0]) if "cost" in names else 0,
        worst=weights_of_truths(weights_of("worst_case")) if problem.objective.is_worst else None,
        bounds=_of_bounds(formulation, row_duals),
        means=whole_multipliers(row_duals[model.rows_of("unbiased")]) if "unbiased" in names else None,
        sums=_of_sums(formulation, row_duals),
        further=_of_further(problem, formulation, weights_of) if problem.further_privacy else None,
    )


def totals_of_duals(formulation: Formulation, row_duals: Floats) -> Whole | None:
    """Return what each column's sum is worth to the solver, ``None`` where all columns share one row.

    A row that stands for a column and its mirror is shared out between the two.
    """
    model, truths = formulation.model, formulation.layout.shape[1]
    (block,) = (block for block in model.rows if block.name == "total")
    totals_by_row, totals = (
        _of_unscaled_rows(formulation, row_duals)[model.rows_of("total")],
        np.zeros(truths),
    )
    if block.size == truths:
        totals = totals_by_row
    elif block.indices.shape[1] == 1:
        np.add.at(
            totals,
            np.r_[block.indices[:, 0], truths - 1 - block.indices[:, 0]],
            np.tile(totals_by_row / 2, 2),
        )
    else:
        return None
    return whole_multipliers(totals)


def whole_multipliers(weights: Floats) -> Whole:
    """Return multipliers as whole numbers over ``2**BITS``, towards zero."""
    sound = np.clip(weights, -_LARGEST, _LARGEST)
    return as_integers(sound * 2.0**BITS)  # a double times a power of two is exact


def _of_privacy(problem: Problem, formulation: Formulation, weights_of: Multipliers) -> dict[str, Rule]:
    """Return multipliers of ratios, and where delta is spent on several responses those of its budgets."""
    comparisons, truths = formulation.layout.comparisons, formulation.layout.shape[1]
    places = np.column_stack(
        [comparisons.left // truths, comparisons.left % truths, comparisons.right % truths]
    )
    weights = weights_of(comparisons.name)
    seeks_delta = problem.objective.is_delta
    if not (problem.privacy.sums_excess or problem.privacy.has_choices):
        ratios = _rule(places, weights)
        return {"privacy": _of_one(ratios) if seeks_delta else ratios}
    _, first = np.unique(comparisons.group, return_index=True)
    budgets = whole_multipliers(weights_of("budget"))
    if seeks_delta:
        budgets = _of_one(Rule(places=places[first, 1:], weights=budgets)).weights
    ratios = Rule(places=places, weights=np.minimum(whole_multipliers(weights), budgets[comparisons.group]))
    return {
        "privacy": _without_zeros(ratios),
        "budget": _without_zeros(Rule(places=places[first, 1:], weights=budgets)),
    }


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


def _of_bounds(formulation: Formulation, row_duals: Floats) -> tuple[Whole, ...]:
    """Return the multipliers of each bounded loss, in order; the first subscript of its rows is its place."""
    multipliers: dict[int, Whole] = {}
    for block in formulation.model.rows:
        if block.name in {"bound", "bound_case"}:
            weights = whole_multipliers(np.maximum(-row_duals[formulation.model.rows_of(block.name)], 0.0))
            place = block.indices[:, 0]
            multipliers |= {each: weights[place == each] for each in np.unique(place).tolist()}
    return tuple(multipliers[place] for place in sorted(multipliers))


def _of_further(
    problem: Problem, formulation: Formulation, weights_of: Multipliers
) -> tuple[dict[str, Rule], ...]:
    """Return the multipliers of further privacies, whose rows are named as the first one's, numbered."""
    truths, rules = formulation.layout.shape[1], []
    for number, own in enumerate(compile_rules(problem).each_privacy[1:], start=2):
        comparisons = Layout.of(own.columns(), own.privacy[0].responses).comparisons
        places = np.column_stack(
            [comparisons.left // truths, comparisons.left % truths, comparisons.right % truths]
        )
        weights = whole_multipliers(weights_of(f"{comparisons.name}_{number}"))
        if not own.has_budgets:
            rules.append({"privacy": _without_zeros(Rule(places=places, weights=weights))})
            continue
        _, first = np.unique(comparisons.group, return_index=True)
        budgets = whole_multipliers(weights_of(f"budget_{number}"))
        ratios = Rule(places=places, weights=np.minimum(weights, budgets[comparisons.group]))
        payments = Rule(places=places[first, 1:], weights=budgets)
        rules.append({"privacy": _without_zeros(ratios), "budget": _without_zeros(payments)})
    return tuple({name: rule for name, rule in own.items() if len(rule.weights)} for own in rules)


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


def _rule(places: Integers, weights: Floats) -> Rule:
    return _without_zeros(Rule(places=places, weights=whole_multipliers(weights)))


def _without_zeros(rule: Rule) -> Rule:
    nonzero = np.flatnonzero(rule.weights != 0)
    return Rule(places=rule.places[nonzero], weights=rule.weights[nonzero])


def _of_one(rule: Rule) -> Rule:
    """Return the multipliers scaled down to a sum of at most one, which is what delta is worth."""
    total = int(rule.weights.sum())
    return rule if total <= _ONE else Rule(places=rule.places, weights=rule.weights * _ONE // total)
