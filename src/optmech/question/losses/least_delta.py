"""An upper bound on a loss; and the least delta, possibly among mechanisms of bounded cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optmech.base.errors import broken_rule
from optmech.base.number_format import exactly
from optmech.base.numbers import as_text
from optmech.question.losses.objective import Objective
from optmech.question.losses.words import loss_sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.question.losses.expected import ExpectedLoss
    from optmech.question.losses.objective import Loss
    from optmech.question.query import Query
    from optmech.question.structures import Structure


_LARGEST = 10**300


@dataclass(frozen=True, slots=True, eq=False)
class LossBound:
    """An upper bound on a further loss, beside any objective.

    `name` is the loss as it was asked for, where the loss itself has no name for exact arithmetic.
    """

    loss: Loss
    at_most: Fraction
    name: str | None = None

    def __post_init__(self) -> None:
        """Hold the bound to what a double can be: ProblemError."""
        if self.at_most > _LARGEST:
            raise broken_rule("at_most", "be at most 1e300", "a larger one", "Leave such a bound out.")

    def sentence(self, structure: Structure) -> str:
        """Return the bound as a sentence for people."""
        return f"The {loss_sentence(self.loss, structure, self.name)}, is at most {exactly(self.at_most)}."

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON, as a certificate states it."""
        entries = self.loss.content(query, structure)
        parts = {name: entries[name] for name in ("loss", "weights")}
        return {"worst": self.loss.is_worst, "at_most": as_text(self.at_most), **parts}

    def __str__(self) -> str:
        return f"{self.loss.over} {self.loss.loss_name or self.name or 'loss'} <= {as_text(self.at_most)}"


@dataclass(frozen=True, slots=True, eq=False)
class LeastDelta(Objective):
    """Least delta, where wanted among mechanisms whose expected loss is `at_most` a bound."""

    cost: ExpectedLoss | None = None
    at_most: Fraction | None = None

    as_loss = None

    @property
    def demands(self) -> tuple[tuple[Loss, Fraction], ...]:
        """The cost and its bound, where both are given."""
        return () if self.cost is None or self.at_most is None else ((self.cost, self.at_most),)

    def with_losses(self, change: Callable[[Loss], Loss]) -> LeastDelta:
        """Return the same with its cost changed."""
        return self if self.cost is None else replace(self, cost=change(self.cost))  # type: ignore[arg-type]

    def bounds_at(self, target: Fraction) -> tuple[tuple[Loss, Fraction], ...]:  # noqa: ARG002 - privacy has it
        """Return the bound on its cost; the target is then the delta of the privacy."""
        return self.demands

    def sentence(self, structure: Structure) -> str:
        """Return a sentence on the minimised value."""
        costs = (
            f" of mechanisms whose {loss_sentence(cost, structure)}, is at most {exactly(most)}"
            for cost, most in self.demands
        )
        return f"Delta{','.join(costs)}."

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON; without a cost there is no loss."""
        at_most = None if self.at_most is None else as_text(self.at_most)
        if self.cost is not None:
            return {**self.cost.content(query, structure), "least": "delta", "at_most": at_most}
        return {"least": "delta", "at_most": at_most, "loss": None, "weights": None, "worst": False}

    def __str__(self) -> str:
        return "least delta" if self.at_most is None else f"least delta at cost {float(self.at_most):g}"
