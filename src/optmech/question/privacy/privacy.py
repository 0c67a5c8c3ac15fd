"""What every definition of privacy says of itself.

Below, ``P`` and ``Q`` are the columns of two neighbouring truths, and E is ``e^epsilon``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from optmech.base.arguments import Word
from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, brief
from optmech.question.epsilon import LARGEST_EPSILON, exact_epsilon, exponential, factors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from optmech.base.blocks import Choice, Ratio
    from optmech.base.numbers import Number
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = ["Privacy", "delta_text", "member", "valid_epsilon"]

Member = TypeVar("Member", bound=Word)

# Below the smallest double with all its digits, numbers of one size become one double, and at last zero.
_SMALLEST_EPSILON = Fraction(1, 10**300)


class Privacy(ABC):
    """What must hold between neighbours."""

    __slots__ = ()

    word: ClassVar[str]
    """What a certificate and a question call it."""
    epsilon: Fraction | Logarithm
    delta: Fraction | None
    """What may be spent: zero of pure privacy, ``None`` where the least one is sought."""
    has_delta: ClassVar[bool] = True
    """Whether a delta belongs to it at all."""
    counts_each: ClassVar[bool] = False
    """Whether delta is for each single response."""
    pays_masses: ClassVar[bool] = False
    """Whether a ratio may be violated where its whole mass is paid for."""

    @property
    def printed(self) -> bool:
        """Whether it is a paper's printed program, which is not what its definition asks."""
        return False

    @property
    def is_pure(self) -> bool:
        """Whether every ratio must be kept: there is nothing to spend."""
        return not self.has_delta or (self.delta == 0 and not self.counts_each)

    def at(self, epsilon: Fraction | Logarithm) -> Self:
        """Return the same definition at another epsilon."""
        return replace(self, epsilon=epsilon)  # type: ignore[type-var]

    def spending(self, delta: Fraction | None) -> Self:
        """Return the same definition with another delta, ``None`` where it is to be found."""
        return replace(self, delta=delta)  # type: ignore[type-var]

    @property
    def sums_excess(self) -> bool:
        """Whether excesses sum up to a delta, of which there is something to spend."""
        return False

    @property
    def has_choices(self) -> bool:
        """Whether ratios may be violated, so that each is kept or its mass paid."""
        return self.pays_masses and not self.is_pure

    @property
    def missed(self) -> str:
        """What is said of a mechanism that has a delta over sets, and not what this definition asks."""
        return f"not for δ = {as_text(self.delta or Fraction(0))}"

    @abstractmethod
    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio | Choice]:
        """Yield what it demands between neighbours."""

    @property
    def factor(self) -> float:
        """``e^epsilon`` in floating point: by how much a probability may grow between neighbours."""
        return exponential(self.epsilon)

    def factors(self, weights: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ``e^(weight epsilon)`` for each weight of neighbours.

        Raises
        ------
        ProblemError
            If one is no double.
        """
        return factors_of(self.epsilon, weights)

    @property
    def content(self) -> dict[str, Any]:
        """The privacy as values of JSON; privacy of sets of responses with nothing to spend is pure."""
        delta = None if self.delta is None else as_text(self.delta)
        return {
            "kind": "pure" if self.is_pure else self.word,
            "printed": self.printed and not self.is_pure,
            "epsilon": as_text(self.epsilon),
            "delta": delta,
        }


def valid_epsilon(value: Number, *, zero_allowed: bool) -> Fraction | Logarithm:
    """Return an epsilon exactly as given, refused where it is no privacy parameter."""
    epsilon = exact_epsilon(value)
    if epsilon < 0 or (epsilon == 0 and not zero_allowed):
        rule = "zero or more" if zero_allowed else "positive"
        message = (
            f"`epsilon` must be {rule}; got {as_text(epsilon)}. "
            "Small means private: 0.1 to 1 is usual, and 0 would forbid any information."
        )
        raise ProblemError(message)
    beyond = epsilon.of - 1 if isinstance(epsilon, Logarithm) else epsilon
    if 0 < beyond < _SMALLEST_EPSILON:
        message = (
            "`epsilon` must be at least 1e-300, near the smallest double with all its digits; "
            f"got {_power_of_ten(epsilon)}. At 1e-20 already the best mechanism ignores the data, as far as "
            "anyone can see."
        )
        raise ProblemError(message)
    if epsilon > LARGEST_EPSILON:
        message = (
            f"`epsilon` must be at most {LARGEST_EPSILON}; got {as_text(epsilon)}. "
            "Beyond that e^epsilon is no double, and nothing is private long before."
        )
        raise ProblemError(message)
    return epsilon


def _power_of_ten(epsilon: Fraction | Logarithm) -> str:
    """Return a positive number too small for a double."""
    if isinstance(epsilon, Logarithm):
        return brief(str(epsilon))
    return f"{Decimal(epsilon.numerator) / Decimal(epsilon.denominator):.3g}"


def delta_text(delta: Fraction | None) -> str:
    """Return a delta as a question is told with it."""
    return "least delta" if delta is None else f"delta = {as_text(delta)}"


def member(choices: type[Member], value: str, name: str) -> Member:
    """Return the member of an enumeration, refused where there is none of that value."""
    try:
        return choices(value)
    except ValueError:
        message = f"`{name}` must be one of {', '.join(choices)}; got {value!r}."
        raise ProblemError(message) from None
