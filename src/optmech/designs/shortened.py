"""Multipliers in as many bits as the gap needs: the digits below are most of a large file.

A multiplier that is rounded down by less than ``2**-bits`` takes less than that off one reduced cost. So the
sum of a column loses less than that times the rules that an entry is in, and costs as much as the largest
loss for a prior. The bound is proved again with the shorter ones, whatever they lose.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import rule_of
from optmech.proofs.bound import proved_bound
from optmech.proofs.multipliers import BITS, Leaf, Rule

if TYPE_CHECKING:
    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

# A file of fewer multipliers is small as it is.
_FEW = 4_096
_SHARE = Fraction(1, 1000)
_LEAST_BITS = 32


def shortened(rules: Rules, leaf: Leaf, factor: Enclosure, bound: Fraction, gap: Fraction) -> Leaf:
    """Return the multipliers of a bound in fewer bits, if they lose at most a thousandth of its gap."""
    number = sum(len(rule.weights) for own in _each(leaf) for rule in own.values())
    if leaf.denominator != 1 << BITS or leaf.chains is not None or number <= _FEW or gap <= 0:
        return leaf
    _, per_entry = np.unique(rules.pairs[:, 0], return_counts=True)
    losses = [loss.costs for loss in (rules.objective, rules.cost, *rules.bounds) if loss is not None]
    largest = max((costs.table.max() / costs.scale for costs in losses), default=1.0)
    lost = rules.shape[1] * (int(per_entry.max(initial=1)) * len(rules.privacy) + 1 + largest)
    bits = max(ceil(log2(lost)) + ceil(1 / (gap * _SHARE)).bit_length(), _LEAST_BITS)
    if bits >= BITS:
        return leaf
    shorter = _rounded_down(leaf, bits)
    return shorter if bound - proved_bound(rules, shorter, factor) <= gap * _SHARE else leaf


def _each(leaf: Leaf) -> tuple[dict[str, Rule], ...]:
    return (leaf.rules, *(leaf.further or ()))


def _rounded_down(leaf: Leaf, bits: int) -> Leaf:
    """Return multipliers over ``2**bits``: what they may be, and that the prior sums to one, is kept."""
    shift = BITS - bits

    def down(weights: Whole | None) -> Whole | None:
        return None if weights is None else weights >> shift

    main, *further = (
        {name: rule_of(rule.places, rule.weights >> shift) for name, rule in own.items()}
        for own in _each(leaf)
    )
    worst = down(leaf.worst)
    if worst is not None and len(worst):
        worst[int(worst.argmax())] += (1 << bits) - int(worst.sum())
    return replace(
        leaf,
        rules=main,
        cost=leaf.cost >> shift,
        worst=worst,
        bounds=None if leaf.bounds is None else tuple(weights >> shift for weights in leaf.bounds),
        totals=down(leaf.totals),
        means=down(leaf.means),
        sums=down(leaf.sums),
        further=tuple(further) or None,
        denominator=1 << bits,
    )
