"""Common parts of the certificates of distributions, none of which writes its matrix out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from optmech.base.errors import NotAcceptedError
from optmech.proofs.certificate import Certificate, relative_gap
from optmech.question.losses import ExpectedLoss

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Integers
    from optmech.proofs.matrix import ExactMatrix
    from optmech.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DistributionCertificate(Certificate):
    """A distribution with the proof of what is claimed of it.

    `law` and `how` say how it is drawn, and what proves the bound, in a sentence each.
    """

    matrix: ExactMatrix = field(init=False)
    rules: Rules = field(init=False)
    bound: Fraction = field(init=False)

    law = ""
    how = ""
    parts: ClassVar[tuple[str, ...]] = ()
    """Parts from which a copy is made and proved again."""

    @property
    @abstractmethod
    def released(self) -> Integers:
        """The positions of the responses that can be released, in order."""

    @property
    @abstractmethod
    def largest_cost(self) -> Fraction:
        """Upper bound of the objective, whatever is released: gaps far below it are rounding."""

    @property
    def expected_loss(self) -> ExpectedLoss:
        """The objective of the problem."""
        objective = self.problem.objective
        assert isinstance(objective, ExpectedLoss)  # noqa: S101 - theirs is no other
        return objective

    @property
    @abstractmethod
    def deltas(self) -> tuple[Fraction, ...]:
        """The delta that the noise spends of each privacy of the question, exact."""

    @property
    def delta_of_sets(self) -> Fraction:
        """Delta over all sets of responses, both ways between neighbours: that of the noise."""
        return self.delta

    @property
    def gap(self) -> Fraction:
        """Largest distance of the objective from the least one."""
        return self.objective - self.bound

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective, as a double; infinite where only that is zero."""
        return relative_gap(self.objective, self.bound)

    def __reduce__(self) -> tuple[Any, ...]:
        """Take apart what is proved again where it is put together."""
        return partial(type(self), **{name: getattr(self, name) for name in self.parts}), ()

    def without_matrix(self) -> NotAcceptedError:
        """Return the error of a call that needs the matrix."""
        return NotAcceptedError(
            f"`certificate` must hold a matrix; that of {self.problem.query.title} is a distribution "
            "without one. Draw from its mechanism, or under pure epsilon and up to 2,000 answers design "
            "the matrix, by `engine='closed-form'`."
        )
