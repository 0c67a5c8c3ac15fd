"""Pure and (epsilon, delta)-differential privacy: the standard definitions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from optmech.base.blocks import Excess, Ratio
from optmech.base.numbers import as_text
from optmech.question.privacy.guarantee import Promise, amount_text, pure_promise
from optmech.question.privacy.loss import DELTA_ROUNDING, SUM_ROUNDING, largest_hockey_stick
from optmech.question.privacy.privacy import EPSILON_KEY, Privacy, delta_text, valid_delta, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.base.logarithm import Logarithm
    from optmech.question.privacy.loss import Worst
    from optmech.question.query import Query
    from optmech.question.structures import Structure


@dataclass(frozen=True, slots=True)
class PurePrivacy(Privacy):
    """Pure differential privacy: ``P(r) <= E Q(r)`` for every response.

    Croft et al. 2020 (4); Kadam et al. 2024 (14c).
    """

    epsilon: Fraction | Logarithm

    word = "pure"
    keys = (EPSILON_KEY,)
    is_usual = True
    has_delta = False
    delta = Fraction(0)
    shortfall = "not pure"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=False))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}"

    def seeking_delta(self) -> ApproximatePrivacy:
        """Return (epsilon, delta) privacy with the least delta."""
        return ApproximatePrivacy(self.epsilon)

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the delta needed over sets of responses: zero where pure privacy holds."""
        return largest_hockey_stick(matrix, pairs, self.factors(weights))

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:  # noqa: ARG002 - no delta
        """Return the promise in sentences."""
        return pure_promise(times)

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states."""
        return cls(content["epsilon"])

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:  # noqa: ARG002 - the same of all
        """Yield that every ratio is kept."""
        yield Ratio(epsilon=self.epsilon, pairs=query.pairs, weights=query.weights)


@dataclass(frozen=True, slots=True)
class ApproximatePrivacy(Privacy):
    """(epsilon, delta)-differential privacy: ``P(S) <= E Q(S) + delta`` for every *set* S of responses.

    The same as a hockey-stick divergence, ``sum_r max(0, P(r) - E Q(r))``, of at most `delta`. Kept by
    post-processing. Here epsilon may be 0, which bounds the total variation. A `delta` of ``None`` is to be
    found. Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None

    word = "approximate"
    criterion_of_delta = "(epsilon, delta)"
    is_usual = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", None if self.delta is None else valid_delta(self.delta))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, {delta_text(self.delta)}"

    @property
    def sums_excess(self) -> bool:
        """Whether there is something to spend."""
        return self.delta != 0

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the largest hockey-stick divergence."""
        return largest_hockey_stick(matrix, pairs, self.factors(weights))

    @property
    def rounding(self) -> float:
        """The rounding error allowed in delta: smaller for a small delta."""
        return max(DELTA_ROUNDING * min(1.0, 100 * float(self.delta or 1)), SUM_ROUNDING)

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:  # noqa: ARG002
        """Return the promise in sentences."""
        return Promise(
            "approximate differential privacy",
            f"The probability of any set of results is at most {times} what it is under a neighbouring true "
            f"answer, plus a delta {amount_text(delta)}.",
            letters="(ε, δ)",
        )

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:  # noqa: ARG002 - the same of all
        """Yield that the excesses of each pair sum to delta at most."""
        excess = Excess.NONE if self.delta == 0 else Excess.SUM
        yield Ratio(
            epsilon=self.epsilon, pairs=query.pairs, weights=query.weights, excess=excess, delta=self.delta
        )
