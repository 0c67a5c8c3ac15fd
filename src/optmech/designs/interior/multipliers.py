"""The multipliers of a bound in whole numbers: of all responses, truths and neighbours of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import weights_of_truths, whole_multipliers
from optmech.proofs.multipliers import Leaf, Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.interior.row_program import RowProgram
    from optmech.designs.interior.search import Proof

# Multipliers below are zero at the optimum: without them the bound is lower by their sum at most.
_DUST = 1e-13


def leaf_of(program: RowProgram, proof: Proof, pairs: Integers) -> Leaf:
    """Return the multipliers of a proof; `pairs` are the neighbours of the question."""
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
    return Leaf(rules=parts[0], worst=prior, further=tuple(parts[1:]) or None)


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
