"""The interface of every definition of privacy.

Below, ``P`` and ``Q`` are the columns of two neighbouring truths, and E is ``e^epsilon``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text, exact_delta
from optmech.question.epsilon import LARGEST_EPSILON, exact_epsilon, exponential, factors_of, is_too_large
from optmech.question.keys import EPSILON, NUMBER, Key, needed
from optmech.question.privacy.guarantee import Guarantee, factor_above, odds, pure_promise
from optmech.question.protection import ONE_SIDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import PrivacyBlock
    from optmech.base.numbers import Number
    from optmech.question.privacy.guarantee import Promise
    from optmech.question.privacy.loss import Worst
    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.query import Query
    from optmech.question.structures import Structure


# Below the smallest normal double, numbers lose digits and at last become zero.
_SMALLEST = Fraction(1, 10**300)
_LONGEST_SHOWN = 30


EPSILON_KEY = needed("epsilon", EPSILON, "the privacy parameter, smaller is more private")
DELTA_KEY = Key(
    name="delta",
    form=NUMBER,
    about="the probability that may be spent beside epsilon",
    left_out="the least is sought",
)


class Privacy(ABC):
    """The condition between neighbours."""

    __slots__ = ()

    word: ClassVar[str]
    """Its name in a certificate and in a question."""
    keys: ClassVar[tuple[Key, ...]] = (EPSILON_KEY, DELTA_KEY)
    """Its keys in a table, beside its word; each is an attribute and an argument."""
    epsilon: Fraction | Logarithm
    delta: Fraction | None
    """The delta that may be spent: zero for pure privacy, ``None`` where the least one is sought."""
    has_delta: ClassVar[bool] = True
    """Whether a delta belongs to it at all."""
    counts_each: ClassVar[bool] = False
    """Whether delta is for each single response."""
    pays_masses: ClassVar[bool] = False
    """Whether a ratio may be violated where its whole mass is paid for."""
    is_usual: ClassVar[bool] = False
    """Whether it is (epsilon, delta)-differential privacy, the default."""
    is_convex: ClassVar[bool] = True
    """Whether a mixture of two mechanisms keeps it at the mean of their deltas."""
    no_rows: ClassVar[str | None] = None
    """Why rows of a program and theorems on pairs of epsilon and delta cannot state it; else ``None``."""
    criterion_of_delta: ClassVar[str] = ""
    """Name of the check of a matrix where there is a delta."""

    @property
    def as_printed(self) -> ProblemError | None:
        """Why a program that a paper prints has no proof, with the alternative; else ``None``."""
        return None

    @property
    def by_definition(self) -> Privacy:
        """The definition that a printed program stands for; else itself."""
        return self

    @property
    def stated_delta(self) -> Fraction | None:
        """The requested delta; ``None`` where it has none, or the least is sought."""
        return self.delta if self.has_delta else None

    def seeking_delta(self) -> Privacy:
        """Return the same definition with the least delta sought; pure privacy becomes approximate."""
        return self.spending(None)

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
    def criterion(self) -> str:
        """Name of the check of a matrix."""
        return "pure privacy" if self.is_pure else self.criterion_of_delta

    @property
    def sums_excess(self) -> bool:
        """Whether excesses sum up to a positive or unknown delta."""
        return False

    @property
    def has_choices(self) -> bool:
        """Whether any ratio may be violated: each is kept or its mass paid."""
        return self.pays_masses and not self.is_pure

    @property
    def shortfall(self) -> str:
        """Sentence for a mechanism that has a delta over sets, but does not meet this definition."""
        return f"not for δ = {as_text(self.delta or Fraction(0))}"

    @property
    def trade_off(self) -> tuple[Fraction | Logarithm, Fraction] | None:
        """Epsilon and delta where ``P(S) <= e^epsilon Q(S) + delta`` for all sets S is the whole condition.

        ``None`` elsewhere, also where delta is to be found.
        """
        return None if self.delta is None or not self.is_usual else (self.epsilon, self.delta)

    @property
    def curve(self) -> NoiseLaw | None:
        """The noise with the trade-off curve that must be kept, else ``None``."""
        return None

    @abstractmethod
    def blocks(self, query: Query, structure: Structure) -> Iterator[PrivacyBlock]:
        """Yield its constraints between neighbours."""

    @abstractmethod
    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the delta that a matrix spends by this definition, recomputed, and where.

        `pairs` are ordered; `weights` are the multiples of epsilon between them.
        """

    def payment(self, excesses: Whole, masses: Whole) -> tuple[Integers, int]:  # noqa: ARG002 - of one definition
        """Return the positions of the responses that spend delta, and the amount, in integers.

        For each response whose ratio is too large, `excesses` has the excess and `masses` the whole mass.
        """
        return np.arange(len(excesses)), int(excesses.sum())

    @property
    def rounding(self) -> float:
        """By how much doubles may exceed delta."""
        return 0.0

    @abstractmethod
    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:
        """Return the promise with a delta, in sentences.

        A probability may grow between neighbours by `times`, such as ``"2.719 times"``. A delta of ``None``
        is the least one, not yet known.
        """

    def guarantee(
        self, *, heaviest: int = 1, both_ways: bool = True, spent: Fraction | None = None
    ) -> Guarantee:
        """Return the promise of this definition.

        `heaviest` is the largest weight between neighbours, `both_ways` whether each of two is protected
        against the other, and `spent` the delta that a mechanism spends, where the question seeks the least
        one.

        >>> from optmech.question.privacy import PerOutcomePrivacy, PurePrivacy
        >>> print(PurePrivacy("ln 3").guarantee().promise)
        The probability of any result is at most 3 times what it is under a neighbouring true answer.
        >>> print(PurePrivacy("ln 3").guarantee().odds)
        Somebody who considers two neighbouring true answers equally likely beforehand is at most 75 % sure of
        either of them afterwards.
        >>> PerOutcomePrivacy(1, "0.1").guarantee().is_differential_privacy
        False
        """
        factor = factor_above(self.epsilon)
        times = f"{at_most(factor)} times" if heaviest == 1 else f"e^({as_text(self.epsilon)} w) times"
        delta = spent if self.delta is None else self.delta
        promise = pure_promise(times) if self.is_pure else self.promise(times, delta, both_ways=both_ways)
        name, unlike, usual = promise.name, promise.deviation, not self.counts_each
        is_told = usual and both_ways and heaviest == 1 and delta is not None
        if heaviest > 1:
            name, usual = f"metric privacy: {name}", False
            scale = f"Neighbours of weight w are protected by w times epsilon only, up to {heaviest} times."
            unlike = f"{scale} {unlike}".rstrip()
        if not both_ways:
            name, usual = f"one-sided: {name}", False
            unlike = f"{ONE_SIDED} {unlike}".rstrip()
        return Guarantee(
            name=name,
            letters=promise.letters,
            promise=promise.text,
            odds=odds(factor, delta) if is_told else "",
            is_differential_privacy=usual,
            deviation=unlike,
        )

    @property
    def factor(self) -> float:
        """``e^epsilon`` in floating point: the factor that bounds probabilities between neighbours."""
        return exponential(self.epsilon)

    def factors(self, weights: Integers) -> Floats:
        """Return ``e^(weight epsilon)`` for each weight of neighbours."""
        return factors_of(self.epsilon, weights)

    @property
    def content(self) -> dict[str, Any]:
        """The privacy as values of JSON; privacy of sets of responses with nothing to spend is pure."""
        delta = None if self.delta is None else as_text(self.delta)
        return {
            "kind": "pure" if self.is_pure else self.word,
            "printed": self.as_printed is not None,
            "epsilon": as_text(self.epsilon),
            "delta": delta,
        }

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states."""
        return cls(epsilon=content["epsilon"], delta=content["delta"])  # type: ignore[call-arg]


def valid_epsilon(value: Number, *, zero_allowed: bool) -> Fraction | Logarithm:
    """Return an epsilon exactly as given; refuse one that is no privacy parameter."""
    epsilon = exact_epsilon(value)
    if epsilon < 0 or (epsilon == 0 and not zero_allowed):
        rule = "zero or more" if zero_allowed else "positive"
        message = (
            f"`epsilon` must be {rule}; got {as_text(epsilon)}. "
            "Small means private: 0.1 to 1 is usual, and 0 would forbid any information."
        )
        raise ProblemError(message)
    beyond = epsilon.of - 1 if isinstance(epsilon, Logarithm) else epsilon
    if 0 < beyond < _SMALLEST:
        message = (
            "`epsilon` must be at least 1e-300, near the smallest double with all its digits; "
            f"got {_shown(epsilon)}. At 1e-20 already the best mechanism ignores the data, as far as "
            "anyone can see."
        )
        raise ProblemError(message)
    if is_too_large(epsilon):
        most = "the logarithm of 2^1009" if isinstance(epsilon, Logarithm) else LARGEST_EPSILON
        message = (
            f"`epsilon` must be at most {most}; got {_shown(epsilon)}. "
            "Beyond that e^epsilon is no double, and nothing is private long before."
        )
        raise ProblemError(message)
    return epsilon


def valid_delta(value: Number) -> Fraction:
    """Return a delta exactly as given; refuse one outside [0, 1] or too small for a double."""
    delta = exact_delta(value)
    if 0 < delta < _SMALLEST:
        message = (
            "`delta` must be 0 or at least 1e-300, near the smallest double with all its digits; "
            f"got {_shown(delta)}. It is a probability: so small a one gains nothing over 0."
        )
        raise ProblemError(message)
    return delta


def _shown(parameter: Fraction | Logarithm) -> str:
    """Return a parameter as given where that is short, else with three digits."""
    text = as_text(parameter)
    if len(text) <= _LONGEST_SHOWN:
        return text
    if isinstance(parameter, Logarithm):
        return f"{text[:_LONGEST_SHOWN]}…"
    return f"{Decimal(parameter.numerator) / Decimal(parameter.denominator):.3g}"


def delta_text(delta: Fraction | None) -> str:
    """Return the text of a delta in a question."""
    return "least delta" if delta is None else f"delta = {as_text(delta)}"
