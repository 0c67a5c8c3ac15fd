"""Privacy of single responses: a delta for each, or ratios kept outside a set of small probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.base.arguments import Word, one_of
from optmech.base.blocks import Choice, Excess, Ratio
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.question.keys import Key, word_of
from optmech.question.privacy.guarantee import Promise, amount_text
from optmech.question.privacy.loss import (
    DELTA_ROUNDING,
    TIE,
    largest_excess,
    largest_hockey_stick,
    largest_leak,
)
from optmech.question.privacy.privacy import Privacy, delta_text, valid_delta, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.base.blocks import PrivacyBlock
    from optmech.base.errors import ProblemError
    from optmech.base.logarithm import Logarithm
    from optmech.question.privacy.loss import Worst
    from optmech.question.query import Query
    from optmech.question.structures import Structure


# Ways to use a printed program without a proof.
_PRINTED = "Leave it out; or take the solver's answer alone, `raw`; or write the program with `export-model`."


class SymmetricRows(Word):
    """Rows that hold symmetric noise to its privacy, Sadeghi et al. 2020."""

    ALL = "all"
    """Every row of (9): each outcome of two neighbouring columns of (16)."""
    PAPER = "paper"
    """Rows (17)-(19) only, which miss a binding row when the accuracy is small."""


@dataclass(frozen=True, slots=True)
class PerOutcomePrivacy(Privacy):
    """``P(r) <= E Q(r) + delta`` for every single response, Sadeghi et al. 2020 (7)-(8).

    Weaker than (epsilon, delta)-differential privacy, which asks it of every *set* of responses. Here
    epsilon may be 0. A `delta` of ``None`` is to be found.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction | None = None
    rows: SymmetricRows = SymmetricRows.ALL

    word = "per-outcome"
    keys = (
        *Privacy.keys,
        Key(
            name="rows",
            form=word_of(SymmetricRows),
            about="whether symmetric noise is held to all rows, or to those that the paper prints",
            default=str(SymmetricRows.ALL),
        ),
    )
    criterion_of_delta = "per-outcome privacy"
    counts_each = True
    rounding = DELTA_ROUNDING

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", None if self.delta is None else valid_delta(self.delta))
        object.__setattr__(self, "rows", SymmetricRows(one_of(self.rows, SymmetricRows, "rows")))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, {delta_text(self.delta)} for each outcome"

    @property
    def as_printed(self) -> ProblemError | None:
        """Why the printed rows have no proof: some are missing."""
        if self.rows is SymmetricRows.ALL:
            return None
        rule = f"be {SymmetricRows.ALL} where anything is proved: the program of the definition, (9)"
        got = f"{self.rows}, rows (17)-(19) as Sadeghi et al. 2020 print them, which leave out some of those"
        return broken_rule("rows", rule, got, _PRINTED)

    @property
    def by_definition(self) -> Privacy:
        """The same with all rows."""
        return replace(self, rows=SymmetricRows.ALL)

    def payment(self, excesses: Whole, masses: Whole) -> tuple[Integers, int]:  # noqa: ARG002 - no mass is paid
        """Return the response with the largest excess: each response counts alone."""
        index = int(np.argmax(excesses))
        return np.array([index]), int(excesses[index])

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the largest excess of a single response, of all rows."""
        return largest_excess(matrix, pairs, self.factors(weights))

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:  # noqa: ARG002
        """Return the promise in sentences."""
        unlike = (
            "This delta is for each single answer. Differential privacy bounds every set of answers, "
            "over which such deltas may add up: it holds only with a larger delta."
        )
        text = (
            f"The probability of any single result is at most {times} what it is under a neighbouring true "
            f"answer, plus a delta {amount_text(delta)}."
        )
        return Promise("per-outcome (ε, δ), Sadeghi et al. 2020", text, unlike)

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states."""
        rows = SymmetricRows.PAPER if content["printed"] else SymmetricRows.ALL
        return cls(content["epsilon"], content["delta"], rows)

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:
        """Yield that no ratio exceeds by more than delta."""
        pairs, weights, responses = structure.outcomes(query)
        yield Ratio(
            epsilon=self.epsilon,
            pairs=pairs,
            weights=weights,
            responses=responses,
            excess=Excess.EACH,
            delta=self.delta,
        )


class Reading(Word):
    """Program that stands for Kadam et al. 2024, eq. (13)."""

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
    keys = (
        *Privacy.keys,
        Key(
            name="reading",
            form=word_of(Reading),
            about="whether the definition is asked, or the program that the paper prints",
            default=str(Reading.DEFINITION),
        ),
    )
    criterion_of_delta = "probabilistic privacy"
    is_convex = False
    pays_masses = True
    rounding = TIE
    shortfall = "not probabilistic"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=False))
        object.__setattr__(self, "delta", None if self.delta is None else valid_delta(self.delta))
        object.__setattr__(self, "reading", Reading(one_of(self.reading, Reading, "reading")))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, probabilistic {delta_text(self.delta)}"

    @property
    def as_printed(self) -> ProblemError | None:
        """Why the paper's own program has no proof; without a delta both are the same, (14)."""
        if self.reading is Reading.DEFINITION or not self.has_choices:
            return None
        rule = f"be {Reading.DEFINITION} where anything is proved: the program of the paper's Definition 2"
        got = f"{self.reading}, program (13) as Kadam et al. 2024 print it, which asks for something else"
        return broken_rule("reading", rule, got, _PRINTED)

    @property
    def by_definition(self) -> Privacy:
        """The same by Definition 2."""
        return replace(self, reading=Reading.DEFINITION)

    def payment(self, excesses: Whole, masses: Whole) -> tuple[Integers, int]:
        """Return all responses with too large a ratio, and pay their whole masses."""
        return np.arange(len(excesses)), int(masses.sum())

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the largest probability of responses with too large a ratio; without a delta as if pure."""
        measure_of = largest_leak if self.has_choices else largest_hockey_stick
        return measure_of(matrix, pairs, self.factors(weights))

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:
        """Return the promise in sentences."""
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
            )
