"""Inputs of a visitor and their bounds: no question that a client sends outgrows this machine."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact
from optmech.designs.choice import gives_distribution
from optmech.question.kinds import RecordTotal
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
from optmech.question.problem import Problem
from optmech.question.problems.command_words import command_line
from optmech.question.problems.histogram import HISTOGRAM_ADJACENCY, HistogramShare, histogram_share
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
from optmech.reports.studio.queries import CHANGES, HISTOGRAM, QUERIES, TABLE_KEYS, inputs_of_query

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_TRUTHS = 401
"""The largest number of true answers with a matrix that is drawn and proved while a person waits."""
MOST_COUNTS = 100_001
"""The largest number for a count, above `MOST_TRUTHS` as a distribution."""
LOSSES = {
    "absolute": "distance from the truth",
    "squared": "squared distance",
    "zero-one": "chance of any error",
    "beyond": "chance of an error beyond …",
}
JUDGED = {"mean": "on average over the true values", "worst": "at the worst true value"}
_CHOICES = {"query": QUERIES, "adjacency": CHANGES, "loss": LOSSES, "judged": JUDGED}
# A table without these keys has these values.
_LEFT_OUT = {"per_person": 1, "adjacency": "change"}
VARIANT_2_NAMES = tuple(sorted(map(str, VARIANT_2)))
"""The four properties of Croft et al. 2020, variant 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A question as the page's controls state it; ProblemError where something breaks a bound.

    `query`, `adjacency`, `loss` and `judged` are keys of `QUERIES`, `CHANGES`, `LOSSES` and `JUDGED`. The
    range is that of a count, of each cell of a histogram or of an extremum, or of one record of a mean or a
    total, which is taken over `records` records; `per_person` of them may be of one person. Inputs that a
    query does not take, see `inputs_of_query`, have no effect. Categories have their names with commas
    between, and no loss but ``"zero-one"``. Errors up to `beyond` are small for the loss ``"beyond"``.
    Epsilon and delta are kept as typed, and are of a whole histogram. A solver may take `seconds` seconds.
    """

    query: str = "count"
    smallest: int = 0
    largest: int = 20
    records: int = 10
    per_person: int = 1
    adjacency: str = "change"
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
        for name, choices in _CHOICES.items():
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
        most = MOST_COUNTS if self.query in ("count", HISTOGRAM) else MOST_TRUTHS
        if self.num_truths > most:
            fewer = ", or fewer records," if "records" in inputs_of_query(self.query) else ","
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
        if self.query == "total":
            sizes = self.records, self.smallest, self.largest, self.per_person
            low, high = RecordTotal(*sizes, self.adjacency).ends
            return high - low + 1
        return (self.largest - self.smallest) * (self.records if self.query == "mean" else 1) + 1

    @property
    def engine(self) -> str:
        """The engine to ask for: of a count without delta that is too large for a page, a distribution."""
        return "chain" if self.num_truths > MOST_TRUTHS and self.privacy == PurePrivacy.word else "auto"

    @property
    def privacy(self) -> str:
        """The word of the definition that is asked: without a delta the pure one."""
        return _privacy(self.epsilon, self.delta)["kind"]

    def _names(self) -> list[str]:
        return [name.strip() for name in self.categories.split(",") if name.strip()]

    @property
    def share(self) -> HistogramShare | None:
        """The part of the privacy of a histogram that each of its cells gets; ProblemError if it has none."""
        if self.query != HISTOGRAM:
            return None
        privacy = {"epsilon": self.epsilon, "delta": self.delta}
        return histogram_share(privacy | {"adjacency": self.adjacency, "records_per_person": self.per_person})

    def stated(self) -> dict[str, Any]:
        """Return the table of what is asked, its numbers as they were typed; `stated.values_of` reads it."""
        taken = inputs_of_query(self.query)
        query: dict[str, Any] = {"kind": self.query}
        if "categories" in taken:
            query["labels"] = self._names()
        for key, name in TABLE_KEYS.items():
            if name in taken and getattr(self, name) != _LEFT_OUT.get(name):
                query[key] = getattr(self, name)
        loss = f"beyond {self.beyond}" if self.loss == "beyond" else self.loss
        return {
            "query": query,
            "privacy": _privacy(self.epsilon, self.delta),
            **({"properties": list(self.properties)} if self.properties else {}),
            "objective": {
                "loss": "zero-one" if self.query == "categories" else loss,
                **({"worst_case": True} if self.judged == "worst" else {}),
            },
        }

    def question(self) -> dict[str, Any]:
        """Return the table of the question; of a histogram that of one cell, at its part of the privacy."""
        share = self.share
        if share is None:
            return self.stated()
        ((epsilon, delta),) = share.cell
        return self._of_cell(as_text(epsilon), as_text(delta))

    def _of_cell(self, epsilon: str, delta: str) -> dict[str, Any]:
        count = {"kind": "count", "smallest": self.smallest, "largest": self.largest}
        return {**self.stated(), "query": count, "privacy": _privacy(epsilon, delta)}

    def problem(self) -> Problem:
        """Return the question itself, which is remembered; raises ProblemError where it cannot be asked."""
        return _problem(self)

    def whole_problem(self) -> Problem:
        """Return the question at the privacy that people get, of a histogram that of all cells together."""
        if self.share is None:
            return self.problem()
        return Problem.from_dict(self._of_cell(self.epsilon, self.delta))

    def address(self) -> str:
        """Return the part after the question mark in the page's address; empty for defaults."""
        plain = Inputs()
        parts = {} if self.stated() == plain.stated() else {"question": _json(self.stated())}
        return urlencode(parts | ({} if self.seconds == plain.seconds else {"seconds": self.seconds}))

    def command(self) -> str:
        """Return the command line that designs the same mechanism."""
        engine = [] if self.engine == "auto" else ["--engine", self.engine]
        has_matrix = self.engine == "auto" and not gives_distribution(self.problem())
        out = "mechanism.csv" if has_matrix else "mechanism.certificate.json"
        if self.share is None:
            return command_line(self.problem(), *engine, "--out", out)
        change = [] if self.adjacency == HISTOGRAM_ADJACENCY else ["--adjacency", self.adjacency]
        number = ["--records-per-person", str(self.per_person)] if self.per_person > 1 else []
        further = *change, *number, *engine, "--out", out
        return command_line(self.whole_problem(), *further, formulation=HISTOGRAM)


def _privacy(epsilon: str, delta: str) -> dict[str, str]:
    if not exact(delta, "delta"):
        return {"kind": PurePrivacy.word, "epsilon": epsilon}
    return {"kind": ApproximatePrivacy.word, "epsilon": epsilon, "delta": delta}


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
