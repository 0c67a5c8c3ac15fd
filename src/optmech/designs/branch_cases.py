"""What a proof by cases decides, and what multipliers are worth under its decisions.

A decision is about one ratio of modular noise, ``x[n] <= E x[n-g]`` for a noise n and a neighbour g of
truth 0. In the printed reading it is about a noise n and all its ratios. It is *open*, or the ratio is
*kept*, or *violated*, and then a budget pays the mass ``x[n]``. There is a budget for each neighbour. In the
printed reading there is one, and the ratios of a violated noise are reversed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.proofs.multipliers import BITS, Leaf, Rule
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.question.problem import Problem

    Decisions = NDArray[np.int8]

OPEN, KEPT, VIOLATED = 0, 1, 2


class Multipliers(NamedTuple):
    """What ratios, budgets and the cost bound are worth, over ``2**BITS``; reversed ratios are negative."""

    ratio: Whole
    budget: Whole
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cases:
    """The ratios, decisions and budgets of one problem."""

    neighbours: Integers  # truths that are compared with truth 0
    # Of each ratio, a neighbour and a noise: the noise, and the one that gives the same response at the
    # neighbour; which decision is about the ratio; e^epsilon to the power of the weight between the truths.
    noise: Integers
    after: Integers
    decision: Integers
    factor: Floats
    # Of each decision: the noise that is paid for where its ratios are violated, and the budget that pays.
    mass: Integers
    budget: Integers
    cost: Floats  # of each noise, zero if there is no cost
    delta: float | None  # None where it is sought
    at_most: float | None  # None where the cost is not bounded
    is_printed: bool  # which reading

    @classmethod
    def of(cls, problem: Problem) -> Cases:
        """Return the cases of `problem`; others than modular noise are refused with a NotAcceptedError."""
        privacy, query = problem.privacy, problem.query
        if not problem.structure.turns or not privacy.pays_masses or privacy.is_pure:
            message = (
                "a proof by cases needs modular noise under probabilistic privacy with a delta above zero; "
                f"got {problem}. The duals of a linear program are its proof."
            )
            raise NotAcceptedError(message)
        size = query.num_truths
        ours = query.pairs[:, 0] == 0
        neighbours = query.pairs[ours, 1]
        number, as_printed = len(neighbours), privacy.printed
        noise, group = np.tile(np.arange(size), number), np.repeat(np.arange(number), size)
        cost, loss = np.zeros(size), problem.loss
        table = ModularNoise(query.moduli).noise(size)
        if loss is not None:
            np.add.at(cost, table, loss.loss * loss.weights)
        bound = problem.bounded_cost
        return cls(
            neighbours=neighbours,
            noise=noise,
            after=table[noise, neighbours[group]],
            decision=noise if as_printed else np.arange(number * size),
            mass=np.arange(size) if as_printed else noise,
            budget=np.zeros(size, dtype=np.int64) if as_printed else group,
            cost=cost,
            factor=privacy.factors(query.weights[ours])[group],
            delta=None if privacy.delta is None else float(privacy.delta),
            at_most=None if bound is None else float(bound.at_most),
            is_printed=as_printed,
        )

    @property
    def num_budgets(self) -> int:
        """Number of budgets."""
        return 1 if self.is_printed else len(self.neighbours)

    def comparison(self, decision: int) -> tuple[int, ...]:
        """Return what a split of the proof calls `decision`."""
        noise = int(self.mass[decision])
        return (noise,) if self.is_printed else (noise, 0, int(self.neighbours[self.budget[decision]]))

    def in_doubt(self, decisions: Decisions, noise: Floats) -> tuple[Floats, Floats]:
        """Return how far the noise is from either side of each decision that is open, zero for the others.

        Both are masses: the excess of the ratios, and what else would have to be paid or reversed. Where one
        of them is zero the noise has decided.
        """
        over = noise[self.noise] - self.factor * noise[self.after]
        excess, least = np.zeros(len(decisions)), np.full(len(decisions), np.inf)
        np.maximum.at(excess, self.decision, over)
        np.minimum.at(least, self.decision, over)
        rest = noise[self.mass] - excess + np.maximum(-least, 0.0)
        is_open = decisions == OPEN
        return np.where(is_open, excess, 0.0), np.where(is_open, rest, 0.0)

    def clip(self, decisions: Decisions, multipliers: Multipliers) -> Multipliers:
        """Return the multipliers cut down to what a leaf below the decisions may have."""
        ratio, budget = multipliers.ratio.copy(), multipliers.budget
        total = int(budget.sum())
        if self.delta is None and total > 2**BITS:  # delta is worth one
            budget = budget * 2**BITS // total
        mask = decisions[self.decision] == VIOLATED
        ratio[mask] = np.minimum(ratio[mask], 0) * self.is_printed
        ratio[~mask] = np.maximum(ratio[~mask], 0)
        load = np.zeros(len(decisions), dtype=object)
        np.add.at(load, self.decision, ratio)
        limit = budget[self.budget]
        for place in np.flatnonzero((decisions == OPEN) & (load > limit)):
            place_mask = self.decision == place
            ratio[place_mask] = ratio[place_mask] * limit[place] // load[place]
        return Multipliers(ratio=ratio, budget=budget, cost=multipliers.cost)

    def bound(self, decisions: Decisions, multipliers: Multipliers) -> float:
        """Return what the multipliers prove, but for rounding."""
        unit, size = 2.0**-BITS, len(self.cost)
        ratio = multipliers.ratio.astype(float) * unit
        budget = multipliers.budget.astype(float) * unit
        cost = multipliers.cost * unit
        violations = np.flatnonzero(decisions == VIOLATED)
        reduced_costs = self.cost * (cost if self.delta is None else 1.0)
        reduced_costs += np.bincount(self.noise, ratio, size)
        reduced_costs -= np.bincount(self.after, self.factor * ratio, size)
        reduced_costs += np.bincount(self.mass[violations], budget[self.budget[violations]], size)
        constant = cost * (self.at_most or 0.0) if self.delta is None else self.delta * budget.sum()
        return float(reduced_costs.min() - constant)

    def leaf(self, multipliers: Multipliers) -> Leaf:
        """Return the multipliers as a leaf of a proof."""
        ratios = np.flatnonzero(multipliers.ratio != 0)
        paying = np.flatnonzero(multipliers.budget != 0)
        other = self.neighbours[ratios // len(self.cost)]
        payers = np.zeros_like(paying) if self.is_printed else self.neighbours[paying]
        rules = {}
        if ratios.size:
            places = np.column_stack([self.noise[ratios], np.zeros_like(other), other])
            rules["privacy"] = Rule(places=places, weights=multipliers.ratio[ratios])
        if paying.size:
            places = np.column_stack([np.zeros_like(payers), payers])
            rules["budget"] = Rule(places=places, weights=multipliers.budget[paying])
        return Leaf(rules=rules, cost=multipliers.cost)
