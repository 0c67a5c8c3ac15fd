"""The rules of a question on the entries of a matrix. Models, repairs and proofs read only these.

Entries are counted row by row: entry ``(r, f)`` is ``r * num_truths + f``. Columns are always distributions,
so no block says it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, assert_never

import numpy as np

from optmech.base.blocks import Bound, Choice, Excess, Limit, Means, Order, Ratio, Tie, Total
from optmech.rules.compatibility import mismatch
from optmech.rules.quantities import Quantities, limits_of_entries, quantities_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import Demand, PrivacyBlock
    from optmech.question.problem import Problem
    from optmech.question.structures import Columns
    from optmech.rules.quantities import CompiledLoss


class _Kinds(NamedTuple):
    """Demands sorted by their readers: quantities, orders, and weighted sums."""

    ties: list[Tie]
    limits: list[Limit]
    orders: list[Order]
    sums: list[Total | Bound]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules:
    """A compiled question.

    `problem` is for messages: no rule is read from it. `name` is the name of the formulation, for models.
    `shape` counts responses and truths. `home` is the position of the response that holds each truth, -1
    where none does.

    `structural` holds the demands of the structure; a program meets them by its columns. `demands` holds
    those of properties and limits in the order of the papers; a program has rows for them. `privacy` holds
    between neighbours: the privacy of the question, then further ones. `objective` is minimised, ``None``
    where delta is. `cost` is the loss bounded in the search for the least delta, Kadam et al. 2024 (15). Each
    of `envelopes` raises a matrix, in place, towards the least one above it that has a property. `columns`
    returns the columns of a program for the structure, or raises `NotAcceptedError` where it does not fit.
    """

    problem: Problem
    name: str
    shape: tuple[int, int]
    home: Integers
    structural: tuple[Demand, ...]
    demands: tuple[Demand, ...]
    privacy: tuple[PrivacyBlock, ...]
    objective: CompiledLoss | None
    bounds: tuple[CompiledLoss, ...]
    cost: CompiledLoss | None
    envelopes: tuple[Callable[[Floats], None], ...]
    columns: Callable[[], Columns]

    @property
    def blocks(self) -> tuple[Demand, ...]:
        """All demands on single entries."""
        return (*self.structural, *self.demands)

    @cached_property
    def _kinds(self) -> _Kinds:
        kinds = _Kinds([], [], [], [])
        for block in self.blocks:
            match block:
                case Tie():
                    kinds.ties.append(block)
                case Limit():
                    kinds.limits.append(block)
                case Order():
                    kinds.orders.append(block)
                case Total() | Bound():
                    kinds.sums.append(block)
                case _:
                    assert_never(block)
        return kinds

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """Entries that are at most others, as Croft et al. 2020 (10)-(13) ask."""
        return tuple(self._kinds.orders)

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """Weighted sums that equal a number, besides columns that sum to one."""
        return tuple(block for block in self._kinds.sums if isinstance(block, Total))

    @cached_property
    def inequalities(self) -> tuple[Bound, ...]:
        """Weighted sums that are at most a number."""
        return tuple(block for block in self._kinds.sums if isinstance(block, Bound))

    @cached_property
    def quantities(self) -> Quantities:
        """The quantities that a matrix is made of."""
        return quantities_of(self.shape, self._kinds.ties, self._kinds.limits)

    @cached_property
    def demanded_limits(self) -> tuple[Whole, Whole] | None:
        """The least and the largest value of each entry that properties and limits allow, flat."""
        limits = (block for block in self.demands if isinstance(block, Limit))
        return limits_of_entries(limits, self.shape[0] * self.shape[1])

    @cached_property
    def means(self) -> Means | None:
        """The demand that the mean of each column is its truth, from structure or property, or ``None``."""
        return next((total for total in self.totals if isinstance(total, Means)), None)

    @cached_property
    def sums(self) -> tuple[Total | Bound, ...]:
        """Weighted sums that equal a number or are at most one, besides sums and means of columns."""
        return tuple(block for block in self._kinds.sums if not isinstance(block, Means))

    @property
    def is_row_by_row(self) -> bool:
        """Whether no entries are tied or limited, and all rules compare within a row."""
        return not self.blocks and self.choice is None and len(self.privacy) == 1

    @cached_property
    def mismatch(self) -> str | None:
        """A sentence on why the parts of the question do not fit each other, or ``None``."""
        return mismatch(self.problem)

    @cached_property
    def each_privacy(self) -> tuple[Rules, ...]:
        """The same rules with one privacy each, for callers that take them one by one."""
        if len(self.privacy) == 1:
            return (self,)
        return tuple(replace(self, privacy=(own,)) for own in self.privacy)

    @property
    def choice(self) -> Choice | None:
        """The choices between neighbours, ``None`` where there are none."""
        main = self.privacy[0]
        match main:
            case Choice():
                return main
            case Ratio():
                return None
            case _:
                assert_never(main)

    @property
    def delta(self) -> Fraction | None:
        """The delta that may be spent; ``None`` where the least one is sought."""
        return self.privacy[0].delta

    @property
    def seeks_delta(self) -> bool:
        """Whether delta is to be least."""
        return self.objective is None

    @property
    def is_pure(self) -> bool:
        """Whether every ratio must be kept."""
        main = self.privacy[0]
        return isinstance(main, Ratio) and main.excess is Excess.NONE

    @property
    def is_cone(self) -> bool:
        """Whether all rules are ratios and orders: a cone, apart from columns that sum to one."""
        has_limits = self.demanded_limits or self.bounds or self.inequalities
        return self.is_pure and not (self.structural or self.totals or has_limits)

    @property
    def sums_excess(self) -> bool:
        """Whether the excesses over ratios sum to a delta, as in differential privacy over sets."""
        main = self.privacy[0]
        return isinstance(main, Ratio) and main.excess is Excess.SUM

    @property
    def has_budgets(self) -> bool:
        """Whether each pair of neighbours may spend delta on several responses."""
        return self.choice is not None or self.sums_excess

    @property
    def pairs(self) -> Integers:
        """The pairs of neighbours that are compared."""
        return self.privacy[0].pairs

    @property
    def weights(self) -> Integers:
        """The multiple of epsilon that lies between the neighbours of each pair."""
        return self.privacy[0].weights

    @cached_property
    def heaviest(self) -> int:
        """The largest weight of neighbours, in multiples of epsilon."""
        return int(self.weights.max(initial=1))

    @cached_property
    def different_weights(self) -> Integers:
        """Each weight of neighbours once, increasing."""
        weights: Integers = np.unique(self.weights)
        return weights

    @cached_property
    def sorted_pairs(self) -> tuple[Integers, Integers]:
        """The pairs as ``f * num_truths + g``, increasing, and the position of each in `pairs`."""
        keys = self.pairs[:, 0] * self.shape[1] + self.pairs[:, 1]
        order = np.argsort(keys)
        return keys[order], order

    @cached_property
    def times_in_column(self) -> Integers | None:
        """The number of times that each quantity stands in a column; ``None`` if columns differ in that."""
        quantities = self.quantities
        times = np.bincount(quantities.names[:, 0], minlength=len(quantities.least))
        ordered, column = np.sort(quantities.names, axis=0), np.sort(quantities.names[:, 0])
        return times if (ordered == column[:, None]).all() else None

    @cached_property
    def costs_of_quantities(self) -> dict[CompiledLoss, Whole]:
        """The costs of all entries of each quantity, for each loss that is one sum, over its scale."""
        losses = [loss for loss in (self.objective, self.cost, *self.bounds) if loss and not loss.each]
        return {loss: self.quantities.sums(loss.costs.table.astype(object)) for loss in losses}

    def weights_between(self, truths: Integers, others: Integers) -> Integers:
        """Return the multiple of epsilon between truths and their neighbours."""
        if self.heaviest == 1:
            return np.ones(len(truths), dtype=np.int64)
        keys, order = self.sorted_pairs
        weights: Integers = self.weights[order[np.searchsorted(keys, truths * self.shape[1] + others)]]
        return weights

    @property
    def is_even(self) -> bool:
        """Whether every two truths are neighbours one epsilon apart, so that extremes represent all."""
        return self.heaviest == 1 and len(self.pairs) == self.shape[1] * (self.shape[1] - 1)
