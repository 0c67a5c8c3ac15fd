"""A number that no mechanism of a problem can go below, proved by multipliers in exact arithmetic.

Law: for multipliers y of rules ``a <= b`` and reduced costs ``D = cost + sum y (a - b)``,

    cost(M)  >=  sum D[r,f] M[r,f] + k  >=  least of the right-hand side over the structure,

for every mechanism M of the problem, k being what the right-hand sides b contribute. Multipliers of the sums
of the columns, which are one, and of the means under noise without bias take out of D what must be there.

``e^epsilon`` is replaced by its upper bound F where a rule allows more (``P <= e^epsilon Q <= F Q``), so the
bound holds for the real number.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.exact.costs import exact_costs
from optmech.exact.entries import FIXED, NEVER, names_of_entries, noise_of_entries
from optmech.exact.fit import misfit
from optmech.exact.multipliers import BITS, Split, leaves
from optmech.exact.privacy import is_pure
from optmech.exact.rules import is_printed, strange_comparison, strange_rule
from optmech.exact.totals import best_totals
from optmech.problem.objective import LeastDelta
from optmech.problem.privacy import ProbabilisticPrivacy
from optmech.problem.structure import SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.exact.enclosure import Enclosure
    from optmech.exact.multipliers import Leaf, Rule, Tree
    from optmech.problem.problem import Problem

    Whole = NDArray[Any]
    Decided = dict[tuple[int, ...], bool]

__all__ = ["NotAProofError", "proved_bound", "with_totals"]


class NotAProofError(ValueError):
    """A multiplier has the wrong sign or is more than a rule allows: nothing follows from it."""


class _Reduced(NamedTuple):
    """Reduced costs and a constant: whole numbers over a scale on which a multiplier's unit is `unit`."""

    reduced: Whole
    constant: Fraction
    scale: int
    unit: int


class _Units(NamedTuple):
    """One unit of a multiplier, and what it is worth times E and times F, on the scale of reduced costs."""

    one: int
    lower: int
    upper: int


def proved_bound(problem: Problem, tree: Tree, factor: Enclosure) -> Fraction:
    """Return the bound that the multipliers prove: the least of all leaves'.

    Raises
    ------
    NotAProofError
        If some multiplier stands on no rule of the problem, has the wrong sign or is too large.
    """
    return min(_leaf_bound(problem, leaf, decided, factor) for leaf, decided in leaves(tree))


def with_totals(problem: Problem, tree: Tree, factor: Enclosure) -> Tree:
    """Return the tree with the multipliers of sums and means written out in each leaf that has none.

    Raises
    ------
    NotAProofError
        As `proved_bound`.
    """
    return _with_totals(problem, tree, {}, factor)


def _with_totals(problem: Problem, tree: Tree, decided: Decided, factor: Enclosure) -> Tree:
    if isinstance(tree, Split):
        kept, violated = ({**decided, tree.comparison: side} for side in (False, True))
        return Split(
            comparison=tree.comparison,
            kept=_with_totals(problem, tree.kept, kept, factor),
            violated=_with_totals(problem, tree.violated, violated, factor),
        )
    if tree.totals is not None and tree.means is not None:
        return tree
    costs = _reduced(problem, tree, decided, factor)
    totals, means = best_totals(problem, costs.reduced, costs.unit)
    return replace(tree, totals=totals, means=means)


def _leaf_bound(problem: Problem, leaf: Leaf, decided: Decided, factor: Enclosure) -> Fraction:
    costs = _reduced(problem, leaf, decided, factor)
    bound: Fraction = costs.constant + _least(problem, leaf, costs.reduced, costs.unit) / costs.scale
    return bound


def _reduced(problem: Problem, leaf: Leaf, decided: Decided, factor: Enclosure) -> _Reduced:
    strange = misfit(problem) or strange_rule(problem, leaf) or strange_comparison(problem, decided)
    _require(strange is None, str(strange))
    query = problem.query
    loss = problem.loss
    costs = None if loss is None else exact_costs(loss, query)
    sought = isinstance(problem.objective, LeastDelta)
    # Reduced costs are whole numbers over `scale`, which both factors' denominators divide.
    bottom = lcm(factor.lower.denominator, factor.upper.denominator)
    scale = 2**BITS * bottom * (1 if costs is None else costs.scale)
    reduced = np.zeros((query.num_responses, query.num_truths), dtype=object)
    constant = Fraction(0)
    most = problem.objective.at_most if isinstance(problem.objective, LeastDelta) else None
    _require(
        leaf.cost == 0 or (leaf.cost > 0 and most is not None), "a cost needs a bound, and is not negative"
    )
    if costs is not None:
        reduced += costs.table * ((leaf.cost if sought else 2**BITS) * bottom)
        constant -= Fraction(leaf.cost, 2**BITS) * (0 if most is None else most)
    one = scale // 2**BITS
    units = _Units(one, int(factor.lower * one), int(factor.upper * one))
    _add_ratios(reduced, leaf.rule("privacy", 3), units)
    if isinstance(problem.privacy, ProbabilisticPrivacy) and not is_pure(problem):
        _add_violations(reduced, leaf, decided, units, printed=is_printed(problem))
    else:
        _require((leaf.rule("privacy", 3).weights >= 0).all(), "a privacy multiplier is negative")
    _add_orders(reduced, leaf.rule("order", 4), units)
    return _Reduced(reduced, constant - _spent(leaf, problem), scale, one)


def _require(holds: object, message: str) -> None:
    if not holds:
        raise NotAProofError(message)


def _add_ratios(reduced: Whole, rule: Rule, units: _Units) -> None:
    """Add ``y (P - E Q)``: with F for E where the rule allows a ratio, with E where it demands one."""
    row, truth, other = rule.places.T
    demanded = rule.weights < 0
    np.add.at(reduced, (row, truth), rule.weights * units.one)
    for which, factor in ((demanded, units.lower), (~demanded, units.upper)):
        np.add.at(reduced, (row[which], other[which]), -rule.weights[which] * factor)


def _add_violations(reduced: Whole, leaf: Leaf, decided: Decided, units: _Units, *, printed: bool) -> None:
    """Add the masses of ratios decided to be violated, and hold all others to what their state allows."""
    rule = leaf.rule("budget", 2)
    budget = dict(zip(map(tuple, rule.places.tolist()), rule.weights.tolist(), strict=True))
    _require(all(weight >= 0 for weight in budget.values()), "a budget has a negative multiplier")
    ratios = leaf.rule("privacy", 3)
    used: dict[tuple[int, ...], int] = {}
    for place, weight in zip(ratios.places.tolist(), ratios.weights.tolist(), strict=True):
        key = (place[0],) if printed else tuple(place)
        if weight < 0:
            _require(
                printed and decided.get(key) is True, "a ratio that may be kept has a negative multiplier"
            )
        else:
            used[key] = used.get(key, 0) + weight
    for key, weight in used.items():
        violated = decided.get(key)
        allowed = budget.get((0, 0) if printed else key[1:], 0)
        _require(violated is not True or weight == 0, "a violated ratio has a multiplier")
        _require(
            violated is False or weight <= allowed, "an open ratio has more than its budget's multiplier"
        )
    for key, violated in decided.items():
        if violated:
            place = (key[0], 0) if printed else key[:2]
            reduced[place] += budget.get((0, 0) if printed else key[1:], 0) * units.one


def _spent(leaf: Leaf, problem: Problem) -> Fraction:
    """Return delta times the multipliers that stand on it; where delta is sought they sum to at most one."""
    if is_pure(problem):
        return Fraction(0)
    name, dimensions = ("budget", 2) if isinstance(problem.privacy, ProbabilisticPrivacy) else ("privacy", 3)
    total = Fraction(int(leaf.rule(name, dimensions).weights.sum()), 2**BITS)
    delta = problem.privacy.delta  # type: ignore[union-attr]
    if delta is None:
        _require(total <= 1, "multipliers of delta sum to more than one")
        return Fraction(0)
    return delta * total


def _add_orders(reduced: Whole, rule: Rule, units: _Units) -> None:
    row, truth, other, towards = rule.places.T
    np.add.at(reduced, (row, truth), rule.weights * units.one)
    np.add.at(reduced, (other, towards), -rule.weights * units.one)


def _least(problem: Problem, leaf: Leaf, reduced: Whole, unit: int) -> Fraction:
    """Return the least of ``sum reduced * M`` that the multipliers of sums and means prove."""
    totals, means = leaf.totals, leaf.means
    if totals is None or means is None:
        totals, means = best_totals(problem, reduced, unit)
    size = (problem.query.num_truths,)
    _require(
        totals.shape == means.shape == size, "each column must have a multiplier of its sum and its mean"
    )
    noise, structure = noise_of_entries(problem), problem.structure
    unbiased = isinstance(structure, (SymmetricNoise, ZeroBiasNoise))
    _require(unbiased or not means.any(), "only noise without bias has a multiplier of its mean")
    left: dict[int, int] = {}
    rest = reduced - (totals[None, :] + means[None, :] * noise) * unit
    for name, cost in zip(names_of_entries(problem).ravel().tolist(), rest.ravel().tolist(), strict=True):
        left[name] = left.get(name, 0) + cost
    left.pop(NEVER, None)
    fixed = structure.accuracy * left.pop(FIXED) if unbiased else Fraction(0)  # type: ignore[union-attr]
    # What is left of a quantity is worth at least 0, or if it is negative itself: a probability is at most 1.
    return fixed + int(totals.sum()) * unit + sum(cost for cost in left.values() if cost < 0)
