"""Pure differential privacy: Croft et al. 2020 (4); Kadam et al. 2024 (14c)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.blocks import Ratio
from optmech.base.numbers import as_text
from optmech.question.privacy.privacy import Privacy, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.logarithm import Logarithm
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = ["PurePrivacy"]


@dataclass(frozen=True, slots=True)
class PurePrivacy(Privacy):
    """Pure differential privacy: ``P(r) <= E Q(r)`` for every response.

    Croft et al. 2020 (4); Kadam et al. 2024 (14c).
    """

    epsilon: Fraction | Logarithm

    word = "pure"
    has_delta = False
    delta = Fraction(0)

    def __post_init__(self) -> None:
        """Keep epsilon exactly as given."""
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=False))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}"

    @property
    def missed(self) -> str:
        """What is said of a mechanism that is not private in this sense."""
        return "not pure"

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:  # noqa: ARG002 - the same of all
        """Yield that every ratio is kept."""
        yield Ratio(epsilon=self.epsilon, pairs=query.pairs, weights=query.weights)
