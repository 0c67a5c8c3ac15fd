"""Ratios kept but on responses of small probability: Kadam et al. 2024, Definition 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.arguments import Word
from optmech.base.blocks import Choice, Ratio
from optmech.base.numbers import as_text, exact_delta
from optmech.question.privacy.privacy import Privacy, delta_text, member, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.logarithm import Logarithm
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
    def missed(self) -> str:
        """What is said of a mechanism that is not private in this sense."""
        return "not probabilistic"

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio | Choice]:  # noqa: ARG002
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
