"""Ratios kept but on responses of small probability: Kadam et al. 2024, Definition 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from optmech.base.arguments import Word
from optmech.base.blocks import Choice, Ratio
from optmech.base.numbers import as_text, exact_delta
from optmech.question.privacy.guarantee import Promise, amount_text
from optmech.question.privacy.loss import TIE, largest_hockey_stick, largest_leak
from optmech.question.privacy.privacy import Privacy, delta_text, member, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.base.blocks import PrivacyBlock
    from optmech.base.logarithm import Logarithm
    from optmech.question.privacy.loss import Worst
    from optmech.question.query import Query
    from optmech.question.structures import Structure


__all__ = ["ProbabilisticPrivacy", "Reading"]


class Reading(Word):
    """Which program stands for Kadam et al. 2024, eq. (13)."""

    DEFINITION = "definition"
    """An indicator for each distance and outcome, a budget for each distance: what Definition 2 asks."""
    PRINTED = "printed"
    """One indicator for each outcome, shared by all distances: what Table 1 was computed from."""


@dataclass(frozen=True, slots=True)
class ProbabilisticPrivacy(Privacy):
    """``P(r) <= E Q(r)`` but on responses of total probability `delta` under ``P``.

    Kadam et al. 2024, Definition 2. Stronger than (epsilon, delta)-differential privacy, and not kept by
    post-processing. A `delta` of ``None`` is to be found.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None
    reading: Reading = Reading.DEFINITION

    word = "probabilistic"
    criterion_of_delta = "probabilistic privacy"
    follows_from_sets = is_convex = False
    pays_masses = True

    def __post_init__(self) -> None:
        """Keep both numbers exactly as given."""
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=False))
        object.__setattr__(self, "delta", None if self.delta is None else exact_delta(self.delta))
        object.__setattr__(self, "reading", member(Reading, self.reading, "reading"))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, probabilistic {delta_text(self.delta)}"

    @property
    def printed(self) -> bool:
        """Whether it is the paper's own program."""
        return self.reading is Reading.PRINTED

    @property
    def shortfall(self) -> str:
        """What is said of a mechanism that is not private in this sense."""
        return "not probabilistic"

    @property
    def is_combinatorial(self) -> bool:
        """Whether some ratios may be left, and nobody says which."""
        return self.delta != 0

    @property
    def eases_with_epsilon(self) -> bool:
        """Whether what keeps it keeps it at every larger epsilon too: not the printed program.

        That asks of each noise to exceed e^epsilon for all distances or for none.
        """
        return not (self.printed and self.is_combinatorial)

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the largest probability of responses whose ratio is too large; of no delta as if pure."""
        measure_of = largest_leak if self.is_combinatorial else largest_hockey_stick
        return measure_of(matrix, pairs, self.factors(weights))

    @property
    def rounding(self) -> float:
        """By how much doubles may exceed delta."""
        return TIE

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:
        """Return what is promised."""
        unlike = "Its delta is the probability of answers that may be too likely."
        if both_ways:
            unlike = (
                "This is stronger than (ε, δ)-differential privacy, which follows from it at the same "
                "numbers. But it need not survive post-processing; the (ε, δ) guarantee that follows from it "
                "does."
            )
        return Promise(
            "probabilistic (ε, δ), Kadam et al. 2024",
            f"The probability of any result is at most {times} what it is under a neighbouring true answer, "
            f"except for results whose total probability, delta, is "
            f"{amount_text(delta, most='at most ')}.",
            unlike,
        )

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states."""
        reading = Reading.PRINTED if content["printed"] else Reading.DEFINITION
        return cls(content["epsilon"], content["delta"], reading)

    def blocks(self, query: Query, structure: Structure) -> Iterator[PrivacyBlock]:  # noqa: ARG002
        """Yield that each ratio is kept or its mass is paid; without a delta all are kept, Kadam (14)."""
        if self.delta == 0:
            yield Ratio(epsilon=self.epsilon, pairs=query.pairs, weights=query.weights)
        else:
            yield Choice(
                epsilon=self.epsilon,
                pairs=query.pairs,
                weights=query.weights,
                delta=self.delta,
                shared=self.printed,
            )
