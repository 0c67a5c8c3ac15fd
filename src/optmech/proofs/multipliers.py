"""The dual certificate: integer multipliers of the rules of a problem.

A rule "a <= b" on entries with a multiplier y >= 0 adds ``y (a - b)`` to the objective, which is not positive
for any mechanism of the problem. So the bound is valid for any multipliers; good ones come from a solver's
duals.

A leaf charges for losses. An expected loss counts once. In a worst loss each truth counts by its weight, and
weights sum to one: a maximum is at least a weighted mean. The excess of a bounded loss over its bound, which
is not positive, counts with its multiplier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole
    from optmech.rules import CompiledLoss, Rules


BITS = 80
"""Multipliers are integers over ``2**BITS``, unless a theorem or a file has another denominator."""

_TRUTHS = "only a worst loss has weights of truths, one for each"
_WEIGHTS = "weights of truths must be zero or more and sum to one"


class NotAProofError(ValueError):
    """A multiplier has the wrong sign or is larger than its rule allows, so it proves nothing."""


def require(holds: object, message: str) -> None:
    """Raise NotAProofError with a sentence unless a condition holds."""
    if not holds:
        raise NotAProofError(message)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """Multipliers of one kind of rule, Python integers over the denominator of their leaf.

    Subscripts `places`, shape (size, dimensions), are ``(response, truth, neighbour)`` for privacy,
    ``(truth, neighbour)`` for budgets, and for orders ``(response, truth, response, truth)``: an entry that
    is at most another.
    """

    places: Integers
    weights: Whole


def _no_rule(dimensions: int) -> Rule:
    return Rule(places=np.empty((0, dimensions), dtype=np.int64), weights=np.empty(0, dtype=object))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf:
    """All multipliers of one bound, over one positive denominator; ``None`` means zero unless noted."""

    rules: dict[str, Rule] = field(default_factory=dict)
    """By name: ``"privacy"``, ``"order"`` (as Croft et al. 2020, (10)-(13)), ``"budget"``."""
    cost: int = 0
    """Multiplier of the bound on the expected loss."""
    worst: Whole | None = None
    """Weights of the truths in a worst loss, which sum to one: a least favourable prior. ``None`` stands for
    the first truth alone."""
    bounds: tuple[Whole, ...] | None = None
    """Multipliers of each bounded loss: one, or of a worst loss one for each truth."""
    totals: Whole | None = None
    """Multipliers of each column's sum; if ``None``, the best ones, which follow from the others."""
    means: Whole | None = None
    """Multipliers of each column's mean, where that must be the truth."""
    sums: Whole | None = None
    """Multipliers of the question's further weighted sums, in order: zero or more of those that are at most a
    number, any of those that equal one."""
    further: tuple[dict[str, Rule], ...] | None = None
    """Multipliers of each further privacy, ``"privacy"`` and ``"budget"``, as in `rules`."""
    chains: tuple[Integers, Integers] | None = None
    """For each response the truth before which, and the one behind which, truths hand on what they have: see
    `chains`. Multipliers of sums are given then."""
    denominator: int = 1 << BITS

    num_cases = 1

    def rule(self, name: str, dimensions: int) -> Rule:
        """Return the multipliers called `name`, none if there are none."""
        return self.rules.get(name, _no_rule(dimensions))


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoMultipliers:
    """The multipliers of each pair at home, and of the sum of each column, over one denominator."""

    denominator: int
    privacy: int
    total: int

    num_cases, num_multipliers = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A comparison that is kept in one half of all mechanisms, violated in the other."""

    comparison: tuple[int, ...]
    kept: Tree
    violated: Tree

    @property
    def num_cases(self) -> int:
        """Number of leaves, each a bound of some of all mechanisms."""
        return self.kept.num_cases + self.violated.num_cases


Tree = Leaf | Split


class LossMultipliers(NamedTuple):
    """The charge of a leaf for losses, and the credit of the bounds on them."""

    parts: list[tuple[CompiledLoss, Whole | int]]
    """Multipliers over the denominator of the leaf: one for all truths, or one for each."""
    scale: int
    """A multiple of the scale of each part."""
    bounds: Fraction
    """Bounds times their multipliers."""

    def table(self, rows: slice, truths: int, unit: int) -> Whole:
        """Return the charges of the entries in some rows, a multiplier of one being worth `unit`."""
        tables = [
            loss.costs.table[rows].astype(object) * (times * (unit // loss.costs.scale))
            for loss, times in self.parts
        ]
        return sum(tables[1:], tables[0] if tables else np.zeros((rows.stop - rows.start, truths), object))

    def of_quantities(self, rules: Rules, unit: int) -> Whole:
        """Return the charges of all entries of each quantity."""
        charges = np.zeros(len(rules.quantities.least), dtype=object)
        for loss, times in self.parts:
            each = times * (unit // loss.costs.scale)
            if loss.each:
                charges += rules.quantities.sums(loss.costs.table.astype(object) * each)
            else:
                charges += rules.costs_of_quantities[loss] * each
        return charges


def with_losses(rules: Rules, leaf: Leaf) -> tuple[Whole, tuple[Whole, ...]]:
    """Return the leaf's weights of truths and multipliers of bounds; simple ones where it has none."""
    worst, bounds = leaf.worst, leaf.bounds
    if worst is None:
        each = rules.objective is not None and rules.objective.each
        worst = np.array([leaf.denominator] + [0] * (rules.shape[1] - 1), dtype=object)[: None if each else 0]
    if bounds is None:
        bounds = tuple(np.zeros(loss.num_sums, dtype=object) for loss in rules.bounds)
    return worst, bounds


def loss_multipliers(rules: Rules, leaf: Leaf) -> LossMultipliers:
    """Return the charges of a leaf for losses; refuse a negative multiplier, or one of no loss."""
    objective, one = rules.objective, leaf.denominator
    worst, multipliers = with_losses(rules, leaf)
    each = objective is not None and objective.each
    require(len(worst) == (rules.shape[1] if each else 0), _TRUTHS)
    require(not len(worst) or (min(worst) >= 0 and sum(worst) == one), _WEIGHTS)
    require(len(multipliers) == len(rules.bounds), "each bounded loss must have its multipliers")
    require(
        leaf.cost == 0 or (leaf.cost > 0 and rules.cost is not None),
        "a cost needs a bound, and is not negative",
    )
    parts: list[tuple[CompiledLoss, Whole | int]] = []
    if objective is not None:
        parts.append((objective, worst if each else one))
    bounds = Fraction(0)
    if rules.cost is not None:
        parts.append((rules.cost, leaf.cost))
        bounds += Fraction(leaf.cost, one) * rules.cost.most
    for loss, times in zip(rules.bounds, multipliers, strict=True):
        sound = len(times) == loss.num_sums and min(times) >= 0
        require(sound, "a bounded loss has other multipliers, or negative")
        parts.append((loss, times if loss.each else int(times[0])))
        bounds += Fraction(int(sum(times)), one) * loss.most
    return LossMultipliers(parts, lcm(*(loss.costs.scale for loss, _ in parts)), bounds)
