"""What a user demands of a mechanism that has no name here: a weighted sum of entries, and its limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from optmech.base.arguments import items, need_text, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact
from optmech.base.visible import quote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query

_SENSES = ("<=", ">=", "=")
_PLACE = 2


@runtime_checkable
class Demand(Protocol):
    """A property of somebody's own: it says by linear rules what it demands of a query's matrix.

    Nothing else of it is looked at, and nothing that it says of itself is proved.
    """

    def rules(self, query: Query) -> Iterable[LinearRule]:
        """Return the rules, or raise `ProblemError` where it does not fit the query."""


@dataclass(frozen=True, slots=True, init=False)
class LinearRule:
    """``sum of coefficient * M[r, f]`` is at most, at least or exactly a number.

    Parameters
    ----------
    name : str
        What its author calls it. It is shown in quotation marks, and nothing follows from it.
    entries : mapping of (int, int) to number
        Coefficients by positions of response and truth in the query, each exact and not zero.
    sense : {"<=", ">=", "="}
        Kept as ``"<="`` or ``"="``: what must be at least a number is turned round.
    right : str, int, float or Fraction
        The number, exact.

    Raises
    ------
    ProblemError
        If a part breaks its rule.

    Examples
    --------
    The truth 0 is answered by 3 with probability 1/10 at most:

    >>> rule = LinearRule("rarely the mirror image", {(3, 0): 1}, "<=", "0.1")
    >>> print(rule)
    rule "rarely the mirror image"
    >>> LinearRule("often true", {(0, 0): 1, (1, 1): 1}, ">=", 1).entries
    ((0, 0, Fraction(-1, 1)), (1, 1, Fraction(-1, 1)))
    """

    name: str
    entries: tuple[tuple[int, int, Fraction], ...]
    sense: str
    right: Fraction

    def __init__(
        self, name: str, entries: Mapping[tuple[int, int], Number], sense: str, right: Number
    ) -> None:
        need_text(name, "name")
        if not isinstance(sense, str) or sense not in _SENSES:
            raise broken_rule("sense", f"be one of {', '.join(_SENSES)}", brief(sense))
        if not isinstance(entries, Mapping) or not entries:
            raise broken_rule("entries", "say coefficients by places, such as {(0, 1): 1}", brief(entries))
        sign = -1 if sense == ">=" else 1
        triples = []
        for place, coefficient in entries.items():
            position = items(place, "entries", "positions of a response and of a truth")
            if len(position) != _PLACE:
                raise broken_rule("entries", "have places of a response and a truth", brief(place))
            row, truth = (whole_number(each, "entries") for each in position)
            value = exact(coefficient, "entries")
            if row < 0 or truth < 0 or not value:
                message = (
                    "`entries` must have positions from 0 on and coefficients other than 0; "
                    f"got {brief(coefficient)} at {brief(place)}."
                )
                raise ProblemError(message)
            triples.append((row, truth, sign * value))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "entries", tuple(sorted(triples)))
        object.__setattr__(self, "sense", "=" if sense == "=" else "<=")
        object.__setattr__(self, "right", sign * exact(right, "right"))

    @property
    def is_equation(self) -> bool:
        """Whether it must be met exactly."""
        return self.sense == "="

    def fits(self, query: Query) -> None:
        """Refuse a query that lacks one of its entries.

        Raises
        ------
        ProblemError
            Naming the entry.
        """
        for row, truth, _ in self.entries:
            if row >= query.num_responses or truth >= query.num_truths:
                message = (
                    f"`rules` must speak of the {query.num_responses} responses and {query.num_truths} "
                    f"truths of {query.title}; {self} speaks of ({row}, {truth}). Positions begin at 0."
                )
                raise ProblemError(message)

    def gap(self, matrix: Floats) -> float:
        """Return by how much a matrix misses it, for each unit of its coefficients; zero where it holds.

        Examples
        --------
        >>> import numpy as np
        >>> rule = LinearRule("often true", {(0, 0): 2, (1, 1): 2}, ">=", 3)
        >>> rule.gap(np.array([[0.5, 0.5], [0.5, 0.5]])), rule.gap(np.eye(2))
        (0.25, 0.0)
        """
        excess = sum(float(value) * matrix[row, truth] for row, truth, value in self.entries)
        excess -= float(self.right)
        size = max(1.0, float(sum(abs(value) for _, _, value in self.entries)))
        return float(max(abs(excess) if self.is_equation else excess, 0.0) / size)

    @property
    def content(self) -> dict[str, Any]:
        """The rule as values of JSON, as a certificate states it."""
        entries = [[row, truth, as_text(value)] for row, truth, value in self.entries]
        return {"name": self.name, "sense": self.sense, "right": as_text(self.right), "entries": entries}

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the rule that `content` states.

        Raises
        ------
        ProblemError
            If a part breaks its rule.
        """
        entries = {(row, truth): value for row, truth, value in content["entries"]}
        return cls(content["name"], entries, content["sense"], content["right"])

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        return f"Entries of the mechanism keep a custom rule, {quote(self.name)}."

    def __str__(self) -> str:
        return f"rule {quote(self.name)}"
