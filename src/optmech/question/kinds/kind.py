"""The interface of a kind of query: parameters as data, words, and whether a query fits it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from optmech.base.arguments import need_text
from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.question.answers import Answers, Scope

if TYPE_CHECKING:
    from optmech.question.keys import Key


@dataclass(frozen=True, slots=True)
class Kind(ABC):
    """A kind of query. Its fields are its parameters; a query of it is refused where they contradict it."""

    word: ClassVar[str]
    """Name of the kind in a certificate."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """The keys of a query of it in a table, see `query_table`."""
    ranged: ClassVar[str] = ""
    """Noun of the numbers that lie between its keys `smallest` and `largest`, if it has these."""
    may_have_a_name: ClassVar[bool] = False
    """Whether the author may give a query of this kind a name; the name has no effect."""
    may_be_of_one_table: ClassVar[bool] = False
    """Whether a query of this kind may be about one given table only."""

    @property
    def comes_and_goes(self) -> bool:
        """Whether data with and without a record of a person are neighbours."""
        return False

    @property
    def steps_of_a_change(self) -> int | None:
        """How many steps between neighbours a record takes that becomes any other; ``None`` if unknown."""
        return None

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters as values of JSON."""
        return {
            name: [list(part) if isinstance(part, tuple) else part for part in value]
            if isinstance(value, tuple)
            else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def read(cls, parameters: object) -> Self:
        """Return the kind with the parameters that a certificate states."""
        names = [field.name for field in fields(cls)]
        if not isinstance(parameters, dict) or sorted(parameters) != sorted(names):
            expected_names = ", ".join(names) or "none"
            message = f"`parameters` of kind {cls.word} must be {expected_names}; got {brief(parameters)}."
            raise ProblemError(message)
        return cls(**{name: _freeze(value) for name, value in parameters.items()})

    @abstractmethod
    def title(self, query: Answers) -> str:
        """Return the title of a query of this kind in outputs: from its parameters, never from a name."""

    @abstractmethod
    def question(self, query: Answers) -> str:
        """Return the question as a sentence."""

    @abstractmethod
    def protection(self, query: Answers) -> str:
        """Return a sentence on the protected person and the changes they may make, an assumption."""

    def neighbours(self, query: Answers) -> str:  # noqa: ARG002 - few kinds have words of their own
        """Return a sentence on the neighbours where the kind has one, else an empty text."""
        return ""

    @abstractmethod
    def contradiction(self, query: Answers) -> str | None:
        """Return how answers and neighbours of a query contradict the kind, ``None`` where they do not."""


def need_meaning(kind: Kind, query: Answers) -> None:
    """Refuse a query whose kind, name and scope do not go together, or contradict answers and neighbours."""
    need_text(query.given_name, "name")
    if query.given_name and not kind.may_have_a_name:
        message = (
            f"`name` must be left out of a query of kind {kind.word}, which its parameters name; "
            f"got {brief(query.given_name)}. Leave out `kind` for a custom query."
        )
        raise ProblemError(message)
    if query.scope is Scope.GIVEN_TABLE and not kind.may_be_of_one_table:
        message = (
            f"`kind` must be left out where neighbours were read from one given table; got {kind.word}. "
            "Parameters do not say which tables such a query protects."
        )
        raise ProblemError(message)
    mismatch = kind.contradiction(query)
    if mismatch is not None:
        message = (
            f"`kind` must agree with answers and neighbours; got {kind.title(query)}, but {mismatch}. "
            "Leave out `kind` for a custom query."
        )
        raise ProblemError(message)


def need_whole(kind: str, least: int, **numbers: object) -> None:
    """Refuse parameters that are not integers of at least a bound."""
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            message = (
                f"`{name}` of kind {kind} must be a whole number of at least {least}; got {brief(number)}."
            )
            raise ProblemError(message)


def evenly_spaced(query: Answers, first: Fraction | int, step: Fraction | int, number: int) -> bool:
    """Whether the truths of a query are evenly spaced numbers, without labels."""
    return (
        query.num_truths == number
        and not query.labels
        and _in_steps(query.truths, Fraction(first), Fraction(step))
    )


def _in_steps(truths: tuple[Fraction, ...], first: Fraction, step: Fraction) -> bool:
    """Whether each truth is its index times one step from the first."""
    # Integers: fractions take ten times as long.
    unit = lcm(first.denominator, step.denominator)
    start, one = int(first * unit), int(step * unit)
    return all(
        truth.numerator * unit == (start + one * index) * truth.denominator
        for index, truth in enumerate(truths)
    )


def reach_of(query: Answers) -> int | None:
    """Return the reach if neighbours are all truths within it, in both directions, else ``None``.

    >>> from optmech.question.query import Query
    >>> [reach_of(Query(range(4), neighbours=pairs)) for pairs in (1, 2, "all", [(0, 2)], [])]
    [1, 2, 3, None, None]
    """
    if query.all_are_neighbours:
        return query.num_truths - 1 or None
    reach = int(np.abs(query.pairs[:, 0] - query.pairs[:, 1]).max(initial=0))
    # Pairs are listed once each, so that their number decides.
    every = len(query.pairs) == reach * (2 * query.num_truths - reach - 1)
    return reach if reach and every else None


def _freeze(value: Any) -> Any:  # noqa: ANN401 - any value of JSON
    return tuple(map(_freeze, value)) if isinstance(value, list) else value
