"""Several definitions of privacy at once, as pairs of numbers or from a user's definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from optmech.base.arguments import items
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact_delta
from optmech.question.privacy import PRIVACIES, ApproximatePrivacy, Privacy, PurePrivacy

if TYPE_CHECKING:
    from optmech.question.query import Query


@runtime_checkable
class Guarantees(Protocol):
    """A definition of privacy that demands several known ones at once.

    Only its method is read; nothing that it claims about itself is proved.
    """

    def guarantees(self, query: Query) -> Iterable[Privacy]:
        """Return known definitions that must all hold, or raise `ProblemError` where they do not fit."""


_PAIR = 2
_REMEDY = "Write pairs of epsilon and delta, such as [('0.5', '1e-3'), ('1', '1e-6')]"


def privacies_of(definitions: object, query: Query) -> list[Privacy]:
    """Return the requested definitions: one with choices first, then by increasing epsilon.

    Repairs mix in a little of a mechanism for the smallest epsilon, which is private at the others too.
    A pair is an epsilon and a delta: (epsilon, delta)-differential privacy, pure where delta is 0.

    >>> from optmech.question.queries import count
    >>> for privacy in privacies_of([("1", "1e-6"), ("0.5", "1e-3")], count(5)):
    ...     print(privacy)
    epsilon = 0.5, delta = 0.001
    epsilon = 1, delta = 0.000001
    """
    privacies = [privacy for each in _parts(definitions) for privacy in _privacies(each, query)]
    if not privacies:
        raise broken_rule("privacy", "hold one definition or more", "none", f"{_REMEDY}.")
    return smallest_first(privacies)


def smallest_first(privacies: Iterable[Privacy]) -> list[Privacy]:
    """Return definitions in the order in which a question states them."""
    return sorted(privacies, key=lambda privacy: (not privacy.has_choices, privacy.epsilon))


def _parts(definitions: object) -> list[object]:
    """Return the listed definitions; a single one is a list of one."""
    if isinstance(definitions, (Privacy, Guarantees)) or _is_pair(definitions):
        return [definitions]
    if isinstance(definitions, (str, Mapping)) or not isinstance(definitions, Iterable):
        raise _wrong(definitions)
    return items(definitions, "privacy", "a list of pairs of epsilon and delta")


def _is_pair(candidate: object) -> bool:
    """Whether it is two numbers or texts, not two definitions."""
    return (
        isinstance(candidate, (tuple, list))
        and len(candidate) == _PAIR
        and not any(isinstance(part, (tuple, list, Privacy, Guarantees)) for part in candidate)
    )


def _privacies(definition: object, query: Query) -> list[Privacy]:
    if isinstance(definition, Guarantees) and not isinstance(definition, Privacy):
        further = items(definition.guarantees(query), "guarantees", "a list of privacies")
        return [privacy for each in further for privacy in _privacies(each, query)]
    if isinstance(definition, Privacy) and type(definition) in PRIVACIES:
        return [definition]
    if isinstance(definition, (tuple, list)) and _is_pair(definition):
        epsilon, delta = definition
        return [PurePrivacy(epsilon) if exact_delta(delta) == 0 else ApproximatePrivacy(epsilon, delta)]
    raise _wrong(definition)


def _wrong(definitions: object) -> ProblemError:
    names = ", ".join(kind.__name__ for kind in PRIVACIES)
    return ProblemError(
        "`privacy` must be a pair of epsilon and delta, a definition of privacy, or a list of these; "
        f"got {brief(definitions)}. {_REMEDY}, or definitions: {names}, and what has `guarantees` of these."
    )
