"""Round a solver's matrix to an exactly feasible one, or return None.

For a large matrix the quick way of `pure_matrices` may succeed where a program over all its entries fails. On
the quantities of any question (`QuantityRules`), equal entries being one:

1. the solver's values are raised until all ratios that must be kept, and orders, hold;
2. they are scaled so that all equations hold, without loosening what is tight (`balance`);
3. all is rounded down to multiples of ``2**-BITS``, and what equations then lack goes to a few quantities
   with much room: a small rational system, solved exactly (`Residual`);
4. where that breaks something, a growing share of a strictly feasible point is mixed in first. Quantities
   without freedom are taken out: those to which rules leave one value, those that they tie, and inequalities
   that every mechanism meets without room, which are equations.

`violation` checks the result exactly; no other step is trusted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Self

import numpy as np

from optmech.base.time_left import time_is_up
from optmech.designs.repair.groups import Groups
from optmech.designs.repair.pure_matrix import pure_matrices
from optmech.designs.repair.quantity_rules import QuantityRules
from optmech.designs.repair.rounding import guarded_ratio, shares
from optmech.designs.repair.strict_interior import StrictInterior, strict_interiors
from optmech.designs.repair.sums import balance
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.violation import objective_of, violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Marks, Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

    _Proposal = tuple[Groups, Whole, tuple[float, ...], float]
    """Groups, values of them, how much of the interior to mix in, and the delta that the values spend."""

# A larger share of an interior mechanism costs enough to look for a better one first.
_CHEAP = 1e-7
# With more comparisons than this the program for a strictly feasible point takes minutes.
_MOST_COMPARED = 30_000
# A ratio above e^epsilon by more than this, relatively, is one that the solver pays for.
_LEAST_EXCESS = 1e-9
_MOST_ROUNDS = 1000
# A sought delta so small may be none; a larger share than this would cost more than rounding.
_PERHAPS_NONE, _WORTH_MIXING = Fraction(1, 10**9), 1e-6
# So much of an interior mechanism is mixed in only where its room is not what it seems: others are tried.
_MUCH = 1e-4
# A mass this small is a solver's zero.
_DUST = 1e-9
# Rounding may add this share to a delta.
_ROUNDING = 1e-9


def repair(rules: Rules, raw: Floats | Whole | ExactMatrix, factor: Enclosure) -> ExactMatrix | None:
    """Return a matrix of whole numbers near `raw` that breaks nothing, proved, or ``None``.

    Raw are a solver's doubles, zeros beside positive entries, sums a little off, anything; or the rationals
    of a theorem, as Python's fractions. A matrix of whole numbers is returned as it is, or refused.
    """
    if isinstance(raw, ExactMatrix):
        return raw if violation(rules, raw, factor) is None else None
    quick = pure_matrices(rules, raw, factor) if rules.is_cone and raw.dtype != object else iter(())
    share, matrix = next(quick, (1.0, None))
    if share <= _CHEAP or (matrix is not None and len(rules.pairs) * rules.shape[0] > _MOST_COMPARED):
        return matrix
    general = repair_general(rules, raw, factor)
    if matrix is None or general is None:
        return general or matrix
    # From a rough solution either may be several times the better one.
    return min(matrix, general, key=lambda repaired: objective_of(rules, repaired, factor))


def repair_general(rules: Rules, raw: Floats | Whole, factor: Enclosure) -> ExactMatrix | None:
    """Return the first matrix of whole numbers on the way that breaks nothing, or ``None``.

    After one that is far from `raw` others are looked at, too. Where delta is sought it is the one of least
    delta: more are made for as long as delta may become none.
    """
    quantity_rules = QuantityRules.of(rules)
    best: tuple[Fraction, ExactMatrix] | None = None
    if raw.dtype == object:
        proposals = _exact(quantity_rules, raw)
    else:
        proposals = _Solution.of(quantity_rules, raw, factor).proposals()
    for groups, values, steps, sizes in proposals:
        before: Fraction | None = None
        for share in steps:
            mixture = values if share == 0 else (1 - share) * values + share * groups.interior
            matrix = groups.complete(mixture)
            if matrix is None or violation(rules, matrix, factor) is not None:
                if time_is_up():
                    return None if best is None else best[1]
                continue
            if not rules.seeks_delta and share <= _MUCH and best is None:
                return matrix
            objective = objective_of(rules, matrix, factor)
            best = (objective, matrix) if best is None or objective < best[0] else best
            if not rules.seeks_delta:
                break
            if objective == 0 or _PERHAPS_NONE < objective <= sizes * (1 + _ROUNDING):
                return best[1]
            # Rounding may violate a ratio that is met exactly, which costs its mass where each is a choice.
            is_worse = objective > _PERHAPS_NONE or (before is not None and objective >= before)
            if share > _WORTH_MIXING or (is_worse and rules.choice is None):
                break
            before = objective
    return None if best is None else best[1]


def empty_interior(rules: Rules, factor: Enclosure) -> str | None:
    """Return a text on the rules without room, for which rounding cannot be repaired."""
    quantity_rules = QuantityRules.of(rules)
    mask = np.ones(quantity_rules.comparisons[0].shape, dtype=bool)
    interior = next(strict_interiors(quantity_rules, _ratios(factor), mask), None)
    if interior is None:
        return "keep all its rules at once"
    lacking = " and ".join(sorted(interior.lacking))
    return f"keep its {lacking} strictly, as exact arithmetic needs" if lacking else None


def _ratios(factor: Enclosure) -> tuple[float, ...]:
    """Return a little less than e^epsilon of each privacy."""
    return tuple(guarded_ratio(each) for each in factor.each)


def _exact(quantity_rules: QuantityRules, raw: Whole) -> Iterator[_Proposal]:
    """Yield the rationals of a theorem as they are."""
    values = quantity_rules.means(raw)
    doubles = values.astype(float)
    groups = Groups.of(quantity_rules, StrictInterior.at(quantity_rules, doubles), doubles)
    yield groups, values, (0.0,), math.inf


@dataclass(frozen=True, slots=True, eq=False)
class _Solution:
    """A solver's claim about the quantities."""

    rules_of_quantities: QuantityRules
    values: Floats  # the mean of the entries of each, within limits
    ratios: tuple[float, ...]  # a little less than e^epsilon of each privacy
    powers: Floats  # its power for each pair that is compared, shape (num_pairs, 1)
    mask: Marks  # which ratios are kept, shape of what is compared; all, where none is violated by choice

    @classmethod
    def of(cls, quantity_rules: QuantityRules, raw: Floats, factor: Enclosure) -> Self:
        """Return the solution of a matrix."""
        sound = np.clip(np.nan_to_num(raw, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
        # Properties leave few mechanisms: all alike is near.
        if quantity_rules.rules.demands and not sound.any():
            sound += 1 / len(sound)
        return cls.at(
            quantity_rules,
            np.clip(quantity_rules.means(sound), quantity_rules.least, quantity_rules.most),
            _ratios(factor),
        )

    @classmethod
    def at(cls, quantity_rules: QuantityRules, values: Floats, ratios: tuple[float, ...]) -> Self:
        """Return the solution of values."""
        left, right, weights = quantity_rules.comparisons
        powers = ratios[0] ** weights[:, None].astype(float)
        ratio_mask = np.ones(left.shape, dtype=bool)
        if quantity_rules.rules.choice is not None:
            ratio_mask = values[left] <= powers * (1 + _LEAST_EXCESS) * values[right]
        return cls(quantity_rules, values, ratios, powers, ratio_mask)

    def proposals(self) -> Iterator[_Proposal]:
        """Yield values for rounding: unchanged, mixed with interiors, and without tiny masses."""
        quantity_rules = self.rules_of_quantities
        if not self.values.any():
            return
        first = self.mend(StrictInterior.at(quantity_rules, self.values))
        yield *first, (0.0,), self._delta(first[1])
        last = []
        for interior in strict_interiors(quantity_rules, self.ratios, self.mask):
            if not interior.lacking:
                second = self.mend(interior)
                yield *second, (0.0, *shares(0.0)), self._delta(second[1][second[0].group])
                last += [second] if interior.has_small_room else []
        clean = np.where((self.values < _DUST) & (quantity_rules.least == 0), 0.0, self.values)
        if (clean != self.values).any():
            third = self.at(quantity_rules, clean, self.ratios)
            yield *third.mend(StrictInterior.at(quantity_rules, clean)), (0.0,), math.inf
        for second in last:  # the solver's error may be more than all the room that there is
            yield *second, (1.0,), math.inf

    def mend(self, interior: StrictInterior) -> tuple[Groups, Floats]:
        """Return groups, and values of them that keep ratios, orders and equations but for rounding."""
        groups = Groups.of(self.rules_of_quantities, interior, self.values)
        values, group = groups.means(self.values), groups.group
        low, high = group[self.rules_of_quantities.orders].T
        factors = np.ones(len(low))
        if self.rules_of_quantities.rules.is_pure or self.rules_of_quantities.rules.choice is not None:
            left, right, _ = self.rules_of_quantities.comparisons
            low = np.concatenate([low, group[left[self.mask]]])
            high = np.concatenate([high, group[right[self.mask]]])
            powers = np.broadcast_to(self.powers, self.mask.shape)[self.mask]
            factors = np.concatenate([factors, powers])

        def tight(values: Floats, room: float) -> tuple[Integers, Integers]:
            near = values[low] >= factors * (1 - room) * values[high]
            return low[near], high[near]

        levels = values
        for _ in range(_MOST_ROUNDS if len(low) else 0):
            if time_is_up():
                break
            before, levels = levels, levels.copy()
            np.maximum.at(levels, high, before[low] / factors)
            levels[groups.is_fixed] = values[groups.is_fixed]
            if np.array_equal(before, levels):
                break
        balanced_values = balance(levels, groups.sums.doubles, groups.sums.right.astype(float), tight)
        return groups, np.where(groups.is_fixed, values, balanced_values)

    def _delta(self, values: Floats) -> float:
        """Return the delta of values in doubles, rounded up a little."""
        left, right, _ = self.rules_of_quantities.comparisons
        rules = self.rules_of_quantities.rules
        if rules.choice is None:
            excess = np.maximum(values[left] - self.powers * values[right], 0.0)
            return float((excess.sum(axis=1) if rules.has_budgets else excess).max())
        return float(np.where(self.mask, 0.0, values[left]).sum(axis=1).max())
