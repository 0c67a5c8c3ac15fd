"""A user's own linear rule: a weighted sum of entries and its limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, runtime_checkable

from optmech.base.arguments import items, need_text, of_form, one_of, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import exactly
from optmech.base.numbers import as_text, brief, exact
from optmech.base.visible import quote
from optmech.base.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query

_SENSES = ("<=", ">=", "=")
_SUBSCRIPTS = 2
_SMALL = Fraction(1, 1000)
# Longer sums are shown by their beginning.
_MOST_TERMS = 4


@runtime_checkable
class Demand(Protocol):
    """A property defined by a user: an object that returns linear rules on a query's matrix.

    Only its method is read; nothing that it claims about itself is proved.
    """

    def rules(self, query: Query) -> Iterable[LinearRule]:
        """Return the rules, or raise `ProblemError` where the query does not fit."""


@dataclass(frozen=True, slots=True, init=False)
class LinearRule:
    """``sum of coefficient * M[r, f]`` is at most, at least or exactly a number.

    Parameters
    ----------
    name : str
        The name that its author gives it. It is shown in quotation marks and has no effect.
    entries : mapping of (int, int) to number
        Coefficients by positions of response and truth in the query, each exact and not zero.
    sense : {"<=", ">=", "="}
        Kept as ``"<="`` or ``"="``: a rule with ``">="`` is negated.
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
        one_of(sense, _SENSES, "sense")
        if not isinstance(entries, Mapping) or not entries:
            raise broken_rule(
                "entries", "give coefficients by positions, such as {(0, 1): 1}", brief(entries)
            )
        sign = -1 if sense == ">=" else 1
        triples = []
        for key, coefficient in entries.items():
            position = items(key, "entries", "positions of a response and of a truth")
            if len(position) != _SUBSCRIPTS:
                raise broken_rule("entries", "have positions of a response and a truth", brief(key))
            row, truth = (whole_number(each, "entries") for each in position)
            value = exact(coefficient, "entries")
            if row < 0 or truth < 0 or not value:
                message = (
                    "`entries` must have positions from 0 on and coefficients other than 0; "
                    f"got {brief(coefficient)} at {brief(key)}."
                )
                raise ProblemError(message)
            triples.append((row, truth, sign * value))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "entries", tuple(sorted(triples)))
        object.__setattr__(self, "sense", "=" if sense == "=" else "<=")
        object.__setattr__(self, "right", sign * exact(right, "right"))

    def in_usual_units(self) -> LinearRule:
        """Return the same rule with a largest coefficient from 1/1000 to 1000, by a power of ten.

        A solver holds all rows to one tolerance: one of a billionth says nothing to it, and one of a billion
        asks for digits that doubles do not have.

        Examples
        --------
        >>> LinearRule("rarely", {(3, 0): "2e9", (0, 3): "1e9"}, "<=", "1e8").in_usual_units().entries
        ((0, 3, Fraction(1, 1)), (3, 0, Fraction(2, 1)))
        """
        largest = max(abs(value) for _, _, value in self.entries)
        if _SMALL <= largest <= 1 / _SMALL:
            return self
        digits = [len(str(part)) for part in largest.as_integer_ratio()]
        unit = Fraction(10) ** (digits[0] - digits[1])
        entries = {(row, truth): value / unit for row, truth, value in self.entries}
        return LinearRule(self.name, entries, self.sense, self.right / unit)

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
                    f"`rules` must refer to the {query.num_responses} responses and {query.num_truths} "
                    f"truths of {query.title}; {self} refers to ({row}, {truth}). Positions begin at 0."
                )
                raise ProblemError(message)

    def gap(self, matrix: Floats) -> float:
        """Return the violation by a matrix, relative to the coefficients; zero where the rule holds.

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
    @of_form("content", "be a rule as `LinearRule.content` states it")
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the rule that `content` states.

        Raises
        ------
        ProblemError
            If a part breaks its rule.
        """
        entries = {(row, truth): value for row, truth, value in content["entries"]}
        return cls(content["name"], entries, content["sense"], content["right"])

    def formula(self, query: Query) -> str:
        """Return it between probabilities ``P(response | truth)``, the middle of a long one left out.

        Examples
        --------
        >>> from optmech.question.queries import count
        >>> LinearRule("often true", {(0, 0): 2, (1, 1): "1/3"}, ">=", "1.2").formula(count(1))
        '2 P(0 | 0) + 1/3 P(1 | 1) >= 1.2'
        """
        turned = not self.is_equation and all(value < 0 for _, _, value in self.entries)
        sign, sense = (-1, ">=") if turned else (1, self.sense)
        shown = self.entries if len(self.entries) <= _MOST_TERMS else self.entries[: _MOST_TERMS - 1]
        text = " ".join(
            f"{'-' if sign * value < 0 else '+'} {_factor(value)}P({_name(query, 'responses', row)} | "
            f"{_name(query, 'truths', truth)})"
            for row, truth, value in shown
        ).removeprefix("+ ")
        left_out = len(self.entries) - len(shown)
        more = f" + … ({plural(left_out, 'more term')})" if left_out else ""
        return f"{text}{more} {sense} {exactly(sign * self.right)}"

    def __str__(self) -> str:
        return f"rule {quote(self.name)}"


def by_name(rules: Iterable[LinearRule]) -> dict[str, list[LinearRule]]:
    """Return rules grouped by name, in their order: the rules of one property share a name."""
    groups: dict[str, list[LinearRule]] = {}
    for rule in rules:
        groups.setdefault(str(rule), []).append(rule)
    return groups


def others_of(rules: Sequence[LinearRule]) -> str:
    """Return a text on the number of further rules, if any."""
    return f", and {len(rules) - 1:,} more" if len(rules) > 1 else ""


def sentence_of(rules: Sequence[LinearRule], query: Query) -> str:
    """Return the meaning of rules with one name, for people.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> sentence_of([LinearRule("rarely off", {(1, 0): 1}, "<=", "0.1")], count(1))
    'Custom rule "rarely off": P(1 | 0) <= 0.1, where P(r | t) is the probability to release r if t is true.'
    """
    formula = f"{rules[0].formula(query)}{others_of(rules)}"
    return f"Custom {rules[0]}: {formula}, where P(r | t) is the probability to release r if t is true."


def _factor(value: Fraction) -> str:
    return "" if abs(value) == 1 else f"{exactly(abs(value))} "


def _name(query: Query, what: Literal["responses", "truths"], index: int) -> str:
    if query.labels:
        return quote(query.labels[index])
    if what == "truths":
        return as_text(query.truths[index])
    return as_text(query.responses[index].midpoint)
