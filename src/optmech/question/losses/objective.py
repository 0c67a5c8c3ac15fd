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
    """Whether the loss of each truth is meant, of which the largest counts."""

    @property
    @abstractmethod
    def as_loss(self) -> Loss | None:
        """The loss that is to be least, ``None`` where the delta of the question's privacy is."""

    @abstractmethod
    def with_losses(self, change: Callable[[Loss], Loss]) -> Objective:
        """Return the same with every loss in it changed."""

    @property
    def demands(self) -> tuple[tuple[Loss, Fraction], ...]:
        """Losses that it bounds besides the objective, with their bounds."""
        return ()

    @abstractmethod
    def bounds_at(self, target: Fraction) -> tuple[tuple[Loss, Fraction], ...]:
        """Return which losses are bounded, and by what, where it is held to a target and no longer sought."""

    @abstractmethod
    def sentence(self, structure: Structure) -> str:
        """Return what is to be least, for people."""

    @abstractmethod
    def content(self, query: Query, structure: Structure) -> dict[str, Any]:
        """Return it as values of JSON, as a certificate states it."""


class Loss(Objective):
    """A cost of each response at each truth, of which the expectation counts."""

    __slots__ = ()

    loss: Floats
    loss_name: str | None
    weights_name: str | None = None
    exactly: tuple[Fraction, ...] | None = None
    """The weights as they were typed, where doubles do not hold them."""
    over: ClassVar[str]
    """Over which truths a bound on it is typed: ``"mean"`` or ``"worst"``."""

    title: ClassVar[str]
    """The value of a mechanism in two words, as a check is called."""
    where: ClassVar[str]
    """At which truths its value is what is to be expected."""

    @property
    @abstractmethod
    def minimised(self) -> str:
        """The value that is to be least, for people, in a word or two."""

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """Weight of each truth."""

    @property
    @abstractmethod
    def total(self) -> float:
        """By what its value is divided to be the expectation of one draw: the sum of the weights."""

    @property
    @abstractmethod
    def over_truths(self) -> str:
        """The way from losses of truths to one, where it is no mean: the end of a phrase, else empty."""

    @property
    @abstractmethod
    def truths(self) -> str:
        """Over which true answers it is taken, for people."""

    @property
    @abstractmethod
    def is_named(self) -> bool:
        """Whether names alone say what it is, so that it means the same for other answers."""

    def value(self, matrix: Floats) -> float:
        """Return the loss of a mechanism matrix, recomputed."""
        return self.of_truths((self.loss * matrix).sum(axis=0))

    @abstractmethod
    def of_truths(self, losses: Floats) -> float:
        """Return what the expected loss at each truth makes together."""

    @abstractmethod
    def at(self, query: Query) -> Self:
        """Return the loss of the same name for another query; weights without a name stay as they are."""

    @abstractmethod
    def at_each_truth(self) -> Loss:
        """Return what multipliers are laid on: one sum over all truths."""

    def with_mean_weights(self) -> Loss:
        """Return the same loss with as much weight on each truth, where truths have weights."""
        return self

    def freed_of(self, structure: Structure) -> Loss:
        """Return the loss as it is asked of any matrix: averaged where the structure tells truths alike."""
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
    """Return a copy that nobody can write to; of what nobody can write to, itself."""
    if isinstance(array, np.ndarray) and is_by_distance(array):
        return array
    own = np.array(array, dtype=float)
    own.flags.writeable = False
    return own
