"""Margins of a table: their one spelling, and how many numbers each has.

An *interaction* A is a set of axes, and so is a *margin* S: the margin of no axes is the total, the margin of
all axes has the cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.base.numbers import brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Axes = frozenset[int]
"""A set of axes, by position: an interaction or a margin."""
TOTAL = "total"
"""The name of the margin of no axes."""
MOST_AXES, MOST_CELLS = 10, 10**8


def subsets(axes: Axes) -> Iterator[Axes]:
    """Return all subsets of some axes, smaller ones first.

    >>> [sorted(each) for each in subsets(frozenset({0, 2}))]
    [[], [0], [2], [0, 2]]
    """
    listed = sorted(axes)
    return (frozenset(each) for size in range(len(listed) + 1) for each in combinations(listed, size))


def need_sizes(sizes: tuple[int, ...]) -> None:
    """Refuse axes that are too short, too many or too long."""
    if any(type(size) is not int or size < 2 for size in sizes):  # noqa: PLR2004 - one category is no axis
        raise broken_rule("sizes", "be whole numbers of at least 2 categories", brief(sizes))
    need_axes(len(sizes))
    if prod(sizes) > MOST_CELLS:
        raise broken_rule("sizes", f"be at most {MOST_CELLS:,} cells", brief(sizes))


def need_axes(number: int) -> None:
    """Refuse too many axes, whose subsets would fill the memory."""
    if number > MOST_AXES:
        raise broken_rule("by", f"be at most {MOST_AXES} axes", number)


@dataclass(frozen=True, slots=True)
class Margins:
    """The numbers of categories of the axes, and all that follows from them.

    >>> shape = Margins((5, 10))
    >>> shape.cells(frozenset({0})), shape.out(frozenset({0})), shape.freedom(frozenset({0, 1}))
    (5, 10, 36)
    """

    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        need_sizes(self.sizes)

    @property
    def every(self) -> Axes:
        """All axes: the margin of the cells."""
        return frozenset(range(len(self.sizes)))

    def cells(self, margin: Axes) -> int:
        """Return how many numbers a margin has."""
        return prod(self.sizes[axis] for axis in margin)

    def out(self, margin: Axes) -> int:
        """Return how many cells add up to one number of a margin."""
        return self.cells(self.every - margin)

    def freedom(self, part: Axes) -> int:
        """Return the dimension of an interaction."""
        return prod(self.sizes[axis] - 1 for axis in part)

    def price(self, part: Axes) -> Fraction:
        """Return p_A, the square of the length of one cell's part in an interaction."""
        return Fraction(self.freedom(part), self.cells(self.every))

    def coefficient(self, margin: Axes, part: Axes) -> Fraction:
        """Return the square of the length of one number of a margin in an interaction that it contains."""
        return Fraction(self.out(margin) * self.freedom(part), self.cells(margin))


def margin_name(margin: Axes, names: Sequence[str]) -> str:
    """Return the one spelling of a margin: its axes in their order.

    >>> margin_name(frozenset({2, 0}), ["region", "age", "sex"])
    'region*sex'
    """
    return "*".join(names[axis] for axis in sorted(margin)) or TOTAL


def margin_of(text: str, names: Sequence[str], name: str = "totals") -> Axes:
    """Return a margin from its axes in their order; another spelling is refused.

    >>> sorted(margin_of("region*sex", ["region", "age", "sex"]))
    [0, 2]
    """
    words = [] if text.strip() == TOTAL else [word.strip() for word in text.split("*")]
    for word in words:
        if word not in names:
            rule = f"name axes, joined by `*`: {', '.join(names)}; or {TOTAL}"
            raise broken_rule(name, rule, brief(text))
    margin = frozenset(map(names.index, words))
    if margin_name(margin, names) != ("*".join(words) or TOTAL):
        raise broken_rule(name, f"spell a margin as {margin_name(margin, names)}", brief(text))
    return margin
