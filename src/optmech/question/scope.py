"""Of which tables a query speaks. A statement of its author that no arithmetic confirms, kept as data."""

from __future__ import annotations

import numpy as np

from optmech.base.arguments import Word
from optmech.base.errors import broken_rule
from optmech.base.numbers import brief


class Scope(Word):
    """Which tables are protected."""

    EVERY_TABLE = "every table"
    """All tables whose answers are neighbours: differential privacy, if both directions are kept."""
    GIVEN_TABLE = "given table"
    """Tables near one given table, from each other alone: *not* differential privacy for other data."""

    @property
    def caution(self) -> str:
        """What this scope leaves unprotected, a sentence; empty where it is nothing."""
        if self is Scope.EVERY_TABLE:
            return ""
        return (
            "Answers and neighbours were read from one table: other tables are not protected, and this is "
            "not differential privacy."
        )


class PairsOfGivenTable(np.ndarray):
    """Neighbours that were read from one table: what is made of them keeps that scope.

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
    try:
        return Scope(scope)
    except ValueError:
        raise broken_rule("scope", f"be one of {', '.join(Scope)}", brief(scope)) from None
