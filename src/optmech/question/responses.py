"""What may be released: points, or categories of numbers."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact

if TYPE_CHECKING:
    from fractions import Fraction

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
    """Return responses as categories; raises ProblemError if they overlap or fall back."""
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
