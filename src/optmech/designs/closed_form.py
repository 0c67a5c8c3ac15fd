"""Mechanisms from theorems and formulas, and prices that prove some of them optimal."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.price_proofs import (
    fair_leaf_for_all_pairs,
    leaf_for_all_pairs,
    leaf_of_charges,
    leaf_of_prices,
    leaf_without_bias,
    prices_for_all_pairs,
)
from optmech.designs.repair.rounding import BITS
from optmech.models.formulations.reduced import reach_of_variant_2
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.multipliers import Leaf, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem
    from optmech.theorems.theorem import Theorem

_COUNT, _EXTREMUM = "croft-variant-1-count", "croft-variant-1-extremum"
_FAIR_EXTREMUM = "croft-variant-2-extremum"
_UNBIASED = "croft-unbiased-path"
_WITH_PRICES = (_COUNT, _EXTREMUM, _FAIR_EXTREMUM, _UNBIASED)
# Python writes whole numbers of up to 4,300 digits; multipliers have twice as many as the optimum has zeros.
_MOST_ZEROS = 1500


def closed_forms(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """Yield the optimal matrix of each proved theorem that has one for this problem, with its name."""
    for theorem in _theorems(problem):
        yield f"closed form of {theorem.name}", theorem.matrix(problem)  # type: ignore[misc]


def fallbacks(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """Yield matrices that keep the promises of `problem` but are not the best, each with its name."""
    reach = reach_of_variant_2(problem)
    if reach is not None:
        matrix = explicit_fair(problem.query.num_truths, float(problem.privacy.epsilon), reach)
        yield "fair mechanism by formula, not optimal", matrix


def explicit_fair(size: int, epsilon: float, reach: int) -> Floats:
    """Return the explicit fair mechanism: private, not optimal, for Variant 2 where no solver ends.

    On truths 0..N-1, with d = |r - f|, b = min(f, N-1-f), a = e^(-epsilon/S) and neighbours within reach S,

        M[r,f] = y a^d                for d < b
                 y a^ceil((d+b)/2)    otherwise,        y = 1 / sum_r a^|r - floor((N-1)/2)|

    Each column holds the same powers of a: around a truth near an end those of both sides take turns on the
    longer side. One step in f changes an exponent by at most one, so neighbours within reach S keep
    e^epsilon. It is fair, symmetric, and monotone in rows and columns.

    Source: Croft, Sack, Shi 2020, section 4, compare with it; checked by exact arithmetic where it is used.
    """
    position = np.arange(size)
    distance = np.abs(position[:, None] - position[None, :])
    edge = np.minimum(position, size - 1 - position)[None, :]
    power = np.where(distance < edge, distance, -(-(distance + edge) // 2))
    powers = np.exp(-epsilon / reach * power)
    matrix: Floats = powers / powers.sum(axis=0)
    return matrix


def theorem_with_matrix(problem: Problem) -> tuple[Theorem | None, bool]:
    """Return a proved theorem with an optimal matrix for this problem, if there is one.

    Among several theorems, one with prices that prove the matrix optimal comes first. The second result says
    whether it has prices.
    """
    theorems = _theorems(problem)
    priced = next((theorem for theorem in theorems if _is_priced(theorem, problem)), None)
    return priced or next(iter(theorems), None), priced is not None


def priced_by_theorem(problem: Problem) -> Leaf | None:
    """Return the multipliers that follow from a theorem, or ``None`` if no theorem has prices."""
    theorem, priced = theorem_with_matrix(problem)
    if theorem is None or not priced:
        return None
    if theorem.exact is not None and is_exact(theorem, problem):
        # The bound must hold for the upper end, and so it does for what is optimal there.
        exact = theorem.exact(problem, enclosure(problem).upper)
        return _leaf_of(exact.multipliers, budgets=problem.privacy.sums_excess)
    along = None if theorem.prices is None else theorem.prices(problem)
    return _priced_by_name(theorem, problem) if along is None else leaf_of_charges(problem, along)


def _priced_by_name(theorem: Theorem, problem: Problem) -> Leaf | None:
    if theorem.name == _UNBIASED:
        return leaf_without_bias(problem, enclosure(problem).upper)
    objective: ExpectedLoss = problem.objective  # type: ignore[assignment]
    costs = objective.loss * objective.weights
    factor = float(np.exp(float(problem.privacy.epsilon)))
    if factor == 1:  # prices divide by its distance from one
        return None
    if theorem.name == _COUNT:
        from optmech.theorems.counting import dual_prices  # noqa: PLC0415 - as `_theorems`

        _, values = dual_prices(1 / factor, costs[:, 0].tolist())  # type: ignore[arg-type]
        return leaf_of_prices(costs, np.array(values, dtype=float), factor)
    if theorem.name == _FAIR_EXTREMUM:
        return fair_leaf_for_all_pairs(costs, factor)
    prices = prices_for_all_pairs(costs, theorem.value(problem), factor)
    return None if prices is None else leaf_for_all_pairs(costs, prices, factor)


def _is_priced(theorem: Theorem, problem: Problem) -> bool:
    along = theorem.prices is not None and theorem.prices(problem) is not None
    return theorem.name in _WITH_PRICES or along or is_exact(theorem, problem)


def is_exact(theorem: Theorem, problem: Problem) -> bool:
    """Whether the theorem has a mechanism and a proof in rationals that are not too long to write down."""
    if theorem.exact is None:
        return False
    return bool(theorem.ball(problem, 3).log() > -_MOST_ZEROS * np.log(10))


def enclosure(problem: Problem) -> Enclosure:
    """Return e^epsilon as `certify` encloses it."""
    return enclose_exponential(problem.privacy.epsilon, 2 * BITS)


def _leaf_of(multipliers: dict[tuple[int, int, int], Fraction], *, budgets: bool) -> Leaf:
    """Return multipliers of rows whose delta is sought, with bits enough for the smallest of them."""
    least = min(multipliers.values())
    bits = BITS + max(0, 2 * (least.denominator.bit_length() - least.numerator.bit_length()))
    weights = np.array([(y.numerator << bits) // y.denominator for y in multipliers.values()], dtype=object)
    rules = {"privacy": Rule(places=np.array(list(multipliers)), weights=weights)}
    if budgets:
        pairs = np.array(sorted({subscripts[1:] for subscripts in multipliers}))
        rules["budget"] = Rule(places=pairs, weights=np.array([1 << bits] * len(pairs), dtype=object))
    return Leaf(rules=rules, denominator=1 << bits)


@lru_cache(maxsize=2)  # a design reads them for one problem several times
def _theorems(problem: Problem) -> tuple[Theorem, ...]:
    # Theorems load SciPy's distributions, most of a second, which no other design should wait for.
    from optmech.theorems.registry import THEOREMS  # noqa: PLC0415
    from optmech.theorems.theorem import Relation, Truth  # noqa: PLC0415

    return tuple(
        theorem
        for theorem in THEOREMS
        if theorem.relation is Relation.EQUAL and theorem.truth is Truth.PROVED
        if theorem.matrix is not None and theorem.objection(problem) is None
    )
