"""From a solver's matrix to whole numbers that keep the rules of any question.

On the quantities of the question (`QuantityRules`), equal entries being one:

1. the solver's values are raised until all ratios that must be kept, and orders, hold (`raised`);
2. they are scaled so that all equations hold, without loosening what is tight (`balance`);
3. all is rounded down to multiples of ``2**-BITS``, and what equations then lack goes to a few quantities
   with much room: a small rational system, solved exactly (`Residual`);
4. where that breaks something, a growing share of a strictly feasible point is mixed in first. What no
   mechanism can choose is taken out: quantities to which rules leave one value, and those that they tie.

What all this breaks, `violation` sees: nothing else is trusted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.designs.repair.balance import balance
from optmech.designs.repair.groups import Groups
from optmech.designs.repair.quantity_rules import QuantityRules
from optmech.designs.repair.rounding import guarded_ratio, shares
from optmech.designs.repair.strict_interior import StrictInterior, strict_interiors
from optmech.proofs.violation import objective_of, violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.rules import Rules

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Marks = NDArray[np.bool_]
    Whole = NDArray[Any]
    _Proposal = tuple[Groups, Whole, tuple[float, ...], float]
    """Groups, values of them, how much of the interior to mix in, and the delta that the values spend."""

__all__ = ["empty_interior", "repair_general"]

# A ratio above e^epsilon by more than this, relatively, is one that the solver pays for.
_VIOLATED = 1e-9
_MOST_ROUNDS = 1000
# A sought delta so small may be none; a larger share than this would cost more than rounding.
_PERHAPS_NONE, _WORTH = Fraction(1, 10**9), 1e-6
# A mass this small is a solver's zero.
_DUST = 1e-9
# What rounding may add to a delta, relatively.
_ROUNDING = 1e-9


def repair_general(rules: Rules, raw: Whole, factor: Enclosure) -> ExactMatrix | None:
    """Return the first matrix of whole numbers on the way that breaks nothing, or ``None``.

    Where delta is sought it is the one of least delta: more are made for as long as delta may become none.
    """
    known = QuantityRules.of(rules)
    best: tuple[Fraction, ExactMatrix] | None = None
    proposals = _exact(known, raw) if raw.dtype == object else _Solved.of(known, raw, factor).proposals()
    for groups, values, steps, expected in proposals:
        before: Fraction | None = None
        for share in steps:
            mixed = values if share == 0 else (1 - share) * values + share * groups.interior
            matrix = groups.completed(mixed)
            if matrix is None or violation(rules, matrix, factor) is not None:
                continue
            if not rules.seeks_delta:
                return matrix
            spent = objective_of(rules, matrix, factor)
            best = (spent, matrix) if best is None or spent < best[0] else best
            if spent == 0 or _PERHAPS_NONE < spent <= expected * (1 + _ROUNDING):
                return best[1]
            # Rounding may violate a ratio that is met exactly, which costs its mass where each is a choice.
            is_worse = spent > _PERHAPS_NONE or (before is not None and spent >= before)
            if share > _WORTH or (is_worse and rules.choice is None):
                break
            before = spent
    return None if best is None else best[1]


def empty_interior(rules: Rules, factor: Enclosure) -> str | None:
    """Return what no mechanism keeps with room, so that rounding cannot be mended, in words."""
    known = QuantityRules.of(rules)
    kept = np.ones(known.compared[0].shape, dtype=bool)
    found = next(strict_interiors(known, guarded_ratio(factor), kept), None)
    if found is None:
        return "keep all its rules at once"
    lacking = " and ".join(sorted(found.lacking))
    return f"keep its {lacking} with any room, as exact arithmetic needs" if lacking else None


def _exact(known: QuantityRules, raw: Whole) -> Iterator[_Proposal]:
    """Yield the rationals of a theorem as they are."""
    values = known.means(raw)
    doubles = values.astype(float)
    yield Groups.of(known, StrictInterior.at(known, doubles), doubles), values, (0.0,), math.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Solved:
    """What a solver says of the quantities.

    Attributes
    ----------
    known : QuantityRules
    values : ndarray, shape (num_quantities,)
        The mean of the entries of each, within limits.
    ratio : float
        A little less than ``e^epsilon``.
    powers : ndarray, shape (num_pairs, 1)
        Its power for each pair that is compared.
    kept : ndarray of bool, shape of what is compared
        Which ratios are kept; all of them, where none may be violated by choice.
    """

    known: QuantityRules
    values: Floats
    ratio: float
    powers: Floats
    kept: Marks

    @classmethod
    def of(cls, known: QuantityRules, raw: Floats, factor: Enclosure) -> Self:
        """Return what a matrix says."""
        sound = np.clip(np.nan_to_num(raw, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
        if known.rules.demands and not sound.any():  # properties leave few mechanisms: all alike is near
            sound += 1 / len(sound)
        return cls.at(known, np.clip(known.means(sound), known.least, known.most), guarded_ratio(factor))

    @classmethod
    def at(cls, known: QuantityRules, values: Floats, ratio: float) -> Self:
        """Return what values say."""
        left, right, weights = known.compared
        powers = ratio ** weights[:, None].astype(float)
        kept = np.ones(left.shape, dtype=bool)
        if known.rules.choice is not None:
            kept = values[left] <= powers * (1 + _VIOLATED) * values[right]
            if known.rules.choice.shared:
                kept = ~np.isin(left, left[~kept])
        return cls(known=known, values=values, ratio=ratio, powers=powers, kept=kept)

    def proposals(self) -> Iterator[_Proposal]:
        """Yield values to make whole numbers of: as they are, mixed with interiors, and without dust."""
        known = self.known
        if not self.values.any():
            return
        mended = self.mended(StrictInterior.at(known, self.values))
        yield *mended, (0.0,), self._delta(mended[1])
        for found in strict_interiors(known, self.ratio, self.kept):
            if not found.lacking:
                again = self.mended(found)
                yield *again, (0.0, *shares(0.0)), self._delta(again[1][again[0].group])
        clean = np.where((self.values < _DUST) & (known.least == 0), 0.0, self.values)
        if (clean != self.values).any():
            yield (
                *self.at(known, clean, self.ratio).mended(StrictInterior.at(known, clean)),
                (0.0,),
                math.inf,
            )

    def mended(self, found: StrictInterior) -> tuple[Groups, Floats]:
        """Return groups, and values of them that keep ratios, orders and equations but for rounding."""
        groups = Groups.of(self.known, found, self.values)
        values, group = groups.means(self.values), groups.group
        low, high = group[self.known.orders].T
        factors = np.ones(len(low))
        if self.known.rules.is_pure or self.known.rules.choice is not None:
            left, right, _ = self.known.compared
            low = np.concatenate([low, group[left[self.kept]]])
            high = np.concatenate([high, group[right[self.kept]]])
            powers = np.broadcast_to(self.powers, self.kept.shape)[self.kept]
            factors = np.concatenate([factors, powers])

        def tight(values: Floats, room: float) -> tuple[Integers, Integers]:
            near = values[low] >= factors * (1 - room) * values[high]
            return low[near], high[near]

        raised = values
        for _ in range(_MOST_ROUNDS if len(low) else 0):
            before, raised = raised, raised.copy()
            np.maximum.at(raised, high, before[low] / factors)
            raised[groups.is_fixed] = values[groups.is_fixed]
            if np.array_equal(before, raised):
                break
        scaled = balance(raised, groups.sums.doubles, groups.sums.right.astype(float), tight)
        return groups, np.where(groups.is_fixed, values, scaled)

    def _delta(self, values: Floats) -> float:
        """Return what values spend, in doubles; a little more than they do."""
        left, right, _ = self.known.compared
        rules = self.known.rules
        if rules.choice is None:
            excess = np.maximum(values[left] - self.powers * values[right], 0.0)
            return float((excess.sum(axis=1) if rules.has_budgets else excess).max())
        if rules.choice.shared:
            return float(values[np.unique(left[~self.kept])].sum())
        return float(np.where(self.kept, 0.0, values[left]).sum(axis=1).max())
