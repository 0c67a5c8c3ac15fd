"""Lower bounds on the probability of the truth: Cormode et al. 2018, section 3."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Limit, Order
from optmech.question.homes import need_homes
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Marks
    from optmech.question.query import Query


class ColumnHonest(Property):
    """For each truth, no response is likelier than the one that holds it: Cormode et al. 2018, section 3, CH.

    Model
    -----
        M[r,f] - M[home(f),f] <= 0          column_honest[r,f]     r other than home(f)         CH
    """

    __slots__ = ()
    word = "column-honest"
    sentence = "No answer is likelier than the true one."
    phrase = "the truth is the likeliest answer"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders CH."""
        response, truth = np.nonzero(np.arange(query.num_responses)[:, None] != query.home[None, :])
        entry, home = response * query.num_truths + truth, query.home[truth] * query.num_truths + truth
        yield Order(
            name=self.word.replace("-", "_"),
            subscripts=np.column_stack([response, truth]),
            low=entry,
            high=home,
        )

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest excess of another response over the truth."""
        if (query.home < 0).any():
            return float("inf")
        return float((matrix.max(axis=0) - matrix[query.home, np.arange(query.num_truths)]).max())

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the truth's entry to the largest of each column."""
        truths = np.arange(query.num_truths)
        matrix[query.home, truths] = matrix.max(axis=0)


class RowHonest(Property):
    """No response is likelier under a truth outside it than under one that it holds: Cormode et al. 2018, RH.

    Model
    -----
        M[home(g),f] - M[home(g),g] <= 0    row_honest[f,g]        home(f) other than home(g)   RH
    """

    __slots__ = ()
    word = "row-honest"
    sentence = "No answer is likelier under another true answer than under itself."
    phrase = "an answer is likeliest when it is true"
    of_homes = True

    def blocks(self, query: Query) -> Iterator[Order]:
        """Yield the orders RH."""
        truth, other = np.nonzero(query.home[:, None] != query.home[None, :])
        row = query.home[other] * query.num_truths
        yield Order(
            name="row_honest", subscripts=np.column_stack([truth, other]), low=row + truth, high=row + other
        )

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest excess of a truth outside a response over a truth inside."""
        if (query.home < 0).any():
            return float("inf")
        return max(_likelier_outside(matrix[row], query.home == row) for row in set(query.home.tolist()))

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise the truths' entries to the largest entry outside in each row."""
        for row in set(query.home.tolist()):
            inside = query.home == row
            matrix[row, inside] = np.maximum(matrix[row, inside], matrix[row, ~inside].max(initial=0.0))


def _likelier_outside(line: Floats, inside: Marks) -> float:
    return max(0.0, float(line[~inside].max(initial=0.0) - line[inside].min()))


class WeaklyHonest(Property):
    """The response that holds the truth is at least as likely as under uniform guessing."""

    __slots__ = ()
    word = "weakly-honest"
    sentence = "The true answer is at least as likely as under uniform guessing."
    phrase = "the truth beats a uniform guess"

    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield the limit of the truth's entries, refused where a truth is in no response."""
        even = Fraction(1, query.num_responses)
        entries = need_homes(query, f"accuracy >= {even}") * query.num_truths + np.arange(query.num_truths)
        yield Limit(name=str(self), entries=entries, least=even)

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest shortfall of the truth against a uniform guess."""
        if (query.home < 0).any():
            return float("inf")
        diagonal = matrix[query.home, np.arange(query.num_truths)]
        return max(0.0, float((1.0 / query.num_responses - diagonal).max()))
