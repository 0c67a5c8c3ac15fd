"""Evenly spaced numbers that are computed on demand: a million true answers take no memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.question.answers import Category

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

LARGEST_MATRIX = 4_000_000
"""Entries of a matrix. A larger program needs more memory than a workstation has, and days to solve."""


class _LazySequence(Sequence[Any]):
    """A sequence that makes each item on demand; equal to any sequence of the same items."""

    __slots__ = ()

    def _item(self, index: int) -> Any:  # noqa: ANN401 - of any class
        raise NotImplementedError

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - one item, or a tuple of some
        indices = range(len(self))[index]
        return tuple(map(self._item, indices)) if isinstance(indices, range) else self._item(indices)

    def __iter__(self) -> Iterator[Any]:
        return map(self._item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return repr(self) == repr(other)
        return isinstance(other, Sequence) and len(other) == len(self) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash((len(self), self[0]))


@dataclass(frozen=True, slots=True, eq=False)
class Grid(_LazySequence):
    """The numbers ``first + step * index`` for index 0, …, ``number - 1``.

    >>> from fractions import Fraction
    >>> grid = Grid(Fraction(0), Fraction(1, 4), 1_000_001)
    >>> len(grid), grid[2], grid[-1], Grid(Fraction(0), Fraction(1), 3) == (0, 1, 2)
    (1000001, Fraction(1, 2), Fraction(250000, 1), True)
    """

    first: Fraction
    step: Fraction
    number: int

    def __len__(self) -> int:
        return self.number

    def _item(self, index: int) -> Fraction:
        return self.first + self.step * index


@dataclass(frozen=True, slots=True, eq=False)
class Points(_LazySequence):
    """The numbers of a grid as responses."""

    grid: Grid

    def __len__(self) -> int:
        return self.grid.number

    def _item(self, index: int) -> Category:
        point = self.grid[index]
        return Category(point, point)
