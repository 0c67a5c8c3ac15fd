"""A loss that must stay within a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.number_format import exactly
from optmech.base.numbers import as_text
from optmech.question.losses.words import loss_sentence

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.question.losses.objective import Loss
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = ["LossBound"]


@dataclass(frozen=True, slots=True, eq=False)
class LossBound:
    """A further loss that must not exceed a bound, whatever else is to be least.

    `name` says how the loss was asked for, where it has no name itself that exact arithmetic could start
    from.
    """

    loss: Loss
    at_most: Fraction
    name: str | None = None

    def sentence(self, structure: Structure) -> str:
        """Return what must hold, for people."""
        return f"The {loss_sentence(self.loss, structure, self.name)}, is at most {exactly(self.at_most)}."

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON, as a certificate states it."""
        entries = self.loss.content(query, structure)
        parts = {name: entries[name] for name in ("unit", "costs", "loss", "weights")}
        return {"worst": self.loss.is_worst, "at_most": as_text(self.at_most), **parts}

    def __str__(self) -> str:
        return f"{self.loss.over} {self.loss.loss_name or self.name or 'loss'} <= {as_text(self.at_most)}"
