"""What is to be least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["ExpectedLoss", "LeastDelta", "LossBound", "Objective", "WorstLoss"]


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedLoss:
    """Least ``sum_f weights[f] * sum_r loss[r, f] * matrix[r, f]``.

    Attributes
    ----------
    loss : ndarray, shape (num_responses, num_truths)
        Loss of each response at each truth.
    weights : ndarray, shape (num_truths,)
        How much each truth counts.
    loss_name : {"absolute", "squared", "zero-one", "beyond K"} or None
        How the loss was asked for, so that exact arithmetic need not start from rounded entries. ``None``
        says that the entries are what was asked.
    weights_name : {"sum", "uniform"} or None
        The same for the weights: one for each truth, or one over the number of truths.
    """

    loss: Floats
    weights: Floats
    loss_name: str | None = None
    weights_name: str | None = None

    is_worst = False
    is_delta = False

    def __post_init__(self) -> None:
        """Own read-only copies."""
        for name in ("loss", "weights"):
            array = np.array(getattr(self, name), dtype=float)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def priced(self) -> ExpectedLoss:
        """The loss of which the costs stand in the question: itself."""
        return self

    def value(self, matrix: Floats) -> float:
        """Return the objective of a mechanism matrix, recomputed."""
        return float(((self.loss * matrix).sum(axis=0)) @ self.weights)

    def at_each_truth(self) -> ExpectedLoss:
        """Return itself: multipliers are laid on one sum over all truths."""
        return self

    def __str__(self) -> str:
        return "least expected loss"


@dataclass(frozen=True, slots=True, eq=False)
class WorstLoss:
    """Least ``max_f sum_r loss[r, f] * matrix[r, f]``: the expected loss at the truth that fares worst.

    With a loss of ``"beyond 2"`` that is the probability of an error of more than 2, whatever the truth.

    Attributes
    ----------
    loss : ndarray, shape (num_responses, num_truths)
        Loss of each response at each truth.
    loss_name : str or None
        As in `ExpectedLoss`.
    """

    loss: Floats
    loss_name: str | None = None

    is_worst = True
    is_delta = False

    def __post_init__(self) -> None:
        """Own a read-only copy."""
        array = np.array(self.loss, dtype=float)
        array.flags.writeable = False
        object.__setattr__(self, "loss", array)

    @property
    def priced(self) -> WorstLoss:
        """The loss of which the costs stand in the question: itself."""
        return self

    def value(self, matrix: Floats) -> float:
        """Return the objective of a mechanism matrix, recomputed."""
        return float((self.loss * matrix).sum(axis=0).max())

    @property
    def weights(self) -> Floats:
        """One for each truth: of each of them the loss is taken."""
        return np.ones(self.loss.shape[1])

    def at_each_truth(self) -> ExpectedLoss:
        """Return the sum over truths of the same loss: what multipliers of the truths are laid on."""
        return ExpectedLoss(self.loss, np.ones(self.loss.shape[1]), self.loss_name, "sum")

    def __str__(self) -> str:
        return "least expected loss at the worst truth"


@dataclass(frozen=True, slots=True, eq=False)
class LossBound:
    """A further loss that must not exceed a bound, whatever else is to be least.

    Attributes
    ----------
    loss : ExpectedLoss or WorstLoss
        What is bounded.
    at_most : Fraction
        By how much.
    name : str or None
        How the loss was asked for, where the loss itself has no name that exact arithmetic could start from.
    """

    loss: ExpectedLoss | WorstLoss
    at_most: Fraction
    name: str | None = None

    def __str__(self) -> str:
        kind = "worst" if self.loss.is_worst else "mean"
        return f"{kind} {self.loss.loss_name or self.name or 'loss'} <= {as_text(self.at_most)}"


@dataclass(frozen=True, slots=True, eq=False)
class LeastDelta:
    """Least delta, where wanted among mechanisms whose expected loss is `at_most` a bound."""

    cost: ExpectedLoss | None = None
    at_most: Fraction | None = None

    is_worst = False
    is_delta = True

    @property
    def priced(self) -> ExpectedLoss | None:
        """The loss of which the costs stand in the question, or ``None``."""
        return self.cost

    def __str__(self) -> str:
        return "least delta" if self.at_most is None else f"least delta at cost {float(self.at_most):g}"


Objective = ExpectedLoss | WorstLoss | LeastDelta
