"""A delta for each single response: Sadeghi et al. 2020 (7)-(8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.arguments import Word
from optmech.base.blocks import Excess, Ratio
from optmech.base.numbers import as_text, exact_delta
from optmech.question.privacy.privacy import Privacy, delta_text, member, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.logarithm import Logarithm
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = ["PerOutcomePrivacy", "SymmetricRows"]


class SymmetricRows(Word):
    """Which rows hold symmetric noise to its privacy, Sadeghi et al. 2020."""

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
    counts_each = True

    def __post_init__(self) -> None:
        """Keep both numbers exactly as given."""
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", None if self.delta is None else exact_delta(self.delta))
        object.__setattr__(self, "rows", member(SymmetricRows, self.rows, "rows"))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}, {delta_text(self.delta)} for each outcome"

    @property
    def printed(self) -> bool:
        """Whether only the printed rows are asked."""
        return self.rows is SymmetricRows.PAPER

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:
        """Yield that no ratio exceeds by more than delta."""
        pairs, weights, responses = structure.outcomes(query, printed=self.printed)
        yield Ratio(
            epsilon=self.epsilon,
            pairs=pairs,
            weights=weights,
            responses=responses,
            excess=Excess.EACH,
            delta=self.delta,
        )
