"""A mechanism and a proof where e^epsilon is beyond what a solver can see, in whole numbers.

Law: let q <= 1/E and let d(r, t) be the least weight of a path of neighbours from truth r to truth t. Then

    M[r, t] = (1 - delta) q^d(r, t)  off the diagonal,   M[t, t] = 1 - what else is in the column,

is private: off the diagonal no ratio is above 1/q, and M[t, t] <= 1 exceeds ``E M[t, c]`` by delta at most.
Where delta may not be spent so, it is left alone. To release another answer than the true one costs at least
nearly as much: for neighbours (r, c) of weight w the rule ``M[r, r] <= E^w M[r, c] + excess``, times y, takes
``E^w y`` off the cost of the entry (r, c) and lays y on the diagonal of r. With ``E^w y`` the whole cost of
each such entry, less the price of its column, the prices are

    tau[r] = sum of cost[r, c] / E^w over the neighbours c of r,   nearly,

and delta takes its share of them. So objective and bound differ by shares of 1/E and delta, whoever is whose
neighbour.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.multipliers import Leaf, Rule
from optmech.question.losses import ExpectedLoss
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem
    from optmech.rules import Rules

# Solvers see entries of 1e-9 or so: from there on programs lose digits.
_LARGE = 2**20
# Bits of q and of multipliers beyond those of e^epsilon, and of what doubles may be off by in a cost.
_BITS, _ROUNDING = 80, Fraction(1, 2**50)
# Powers beyond are far less than the first, and long; a matrix of more entries has too many of them.
_FARTHEST, _MOST_TRUTHS = 4, 101


def _fits(problem: Problem, factor: Enclosure) -> bool:
    """Whether a question is one of large epsilon and expected loss, with a response for each truth."""
    return (
        factor.lower >= _LARGE
        and isinstance(problem.objective, ExpectedLoss)
        and Shape.of(problem).own_responses
        and problem.query.num_responses == problem.query.num_truths
    )


def matrices_at_large_epsilon(problem: Problem, factor: Enclosure) -> Iterator[Whole]:
    """Yield private matrices of fractions: one that spends delta where there is one, and one that does not.

    They keep no property, and no rule but those of privacy; of questions that do not fit there is none.
    """
    if not _fits(problem, factor) or problem.query.num_truths > _MOST_TRUTHS:
        return
    numerator, denominator = factor.lower.as_integer_ratio()
    bits = _BITS + numerator.bit_length() - denominator.bit_length()
    step = Fraction(-((-denominator << bits) // numerator), 1 << bits)  # rounded up: 1/q is below e^epsilon
    distances = _distances(problem)
    for spent in dict.fromkeys((problem.privacy.delta or Fraction(0), Fraction(0))):
        powers = [(1 - spent) * step**power for power in range(_FARTHEST + 1)]
        matrix = np.full(distances.shape, Fraction(0), dtype=object)
        for place, distance in np.ndenumerate(distances):
            if np.isfinite(distance):
                matrix[place] = powers[min(int(distance), _FARTHEST)]
        np.fill_diagonal(matrix, Fraction(0))
        np.fill_diagonal(matrix, 1 - matrix.sum(axis=0))
        yield matrix


def leaf_at_large_epsilon(rules: Rules, factor: Enclosure) -> Leaf | None:
    """Return the multipliers that prove nearly the least loss, ``None`` for questions that do not fit."""
    problem = rules.problem
    if not _fits(problem, factor):
        return None
    query, upper = problem.query, factor.upper
    own, other = query.pairs[:, 0], query.pairs[:, 1]
    costs = [Fraction(cost) for cost in _costs(problem)[own, other].tolist()]
    worth = [1 / upper**weight for weight in query.weights.tolist()]
    prices = [Fraction(0)] * query.num_truths
    for truth, cost, one in zip(own.tolist(), costs, worth, strict=True):
        prices[truth] += cost * one
    denominator = 1 << (_BITS + 2 * (upper.numerator.bit_length() - upper.denominator.bit_length()))
    multipliers = [
        max(0, int((cost * (1 - _ROUNDING) - prices[truth]) * one * denominator))
        for truth, cost, one in zip(other.tolist(), costs, worth, strict=True)
    ]
    whole = np.array(multipliers, dtype=object)
    kept = np.flatnonzero(whole > 0)
    places = np.column_stack([own, own, other])[kept]
    multiples = {"privacy": Rule(places=places, weights=whole[kept])}
    if rules.has_budgets:
        multiples["budget"] = Rule(places=query.pairs[kept], weights=whole[kept])
    return Leaf(rules=multiples, denominator=denominator)


def _costs(problem: Problem) -> Floats:
    objective: ExpectedLoss = problem.objective  # type: ignore[assignment]
    costs: Floats = objective.loss * objective.weights
    return costs


def _distances(problem: Problem) -> Floats:
    """Return the least weight of a path from each truth to each other, infinite where there is none."""
    from scipy import sparse  # noqa: PLC0415 - most of a second, which no other design should wait for
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - as above

    query = problem.query
    size = (query.num_truths, query.num_truths)
    graph = sparse.csr_array(
        (query.weights.astype(float), (query.pairs[:, 0], query.pairs[:, 1])), shape=size
    )
    distances: Floats = shortest_path(graph)
    return distances
