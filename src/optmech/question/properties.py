"""What a mechanism matrix may be asked to satisfy besides privacy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import Word, brief, items
from optmech.base.errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["OF_HOMES", "OF_ORDER", "VARIANT_2", "Property", "properties_of"]


class Property(Word):
    """A property of a mechanism matrix: Croft et al. 2020, section 3.2; Cormode et al. 2018, section 3."""

    COLUMN_MONOTONE = "column-monotone"
    """For each truth, a response is no likelier the farther it lies from the truth: (10), (11)."""
    ROW_MONOTONE = "row-monotone"
    """For each response, it is no likelier the farther the truth lies from it: (12), (13)."""
    SYMMETRIC = "symmetric"
    """Turning the matrix by half a turn leaves it as it is: (14)."""
    FAIR = "fair"
    """The response that holds the truth is equally likely for every truth: (15)."""
    COLUMN_HONEST = "column-honest"
    """For each truth, no response is likelier than the one that holds it: Cormode et al., CH."""
    ROW_HONEST = "row-honest"
    """No response is likelier under a truth outside it than under one that it holds: Cormode et al., RH."""
    WEAKLY_HONEST = "weakly-honest"
    """The response that holds the truth is at least as likely as by an even guess: Cormode et al., WH."""
    UNBIASED = "unbiased"
    """For each truth, the mean of what is released is the truth. Of categories the midpoint counts."""


VARIANT_2 = frozenset({Property.COLUMN_MONOTONE, Property.ROW_MONOTONE, Property.SYMMETRIC, Property.FAIR})
OF_ORDER = frozenset({Property.COLUMN_MONOTONE, Property.ROW_MONOTONE, Property.SYMMETRIC, Property.UNBIASED})
"""What means nothing where answers are categories or vectors."""
OF_HOMES = frozenset({Property.FAIR, Property.COLUMN_MONOTONE, Property.COLUMN_HONEST, Property.ROW_HONEST})
"""What means nothing where a truth is in no response. Weak honesty is a limit, which sees to it itself."""


def properties_of(names: Iterable[str] | str) -> frozenset[Property]:
    """Return the named properties as a set.

    Raises
    ------
    ProblemError
        If a name is unknown.
    """
    listed = [names] if isinstance(names, str) else items(names, "properties", "a list of names")
    for name in listed:
        if not isinstance(name, str) or name not in list(Property):
            message = (
                f"`properties` must be among {', '.join(Property)}; got {brief(name)}. "
                "A question also takes 'accuracy >= 0.4', 'accuracy = 0.4', 'within 3' and 'without 0 7'."
            )
            raise ProblemError(message)
    return frozenset(map(Property, listed))
