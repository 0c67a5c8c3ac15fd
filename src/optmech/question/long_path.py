"""A query with many true answers in a row, each the neighbour of the next, computed on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.question.answers import Scope
from optmech.question.grid import Grid, Points
from optmech.question.query import Query

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.question.kinds.kind import Kind


class LongPath(Query):
    """A query with a grid as its truths and responses; a `Query` in all else.

    Pairs, weights and the like are arrays that are made on demand and not kept. The caller ensures that the
    kind has this grid, and a reach of one.

    >>> from optmech.question.queries import count
    >>> query = count(1_000_000)
    >>> type(query).__name__, query.title, query.truths[-1], query.pairs[:3].tolist()
    ('LongPath', 'count 0..1000000', Fraction(1000000, 1), [[0, 1], [1, 0], [1, 2]])
    """

    __slots__ = ()
    is_weighted, heaviest = False, 1

    def __init__(self, grid: Grid, kind: Kind) -> None:
        attributes: dict[str, Any] = {
            "truths": grid,
            "responses": Points(grid),
            "symmetric": True,
            "given_name": "",
            "labels": (),
            "meaning": kind,
            "scope": Scope.EVERY_TABLE,
        }
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return LongPath, (self.truths, self.meaning)

    def path(self) -> Grid:
        """Return the truths."""
        grid: Any = self.truths
        return grid  # type: ignore[no-any-return]

    @property
    def pairs(self) -> Integers:
        """Each truth with the ones beside it."""
        lower = np.arange(self.num_truths - 1)
        rows: Integers = np.column_stack([lower, lower + 1, lower + 1, lower]).reshape(-1, 2)
        rows.flags.writeable = False
        return rows

    @property
    def weights(self) -> Integers:
        """One for each pair."""
        return np.broadcast_to(np.int64(1), 2 * self.num_truths - 2)

    @property
    def home(self) -> Integers:
        """Each truth is its own response."""
        return np.arange(self.num_truths)

    @property
    def truth_values(self) -> Floats:
        """The truths as floats."""
        grid = self.path()
        values: Floats = float(grid.first) + float(grid.step) * np.arange(grid.number, dtype=float)
        return values

    @property
    def response_values(self) -> Floats:
        """The truths as floats."""
        return self.truth_values
