"""Inputs of a visitor and their bounds: no question that a client sends outgrows this machine."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact
from optmech.designs.choice import gives_distribution
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
from optmech.question.problem import Problem
from optmech.question.problems.command_words import command_line
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
from optmech.reports.studio.stated import values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_TRUTHS = 401
"""The largest number of true answers with a matrix that is drawn and proved while a person waits."""
MOST_COUNTS = 100_001
"""The largest number for a count, above `MOST_TRUTHS` as a distribution."""
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
    an extremum, or of one record of a mean, which is taken over `records` records; `per_person` of them may
    be of one person, of the queries in `PER_PERSON`. Categories have their names with commas between, and no
    loss but ``"zero-one"``. Errors up to `beyond` are small for the loss ``"beyond"``. Epsilon and delta are
    kept as typed. A solver may take `seconds` seconds.
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
        """Number of true answers."""
        if self.query == "categories":
            return len(self._names())
        return (self.largest - self.smallest) * (self.records if self.query == "mean" else 1) + 1

    @property
    def engine(self) -> str:
        """The engine to ask for: of a count without delta that is too large for a page, a distribution."""
        return "chain" if self.num_truths > MOST_TRUTHS and self.privacy == PurePrivacy.word else "auto"

    @property
    def privacy(self) -> str:
        """The word of the definition that is asked: without a delta the pure one."""
        return ApproximatePrivacy.word if exact(self.delta, "delta") else PurePrivacy.word

    def _names(self) -> list[str]:
        return [name.strip() for name in self.categories.split(",") if name.strip()]

    def question(self) -> dict[str, Any]:
        """Return the table of the question, its numbers as they were typed."""
        query: dict[str, Any] = {"kind": self.query}
        if self.query == "categories":
            query["labels"] = self._names()
        else:
            query |= {"smallest": self.smallest, "largest": self.largest}
        if self.query == "mean":
            query["records"] = self.records
        if self.query in PER_PERSON and self.per_person > 1:
            query["records_per_person"] = self.per_person
        privacy = {"kind": self.privacy, "epsilon": self.epsilon}
        if self.privacy == ApproximatePrivacy.word:
            privacy["delta"] = self.delta
        loss = f"beyond {self.beyond}" if self.loss == "beyond" else self.loss
        return {
            "query": query,
            "privacy": privacy,
            **({"properties": list(self.properties)} if self.properties else {}),
            "objective": {
                "loss": "zero-one" if self.query == "categories" else loss,
                **({"worst_case": True} if self.judged == "worst" else {}),
            },
        }

    def problem(self) -> Problem:
        """Return the question itself, which is remembered; raises ProblemError where it cannot be asked."""
        return _problem(self)

    def address(self) -> str:
        """Return the part after the question mark in the page's address; empty for defaults."""
        plain = Inputs()
        parts = {} if self.question() == plain.question() else {"question": _json(self.question())}
        return urlencode(parts | ({} if self.seconds == plain.seconds else {"seconds": self.seconds}))

    def command(self) -> str:
        """Return the command line that designs the same mechanism."""
        engine = [] if self.engine == "auto" else ["--engine", self.engine]
        has_matrix = self.engine == "auto" and not gives_distribution(self.problem())
        out = "mechanism.csv" if has_matrix else "mechanism.certificate.json"
        return command_line(self.problem(), *engine, "--out", out)


def _json(table: dict[str, Any]) -> str:
    return json.dumps(table, separators=(",", ":"), ensure_ascii=False)


def inputs_of(values: Mapping[str, object]) -> Inputs:
    """Return the inputs that a client sent; what it leaves out stays as it is by default."""
    names = {field.name for field in fields(Inputs)}
    for name in values:
        if name not in names:
            raise broken_rule(
                "inputs", f"be among {', '.join(sorted(names))}", brief(name), "Reload the page."
            )
    return Inputs(**dict(values))  # type: ignore[arg-type]  # each is checked there, of any type


@lru_cache(maxsize=32)
def _problem(inputs: Inputs) -> Problem:
    """Return the question; several hundred true answers take a second."""
    return Problem.from_dict(inputs.question())


_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
# The longest question that the controls state is far shorter.
_LONGEST = 10_000


def inputs_at(address: Mapping[str, str]) -> Inputs:
    """Return the inputs that a page's address states; raises ProblemError as `inputs_of`."""
    values: dict[str, object] = {}
    for name, text in address.items():
        if name == "question":
            values |= values_of(_table_of(text))
        elif name == "seconds":
            values[name] = int(text) if _WHOLE.fullmatch(text) else text
        else:
            raise broken_rule("address", "hold a question, and seconds", brief(name), "Reload the page.")
    return inputs_of(values)


def _table_of(text: str) -> object:
    try:
        return json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        raise broken_rule(
            "question", "be a table in JSON, as the page writes it", brief(text), "Reload the page."
        ) from None
