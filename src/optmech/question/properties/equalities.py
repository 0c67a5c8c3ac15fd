"""Equalities: entries to each other, means to truths, and the release of an empty group to 0."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Limit, Tie
from optmech.base.errors import ProblemError
from optmech.question.homes import mean_errors
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.base.blocks import Total
    from optmech.question.query import Query


class Fair(Property):
    """The response that holds the truth is equally likely for every truth: Croft et al. 2020 (15).

    Model
    -----
        M[home(f),f] - M[home(f+1),f+1] = 0 fair[f]                                             (15)
    """

    __slots__ = ()
    word = "fair"
    sentence = "Every true answer is released with the same probability."
    phrase = "every truth is released equally often"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Tie]:
        """Yield the tie of the truth's entries (15)."""
        truth = np.arange(query.num_truths)
        entry = query.home * query.num_truths + truth
        yield Tie(name="fair", subscripts=truth[:-1, None], left=entry[:-1], right=entry[1:])

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest difference between probabilities of the truth."""
        if (query.home < 0).any():
            return float("inf")
        diagonal = matrix[query.home, np.arange(query.num_truths)]
        return float(diagonal.max() - diagonal.min())

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the entries of the truth to the largest of them."""
        truths = np.arange(query.num_truths)
        matrix[query.home, truths] = matrix[query.home, truths].max()


class Symmetric(Property):
    """Turning the matrix by half a turn leaves it as it is: Croft et al. 2020 (14).

    Model
    -----
        M[r,f] - M[r',f'] = 0               symmetric[r,f]         (r',f') the mirror of (r,f)  (14)

    Only the first of two mirrored entries gets a row; the one in the centre needs none.
    """

    __slots__ = ()
    word = "symmetric"
    sentence = "Answers counted from the top are treated as those counted from the bottom."
    phrase = "reads the same from either end"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Tie]:
        """Yield the tie of each entry and its mirror image (14)."""
        size = query.num_responses * query.num_truths
        entry = np.arange(size // 2)
        subscripts = np.column_stack(np.divmod(entry, query.num_truths))
        yield Tie(name="symmetric", subscripts=subscripts, left=entry, right=size - 1 - entry)

    def gap(self, matrix: Floats, query: Query) -> float:  # noqa: ARG002 - the same of any query
        """Return the largest difference between an entry and its mirror image."""
        return float(np.abs(matrix - matrix[::-1, ::-1]).max())

    def envelope(self, matrix: Floats, query: Query) -> None:  # noqa: ARG002 - the same of any query
        """Raise each entry to its mirror image."""
        np.copyto(matrix, np.maximum(matrix, matrix[::-1, ::-1]))


class Unbiased(Property):
    """For each truth, the mean of the response is the truth. A category counts as its midpoint.

    Model
    -----
        sum_r (mid(r) - truth(f)) M[r,f] = 0 unbiased[f]
    """

    __slots__ = ()
    word = "unbiased"
    sentence = "On average the released number is the true one."
    phrase = "right on average"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Total]:
        """Yield the mean error of each truth, which is zero."""
        yield mean_errors(query)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest distance of a mean from its truth."""
        return float(np.abs(query.response_values @ matrix - query.truth_values).max())


class ZeroStaysZero(Property):
    """``matrix[0, 0] = 1``, where truths and responses begin with 0.

    The list of groups need not be public then: empty groups are never seen. Libraries approximate this by
    noise and a threshold. Under pure privacy a response that is impossible at 0 is impossible at 1 too, then
    at 2, and so on: 0 would be released for every truth, unless one direction alone is protected.
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
