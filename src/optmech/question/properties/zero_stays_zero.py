"""A group that is empty releases nothing: at the true answer 0 the answer 0 is certain."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Limit
from optmech.base.errors import ProblemError
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["ZeroStaysZero"]


class ZeroStaysZero(Property):
    """``matrix[0, 0] = 1``, where truths and responses begin with 0.

    Which groups exist need not be public then: those that nobody is in are never seen. What libraries
    approximate by noise and a threshold. Under pure privacy what is impossible at 0 is impossible at 1 too,
    then at 2, and so on: 0 would be released whatever is true, unless one way alone is protected.
    """

    __slots__ = ()
    word = "zero-stays-zero"
    sentence = "Where the true answer is 0, 0 is released: an empty group is never seen."
    phrase = "an empty group is never seen"
    of_order = True
    needs_delta = True

    def fits(self, query: Query) -> None:
        """Refuse truths or responses that do not begin with 0."""
        first = query.responses[0]
        if query.truths[0] != 0 or first.lower != 0 or first.upper != 0:
            message = (
                f"`properties` may ask {self} of a query whose truths and responses begin with 0 alone; got "
                f"{query.title}. Count from 0."
            )
            raise ProblemError(message)

    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield that nothing else is released at 0."""
        responses, truths = query.num_responses, query.num_truths
        one = Fraction(1)
        yield Limit(name=str(self), entries=np.array([0]), least=one, most=one)
        yield Limit(
            name=str(self), entries=np.arange(1, responses) * truths, least=Fraction(0), most=Fraction(0)
        )

    def gap(self, matrix: Floats, query: Query) -> float:  # noqa: ARG002 - the first entry of any
        """Return the probability that an empty group is seen."""
        return max(0.0, float(1.0 - matrix[0, 0]))
