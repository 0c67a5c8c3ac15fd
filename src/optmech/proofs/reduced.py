"""What multipliers make of the costs of entries: reduced costs, which `bound` turns into a proof.

All are whole numbers over one scale, which the denominators of both factors and of all costs divide.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.base.slices import row_slices
from optmech.proofs.charges import charges, with_losses
from optmech.proofs.enclosure import power_above, power_below
from optmech.proofs.entries import errors_of_entries, has_means
from optmech.proofs.multipliers import require
from optmech.proofs.neighbours import weights_of
from optmech.proofs.privacy import has_budgets, is_printed, is_probabilistic, is_pure
from optmech.proofs.rules import strange_comparison, strange_rule
from optmech.question.structures import FreeMatrix
from optmech.rules.fit import misfit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.proofs.charges import Charges
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf, Rule
    from optmech.question.problem import Problem

    Integers = NDArray[np.int64]
    Whole = NDArray[Any]
    Decided = dict[tuple[int, ...], bool]

__all__ = ["Reduced", "is_row_by_row", "reduced_costs"]


class Reduced(NamedTuple):
    """Reduced costs as whole numbers over a scale on which a multiplier's unit is `unit`, and a constant.

    Where all goes row by row `tables` are a few rows at a time; otherwise there is one table of all rows.
    """

    tables: Iterator[Whole]
    constant: Fraction
    scale: int
    unit: int


class _Units(NamedTuple):
    """One unit of a multiplier, and what it is worth times powers of E and of F, on the scale of costs."""

    one: int
    lower: list[int]
    upper: list[int]


def is_row_by_row(problem: Problem) -> bool:
    """Whether each entry is a quantity of its own from 0 to 1, and every rule compares entries of one row."""
    ratios_only = not problem.properties and not problem.limits and not is_probabilistic(problem)
    return isinstance(problem.structure, FreeMatrix) and ratios_only


def reduced_costs(problem: Problem, leaf: Leaf, decided: Decided, factor: Enclosure) -> tuple[Leaf, Reduced]:
    """Return the leaf with all its multipliers of losses, and the reduced costs.

    Raises
    ------
    NotAProofError
        If some multiplier stands on no rule of the problem, has the wrong sign or is too large.
    """
    strange = misfit(problem) or strange_rule(problem, leaf) or strange_comparison(problem, decided)
    require(strange is None, str(strange))
    worst, bounds = with_losses(problem, leaf)
    leaf = replace(leaf, worst=worst, bounds=bounds)
    charged = charges(problem, leaf)
    powers = sorted(set(problem.query.weights.tolist()))
    lowers = [power_below(factor.lower, power) for power in powers]
    uppers = [power_above(factor.upper, power) for power in powers]
    bottom = lcm(*(end.denominator for end in (*lowers, *uppers)))
    one = bottom * charged.scale * (errors_of_entries(problem)[1] if has_means(problem) else 1)
    units = _Units(
        one,
        [int(end * one) for end in lowers],
        [int(end * one) for end in uppers],
    )
    ratios = leaf.rule("privacy", 3)
    require(is_probabilistic(problem) or (ratios.weights >= 0).all(), "a privacy multiplier is negative")
    if has_budgets(problem):
        _check_budgets(leaf, decided, printed=is_printed(problem))
    shape = (problem.query.num_responses, problem.query.num_truths)
    if is_row_by_row(problem):
        tables = _tables(problem, row_slices(shape), charged, ratios, units)
    else:
        (table,) = _tables(problem, iter([slice(0, shape[0])]), charged, ratios, units)
        _add_violations(table, leaf, decided, units.one, printed=is_printed(problem))
        _add_orders(table, leaf.rule("order", 4), units.one)
        tables = iter([table])
    return leaf, Reduced(tables, -charged.bounds - _spent(leaf, problem), one * leaf.denominator, one)


def _tables(
    problem: Problem, parts: Iterator[slice], charged: Charges, ratios: Rule, units: _Units
) -> Iterator[Whole]:
    """Yield for each part of the rows what is charged and ``y (P - F Q)``, with E where a ratio is demanded.

    F stands for ``e^epsilon`` where a rule allows a ratio (y >= 0), E where it demands one.
    """
    query = problem.query
    order = np.argsort(ratios.places[:, 0], kind="stable")
    sorted_rows = ratios.places[order, 0]
    either = np.array([units.upper, units.lower], dtype=object)
    power = np.searchsorted(np.unique(query.weights), weights_of(query, *ratios.places[:, 1:].T))
    for rows in parts:
        table = charged.table(rows, query.num_truths, units.one)
        used = order[slice(*np.searchsorted(sorted_rows, (rows.start, rows.stop)))]
        weights = ratios.weights[used].astype(object)
        row, truth, other = (ratios.places[used] - (rows.start, 0, 0)).T
        np.add.at(table, (row, truth), weights * units.one)
        factors = either[1 * (weights < 0), power[used]]
        np.subtract.at(table, (row, other), weights * factors)
        yield table


def _check_budgets(leaf: Leaf, decided: Decided, *, printed: bool) -> None:
    """Hold what each ratio has to what its state and the budget of its pair allow."""
    budget = _budgets(leaf)
    require(all(weight >= 0 for weight in budget.values()), "a budget has a negative multiplier")
    ratios = leaf.rule("privacy", 3)
    used: dict[tuple[int, ...], int] = {}
    for place, weight in zip(ratios.places.tolist(), ratios.weights.tolist(), strict=True):
        key = (place[0],) if printed else tuple(place)
        if weight < 0:
            require(
                printed and decided.get(key) is True, "a ratio that may be kept has a negative multiplier"
            )
        else:
            used[key] = used.get(key, 0) + weight
    for key, weight in used.items():
        violated = decided.get(key)
        allowed = budget.get((0, 0) if printed else key[1:], 0)
        require(violated is not True or weight == 0, "a violated ratio has a multiplier")
        require(violated is False or weight <= allowed, "an open ratio has more than its budget's multiplier")


def _add_violations(reduced: Whole, leaf: Leaf, decided: Decided, one: int, *, printed: bool) -> None:
    """Add the masses of ratios decided to be violated."""
    budget = _budgets(leaf)
    for key, violated in decided.items():
        if violated:
            place = (key[0], 0) if printed else key[:2]
            reduced[place] += budget.get((0, 0) if printed else key[1:], 0) * one


def _budgets(leaf: Leaf) -> dict[tuple[int, ...], int]:
    rule = leaf.rule("budget", 2)
    return dict(zip(map(tuple, rule.places.tolist()), rule.weights.tolist(), strict=True))


def _spent(leaf: Leaf, problem: Problem) -> Fraction:
    """Return delta times the multipliers that stand on it; where delta is sought they sum to at most one."""
    if is_pure(problem):
        return Fraction(0)
    name, dimensions = ("budget", 2) if has_budgets(problem) else ("privacy", 3)
    total = Fraction(int(leaf.rule(name, dimensions).weights.sum()), leaf.denominator)
    delta = problem.privacy.delta
    if delta is None:
        require(total <= 1, "multipliers of delta sum to more than one")
        return Fraction(0)
    return delta * total


def _add_orders(reduced: Whole, rule: Rule, one: int) -> None:
    row, truth, other, towards = rule.places.T
    np.add.at(reduced, (row, truth), rule.weights * one)
    np.add.at(reduced, (other, towards), -rule.weights * one)
