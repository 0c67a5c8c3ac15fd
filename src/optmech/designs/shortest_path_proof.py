"""A proof without a solver, on any graph of neighbours: outcomes followed along shortest ways.

Law: let every truth but c have one first step of a shortest way to c. Multipliers ``v a^d(f,c)`` of the rules
``M[r,f] <= E M[r,g] + excess`` of the steps (f, g) on the way of truth r to c, a = 1/E, add up to

    v (a^d(r,c) M[r,r] - M[r,c]) <= excess,

as all between cancels. So a charge v at (r, c) is taken off that entry and laid on the diagonal, at a^d(r,c)
times its size. Where excesses have budgets, a step to c bears the charges of all responses whose ways lead
through it; one budget pays for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import weights_of_truths, whole_multipliers
from optmech.proofs.multipliers import BITS, Leaf, Rule

if TYPE_CHECKING:
    from scipy import sparse

    from optmech.base.arrays import Floats
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.theorems.theorem import Prices


__all__ = ["leaf_of_charges", "rules_of_charges"]


def leaf_of_charges(problem: Problem, prices: Prices) -> Leaf:
    """Return the multipliers that prices of a theorem amount to."""
    budgets, is_delta = problem.privacy.has_delta, problem.objective.is_delta
    rules = rules_of_charges(problem.query, prices.charges, float(problem.privacy.epsilon), budgets=budgets)
    if is_delta:
        rules = _worth_one(rules)
    prior = None if prices.prior is None else weights_of_truths(prices.prior)
    if not is_delta:
        return Leaf(rules=rules, worst=prior)
    bounds = whole_multipliers(
        prices.bound_multiplier * (np.ones(1) if prices.prior is None else prices.prior)
    )
    return Leaf(rules=rules, bounds=(bounds,))


def _worth_one(rules: dict[str, Rule]) -> dict[str, Rule]:
    """Return multipliers scaled down to what delta is worth, which is one in all."""
    total = max(int(rules["budget"].weights.sum()), 1 << BITS)
    return {
        name: Rule(places=rule.places, weights=(rule.weights << BITS) // total)
        for name, rule in rules.items()
    }


def rules_of_charges(query: Query, charges: Floats, epsilon: float, *, budgets: bool) -> dict[str, Rule]:
    """Return the multipliers of privacy, and of `budgets` of neighbours, that move charges to the diagonal.

    A charge is what is to be taken off an entry, not negative; of the diagonal nothing is. The query has one
    response for each truth.

    Examples
    --------
    Between truths 0 and 2 of a count the way leads over 1, at E = 2:

    >>> from optmech.question.queries import count
    >>> charges = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> rule = rules_of_charges(count(2), charges, np.log(2), budgets=False)["privacy"]
    >>> rule.places.tolist(), [round(weight / 2**80, 3) for weight in rule.weights]
    ([[0, 0, 1], [0, 1, 2]], [0.25, 0.5])
    """
    flows = _flows(query, charges, epsilon)
    weights = whole_multipliers(flows.data)
    ratios = Rule(places=np.column_stack([flows.row, query.pairs[flows.col]]), weights=weights)
    if not budgets:
        return {"privacy": ratios}
    largest = np.zeros(len(query.pairs), dtype=object)
    np.maximum.at(largest, flows.col, weights)
    payments = np.flatnonzero(largest)
    return {"privacy": ratios, "budget": Rule(places=query.pairs[payments], weights=largest[payments])}


def _flows(query: Query, charges: Floats, epsilon: float) -> sparse.coo_array:
    """Return the multiplier of each response and each pair of neighbours."""
    from scipy import sparse  # noqa: PLC0415 - most of a second, which no other design should wait for
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - as above

    size, pairs = query.num_truths, query.pairs
    backwards = sparse.csr_array((np.ones(len(pairs)), (pairs[:, 1], pairs[:, 0])), shape=(size, size))
    distance, after = shortest_path(backwards, unweighted=True, return_predecessors=True)
    codes = pairs[:, 0] * size + pairs[:, 1]  # sorted, as the pairs are
    total = sparse.csr_array((size, len(pairs)))
    row, target = np.nonzero((charges > 0) & np.isfinite(distance.T) & ~np.eye(size, dtype=bool))
    place = row
    while len(row):
        beside = after[target, place]
        flow = charges[row, target] * np.exp(-epsilon * distance[target, place])
        step = np.searchsorted(codes, place * size + beside)
        total += sparse.csr_array((flow, (row, step)), shape=total.shape)
        going = beside != target
        row, target, place = row[going], target[going], beside[going]
    return total.tocoo()
