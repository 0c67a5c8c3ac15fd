"""Properties of a mechanism matrix: Croft et al. 2020; Cormode et al. 2018."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import brief, items
from optmech.base.errors import ProblemError
from optmech.question.properties.equalities import Fair, Symmetric, Unbiased, ZeroStaysZero
from optmech.question.properties.honest import ColumnHonest, RowHonest, WeaklyHonest
from optmech.question.properties.monotone import ColumnMonotone, RowMonotone
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "COLUMN_HONEST",
    "COLUMN_MONOTONE",
    "FAIR",
    "PROPERTIES",
    "ROW_HONEST",
    "ROW_MONOTONE",
    "SYMMETRIC",
    "UNBIASED",
    "VARIANT_2",
    "WEAKLY_HONEST",
    "ZERO_STAYS_ZERO",
    "Property",
    "properties_of",
]

COLUMN_MONOTONE, ROW_MONOTONE, SYMMETRIC, FAIR = ColumnMonotone(), RowMonotone(), Symmetric(), Fair()
COLUMN_HONEST, ROW_HONEST, WEAKLY_HONEST, UNBIASED = ColumnHonest(), RowHonest(), WeaklyHonest(), Unbiased()
ZERO_STAYS_ZERO = ZeroStaysZero()
PROPERTIES: tuple[Property, ...] = (
    COLUMN_MONOTONE,
    ROW_MONOTONE,
    SYMMETRIC,
    FAIR,
    COLUMN_HONEST,
    ROW_HONEST,
    WEAKLY_HONEST,
    UNBIASED,
    ZERO_STAYS_ZERO,
)
"""Every named property, in the order of the papers."""
VARIANT_2: frozenset[Property] = frozenset({COLUMN_MONOTONE, ROW_MONOTONE, SYMMETRIC, FAIR})
"""Properties that Croft et al. 2020 ask of Variant 2."""


def properties_of(names: Iterable[str] | str) -> frozenset[Property]:
    """Return the named properties as a set."""
    members = [names] if isinstance(names, str) else items(names, "properties", "a list of names")
    properties = {str(each): each for each in PROPERTIES}
    for name in members:
        if not isinstance(name, str) or name not in properties:
            message = (
                f"`properties` must be among {', '.join(properties)}; got {brief(name)}. "
                "A question also takes 'accuracy >= 0.4', 'accuracy = 0.4', 'within 3' and 'without 0 7'; "
                "linear rules are its `rules`."
            )
            raise ProblemError(message)
    return frozenset(properties[name] for name in members)
