"""A loss as models and proofs read it: doubles, and whole numbers over one scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from optmech.question.costs import ExactCosts, exact_costs

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats, Whole
    from optmech.question.losses import Loss as Stated
    from optmech.question.query import Query


@dataclass(frozen=True, kw_only=True, eq=False)
class Loss:
    """A weighted sum of entries: over all truths, or of each truth, of which the largest counts.

    `name` is what an error calls it, `at_most` what it may be, ``None`` where it is to be least.
    """

    name: str
    definition: Stated
    query: Query
    at_most: Fraction | None = None

    @property
    def each(self) -> bool:
        """Whether the loss of each truth is meant, of which the largest counts."""
        return self.definition.is_worst

    @property
    def num_sums(self) -> int:
        """How many sums it is made of: one, or one for each truth."""
        return self.query.num_truths if self.each else 1

    @property
    def most(self) -> Fraction:
        """What a bounded loss may be."""
        if self.at_most is None:
            message = f"{self.name} is to be least and has no bound"
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
