"""The expected loss at the truth that fares worst."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.question.loss import loss_matrix
from optmech.question.losses.expected import ExpectedLoss
from optmech.question.losses.objective import Loss, read_only
from optmech.question.losses.words import loss_content, loss_sentence

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.query import Query
    from optmech.question.structures import Structure


__all__ = ["WorstLoss"]


@dataclass(frozen=True, slots=True, eq=False)
class WorstLoss(Loss):
    """Least ``max_f sum_r loss[r, f] * matrix[r, f]``: the expected loss at the truth that fares worst.

    With a loss of ``"beyond 2"`` that is the probability of an error of more than 2, whatever the truth.
    """

    loss: Floats
    loss_name: str | None = None

    is_worst = True
    over = "worst"
    total = 1.0
    truths = "at the true answer where it is largest"

    def __post_init__(self) -> None:
        """Own a read-only copy."""
        object.__setattr__(self, "loss", read_only(self.loss))

    @property
    def weights(self) -> Floats:
        """One for each truth: of each of them the loss is taken."""
        return np.ones(self.loss.shape[1])

    @property
    def is_named(self) -> bool:
        """Whether the loss has a name."""
        return self.loss_name is not None

    def value(self, matrix: Floats) -> float:
        """Return the objective of a mechanism matrix, recomputed."""
        return float((self.loss * matrix).sum(axis=0).max())

    def at(self, query: Query) -> Self:
        """Return the loss of the same name for another query."""
        return replace(self, loss=loss_matrix(str(self.loss_name), query))

    def at_each_truth(self) -> ExpectedLoss:
        """Return the sum over truths of the same loss: what multipliers of the truths are laid on."""
        return ExpectedLoss(self.loss, self.weights, self.loss_name, "sum")

    def sentence(self, structure: Structure) -> str:
        """Return what is minimised."""
        text = loss_sentence(self, structure)
        return f"{text[0].upper()}{text[1:]}."

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON."""
        entries = loss_content(self, query, structure)
        return {"least": "loss", "at_most": None, **entries, "weights": None, "worst": True}

    def choices(self) -> dict[str, Any]:
        """Return the loss, where it is not the distance, and that the worst truth counts."""
        choices = {} if self.loss_name in (None, "absolute") else {"loss": self.loss_name}
        return {**choices, "worst_case": True}

    def __str__(self) -> str:
        return "least expected loss at the worst truth"
