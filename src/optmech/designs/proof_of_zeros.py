"""Multipliers that prove as much as those of a question whose zeros are limits, without the limits.

The reduced cost of an entry that is zero in every mechanism may be anything. For the last entry that follows,
it is raised to zero by the rule that the entry follows from. This may lower the reduced costs of entries that
were zero before; so the one before is next, and none is left. A rule ``sum (a - c) x <= 0`` adds nothing
negative anywhere.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import rule_of
from optmech.proofs.bound import prove_tree
from optmech.proofs.enclosure import power_above
from optmech.proofs.file_limits import MOST_DIGITS
from optmech.proofs.multipliers import Leaf
from optmech.proofs.reduced_costs import reduced_costs, worth_of_means

if TYPE_CHECKING:
    from optmech.base.arrays import Whole
    from optmech.designs.forced_zeros import ForcedZeros, Reason
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Rule
    from optmech.rules import Rules

# A certificate has a sign and a margin besides.
_LARGEST = 10 ** (MOST_DIGITS - 10)


def without_limits(zeros: ForcedZeros, leaf: Leaf, factor: Enclosure) -> Leaf:
    """Return multipliers of the question itself, given those of the question with its zeros as limits.

    Where they would be too long for a certificate the given ones are returned. A NotAProofError is as of
    `proved_bound`.
    """
    if not zeros.reasons:
        return leaf
    proposal, _ = prove_tree(zeros.closed, leaf, factor)
    if not isinstance(proposal, Leaf) or proposal.totals is None or proposal.means is None:
        return leaf
    table = _MultiplierTable(zeros.closed, proposal, proposal.totals, proposal.means, factor)
    for reason in reversed(zeros.reasons):
        table.lift(reason)
    return leaf if table.is_too_long else table.leaf()


class _MultiplierTable:
    """Multipliers, and what they leave of the cost of each entry, on the scale where one is worth `unit`."""

    def __init__(self, rules: Rules, leaf: Leaf, totals: Whole, means: Whole, factor: Enclosure) -> None:
        self._leaf, costs = reduced_costs(rules, leaf, {}, factor)
        (table,) = costs.tables
        self._rules, self._factor, self._unit = rules, factor, costs.unit
        self._totals, self._means = totals.copy(), means.copy()
        worth = self._totals[None, :] * self._unit + worth_of_means(rules, self._means, self._unit)
        self._rest: Whole = (table - worth).ravel()
        self._own = (self._leaf.rules, *(self._leaf.further or ({} for _ in rules.privacy[1:])))
        self._privacy = [_listed(multipliers, "privacy") for multipliers in self._own]
        self._order = _listed(self._leaf.rules, "order")
        number = sum(len(block.right) for block in rules.sums)
        self._sums = np.zeros(number, dtype=object) if leaf.sums is None else leaf.sums.copy()
        self._bounds = [weights.copy() for weights in self._leaf.bounds or ()]

    def lift(self, reason: Reason) -> None:
        """Raise the quantities that a rule makes zero until none costs less than nothing."""
        truths, names = self._rules.shape[1], self._rules.quantities.names.ravel()
        worth = {entry: weight * self._unit // reason.scale for entry, weight in reason.weights.items()}
        shifts = {truth: weight * self._unit // reason.scale for truth, weight in reason.shifts.items()}
        if reason.kind == "privacy":
            worth = self._worth_of_ratio(reason.subscripts)
        times = 0
        for quantity in reason.quantities:
            entries = np.flatnonzero(names == quantity).tolist()
            gain = sum(worth.get(entry, 0) - shifts.get(entry % truths, 0) for entry in entries)
            lack = -sum(self._rest[entry] for entry in entries)
            times = max(times, -(-lack // gain))
        times = -(-times // reason.scale) * reason.scale  # so that the sums of columns stay whole numbers
        if not times:
            return
        for entry, weight in worth.items():
            self._rest[entry] += times * weight
        for truth, weight in shifts.items():
            self._rest[truth::truths] -= times * weight
            self._totals[truth] += times * reason.shifts[truth] // reason.scale
        self._add(reason, times)

    def _worth_of_ratio(self, subscripts: tuple[int, ...]) -> dict[int, int]:
        number, response, truth, other = subscripts
        own, truths = self._rules.each_privacy[number], self._rules.shape[1]
        (weight,) = own.weights_between(np.array([truth]), np.array([other])).tolist()
        upper = power_above(self._factor.each[number].upper, weight)
        low, high = response * truths + truth, response * truths + other
        return {low: self._unit, high: -int(upper * self._unit)}

    def _add(self, reason: Reason, times: int) -> None:
        subscripts = reason.subscripts
        match reason.kind:
            case "privacy":
                own = self._privacy[subscripts[0]]
                own[subscripts[1:]] = own.get(subscripts[1:], 0) + times
            case "order":
                self._order[subscripts] = self._order.get(subscripts, 0) + times
            case "sums":
                self._sums[subscripts[0]] += reason.sign * times
            case "means":
                self._means[subscripts[0]] -= reason.sign * times
            case "bounds":
                self._bounds[subscripts[0]][subscripts[1]] += times
            case _:  # of a column's sum, which has moved already
                pass

    @property
    def is_too_long(self) -> bool:
        """Whether a certificate could not hold a multiplier."""
        weights = [weight for own in (*self._privacy, self._order) for weight in own.values()]
        each = (self._totals, self._means, self._sums, *self._bounds)
        return any(abs(weight) >= _LARGEST for weight in (*weights, *(w for part in each for w in part)))

    def leaf(self) -> Leaf:
        """Return all multipliers."""
        rules, *further = [
            {**multipliers, **_rules("privacy", own, 3)}
            for multipliers, own in zip(self._own, self._privacy, strict=True)
        ]
        return replace(
            self._leaf,
            rules={**rules, **_rules("order", self._order, 4)},
            further=tuple(further) or None,
            totals=self._totals,
            means=self._means,
            sums=self._sums if len(self._sums) else None,
            bounds=tuple(self._bounds),
        )


def _listed(rules: dict[str, Rule], name: str) -> dict[tuple[int, ...], int]:
    rule = rules.get(name)
    if rule is None:
        return {}
    return dict(zip(map(tuple, rule.places.tolist()), rule.weights.tolist(), strict=True))


def _rules(name: str, multipliers: dict[tuple[int, ...], int], dimensions: int) -> dict[str, Rule]:
    if not multipliers:
        return {}
    subscripts = np.array(list(multipliers), dtype=np.int64).reshape(-1, dimensions)
    return {name: rule_of(subscripts, np.array(list(multipliers.values()), dtype=object))}
