"""Pure differential privacy: Croft et al. 2020 (4); Kadam et al. 2024 (14c)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from optmech.base.blocks import Ratio
from optmech.base.numbers import as_text
from optmech.question.privacy.guarantee import pure_promise
from optmech.question.privacy.loss import largest_hockey_stick
from optmech.question.privacy.privacy import Privacy, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.base.logarithm import Logarithm
    from optmech.question.privacy.guarantee import Promise
    from optmech.question.privacy.loss import Worst
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
    is_usual = True
    has_delta = False
    delta = Fraction(0)

    def __post_init__(self) -> None:
        """Keep epsilon exactly as given."""
        object.__setattr__(self, "epsilon", valid_epsilon(self.epsilon, zero_allowed=False))

    def __str__(self) -> str:
        return f"epsilon = {as_text(self.epsilon)}"

    @property
    def shortfall(self) -> str:
        """What is said of a mechanism that is not private in this sense."""
        return "not pure"

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return what would have to be spent over sets of responses: zero where pure privacy holds."""
        return largest_hockey_stick(matrix, pairs, self.factors(weights))

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:  # noqa: ARG002 - no delta
        """Return what is promised."""
        return pure_promise(times)

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states."""
        return cls(content["epsilon"])

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio]:  # noqa: ARG002 - the same of all
        """Yield that every ratio is kept."""
        yield Ratio(epsilon=self.epsilon, pairs=query.pairs, weights=query.weights)
