"""The multipliers of a bound in whole numbers: of all responses, truths and neighbours of the question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import rule_of, weights_of_truths, whole_multipliers
from optmech.designs.interior.demands import multipliers_by_part
from optmech.proofs.multipliers import Leaf, Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.interior.row_program import RowProgram
    from optmech.designs.interior.search import Proof
    from optmech.rules import Rules

# Multipliers below are zero at the optimum: without them the bound is lower by their sum at most.
_DUST = 1e-13


def leaf_of(program: RowProgram, proof: Proof, rules: Rules) -> Leaf:
    """Return the multipliers of a proof, of the rules of the question."""
    pairs = rules.pairs
    number = program.num_neighbours
    budgets = np.zeros(len(program.left))
    budgets[program.spending] = proof.budgets[program.budgets.of] * program.budgets.share
    ratios = np.where(proof.ratios < _DUST, 0.0, proof.ratios) / program.rows
    has_budget = np.zeros(len(program.left), dtype=bool)
    has_budget[program.spending] = True
    parts = [
        _of_privacy(
            program,
            pairs,
            ratios[own] * program.unit,
            (budgets * program.unit)[own],
            spends=bool(has_budget[own].any()),
        )
        for own in (slice(first, first + number) for first in range(0, len(program.left), number))
    ]
    prior = None
    if program.has_level:
        of_truths = np.empty(len(program.order))
        of_truths[program.order] = proof.prior[program.truths.of] * program.truths.share
        prior = weights_of_truths(of_truths)
    own, means, bounds = multipliers_by_part(rules, _of_sums(program, proof))
    return Leaf(
        rules={**parts[0], **_of_orders(program, proof, rules)},
        worst=prior,
        bounds=tuple(map(whole_multipliers, bounds)),
        means=None if rules.means is None else whole_multipliers(-means),
        sums=whole_multipliers(own) if len(own) else None,
        further=tuple(parts[1:]) or None,
    )


def leaves_of(program: RowProgram, proof: Proof, rules: Rules) -> list[Leaf]:
    """Return the multipliers of a proof, where limits or ties are no rows with those of columns' sums, too.

    Those that follow from the others are then not always the best, and those of the proof are rounded.
    """
    leaf = leaf_of(program, proof, rules)
    return [leaf, _with_totals(leaf, program, proof)] if rules.demands else [leaf]


def _with_totals(leaf: Leaf, program: RowProgram, proof: Proof) -> Leaf:
    of_truths = np.empty(len(program.order))
    of_truths[program.order] = proof.totals[program.truths.of] * program.truths.share * program.unit
    totals = whole_multipliers(of_truths)
    return replace(leaf, totals=totals, means=0 * totals if leaf.means is None else leaf.means)


def _of_sums(program: RowProgram, proof: Proof) -> Floats:
    """Return the multiplier of each sum of the question."""
    sums = program.demands.sums
    values = np.append(proof.sums, 0.0)[sums.of] * sums.share * program.unit
    return np.where(np.abs(values) < _DUST, 0.0, values)


def _of_orders(program: RowProgram, proof: Proof, rules: Rules) -> dict[str, Rule]:
    """Return the multiplier of each order of the question."""
    if not rules.orders:
        return {}
    orders, truths = program.demands.orders, len(program.order)
    each = np.append(np.where(proof.orders < _DUST, 0.0, proof.orders), 0.0)[orders.of]
    each *= orders.share * program.unit
    low, high = (np.concatenate([getattr(order, end) for order in rules.orders]) for end in ("low", "high"))
    places = np.column_stack([low // truths, low % truths, high // truths, high % truths])
    return {"order": rule_of(places, whole_multipliers(each))}


def _of_privacy(
    program: RowProgram, pairs: Integers, ratios: Floats, budgets: Floats, *, spends: bool
) -> dict[str, Rule]:
    """Return the multipliers of one privacy: of ratios, shape (pairs, rows), and of budgets."""
    pair, row = np.nonzero(ratios)
    weights = whole_multipliers(ratios[pair, row])
    payments = whole_multipliers(budgets)
    if spends:
        weights = np.minimum(weights, payments[pair])
    places = np.column_stack([row, pairs[pair]])
    if program.mirrored:
        last = np.array([program.num_responses, len(program.order), len(program.order)]) - 1
        others = row < program.num_responses - len(program.rows)
        places = np.concatenate([places, last - places[others]])
        weights = np.concatenate([weights, weights[others]])
    order = np.lexsort(places.T[::-1])
    rules = {"privacy": Rule(places=places[order], weights=weights[order])}
    if spends:
        paid = np.flatnonzero(payments)
        rules["budget"] = Rule(places=pairs[paid], weights=payments[paid])
    return rules
