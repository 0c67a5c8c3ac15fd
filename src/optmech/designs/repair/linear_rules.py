"""The rules of a problem on its quantities: what a repair must keep, whatever structure and properties.

Model
-----
    sum_k count[f,k] x[k] = 1                     for each truth f                      sums
    sum_k error[f,k] x[k] = 0                     for each truth f, where asked          means
    x[a] <= x[b]                                                                         orders
    x[a] <= E^w x[b]                              pure privacy                           compared
    x[a] <= E^w x[b] + delta                      per outcome
    sum_r max(0, x[a_r] - E^w x[b_r]) <= delta    approximate, for each pair of neighbours
    sum_r x[a_r] [x[a_r] > E^w x[b_r]] <= delta   probabilistic
    sum_k loss[i,k] x[k] <= at_most[i]            bounded losses                         bounds
    least[k] <= x[k] <= most[k]                                                          limits
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.designs.repair.orders import orders
from optmech.question.costs import exact_costs
from optmech.question.errors import errors_of_entries
from optmech.question.objective import LeastDelta, WorstLoss
from optmech.question.privacy import PerOutcomePrivacy
from optmech.question.structures import FreeMatrix, SymmetricNoise
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.costs import ExactCosts
    from optmech.question.problem import Problem
    from optmech.rules import Quantities

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["LinearRules", "linear_rules"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearRules:
    """Rules on quantities, each once.

    Attributes
    ----------
    found : Quantities
        What the quantities are, and their limits.
    sums : ndarray of int, shape (num_equalities, num_quantities)
        Coefficients of sums, then of means.
    rights : ndarray of int, shape (num_equalities,)
        One for sums, zero for means.
    orders : ndarray of int, shape (num_orders, 2)
        The first quantity is at most the second.
    left, right : ndarray of int, shape (num_pairs, num_compared)
        Quantities that privacy compares, a row for each pair of neighbours.
    weights : ndarray of int, shape (num_pairs,)
        How many times epsilon lie between the neighbours.
    losses : ndarray of float, shape (num_bounds, num_quantities)
        Coefficients of bounded losses.
    at_most : ndarray of float, shape (num_bounds,)
        The bounds.
    """

    found: Quantities
    sums: Whole
    rights: Whole
    orders: Integers
    left: Integers
    right: Integers
    weights: Integers
    losses: Floats
    at_most: Floats


def linear_rules(problem: Problem) -> LinearRules:
    """Return the rules of a problem on its quantities."""
    query, rules = problem.query, compile_rules(problem)
    found = rules.quantities
    number, truths = len(found.least), query.num_truths
    columns = np.broadcast_to(np.arange(truths), found.names.shape)
    sums = np.zeros((truths, number), dtype=object)
    np.add.at(sums, (columns, found.names), 1)
    rights = np.ones(truths, dtype=object)
    if rules.has_means:
        errors, _ = errors_of_entries(query)
        means = np.zeros((truths, number), dtype=object)
        np.add.at(means, (columns, found.names), errors)
        means = means[means.any(axis=1)]  # noise of two sides alike has none to keep
        sums = np.concatenate([sums, means])
        rights = np.concatenate([rights, np.zeros(len(means), dtype=object)])
    low, high = (found.names.ravel()[ends] for ends in orders(query, problem.properties))
    ordered = np.unique(np.column_stack([low, high]), axis=0)
    losses, at_most = _bounded(problem, found)
    left, right, weights = _compared(problem, found)
    return LinearRules(
        found=found,
        sums=sums,
        rights=rights,
        orders=ordered[ordered[:, 0] != ordered[:, 1]],
        left=left,
        right=right,
        weights=weights,
        losses=losses,
        at_most=at_most,
    )


def _compared(problem: Problem, found: Quantities) -> tuple[Integers, Integers, Integers]:
    """Return quantities that are compared, a row for each pair of neighbours; of equal rows one."""
    query, names = problem.query, found.names
    if isinstance(problem.privacy, PerOutcomePrivacy) and isinstance(problem.structure, SymmetricNoise):
        block = compile_rules(problem).privacy[0]
        assert block.responses is not None  # noqa: S101 - so it is of symmetric noise
        rows, (truths, others) = block.responses, block.pairs[0]
        return names[rows, truths][None], names[rows, others][None], np.ones(1, dtype=np.int64)
    size = len(found.least)
    codes = names[:, query.pairs[:, 0]].T * size + names[:, query.pairs[:, 1]].T
    if not isinstance(problem.structure, FreeMatrix):
        marked = np.column_stack([np.sort(codes, axis=1), query.weights])
        marked = np.unique(marked, axis=0)
        return marked[:, :-1] // size, marked[:, :-1] % size, marked[:, -1]
    return codes // size, codes % size, query.weights


def _bounded(problem: Problem, found: Quantities) -> tuple[Floats, Floats]:
    """Return coefficients of the losses that must stay within bounds, and the bounds."""
    query, objective = problem.query, problem.objective
    bounds = [(bound.loss, bound.at_most) for bound in problem.bounds]
    if isinstance(objective, LeastDelta) and objective.cost is not None and objective.at_most is not None:
        bounds.append((objective.cost, objective.at_most))
    rows: list[Floats] = []
    limits: list[float] = []
    for loss, at_most in bounds:
        table = _doubles(exact_costs(loss.at_each_truth(), query))
        each = range(query.num_truths) if isinstance(loss, WorstLoss) else [slice(None)]
        for truth in each:
            row = np.zeros(len(found.least))
            np.add.at(row, found.names[:, truth], table[:, truth])
            rows.append(row)
            limits.append(float(at_most))
    return np.array(rows).reshape(-1, len(found.least)), np.array(limits)


def _doubles(costs: ExactCosts) -> Floats:
    return np.array([[float(Fraction(int(cost), costs.scale)) for cost in row] for row in costs.table])
