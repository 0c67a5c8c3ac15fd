"""The protocol of an engine: why it cannot make a mechanism, its praise, and the mechanism."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Literal, Protocol

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.time_left import seconds_left
from optmech.models.solvers.options import SolveOptions

if TYPE_CHECKING:
    from optmech.designs.engine_result import EngineResult
    from optmech.models.solvers.interface import Solver, SolverName
    from optmech.question.problem import Problem

EngineName = Literal["auto", "closed-form", "chain", "rays", "interior", "levels", "program"]
"""Values of `engine`: the names in the registry of `choice`, and that of the choice itself."""

# A search gets this share of the time even if repair and proof then get less than they take, and these
# seconds, in which a solver returns a status.
_LEAST_TO_SEARCH, _LEAST_SECONDS = 1 / 3, 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The settings of one design.

    `in_full` asks for the program that is exported. A program with choices gets a few seconds first where
    there is no limit, unless the request `is_patient`.
    """

    solver: SolverName | Solver = "auto"
    options: SolveOptions = field(default_factory=SolveOptions)
    in_full: bool = False
    is_patient: bool = False


USUAL = Request()
"""Any solver, without a limit of time."""


class Engine(Protocol):
    """A way to make mechanisms, a module of this folder."""

    NAME: str

    def refusal(self, problem: Problem) -> str | None:
        """Return why it cannot make the mechanism of a problem, ``None`` where it can, by a look at it."""

    def praise(self, problem: Problem) -> str:
        """Return a sentence on its mechanism of a problem that it does not refuse."""

    def too_short(self, problem: Problem, request: Request, end: float) -> ProblemError | None:
        """Return the error of a time limit where it could not stop before the `end`, else ``None``.

        `end` is in seconds: the limit of the request and the overtime that is allowed.
        """

    def design(self, problem: Problem, request: Request = USUAL) -> EngineResult:
        """Return its result.

        A problem that it refuses is a `ProblemError`. A `NotAcceptedError` says that it would be too large,
        which only the program that it builds can tell; then the next engine is asked.
        """


def seconds_to_search(limit: float | None, seconds_of_proof: float) -> float | None:
    """Return the seconds of a search that leaves repair and proof theirs, and takes its `limit` at most.

    ``None`` where nothing limits the time.

    >>> from optmech.base.time_left import limited_time
    >>> with limited_time(60):
    ...     [round(seconds_to_search(limit, proof)) for limit, proof in ((None, 10), (40, 10), (40, 90))]
    [50, 40, 20]
    """
    left = seconds_left()
    if left is None:
        return limit
    rest = max(left - seconds_of_proof, left * _LEAST_TO_SEARCH, _LEAST_SECONDS)
    return rest if limit is None else min(limit, rest)


def too_short_by(least: float, request: Request, end: float, work: str) -> ProblemError | None:
    """Return the error of a time limit whose `end` comes before the `least` seconds that some work takes."""
    limit = request.options.time_limit
    if limit is None or least <= end:
        return None
    rule = f"be at least {ceil(least):,} seconds for {work}"
    remedy = "Raise it, leave it out, or ask for a coarser range."
    return broken_rule("time_limit", rule, f"{limit:g}", remedy)


def need_fit(engine: str, refusal: str | None) -> None:
    """Refuse a problem with a `ProblemError` where an engine refuses it."""
    if refusal is not None:
        raise ProblemError(not_fitting(engine, refusal))


def not_fitting(engine: str, refusal: str) -> str:
    """Return the text of a refusal, by whoever asked for the engine."""
    return f"`engine` must fit the problem; got {engine}, but {refusal}. Take auto."
