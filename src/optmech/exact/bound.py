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
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.exact.costs import exact_costs
from optmech.exact.entries import FIXED, NEVER, names_of_entries, noise_of_entries, sums_by_name
from optmech.exact.fit import misfit
from optmech.exact.matrix import blocks
from optmech.exact.multipliers import BITS, Split
from optmech.exact.privacy import is_printed, is_probabilistic, is_pure
from optmech.exact.rules import strange_comparison, strange_rule
from optmech.exact.totals import best_totals
from optmech.problem.objective import LeastDelta
from optmech.problem.structure import FreeMatrix, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.exact.enclosure import Enclosure
    from optmech.exact.multipliers import Leaf, Rule, Tree
    from optmech.problem.problem import Problem

    Whole = NDArray[Any]
    Decided = dict[tuple[int, ...], bool]

__all__ = ["NotAProofError", "proved", "proved_bound"]


class NotAProofError(ValueError):
    """A multiplier has the wrong sign or is more than a rule allows: nothing follows from it."""


class _Reduced(NamedTuple):
    """Reduced costs as whole numbers over a scale on which a multiplier's unit is `unit`, and a constant.

    Of a plain problem `tables` are a few rows at a time; otherwise there is one table of all rows.
    """

    tables: Iterator[Whole]
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
    return proved(problem, tree, factor)[1]


def proved(
    problem: Problem, tree: Tree, factor: Enclosure, decided: Decided | None = None
) -> tuple[Tree, Fraction]:
    """Return the tree with the multipliers of sums and means written out in each leaf, and its bound.

    Leaves that have them keep them. What is `decided` on the way to a part of a tree is given with it.

    Raises
    ------
    NotAProofError
        As `proved_bound`.
    """
    known: Decided = decided or {}
    if isinstance(tree, Split):
        kept, low = proved(problem, tree.kept, factor, {**known, tree.comparison: False})
        violated, high = proved(problem, tree.violated, factor, {**known, tree.comparison: True})
        return Split(comparison=tree.comparison, kept=kept, violated=violated), min(low, high)
    costs = _reduced(problem, tree, known, factor)
    least, totals, means = (_least_by_rows if _is_plain(problem) else _least)(problem, tree, costs)
    leaf = replace(tree, totals=totals, means=means)
    return leaf, costs.constant + Fraction(least) / costs.scale


def _is_plain(problem: Problem) -> bool:
    """Whether each entry is a quantity of its own, and every rule compares entries of one row."""
    ratios_only = not problem.properties and not is_probabilistic(problem)
    return isinstance(problem.structure, FreeMatrix) and ratios_only


def _reduced(problem: Problem, leaf: Leaf, decided: Decided, factor: Enclosure) -> _Reduced:
    strange = misfit(problem) or strange_rule(problem, leaf) or strange_comparison(problem, decided)
    _require(strange is None, str(strange))
    loss, shape = problem.loss, (problem.query.num_responses, problem.query.num_truths)
    costs = None if loss is None else exact_costs(loss, problem.query)
    sought = isinstance(problem.objective, LeastDelta)
    # Reduced costs are whole numbers over `scale`, which both factors' denominators divide.
    bottom = lcm(factor.lower.denominator, factor.upper.denominator)
    scale = 2**BITS * bottom * (1 if costs is None else costs.scale)
    constant = Fraction(0)
    most = problem.objective.at_most if isinstance(problem.objective, LeastDelta) else None
    _require(
        leaf.cost == 0 or (leaf.cost > 0 and most is not None), "a cost needs a bound, and is not negative"
    )
    if costs is not None:
        constant -= Fraction(leaf.cost, 2**BITS) * (0 if most is None else most)
    charged = None if costs is None else (costs.table, (leaf.cost if sought else 2**BITS) * bottom)
    one = scale // 2**BITS
    units = _Units(one, int(factor.lower * one), int(factor.upper * one))
    ratios = leaf.rule("privacy", 3)
    paid = is_probabilistic(problem)
    _require(paid or (ratios.weights >= 0).all(), "a privacy multiplier is negative")
    if _is_plain(problem):
        tables = _tables(blocks(shape), shape, charged, ratios, units)
    else:
        (table,) = _tables(iter([slice(0, shape[0])]), shape, charged, ratios, units)
        if paid:
            _add_violations(table, leaf, decided, units, printed=is_printed(problem))
        _add_orders(table, leaf.rule("order", 4), units)
        tables = iter([table])
    return _Reduced(tables, constant - _spent(leaf, problem), scale, one)


def _tables(
    parts: Iterator[slice],
    shape: tuple[int, int],
    charged: tuple[Whole, int] | None,
    ratios: Rule,
    units: _Units,
) -> Iterator[Whole]:
    """Yield for each part of the rows what is charged and ``y (P - F Q)``, with E where a ratio is demanded.

    F stands for ``e^epsilon`` where a rule allows a ratio (y >= 0), E where it demands one.
    """
    order = np.argsort(ratios.places[:, 0], kind="stable")
    sorted_rows = ratios.places[order, 0]
    either = np.array([units.upper, units.lower], dtype=object)
    for rows in parts:
        if charged is None:
            table = np.zeros((rows.stop - rows.start, shape[1]), dtype=object)
        else:
            table = charged[0][rows].astype(object) * charged[1]
        used = order[slice(*np.searchsorted(sorted_rows, (rows.start, rows.stop)))]
        weights = ratios.weights[used].astype(object)
        row, truth, other = (ratios.places[used] - (rows.start, 0, 0)).T
        np.add.at(table, (row, truth), weights * units.one)
        factors = either[1 * (weights < 0)]
        np.subtract.at(table, (row, other), weights * factors)
        yield table


def _require(holds: object, message: str) -> None:
    if not holds:
        raise NotAProofError(message)


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
    name, dimensions = ("budget", 2) if is_probabilistic(problem) else ("privacy", 3)
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


def _given(problem: Problem, leaf: Leaf) -> tuple[Whole, Whole] | None:
    """Return the multipliers of sums and means, ``None`` where the best ones are wanted."""
    totals, means = leaf.totals, leaf.means
    if totals is None or means is None:
        return None
    _require(
        totals.shape == means.shape == (problem.query.num_truths,),
        "each column must have a multiplier of its sum and its mean",
    )
    unbiased = isinstance(problem.structure, (SymmetricNoise, ZeroBiasNoise))
    _require(unbiased or not means.any(), "only noise without bias has a multiplier of its mean")
    return totals, means


def _least(problem: Problem, leaf: Leaf, costs: _Reduced) -> tuple[Fraction | int, Whole, Whole]:
    """Return the least of ``sum reduced * M`` that the multipliers of sums and means prove, and these."""
    (reduced,) = costs.tables
    totals, means = _given(problem, leaf) or best_totals(problem, reduced, costs.unit)
    structure, away = problem.structure, noise_of_entries(problem)
    left = sums_by_name(
        names_of_entries(problem), reduced - (totals[None, :] + means[None, :] * away) * costs.unit
    )
    left[NEVER] = 0
    fixed = Fraction(0)
    if isinstance(structure, (SymmetricNoise, ZeroBiasNoise)):
        fixed, left[FIXED] = structure.accuracy * left[FIXED], 0
    # What is left of a quantity is worth at least 0, or if it is negative itself: a probability is at most 1.
    return fixed + int(totals.sum()) * costs.unit + int(np.minimum(left, 0).sum()), totals, means


def _least_by_rows(problem: Problem, leaf: Leaf, costs: _Reduced) -> tuple[Fraction | int, Whole, Whole]:
    """Do the same for a plain problem, where best sums leave no entry below zero."""
    given = _given(problem, leaf)
    if given is None:
        lowest = reduce(np.minimum, (table.min(axis=0) for table in costs.tables))
        totals = lowest // costs.unit
        return int(totals.sum()) * costs.unit, totals, 0 * totals
    totals, means = given
    paid = totals * costs.unit
    below = sum(int(np.minimum(table - paid, 0).sum()) for table in costs.tables)
    return int(paid.sum()) + below, totals, means
