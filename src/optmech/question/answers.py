"""The facts of a query: its answers, their neighbours, and what its author says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.visible import quote

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.question.responses import Category
    from optmech.question.scope import Scope


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Answers:
    """All that a query is but its kind: what a kind looks at to bear it out. See `Query` for each."""

    truths: tuple[Fraction, ...]
    responses: tuple[Category, ...]
    pairs: Integers
    home: Integers
    symmetric: bool
    given_name: str
    weights: Integers
    labels: tuple[str, ...]
    scope: Scope

    @property
    def quoted_name(self) -> str:
        """The name in quotation marks, every character visible."""
        return quote(self.given_name)

    @property
    def num_truths(self) -> int:
        """Number of possible true answers."""
        return len(self.truths)

    @property
    def num_responses(self) -> int:
        """Number of responses that may be released."""
        return len(self.responses)

    @property
    def is_weighted(self) -> bool:
        """Whether some neighbours are further apart than one epsilon."""
        return bool((self.weights != 1).any())

    @property
    def heaviest(self) -> int:
        """The largest weight of neighbours: so many times epsilon lie there."""
        return int(self.weights.max(initial=1))

    @property
    def truth_values(self) -> Floats:
        """The truths as floats, shape (num_truths,)."""
        return np.array([float(truth) for truth in self.truths])

    @property
    def response_values(self) -> Floats:
        """The midpoints of the responses as floats, shape (num_responses,)."""
        return np.array([float(category.midpoint) for category in self.responses])
