"""A query of very many categories, every two of them neighbours, with pairs that are computed on demand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.question.answers import Scope
from optmech.question.grid import Grid, Points
from optmech.question.kinds import Categories
from optmech.question.query import Query, checked_labels

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers


class AllPairs(Query):
    """A query of categories by their names; a `Query` in all else.

    Pairs, weights and the like are arrays that are made on demand and not kept.

    >>> from optmech.question.graphs import categories
    >>> query = categories(map(str, range(3000)))
    >>> type(query).__name__, query.title, len(query.weights), query.pairs[:2].tolist()
    ('AllPairs', '3,000 categories', 8997000, [[0, 1], [0, 2]])
    """

    __slots__ = ()
    is_weighted, heaviest = False, 1

    def __init__(self, names: list[str]) -> None:
        grid = Grid(Fraction(0), Fraction(1), len(names))
        attributes: dict[str, Any] = {
            "truths": grid,
            "responses": Points(grid),
            "symmetric": True,
            "given_name": "",
            "labels": checked_labels(names, len(names), are_truths=True),
            "meaning": Categories(),
            "scope": Scope.EVERY_TABLE,
            "_path": None,
        }
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return AllPairs, (list(self.labels),)

    @property
    def pairs(self) -> Integers:
        """Each truth with every other one."""
        others = np.arange(self.num_truths - 1)
        first = np.repeat(np.arange(self.num_truths), self.num_truths - 1)
        second = np.tile(others, self.num_truths)
        rows: Integers = np.column_stack([first, second + (second >= first)])
        rows.flags.writeable = False
        return rows

    @property
    def weights(self) -> Integers:
        """One for each pair."""
        return np.broadcast_to(np.int64(1), self.num_truths * (self.num_truths - 1))

    @property
    def home(self) -> Integers:
        """Each truth is its own response."""
        return np.arange(self.num_truths)

    @property
    def truth_values(self) -> Floats:
        """The truths as floats."""
        return np.arange(self.num_truths, dtype=float)

    @property
    def response_values(self) -> Floats:
        """The truths as floats."""
        return self.truth_values
