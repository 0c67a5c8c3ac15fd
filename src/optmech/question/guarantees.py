"""A definition of privacy of somebody's own: several that are known, all of which must hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from optmech.base.arguments import items
from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.question.privacy import PRIVACIES, Privacy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.question.query import Query

__all__ = ["Guarantees", "privacies_of"]


@runtime_checkable
class Guarantees(Protocol):
    """A definition of privacy that demands several known ones at once.

    Nothing else of it is looked at, and nothing that it says of itself is proved.
    """

    def guarantees(self, query: Query) -> Iterable[Privacy]:
        """Return what must hold, or raise `ProblemError` where it does not fit the query."""


def privacies_of(given: Privacy | Guarantees | Iterable[Privacy | Guarantees], query: Query) -> list[Privacy]:
    """Return the known definitions that are asked for, the smallest epsilon first.

    What is private at the smallest one is private at the others: repairs mix a little of that in.

    Raises
    ------
    ProblemError
        If something else is among them, or nothing is.
    """
    return sorted(_listed(given, query), key=lambda privacy: privacy.epsilon)


def _listed(given: object, query: Query) -> list[Privacy]:
    if isinstance(given, Privacy):
        return [_known(given)]
    if isinstance(given, Guarantees):
        return [_known(each) for each in items(given.guarantees(query), "guarantees", "a list of privacies")]
    listed = items(given, "privacy", "a privacy, or several")
    known = (_listed(each, query) if isinstance(each, Guarantees) else [_known(each)] for each in listed)
    return [privacy for each in known for privacy in each]


def _known(given: object) -> Privacy:
    if isinstance(given, Privacy) and type(given) in PRIVACIES:
        return given
    names = ", ".join(kind.__name__ for kind in PRIVACIES)
    message = (
        f"`privacy` must be one of {names}, or say by its `guarantees` which of them it means; "
        f"got {brief(given)}."
    )
    raise ProblemError(message)
