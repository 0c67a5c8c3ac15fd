"""What it means that an answer is private: the definitions that the papers use, and the field's own.

Below, ``P`` and ``Q`` are the columns of two neighbouring truths, and E is ``e^epsilon``.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from optmech.base.arguments import Word
from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, brief, exact_delta
from optmech.question.epsilon import exact_epsilon, exponential

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.numbers import Number

__all__ = [
    "ApproximatePrivacy",
    "PerOutcomePrivacy",
    "Privacy",
    "ProbabilisticPrivacy",
    "PurePrivacy",
    "Reading",
    "SymmetricRows",
]

Choice = TypeVar("Choice", bound=Word)

# e^epsilon overflows a double just above 709. Below the smallest double with all its digits, numbers of one
# size become one double, and at last zero.
_LARGEST_EPSILON = 700
_SMALLEST_EPSILON = Fraction(1, 10**300)


class Reading(Word):
    """Which program stands for Kadam et al. 2024, eq. (13)."""

    DEFINITION = "definition"
    """An indicator for each distance and outcome, a budget for each distance: what Definition 2 asks."""
    PRINTED = "printed"
    """One indicator for each outcome, shared by all distances: what Table 1 was computed from."""


class SymmetricRows(Word):
    """Which rows hold symmetric noise to its privacy, Sadeghi et al. 2020."""

    ALL = "all"
    """Every row of (9): each outcome of two neighbouring columns of (16)."""
    PAPER = "paper"
    """Rows (17)-(19) only, which miss a binding row when the accuracy is small."""


class _WithFactor:
    __slots__ = ()
    epsilon: Fraction | Logarithm

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
        largest = int(weights.max(initial=0))
        if largest * float(self.epsilon) > _LARGEST_EPSILON:
            message = (
                f"`epsilon` times the largest weight of neighbours must be at most {_LARGEST_EPSILON}; got "
                f"{as_text(self.epsilon)} times {largest}. Give a smaller epsilon, or a larger unit."
            )
            raise ProblemError(message)
        powers: NDArray[np.float64] = np.power(self.factor, weights, dtype=float)
        return powers


@dataclass(frozen=True, slots=True)
class PurePrivacy(_WithFactor):
    """Pure differential privacy: ``P(r) <= E Q(r)`` for every response.

    Croft et al. 2020 (4); Kadam et al. 2024 (14c).
    """

    epsilon: Fraction | Logarithm

    def __post_init__(self) -> None:
        """Keep epsilon exactly as given."""
        object.__setattr__(self, "epsilon", _epsilon(self.epsilon, zero_allowed=False))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}"


@dataclass(frozen=True, slots=True)
class ApproximatePrivacy(_WithFactor):
    """(epsilon, delta)-differential privacy: ``P(S) <= E Q(S) + delta`` for every *set* S of responses.

    The same as a hockey-stick divergence, ``sum_r max(0, P(r) - E Q(r))``, of at most `delta`. Kept by
    post-processing. Here epsilon may be 0, which bounds the total variation. A `delta` of ``None`` is to be
    found. Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None

    def __post_init__(self) -> None:
        """Keep both numbers exactly as given."""
        object.__setattr__(self, "epsilon", _epsilon(self.epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", None if self.delta is None else exact_delta(self.delta))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, {_delta_text(self.delta)}"


@dataclass(frozen=True, slots=True)
class PerOutcomePrivacy(_WithFactor):
    """``P(r) <= E Q(r) + delta`` for every single response, Sadeghi et al. 2020 (7)-(8).

    Weaker than (epsilon, delta)-differential privacy, which asks it of every *set* of responses. Here
    epsilon may be 0. A `delta` of ``None`` is to be found.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None
    rows: SymmetricRows = SymmetricRows.ALL

    def __post_init__(self) -> None:
        """Keep both numbers exactly as given."""
        object.__setattr__(self, "epsilon", _epsilon(self.epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", None if self.delta is None else exact_delta(self.delta))
        object.__setattr__(self, "rows", _member(SymmetricRows, self.rows, "rows"))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, {_delta_text(self.delta)} for each outcome"


@dataclass(frozen=True, slots=True)
class ProbabilisticPrivacy(_WithFactor):
    """``P(r) <= E Q(r)`` but on responses of total probability `delta` under ``P``.

    Kadam et al. 2024, Definition 2. Stronger than (epsilon, delta)-differential privacy, and not kept by
    post-processing. A `delta` of ``None`` is to be found.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None
    reading: Reading = Reading.DEFINITION

    def __post_init__(self) -> None:
        """Keep both numbers exactly as given."""
        object.__setattr__(self, "epsilon", _epsilon(self.epsilon, zero_allowed=False))
        object.__setattr__(self, "delta", None if self.delta is None else exact_delta(self.delta))
        object.__setattr__(self, "reading", _member(Reading, self.reading, "reading"))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, probabilistic {_delta_text(self.delta)}"


Privacy = PurePrivacy | ApproximatePrivacy | PerOutcomePrivacy | ProbabilisticPrivacy


def _epsilon(value: Number, *, zero_allowed: bool) -> Fraction | Logarithm:
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
    if epsilon > _LARGEST_EPSILON:
        message = (
            f"`epsilon` must be at most {_LARGEST_EPSILON}; got {as_text(epsilon)}. "
            "Beyond that e^epsilon is no double, and nothing is private long before."
        )
        raise ProblemError(message)
    return epsilon


def _power_of_ten(epsilon: Fraction | Logarithm) -> str:
    """Return a positive number too small for a double."""
    if isinstance(epsilon, Logarithm):
        return brief(str(epsilon))
    return f"{Decimal(epsilon.numerator) / Decimal(epsilon.denominator):.3g}"


def _delta_text(delta: Fraction | None) -> str:
    return "least delta" if delta is None else f"delta = {as_text(delta)}"


def _member(choices: type[Choice], value: str, name: str) -> Choice:
    try:
        return choices(value)
    except ValueError:
        message = f"`{name}` must be one of {', '.join(choices)}; got {value!r}."
        raise ProblemError(message) from None
