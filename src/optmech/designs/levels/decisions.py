"""Decisions of a case: from when on, and until when, noise values stand on a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Marks

UNDECIDED = 10_000
"""A level that no value needs to stand on."""


class Side(NamedTuple):
    """A decision: whether a value stands on a level or before."""

    value: int
    level: int
    stands: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Levels of each value, shape (size,): it stands after `after`, and on `by` or before."""

    after: Integers
    by: Integers

    @classmethod
    def none(cls, size: int) -> Decisions:
        """Return that nothing is decided.

        >>> Decisions.none(3).with_sides([Side(1, 2, True)]).by.tolist()
        [10000, 2, 10000]
        """
        return cls(np.zeros(size, dtype=np.int16), np.full(size, UNDECIDED, dtype=np.int16))

    def with_sides(self, sides: list[Side]) -> Decisions:
        """Return the decisions and further ones."""
        after, by = self.after.copy(), self.by.copy()
        for value, level, stands in sides:
            if stands:
                by[value] = min(by[value], level)
            else:
                after[value] = max(after[value], level)
        return Decisions(after, by)

    def bounds(self, values: Integers, levels: Integers) -> tuple[Floats, Floats]:
        """Return the least and the largest z of values and levels."""
        return (levels >= self.by[values]).astype(float), (levels > self.after[values]).astype(float)

    def open_levels(self, values: Integers, levels: Integers) -> Marks:
        """Return where z of values and levels may be zero or one."""
        lower, upper = self.bounds(values, levels)
        return lower < upper
