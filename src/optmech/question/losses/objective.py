"""The interface of every objective, and the behaviour that all losses share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from optmech.question.distance_loss import is_by_distance

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Self

    from optmech.base.arrays import Floats
    from optmech.question.query import Query
    from optmech.question.structures import Structure


class Objective(ABC):
    """The objective."""

    __slots__ = ()

    is_worst: ClassVar[bool] = False
    """Whether the largest of the losses of single truths counts."""

    @property
    @abstractmethod
    def as_loss(self) -> Loss | None:
        """The minimised loss, ``None`` where delta is minimised."""

    @abstractmethod
    def with_losses(self, change: Callable[[Loss], Loss]) -> Objective:
        """Return the same with every loss in it changed."""

    @property
    def demands(self) -> tuple[tuple[Loss, Fraction], ...]:
        """Losses that it bounds besides the objective, with their bounds."""
        return ()

    @abstractmethod
    def bounds_at(self, target: Fraction) -> tuple[tuple[Loss, Fraction], ...]:
        """Return the bounds on losses when the objective is held to a target and no longer minimised."""

    @abstractmethod
    def sentence(self, structure: Structure) -> str:
        """Return the minimised value as a sentence for people."""

    @abstractmethod
    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON, as a certificate states it."""


class Loss(Objective):
    """A cost of each response at each truth, averaged over responses."""

    __slots__ = ()

    loss: Floats
    loss_name: str | None
    weights_name: str | None = None
    exactly: tuple[Fraction, ...] | None = None
    """The weights as they were typed, where doubles do not hold them."""
    over: ClassVar[str]
    """The word for its truths in a typed bound: ``"mean"`` or ``"worst"``."""

    title: ClassVar[str]
    """The value of a mechanism in two words, as a check is called."""
    where: ClassVar[str]
    """The truths at which its value is the expected loss, as a phrase."""

    @property
    @abstractmethod
    def minimised(self) -> str:
        """The minimised value in a word or two, for people."""

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """Weight of each truth."""

    @property
    @abstractmethod
    def total(self) -> float:
        """The sum of the weights; the value divided by it is the expectation of one draw."""

    @property
    @abstractmethod
    def over_truths(self) -> str:
        """The end of a phrase on how losses of truths are combined; empty for a mean."""

    @property
    @abstractmethod
    def truths(self) -> str:
        """A phrase for the true answers that count, for people."""

    @property
    @abstractmethod
    def is_named(self) -> bool:
        """Whether loss and weights have names, so that they also apply to other answers."""

    def value(self, matrix: Floats) -> float:
        """Return the loss of a mechanism matrix, recomputed."""
        return self.of_truths((self.loss * matrix).sum(axis=0))

    @abstractmethod
    def of_truths(self, losses: Floats) -> float:
        """Return the value from the expected loss at each truth."""

    @abstractmethod
    def at(self, query: Query) -> Self:
        """Return the loss of the same name for another query; weights without a name stay the same."""

    @abstractmethod
    def at_each_truth(self) -> Loss:
        """Return the loss as one sum over all truths, for multipliers."""

    def with_mean_weights(self) -> Loss:
        """Return the same loss with as much weight on each truth, where truths have weights."""
        return self

    def freed_of(self, structure: Structure) -> Loss:
        """Return the loss for a free matrix: averaged where the structure treats truths alike."""
        return self.with_mean_weights() if structure.turns else self

    @property
    def as_loss(self) -> Loss:
        """It itself."""
        return self

    def with_losses(self, change: Callable[[Loss], Loss]) -> Loss:
        """Return it changed."""
        return change(self)

    def bounds_at(self, target: Fraction) -> tuple[tuple[Loss, Fraction], ...]:
        """Return that it is at most the target."""
        return ((self, target),)


def read_only(array: Floats) -> Floats:
    """Return a read-only copy; a read-only array is returned itself."""
    if isinstance(array, np.ndarray) and is_by_distance(array):
        return array
    own = np.array(array, dtype=float)
    own.flags.writeable = False
    return own
