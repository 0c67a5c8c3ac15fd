"""Group the entries of a matrix that must be equal, with the interval and the cost of each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.costs import ExactCosts, exact_costs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import Limit, Tie
    from optmech.question.losses import Loss as Stated
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantities:
    """The distinct quantities of a matrix: entries with the same name, counted from 0, are equal.

    `names` has the shape of the matrix; `least` and `most` are fractions, shape (number of names,).
    """

    names: Integers
    least: Whole
    most: Whole

    def sums(self, table: Whole) -> Whole:
        """Return the sum of the entries of each name.

        >>> quantities = Quantities(names=np.array([[1, 0], [2, 1]]), least=np.zeros(3), most=np.ones(3))
        >>> quantities.sums(np.array([[3, 5], [7, 4]], dtype=object)).tolist()
        [5, 7, 7]
        """
        sums = np.zeros(len(self.least), dtype=object)
        np.add.at(sums, self.names, table)
        return sums

    def least_cost(self, costs: Whole) -> Fraction | int:
        """Return the least total cost of the quantities, each within its limits."""
        whole = (self.least == 0) & (self.most == 1)
        ends = zip(costs[~whole], self.least[~whole], self.most[~whole], strict=True)
        rest: Fraction = sum((min(cost * least, cost * most) for cost, least, most in ends), Fraction(0))
        return int(np.minimum(costs[whole], 0).sum()) + rest


def limits_of_entries(limits: Iterable[Limit], size: int) -> tuple[Whole, Whole] | None:
    """Return the least and the largest value of each entry, ``None`` where nothing limits one."""
    members = list(limits)
    if not members:
        return None
    entries = quantities_of((1, size), (), members)
    return entries.least, entries.most


def quantities_of(shape: tuple[int, int], ties: Iterable[Tie], limits: Iterable[Limit]) -> Quantities:
    """Return the quantities of a matrix with some entries tied and some limited."""
    names = _components(shape[0] * shape[1], list(ties))
    number = int(names.max()) + 1
    least = np.full(number, Fraction(0), dtype=object)
    most = np.full(number, Fraction(1), dtype=object)
    for limit in limits:
        at = names[limit.entries]
        np.maximum.at(least, at, np.full(len(at), limit.least, dtype=object))
        np.minimum.at(most, at, np.full(len(at), limit.most, dtype=object))
    return Quantities(names=names.reshape(shape), least=least, most=most)


def _components(size: int, ties: list[Tie]) -> Integers:
    """Return a number for each entry, the same for those that ties link, counted by their first entries."""
    first = np.arange(size)
    if not ties:
        return first
    left, right = (np.concatenate([getattr(tie, end) for tie in ties]) for end in ("left", "right"))
    while (first[left] != first[right]).any():
        lower = np.minimum(first[left], first[right])
        for ends in (left, right):
            np.minimum.at(first, first[ends], lower)
        while (first != first[first]).any():
            first = first[first]
    names: Integers = np.unique(first, return_inverse=True)[1].reshape(-1)
    return names


@dataclass(frozen=True, kw_only=True, eq=False)
class CompiledLoss:
    """A weighted sum of entries: over all truths, or the largest of the sums of single truths.

    `name` is for errors. `at_most` is its upper bound, ``None`` where it is minimised.
    """

    name: str
    definition: Stated
    query: Query
    at_most: Fraction | None = None

    @property
    def each(self) -> bool:
        """Whether there is a sum for each truth, and the largest counts."""
        return self.definition.is_worst

    @property
    def num_sums(self) -> int:
        """Number of sums: one, or one for each truth."""
        return self.query.num_truths if self.each else 1

    @property
    def most(self) -> Fraction:
        """Upper bound of the loss."""
        if self.at_most is None:
            message = f"{self.name} is minimised and has no bound"
            raise TypeError(message)
        return self.at_most

    @property
    def doubles(self) -> Floats:
        """Loss times weight of each entry, shape (num_responses, num_truths)."""
        table: Floats = self.definition.loss * self.definition.weights[None, :]
        return table

    @cached_property
    def costs(self) -> ExactCosts:
        """The same without rounding."""
        return exact_costs(self.definition, self.query)

    def of(self, numerators: Whole, denominator: int) -> Fraction:
        """Return the loss of the matrix ``numerators / denominator``."""
        if self.each:
            return max(self.costs.at_each_truth(numerators, denominator))
        return self.costs.of(numerators, denominator)
