"""A mechanism and a proof where e^epsilon is beyond what a solver can see, in whole numbers.

Law: let q <= 1/E and let d(r, t) be the least weight of a path of neighbours from truth r to truth t. Then

    M[r, t] = (1 - delta) q^d(r, t)  off the diagonal,   M[t, t] = 1 - what else is in the column,

is private: off the diagonal no ratio is above 1/q, and M[t, t] <= 1 exceeds ``E M[t, c]`` by delta at most.
So it is with ``min(d, k)`` in place of d. Where delta may not be spent so, it is left alone. To release
another answer than the true one costs at least nearly as much: for neighbours (r, c) of weight w the rule
``M[r, r] <= E^w M[r, c] + excess``, times y, takes ``E^w y`` off the cost of the entry (r, c) and lays y on
the diagonal of r. With ``E^w y`` the whole cost of each such entry, less the price of its column, prices are

    tau[r] = sum of cost[r, c] / E^w over the neighbours c of r,   nearly,

and delta takes its share of them. So objective and bound differ by shares of 1/E and delta, whoever is whose
neighbour. At the worst truth c the costs are those of its column alone; so that the other columns r can pay
tau[r], each weighs next to nothing: twice ``tau[r]`` over its least cost.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.enclosure import LONGEST_POWER, power_above
from optmech.proofs.multipliers import Leaf, Rule
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem
    from optmech.rules import Rules

# Solvers see entries of 1e-9 or so: from there on programs lose digits.
_LARGE = math.log(2**20)
# Bits of powers and of multipliers beyond those of e^epsilon, and of what doubles may be off by in a cost.
_BITS, _ROUNDING = 80, Fraction(1, 2**50)
# Powers so much below the largest add nothing that counts; a matrix of more truths has too many of them.
_NOTHING, _MOST_TRUTHS = 2**60, 101


def _fits(problem: Problem, factor: Enclosure) -> bool:
    """Whether a question is one of large epsilon between neighbours, and of an expected loss."""
    return (
        # Longer powers no certificate holds.
        _lightest(problem) * max(map(int.bit_length, factor.lower.as_integer_ratio())) <= LONGEST_POWER
        and isinstance(problem.objective, ExpectedLoss | WorstLoss)
        and float(problem.privacy.epsilon) * _lightest(problem) >= _LARGE
        and Shape.of(problem).own_responses
        and problem.query.num_responses == problem.query.num_truths
    )


def _lightest(problem: Problem) -> int:
    return int(problem.query.weights.min(initial=problem.query.heaviest))


def matrices_at_large_epsilon(problem: Problem, factor: Enclosure) -> Iterator[Whole]:
    """Yield private matrices of fractions: one that spends delta where there is one, and one that does not.

    They keep no property, and no rule but those of privacy; of questions that do not fit there is none.
    """
    if not _fits(problem, factor) or problem.query.num_truths > _MOST_TRUTHS:
        return
    distances = _distances(problem)
    powers = _powers(factor.lower, _lightest(problem))
    for spent in dict.fromkeys((problem.privacy.delta or Fraction(0), Fraction(0))):
        matrix = np.full(distances.shape, Fraction(0), dtype=object)
        for place, distance in np.ndenumerate(distances):
            if np.isfinite(distance):
                matrix[place] = (1 - spent) * powers[min(int(distance), len(powers) - 1)]
        np.fill_diagonal(matrix, Fraction(0))
        np.fill_diagonal(matrix, 1 - matrix.sum(axis=0))
        yield matrix


def _powers(lower: Fraction, lightest: int) -> list[Fraction]:
    """Return 1 and a number for each further weight, each at least that before over `lower`, hardly more.

    They end where they are next to nothing beside that of the lightest neighbours, so that their denominators
    have few bits more than ``e^epsilon`` between those.

    >>> [float(power) for power in _powers(Fraction(2**40), 2)]
    [1.0, 9.094947017729282e-13, 8.271806125530277e-25, 7.52316384526264e-37, 6.842277657836021e-49]
    """
    powers = [Fraction(1)]
    while len(powers) <= lightest or powers[lightest] < _NOTHING * powers[-1]:
        exact = powers[-1] / lower
        bits = _BITS + exact.denominator.bit_length() - exact.numerator.bit_length()
        powers.append(Fraction(-((-exact.numerator << bits) // exact.denominator), 1 << bits))
    return powers


def leaves_at_large_epsilon(rules: Rules, factor: Enclosure) -> Iterator[Leaf]:
    """Yield multipliers that prove nearly the least loss, none for questions that do not fit."""
    problem = rules.problem
    if not _fits(problem, factor):
        return
    query, upper = problem.query, factor.upper
    own, other = query.pairs[:, 0], query.pairs[:, 1]
    denominator = 1 << (_BITS + math.ceil(power_above(upper, _lightest(problem) + 1)).bit_length())
    worth = {weight: _one_over(power_above(upper, weight)) for weight in set(query.weights.tolist())}
    worths = [worth[weight] for weight in query.weights.tolist()]
    worst = None
    if isinstance(problem.objective, WorstLoss):
        worst = _weights_of_truths(problem.objective.loss, query.pairs, worths, denominator)
        if min(worst) < 0:  # losses lie so far apart that others count as well
            return
    costs = _costs(problem, None if worst is None else [Fraction(each, denominator) for each in worst])
    prices = [Fraction(0)] * query.num_truths
    for truth, cost, one in zip(own.tolist(), costs, worths, strict=True):
        prices[truth] += cost * one
    multipliers = [
        max(0, int((cost * (1 - _ROUNDING) - prices[truth]) * one * denominator))
        for truth, cost, one in zip(other.tolist(), costs, worths, strict=True)
    ]
    whole = np.array(multipliers, dtype=object)
    kept = np.flatnonzero(whole > 0)
    places = np.column_stack([own, own, other])[kept]
    multiples = {"privacy": Rule(places=places, weights=whole[kept])}
    if rules.has_budgets:
        multiples["budget"] = Rule(places=query.pairs[kept], weights=whole[kept])
    yield Leaf(rules=multiples, worst=worst, denominator=denominator)


def _one_over(number: Fraction) -> Fraction:
    """Return hardly less than one over a number, in few bits."""
    bits = 2 * _BITS + number.numerator.bit_length() - number.denominator.bit_length()
    return Fraction((number.denominator << bits) // number.numerator, 1 << bits)


def _costs(problem: Problem, weights: list[Fraction] | None) -> list[Fraction]:
    """Return for each pair of neighbours the cost of the first as an answer at the second."""
    objective: ExpectedLoss | WorstLoss = problem.objective  # type: ignore[assignment]
    own, other = problem.query.pairs[:, 0], problem.query.pairs[:, 1]
    if weights is None:
        return list(map(Fraction, (objective.loss * objective.weights)[own, other].tolist()))
    losses = objective.loss[own, other].tolist()
    return [Fraction(loss) * weights[truth] for loss, truth in zip(losses, other.tolist(), strict=True)]


def _weights_of_truths(losses: Floats, pairs: Integers, worths: list[Fraction], denominator: int) -> Whole:
    """Return the weights of truths that make the loss of one count, that whose neighbours cost it most."""
    size = losses.shape[1]
    least = np.where(np.eye(size, dtype=bool), np.inf, losses).min(axis=0).tolist()
    shares: list[dict[int, Fraction]] = [{} for _ in range(size)]
    for (own, other), one in zip(pairs.tolist(), worths, strict=True):
        shares[other][own] = Fraction(losses[own, other]) * one
    worst = max(range(size), key=lambda truth: sum(shares[truth].values()))
    weights = np.zeros(size, dtype=object)
    for truth, share in shares[worst].items():
        weights[truth] = int(2 * share / Fraction(least[truth]) * denominator) if least[truth] else 0
    weights[worst] = denominator - sum(weights)
    return weights


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
