"""What a visitor can set, and its bounds: whatever a client sends, no question outgrows this machine."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief, exact
from optmech.question.epsilon import exact_epsilon
from optmech.question.problems.named import named_problem
from optmech.question.properties import PROPERTIES, VARIANT_2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.problem import Problem

__all__ = ["BOUNDS", "JUDGED", "LOSSES", "MOST_TRUTHS", "QUERIES", "VARIANT_2_NAMES", "Inputs", "inputs_of"]

MOST_TRUTHS = 101
"""The longest grid of true answers: a matrix of 101 by 101 is drawn and proved while a person waits."""
QUERIES = {"count": "a count", "mean": "a mean of records", "extremum": "a maximum, minimum or median"}
LOSSES = {
    "absolute": "distance from the truth",
    "squared": "squared distance",
    "zero-one": "chance of any error",
    "beyond": "chance of an error beyond …",
}
JUDGED = {"mean": "on average over the true values", "worst": "at the worst true value"}
VARIANT_2_NAMES = tuple(sorted(map(str, VARIANT_2)))
"""The four properties of Croft et al. 2020, variant 2."""
BOUNDS = {
    "smallest": (-1_000_000, 1_000_000),
    "largest": (-1_000_000, 1_000_000),
    "records": (1, 100),
    "beyond": (0, 100),
    "seconds": (1, 600),
}
"""The least and the greatest of each whole number."""
EPSILONS = ("0.01", "10")
DELTAS = ("1e-12", "0.5")
_LONGEST_TEXT = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A question as the page's controls state it.

    Attributes
    ----------
    query : str
        A key of `QUERIES`.
    smallest, largest : int
        The range: of a count or an extremum, or of one record of a mean.
    records : int
        How many records a mean is taken over; otherwise without meaning.
    epsilon, delta : str
        As typed, such as ``"0.5"`` or ``"ln 2"``; kept exactly. A delta of ``"0"`` asks for pure privacy.
    loss : str
        A key of `LOSSES`.
    beyond : int
        The error that is still small, for the loss ``"beyond"``; otherwise without meaning.
    judged : str
        A key of `JUDGED`.
    properties : tuple of str
        Names of `Property`, sorted.
    seconds : int
        How long a solver may take.

    Raises
    ------
    ProblemError
        If something is not of its kind or breaks a bound.

    Examples
    --------
    >>> print(Inputs(largest=5, epsilon="ln 2").problem())
    question: count 0..5; any matrix; epsilon = ln 2; no further property; least expected loss
    >>> Inputs(largest=101)
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `largest` must leave at most 101 true values in the studio; got 102. \
Choose a narrower range, or use `optmech design`.
    """

    query: str = "count"
    smallest: int = 0
    largest: int = 20
    records: int = 10
    epsilon: str = "1"
    delta: str = "0"
    loss: str = "absolute"
    beyond: int = 2
    judged: str = "mean"
    properties: tuple[str, ...] = ()
    seconds: int = 60

    def __post_init__(self) -> None:
        """Hold each input to its bounds, and the range to the size of a matrix."""
        for name, known in (("query", QUERIES), ("loss", LOSSES), ("judged", JUDGED)):
            _check_one_of(name, getattr(self, name), known)
        for name in BOUNDS:
            object.__setattr__(self, name, _whole(name, getattr(self, name)))
        for name in ("epsilon", "delta"):
            object.__setattr__(self, name, _text(name, getattr(self, name)))
        _check_epsilon(self.epsilon)
        _check_delta(self.delta)
        object.__setattr__(self, "properties", _properties(self.properties))
        self._check_range()

    def _check_range(self) -> None:
        if self.smallest >= self.largest:
            message = (
                f"`largest` must be above `smallest`; got {self.largest} beside {self.smallest}. "
                "Raise the one or lower the other."
            )
            raise ProblemError(message)
        steps = (self.largest - self.smallest) * (self.records if self.query == "mean" else 1)
        if steps >= MOST_TRUTHS:
            fewer = ", or fewer records," if self.query == "mean" else ","
            message = (
                f"`largest` must leave at most {MOST_TRUTHS} true values in the studio; got {steps + 1}. "
                f"Choose a narrower range{fewer} or use `optmech design`."
            )
            raise ProblemError(message)

    def choices(self) -> dict[str, Any]:
        """Return the choices of `named_problem`, which are also the options of the command line."""
        choices: dict[str, Any] = {"query": self.query, "range": f"{self.smallest}:{self.largest}"}
        if self.query == "mean":
            choices["records"] = self.records
        choices["epsilon"] = self.epsilon
        if exact(self.delta, "delta") != 0:
            choices["delta"] = self.delta
        choices["loss"] = f"beyond {self.beyond}" if self.loss == "beyond" else self.loss
        if self.judged == "worst":
            choices["worst_case"] = True
        if self.properties:
            choices["properties"] = list(self.properties)
        return choices

    def problem(self) -> Problem:
        """Return the question itself; raises ProblemError where it cannot be asked."""
        return named_problem("question", self.choices())

    def command(self) -> str:
        """Return the command line that designs the same mechanism.

        Examples
        --------
        >>> print(Inputs(largest=5, epsilon="ln 2", properties=("fair",)).command())
        optmech design question --query count --range 0:5 --epsilon 'ln 2' --loss absolute --property fair \
--out mechanism.csv
        """
        words = ["optmech", "design", "question"]
        for name, value in self.choices().items():
            if name == "properties":
                words += ["--property", ",".join(value)]
            elif value is True:
                words.append(f"--{name.replace('_', '-')}")
            else:
                words += [f"--{name}", str(value)]
        return shlex.join([*words, "--out", "mechanism.csv"])


def inputs_of(values: Mapping[str, object]) -> Inputs:
    """Return the inputs that a client sent; what it leaves out stays as it is by default.

    Raises
    ------
    ProblemError
        If a name is unknown, or a value is not of its kind or breaks a bound.

    Examples
    --------
    >>> inputs_of({"largest": 5.0}).largest
    5
    """
    known = {field.name for field in fields(Inputs)}
    for name in values:
        if name not in known:
            message = (
                f"`inputs` must be among {', '.join(sorted(known))}; got {_told(name)}. Reload the page."
            )
            raise ProblemError(message)
    return Inputs(**dict(values))  # type: ignore[arg-type]  # each is checked there, of whatever type it is


def _check_one_of(name: str, value: object, known: Mapping[str, str]) -> None:
    if not isinstance(value, str) or value not in known:
        message = f"`{name}` must be one of {', '.join(known)}; got {_told(value)}. Choose one of these."
        raise ProblemError(message)


def _whole(name: str, value: object) -> int:
    low, high = BOUNDS[name]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and low <= value <= high and value == int(value):  # type: ignore[operator,call-overload]
        return int(value)  # type: ignore[call-overload,no-any-return]
    message = (
        f"`{name}` must be a whole number from {low} to {high}; got {_told(value)}. Type one between these."
    )
    raise ProblemError(message)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        message = (
            f"`{name}` must be text of at most {_LONGEST_TEXT} letters; got {_told(value)}. "
            "Write a number such as 0.5."
        )
        raise ProblemError(message)
    return value.strip()


def _check_epsilon(text: str) -> None:
    least, most = EPSILONS
    epsilon = exact_epsilon(text)
    if not exact(least, "epsilon") <= epsilon <= exact(most, "epsilon"):
        message = (
            f"`epsilon` must lie between {least} and {most} in the studio; got {text}. "
            "`optmech design` takes any."
        )
        raise ProblemError(message)


def _check_delta(text: str) -> None:
    least, most = DELTAS
    delta = exact(text, "delta")
    if delta != 0 and not exact(least, "delta") <= delta <= exact(most, "delta"):
        message = (
            f"`delta` must be 0, or lie between {least} and {most} in the studio; got {text}. "
            "`optmech design` takes any."
        )
        raise ProblemError(message)


def _properties(names: object) -> tuple[str, ...]:
    known = list(map(str, PROPERTIES))
    if not isinstance(names, (list, tuple, set, frozenset)) or len(names) > len(known):
        message = f"`properties` must be a list of names; got {_told(names)}. Tick boxes of the page."
        raise ProblemError(message)
    for name in names:
        if not isinstance(name, str) or name not in known:
            message = f"`properties` must be among {', '.join(known)}; got {_told(name)}. Tick one of these."
            raise ProblemError(message)
    return tuple(sorted({str(name) for name in names}))


def _told(value: object) -> str:
    """Return what was sent, short enough for a sentence."""
    try:
        return brief(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"
