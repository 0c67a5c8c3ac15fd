"""The response that holds the truth is at least as likely as by an even guess: Cormode et al. 2018, WH."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Limit
from optmech.question.homes import need_homes
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["WeaklyHonest"]


class WeaklyHonest(Property):
    """The response that holds the truth is at least as likely as by an even guess."""

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
        """Return by how much the truth is less likely than by an even guess."""
        if (query.home < 0).any():
            return float("inf")
        diagonal = matrix[query.home, np.arange(query.num_truths)]
        return max(0.0, float((1.0 / query.num_responses - diagonal).max()))
