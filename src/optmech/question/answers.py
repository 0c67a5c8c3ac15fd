"""The facts of a query: its answers, their neighbours, its responses, and the tables that it applies to."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.arguments import Word, one_of
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact
from optmech.base.visible import quote

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number


class Category(NamedTuple):
    """A response category: every number from `lower` up to `upper`, or a single point."""

    lower: Fraction
    upper: Fraction

    @property
    def midpoint(self) -> Fraction:
        """The number that stands for the category."""
        return self.lower if self.lower is self.upper else (self.lower + self.upper) / 2

    def holds(self, truth: Fraction) -> bool:
        """Whether `truth` falls here: the upper end belongs to the next category."""
        return self.lower <= truth < self.upper or self.lower == truth == self.upper


def categories_of(responses: tuple[Number | tuple[Number, Number], ...]) -> tuple[Category, ...]:
    """Return responses as categories; raise ProblemError if they overlap or do not increase."""
    categories = []
    for response in responses:
        ends = response if isinstance(response, (tuple, list)) else (response, response)
        if len(ends) != 2:  # noqa: PLR2004 - a lower and an upper end
            raise broken_rule("responses", "be numbers or (lower, upper) pairs", repr(response))
        lower = exact(ends[0], "responses")
        categories.append(Category(lower, lower if ends[1] is ends[0] else exact(ends[1], "responses")))
    is_ordered = all(category.lower <= category.upper for category in categories) and all(
        low.upper <= high.lower and low.midpoint < high.midpoint for low, high in pairwise(categories)
    )
    if not categories or not is_ordered:
        message = (
            f"`responses` must be one or more increasing numbers or intervals that do not overlap; "
            f"got {brief(responses)}."
        )
        raise ProblemError(message)
    return tuple(categories)


def are_points(categories: tuple[Category, ...], truths: tuple[Fraction, ...]) -> bool:
    """Whether the responses are the truths, each a single point."""
    return categories == tuple((truth, truth) for truth in truths)


def holder(categories: tuple[Category, ...], truth: Fraction) -> int:
    """Return the position of the category that holds `truth`, -1 where none does."""
    # A point may sit at the start of an interval, so two categories can begin at or before the truth.
    last = bisect_right(categories, truth, key=lambda category: category.lower) - 1
    for position in (last, last - 1):
        if position >= 0 and categories[position].holds(truth):
            return position
    return len(categories) - 1 if truth == categories[-1].upper else -1


class Scope(Word):
    """The tables that are protected, as the author states it; arithmetic cannot confirm it."""

    EVERY_TABLE = "every table"
    """All tables whose answers are neighbours: differential privacy, if both directions are kept."""
    GIVEN_TABLE = "given table"
    """Tables near one given table, from each other alone: *not* differential privacy for other data."""

    @property
    def caution(self) -> str:
        """The gap that this scope leaves, a sentence; empty where there is none."""
        if self is Scope.EVERY_TABLE:
            return ""
        return (
            "Answers and neighbours were read from one table: other tables are not protected, and this is "
            "not differential privacy."
        )


class PairsOfGivenTable(np.ndarray):
    """Neighbours that were read from one table; queries made from them keep that scope.

    NumPy gives no hook to ``np.array(pairs)`` and the like, which make an array of no class: state the scope.
    """

    __array_priority__ = 1  # joined with other arrays, too


def scope_of(neighbours: object, scope: Scope | str) -> Scope:
    """Return the scope that is stated, or that of the query whose neighbours these are.

    >>> scope_of([(0, 1)], "every table")
    'every table'
    """
    parts = neighbours if isinstance(neighbours, (list, tuple)) else (neighbours,)
    if any(isinstance(part, PairsOfGivenTable) for part in parts):
        return Scope.GIVEN_TABLE
    return Scope(one_of(scope, Scope, "scope"))


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Answers:
    """All attributes of a query except its kind, for the checks of a kind. See `Query` for each."""

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
    def all_are_neighbours(self) -> bool:
        """Whether every two truths are neighbours, both ways: pairs are listed once each."""
        return len(self.weights) == self.num_truths * (self.num_truths - 1)

    @property
    def heaviest(self) -> int:
        """The largest weight of neighbours, in multiples of epsilon."""
        return int(self.weights.max(initial=1))

    @property
    def truth_values(self) -> Floats:
        """The truths as floats, shape (num_truths,)."""
        return np.array([float(truth) for truth in self.truths])

    @property
    def response_values(self) -> Floats:
        """The midpoints of the responses as floats, shape (num_responses,)."""
        return np.array([float(category.midpoint) for category in self.responses])
