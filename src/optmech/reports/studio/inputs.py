"""Inputs of a visitor and their bounds: no question that a client sends outgrows this machine."""

from __future__ import annotations

import re
import shlex
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact
from optmech.designs.choice import gives_distribution
from optmech.question.problems.named import named_problem
from optmech.question.properties import VARIANT_2
from optmech.reports.studio.input_checks import (
    BOUNDS,
    LONGEST_LIST,
    check_budget,
    check_one_of,
    property_names,
    short_text,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.problem import Problem

MOST_TRUTHS = 401
"""So many true answers have a matrix that is drawn and proved while a person waits."""
MOST_COUNTS = 100_001
"""So many of a count, beyond `MOST_TRUTHS` as a distribution."""
QUERIES = {
    "count": "a count",
    "mean": "a mean of records",
    "extremum": "a maximum, minimum or median",
    "categories": "one of several categories",
}
PER_PERSON = ("count", "mean")
"""The queries to which a person may contribute several records."""
LOSSES = {
    "absolute": "distance from the truth",
    "squared": "squared distance",
    "zero-one": "chance of any error",
    "beyond": "chance of an error beyond …",
}
JUDGED = {"mean": "on average over the true values", "worst": "at the worst true value"}
VARIANT_2_NAMES = tuple(sorted(map(str, VARIANT_2)))
"""The four properties of Croft et al. 2020, variant 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A question as the page's controls state it; ProblemError where something breaks a bound.

    `query`, `loss` and `judged` are keys of `QUERIES`, `LOSSES` and `JUDGED`. The range is that of a count or
    an extremum, or of one record of a mean, which is taken over so many `records`; `per_person` of them may
    be of one person, of the queries in `PER_PERSON`. Categories have their names with commas between, and no
    loss but ``"zero-one"``. Errors up to `beyond` are small for the loss ``"beyond"``. Epsilon and delta are
    kept as typed. A solver may take so many `seconds`.
    """

    query: str = "count"
    smallest: int = 0
    largest: int = 20
    records: int = 10
    per_person: int = 1
    categories: str = "red, green, blue"
    epsilon: str = "1"
    delta: str = "0"
    loss: str = "absolute"
    beyond: int = 2
    judged: str = "mean"
    properties: tuple[str, ...] = ()
    seconds: int = 60

    def __post_init__(self) -> None:
        """Hold each input to its bounds, and the range to the size of a matrix."""
        for name, choices in (("query", QUERIES), ("loss", LOSSES), ("judged", JUDGED)):
            check_one_of(name, getattr(self, name), choices)
        for name in BOUNDS:
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))
        for name in ("epsilon", "delta"):
            object.__setattr__(self, name, short_text(name, getattr(self, name)))
            check_budget(name, getattr(self, name))
        object.__setattr__(self, "categories", short_text("categories", self.categories, LONGEST_LIST))
        object.__setattr__(self, "properties", property_names(self.properties))
        self._check_range()

    def _check_range(self) -> None:
        if self.smallest >= self.largest:
            message = (
                f"`largest` must be above `smallest`; got {self.largest} beside {self.smallest}. "
                "Raise the one or lower the other."
            )
            raise ProblemError(message)
        most = MOST_COUNTS if self.query == "count" else MOST_TRUTHS
        if self.num_truths > most:
            fewer = ", or fewer records," if self.query == "mean" else ","
            name, narrower = "largest", f"a narrower range{fewer}"
            if self.query == "categories":
                name, narrower = "categories", "fewer,"
            message = (
                f"`{name}` must leave at most {most:,} true values in the studio; got {self.num_truths:,}. "
                f"Choose {narrower} or use `optmech design`."
            )
            raise ProblemError(message)

    @property
    def num_truths(self) -> int:
        """How many true answers there are."""
        if self.query == "categories":
            return len(self._names())
        return (self.largest - self.smallest) * (self.records if self.query == "mean" else 1) + 1

    @property
    def engine(self) -> str:
        """The engine to ask for: of a count without delta that is too large for a page, a distribution."""
        return "chain" if self.num_truths > MOST_TRUTHS and self.is_pure else "auto"

    @property
    def is_pure(self) -> bool:
        """Whether delta is 0."""
        return bool(exact(self.delta, "delta") == 0)

    def _names(self) -> list[str]:
        return [name.strip() for name in self.categories.split(",") if name.strip()]

    def choices(self) -> dict[str, Any]:
        """Return the choices of `named_problem`, which are also the options of the command line."""
        choices: dict[str, Any] = {"query": self.query}
        if self.query == "categories":
            choices["of"] = self._names()
        else:
            choices["range"] = f"{self.smallest}:{self.largest}"
        if self.query == "mean":
            choices["records"] = self.records
        if self.query in PER_PERSON and self.per_person > 1:
            choices["records_per_person"] = self.per_person
        choices["epsilon"] = self.epsilon
        if not self.is_pure:
            choices["delta"] = self.delta
        if self.query == "categories":
            choices["loss"] = "zero-one"
        else:
            choices["loss"] = f"beyond {self.beyond}" if self.loss == "beyond" else self.loss
        if self.judged == "worst":
            choices["worst_case"] = True
        if self.properties:
            choices["properties"] = list(self.properties)
        return choices

    def problem(self) -> Problem:
        """Return the question itself, which is remembered; raises ProblemError where it cannot be asked."""
        return _problem(self)

    def address(self) -> str:
        """Return what follows the question mark in the page's address: all that is not a default."""
        plain = asdict(Inputs())
        changes = {name: value for name, value in asdict(self).items() if value != plain[name]}
        if "properties" in changes:
            changes["properties"] = ",".join(self.properties)
        return urlencode(changes)

    def command(self) -> str:
        """Return the command line that designs the same mechanism."""
        choices = self.choices()
        words = ["optmech", "design", choices.pop("query")]
        for name, value in choices.items():
            if isinstance(value, list):
                words += ["--property" if name == "properties" else f"--{name}", ",".join(value)]
            elif value is True:
                words.append(f"--{name.replace('_', '-')}")
            else:
                words += [f"--{name.replace('_', '-')}", str(value)]
        if self.engine != "auto":
            words += ["--engine", self.engine]
        has_matrix = self.engine == "auto" and not gives_distribution(self.problem())
        return shlex.join([*words, "--out", "mechanism.csv" if has_matrix else "mechanism.certificate.json"])


def inputs_of(values: Mapping[str, object]) -> Inputs:
    """Return the inputs that a client sent; what it leaves out stays as it is by default."""
    names = {field.name for field in fields(Inputs)}
    for name in values:
        if name not in names:
            raise broken_rule(
                "inputs", f"be among {', '.join(sorted(names))}", brief(name), "Reload the page."
            )
    return Inputs(**dict(values))  # type: ignore[arg-type]  # each is checked there, of whatever type it is


@lru_cache(maxsize=32)
def _problem(inputs: Inputs) -> Problem:
    """Return the question; several hundred true answers take a second."""
    return named_problem("question", inputs.choices())


_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def inputs_at(address: Mapping[str, str]) -> Inputs:
    """Return the inputs that a page's address states; raises ProblemError as `inputs_of`."""
    return inputs_of(values_at(address))


def values_at(address: Mapping[str, str]) -> dict[str, object]:
    """Return the texts of an address as values that a client may send."""
    values: dict[str, object] = dict(address)
    for name, text in address.items():
        if name in BOUNDS and _WHOLE.fullmatch(text):
            values[name] = int(text)
        elif name == "properties":
            values[name] = text.split(",")
    return values
