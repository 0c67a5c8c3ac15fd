"""The expected loss: averaged over truths with a prior, or at the worst truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.base.numbers import as_text
from optmech.question.costs import exact_doubles, exact_weights
from optmech.question.loss import loss_matrix
from optmech.question.losses.objective import Loss, read_only
from optmech.question.losses.words import loss_content, loss_sentence
from optmech.question.prior import exact_prior, truth_weights

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.question.query import Query
    from optmech.question.structures import Structure

_OVER = {"sum": "summed over the true answers", "uniform": "averaged over all true answers with equal weight"}


class _Expectation(Loss):
    """An expected loss, averaged or at the worst truth."""

    __slots__ = ()

    def sentence(self, structure: Structure) -> str:
        """Return a sentence on the minimised value."""
        text = loss_sentence(self, structure)
        return f"{text[0].upper()}{text[1:]}."


MEAN_OVER_TRUTHS = "expected loss, mean over truths"
"""The name of a sum over truths, divided by their number."""


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedLoss(_Expectation):
    """Least ``sum_f weights[f] * sum_r loss[r, f] * matrix[r, f]``.

    `loss_name` is ``"absolute"``, ``"squared"``, ``"zero-one"`` or ``"beyond K"``, so that exact arithmetic
    need not start from rounded entries. ``None`` means that the entries were given. `weights_name` does the
    same for the weights: ``"sum"`` for one each, ``"uniform"`` for one over the number of truths. `exactly`
    holds the weights as typed, where the doubles do not stand for them.
    """

    loss: Floats
    weights: Floats
    loss_name: str | None = None
    weights_name: str | None = None
    exactly: tuple[Fraction, ...] | None = None

    over = "mean"
    title = "expected loss"
    where = "on average"

    @property
    def over_truths(self) -> str:
        """The end of a phrase where losses are summed over truths."""
        return ", summed over truths" if self.weights_name == "sum" else ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", read_only(self.loss))
        object.__setattr__(self, "weights", read_only(self.weights))

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    @property
    def minimised(self) -> str:
        """The name of the minimised value: the sum over truths, or the mean."""
        is_sum = self.weights_name == "sum"
        return "sum of the expected losses of all true answers" if is_sum else self.title

    @property
    def truths(self) -> str:
        """A phrase for the true answers that are averaged over."""
        return _OVER.get(self.weights_name or "", "averaged over the true answers with given weights")

    @property
    def is_named(self) -> bool:
        """Whether loss and weights have names."""
        return self.loss_name is not None and self.weights_name is not None

    @classmethod
    def under(
        cls, prior: str | ArrayLike | None, query: Query, loss: Floats, loss_name: str | None = None
    ) -> Self:
        """Return the loss averaged with a prior, as `truth_weights` reads it."""
        weights, exactly = truth_weights(prior, query), exact_prior(prior)
        if exactly is not None and exactly == exact_doubles(weights):
            exactly = None  # the doubles say the same
        return cls(
            loss,
            weights,
            loss_name=loss_name,
            weights_name="sum" if prior is None else prior if isinstance(prior, str) else None,
            exactly=None if exactly is None else tuple(exactly),
        )

    def of_truths(self, losses: Floats) -> float:
        """Return the weighted sum of the expected loss at each truth."""
        return float(losses @ self.weights)

    def at(self, query: Query) -> Self:
        """Return the loss of the same name for another query."""
        weights = self.weights
        if self.weights_name is not None:
            weights = truth_weights(None if self.weights_name == "sum" else self.weights_name, query)
        return replace(self, loss=loss_matrix(str(self.loss_name), query), weights=weights)

    def at_each_truth(self) -> Self:
        """Return itself: it is already one sum over all truths."""
        return self

    def with_mean_weights(self) -> Self:
        """Return the same loss with the mean of the weights on each truth."""
        return replace(self, weights=np.full(len(self.weights), self.total / len(self.weights)), exactly=None)

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON: weights by their name, or truth by truth."""
        weights = self.weights_name or list(map(as_text, exact_weights(self, query)))
        entries = loss_content(self, query, structure)
        return {"least": "loss", "at_most": None, **entries, "weights": weights, "worst": False}

    def __str__(self) -> str:
        return "least expected loss"


@dataclass(frozen=True, slots=True, eq=False)
class WorstLoss(_Expectation):
    """Least ``max_f sum_r loss[r, f] * matrix[r, f]``: the expected loss at the worst truth.

    With a loss of ``"beyond 2"`` it bounds the probability of an error of more than 2 at every truth.
    """

    loss: Floats
    loss_name: str | None = None

    is_worst = True
    over = "worst"
    title = "worst loss"
    where = "at the worst truth"
    over_truths = ", at the worst truth"
    minimised = "expected loss at the worst true answer"
    total = 1.0
    truths = "at the true answer where it is largest"

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", read_only(self.loss))

    @classmethod
    def under(cls, structure: Structure, loss: Floats, name: str) -> WorstLoss | ExpectedLoss:
        """Return the loss of the worst truth; the first represents truths that are treated alike."""
        if not structure.turns:
            return cls(loss, name)
        return ExpectedLoss(loss, 1.0 * (np.arange(loss.shape[1]) == 0))

    @property
    def weights(self) -> Floats:
        """One for each truth: the loss of every truth counts."""
        return np.ones(self.loss.shape[1])

    @property
    def is_named(self) -> bool:
        """Whether the loss has a name."""
        return self.loss_name is not None

    def of_truths(self, losses: Floats) -> float:
        """Return the largest expected loss of all truths."""
        return float(losses.max())

    def at(self, query: Query) -> Self:
        """Return the loss of the same name for another query."""
        return replace(self, loss=loss_matrix(str(self.loss_name), query))

    def at_each_truth(self) -> ExpectedLoss:
        """Return the sum of the same loss over truths, for the multipliers of the truths."""
        return ExpectedLoss(self.loss, self.weights, self.loss_name, "sum")

    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON."""
        entries = loss_content(self, query, structure)
        return {"least": "loss", "at_most": None, **entries, "weights": None, "worst": True}

    def __str__(self) -> str:
        return "least expected loss at the worst truth"
