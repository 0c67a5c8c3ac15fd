"""From a solver's matrix to whole numbers that keep the promises of any question.

On the quantities of the problem (`linear_rules`), equal entries being one:

1. what no mechanism can choose is taken out: fixed quantities, and those to which rules leave one value, as
   `room` finds them; quantities that it finds tied become one;
2. the solver's values are raised, under pure privacy, until all ratios and orders hold;
3. a growing share of a mechanism with room is mixed in, from none at all on;
4. all is rounded down to multiples of ``2**-BITS``;
5. what sums and means then lack goes to a few quantities with much room, as many as there are independent
   equations: a small rational system, solved exactly, so that every equation holds exactly.

What all this breaks, `breach` sees: nothing else is trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from flint import fmpz_mat
from scipy import sparse

from optmech.designs.repair.linear_rules import linear_rules
from optmech.designs.repair.room import rooms
from optmech.designs.repair.rounding import BITS, guarded_ratio, rounded_down, shares
from optmech.proofs.breach import violation
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.privacy import delta_spent
from optmech.question.objective import LeastDelta
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from flint import fmpq
    from numpy.typing import NDArray

    from optmech.designs.repair.linear_rules import LinearRules
    from optmech.designs.repair.room import Room
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["repair_general", "without_room"]

# A ratio above e^epsilon by more than this, relatively, is one that the solver pays for.
_VIOLATED = 1e-9
# Coefficients are small whole numbers: what elimination leaves of a dependent row is rounding.
_DEPENDENT = 1e-9
_MOST_ROUNDS = 1000
# A sought delta so small may be none; a larger share than this would cost more than rounding.
_PERHAPS_NONE, _WORTH = Fraction(1, 10**9), 1e-6


def repair_general(problem: Problem, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the first matrix of whole numbers on the way that breaks nothing, or ``None``."""
    rules, ratio = linear_rules(problem), guarded_ratio(factor)
    solved = _values(rules, raw)
    kept = _kept(problem, rules, solved, ratio)
    best: tuple[Fraction, ExactMatrix] | None = None
    for found in rooms(problem, rules, ratio, kept):
        matrix = None if found.lacking else _mixed(problem, _Merged.of(rules, found), solved, factor)
        if matrix is None:
            continue
        if not isinstance(problem.objective, LeastDelta):
            return matrix
        delta = delta_spent(compile_rules(problem), matrix, factor)
        best = (delta, matrix) if best is None or delta < best[0] else best
    return None if best is None else best[1]


def without_room(problem: Problem, factor: Enclosure) -> str | None:
    """Return what no mechanism of the problem keeps with room, so that rounding cannot be mended."""
    rules = linear_rules(problem)
    found = rooms(problem, rules, guarded_ratio(factor), np.ones(rules.left.shape, dtype=bool))
    if not found:
        return "keep all its rules at once"
    lacking = " and ".join(found[0].lacking)
    return f"keep its {lacking} with any room, as exact arithmetic needs" if lacking else None


def _mixed(problem: Problem, merged: _Merged, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the solver's values with the least share of the mechanism with room that breaks nothing.

    Where delta is sought any share will do: a few are tried for as long as delta becomes none.
    """
    solved = merged.means(raw)
    if problem.privacy.is_pure:
        solved = _raised(merged, solved, guarded_ratio(factor))
    best: tuple[Fraction, ExactMatrix] | None = None
    for share in (0.0, *shares(0.0)):
        matrix = merged.completed((1 - share) * solved + share * merged.interior)
        if matrix is None or violation(compile_rules(problem), matrix, factor) is not None:
            continue
        if not isinstance(problem.objective, LeastDelta):
            return matrix
        spent = delta_spent(compile_rules(problem), matrix, factor)
        best = (spent, matrix) if best is None or spent < best[0] else best
        # Under probabilistic privacy rounding may violate a ratio that is met exactly, which costs its mass.
        if spent == 0 or share > _WORTH or (spent > _PERHAPS_NONE and not problem.privacy.has_choices):
            break
    return None if best is None else best[1]


def _values(rules: LinearRules, raw: Floats) -> Floats:
    """Return the solver's value of each quantity: the mean of its entries, within limits."""
    sound = np.clip(np.nan_to_num(raw, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
    names = rules.found.names.ravel()
    means = np.bincount(names, sound.ravel()) / np.bincount(names)
    return np.clip(means, rules.found.least.astype(float), rules.found.most.astype(float))


def _kept(problem: Problem, rules: LinearRules, solved: Floats, ratio: float) -> NDArray[np.bool_]:
    """Return which ratios the solver keeps; all of them, where none may be violated."""
    if not problem.privacy.has_choices:
        return np.ones(rules.left.shape, dtype=bool)
    factors = ratio ** rules.weights[:, None].astype(float)
    return solved[rules.left] <= factors * (1 + _VIOLATED) * solved[rules.right]


def _raised(merged: _Merged, solved: Floats, ratio: float) -> Floats:
    """Return the least values above `solved` that keep ratios and orders; fixed ones stay as they are."""
    rules = merged.rules
    left, right = merged.group[rules.left].ravel(), merged.group[rules.right].ravel()
    factors = np.repeat(ratio ** rules.weights.astype(float), rules.left.shape[1])
    low, high = merged.group[rules.orders].T
    raised = solved.copy()
    for _ in range(_MOST_ROUNDS):
        before = raised.copy()
        np.maximum.at(raised, right, raised[left] / factors)
        np.maximum.at(raised, high, raised[low])
        raised[merged.is_fixed] = solved[merged.is_fixed]
        if np.array_equal(before, raised):
            break
    return raised


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Merged:
    """Quantities of which those that are equal in every mechanism are one.

    Attributes
    ----------
    rules : LinearRules
        Of the quantities before.
    group : ndarray of int, shape (num_quantities,)
        Which group each is in.
    interior : ndarray of float, shape (num_groups,)
        A mechanism with room.
    is_fixed : ndarray of bool, shape (num_groups,)
        Whether a group has only one value.
    values : ndarray of Fraction, shape (num_groups,)
        That value, else zero.
    sums : ndarray of int, shape (num_equations, num_groups)
        Coefficients of sums and means.
    takers, equations : ndarray of int
        Groups that take what the equations lack, and as many equations that decide how much.
    """

    rules: LinearRules
    group: Integers
    interior: Floats
    is_fixed: NDArray[np.bool_]
    values: Whole
    sums: Whole
    takers: Integers
    equations: Integers

    @classmethod
    def of(cls, rules: LinearRules, found: Room) -> _Merged:
        """Return the groups that `room` leaves."""
        number = len(rules.found.least)
        links = sparse.coo_array((np.ones(len(found.tied)), tuple(found.tied.T)), shape=(number, number))
        count, group = sparse.csgraph.connected_components(links, directed=False)
        interior = np.bincount(group, found.values) / np.bincount(group)
        is_fixed, values = np.zeros(count, dtype=bool), np.full(count, Fraction(0), dtype=object)
        room_left = np.full(count, np.inf)
        for quantity in range(number):
            least, most = rules.found.least[quantity], rules.found.most[quantity]
            place, only = group[quantity], found.fixed[quantity]
            if np.isfinite(only):
                is_fixed[place] = True
                values[place] = least if abs(float(least) - only) <= abs(float(most) - only) else most
            inside = min(interior[place] - float(least), float(most) - interior[place])
            room_left[place] = min(room_left[place], inside)
        interior[is_fixed] = values[is_fixed].astype(float)
        sums = np.zeros((len(rules.sums), count), dtype=object)
        for place, row in enumerate(rules.sums):
            np.add.at(sums[place], group, row)
        largest = np.maximum(
            np.abs(sums).max(axis=1, keepdims=True), 1
        )  # of equal quantities an error may cancel
        doubles = sums.astype(float) / largest.astype(float)
        takers = _independent(doubles * np.where(is_fixed, 0.0, np.maximum(room_left, 0.0)))
        return cls(
            rules=rules,
            group=group,
            interior=interior,
            is_fixed=is_fixed,
            values=values,
            sums=sums,
            takers=takers,
            equations=_independent(doubles[:, takers].T),
        )

    def means(self, values: Floats) -> Floats:
        """Return the mean value of each group, or the only one."""
        means: Floats = np.bincount(self.group, values) / np.bincount(self.group)
        means[self.is_fixed] = self.values[self.is_fixed].astype(float)
        return means

    def completed(self, values: Floats) -> ExactMatrix | None:
        """Return whole numbers near `values` that keep every equation, ``None`` if one is below zero."""
        scale = lcm(*(value.denominator for value in self.values))
        whole = rounded_down(values) * scale
        total = scale * 2**BITS
        whole[self.is_fixed] = [int(value * total) for value in self.values[self.is_fixed]]
        lacking = (self.rules.rights * total - self.sums @ whole)[self.equations]
        counts = self.sums[np.ix_(self.equations, self.takers)]
        each = _solved(counts, lacking) if len(self.takers) else []
        more = lcm(*(int(units.q) for units in each))
        made = whole * more
        for taker, units in zip(self.takers.tolist(), each, strict=True):
            made[taker] += int(units.p) * (more // int(units.q))
        if (made < 0).any() or (self.sums @ made != self.rules.rights * (total * more)).any():
            return None
        return ExactMatrix(numerators=made[self.group][self.rules.found.names], denominator=total * more)


def _solved(counts: Whole, lacking: Whole) -> list[fmpq]:
    """Return the rational solution of as many equations as unknowns."""
    solved = fmpz_mat(counts.tolist()).solve(fmpz_mat([[int(units)] for units in lacking]))
    return [solved[place, 0] for place in range(len(lacking))]


def _independent(columns: Floats) -> Integers:
    """Return which columns are a basis of all, the largest ones first."""
    if not columns.any():  # nothing can be chosen
        return np.empty(0, dtype=np.int64)
    triangle, order = scipy.linalg.qr(columns, mode="r", pivoting=True)
    left = np.abs(np.diag(triangle))
    chosen: Integers = np.sort(order[: int((left > _DEPENDENT * left.max()).sum())])
    return chosen
