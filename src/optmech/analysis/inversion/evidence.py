"""Whether a question can be met at one value: by a certified mechanism, or not at all by a proved bound.

Met: a certified mechanism whose objective, exact, is at most the target.
Refuted: multipliers prove a bound above the target; or, where rows contradict each other, a bound on delta.

A question without a mechanism has no objective to bound. But no mechanism keeps (epsilon, delta) and all
else just when the *least* delta, all else kept, is above that delta; with pure privacy delta is 0. That
question has mechanisms and a bound, and the bound proves what a solver can only claim.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from optmech.base.arguments import Word
from optmech.base.errors import NoSolutionError, VerificationError
from optmech.base.notes import TextLine
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.time_left import limited_time
from optmech.designs.attempts import Deadline
from optmech.designs.design import design
from optmech.models.solution import Status
from optmech.models.solvers import solver as find_solver
from optmech.models.solvers.options import SolveOptions
from optmech.question.losses import LeastDelta

if TYPE_CHECKING:
    from optmech.designs.design import Design
    from optmech.models.solvers.interface import SolverName
    from optmech.question.problem import Problem

_DIGITS = 12


class Verdict(Word):
    """The verdict that is proved at one value."""

    MET = "a certified mechanism meets it"
    REFUTED = "no mechanism meets it, proved"
    OPEN = "neither is proved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The way designs are made: `solver` and `threads` as of `design`, and one deadline for all of them."""

    deadline: Deadline
    solver: SolverName
    threads: int | None

    @classmethod
    def validated(cls, solver: SolverName, time_limit: float | None, threads: int | None) -> Settings:
        """Return the settings with a deadline `time_limit` seconds from now."""
        options = SolveOptions(time_limit=time_limit, threads=threads)
        if solver != "auto":
            find_solver(solver)
        return cls(deadline=Deadline.after(options.time_limit), solver=solver, threads=options.threads)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """The proof of what holds at one `value` of the parameter.

    The objective of `design` is held to `target`; ``None`` where any mechanism will do. There is no design
    where nothing was found, and `remark` says why. Where a question without a mechanism is refuted,
    `is_of_delta`, and the design is that of the least delta in the place of the objective.
    """

    value: Fraction
    verdict: Verdict
    target: Fraction | None
    design: Design | None
    is_of_delta: bool = False
    remark: str = ""

    @property
    def objective(self) -> Fraction | None:
        """The objective of the mechanism, exact; ``None`` without one."""
        return None if self.design is None else _bounds_of(self.design)[0]

    @property
    def bound(self) -> Fraction | None:
        """The proved bound below which no mechanism of the designed problem goes, or ``None``."""
        return None if self.design is None else _bounds_of(self.design)[1]

    @property
    def height(self) -> float | None:
        """The logarithm of the objective over the target; ``None`` where neither is known."""
        own = self.objective if self.verdict is Verdict.MET else self.bound
        if own is None or not self.target or own <= 0 or self.is_of_delta:
            return None
        return log(own / self.target)

    @property
    def line(self) -> TextLine:
        """The evidence as a line of text."""
        objective, bound = self.objective, self.bound
        if objective is None:
            return TextLine(self.remark)
        target = as_text(self.target or Fraction(0))
        if self.is_of_delta:
            least = f"no mechanism meets it: with all else kept, delta is at least {_least(bound)}, "
            return TextLine(least, Provenance.PROVED, f", and must be at most {target}")
        if self.verdict is Verdict.REFUTED:
            least = f"no mechanism meets it: the objective is at least {_least(bound)}, "
            return TextLine(least, Provenance.PROVED, f", above {target}")
        if self.verdict is Verdict.OPEN:
            between = f"not decided: the least objective is in {_least(bound)} .. {_most(objective)}, "
            return TextLine(between, Provenance.PROVED)
        limit = "" if self.target is None else f", at most {target}"
        met = f"a mechanism meets it: its objective is {_most(objective)}, "
        return TextLine(met, Provenance.PROVED, limit)

    def __str__(self) -> str:
        return self.line


def evidence(problem: Problem, value: Fraction, target: Fraction | None, settings: Settings) -> Evidence:
    """Return what can be proved of a problem, which is one at `value` of some parameter."""
    with limited_time(settings.deadline.seconds_left):  # one overtime for a design and its refutation
        return _evidence(problem, value, target, settings)


def _evidence(problem: Problem, value: Fraction, target: Fraction | None, settings: Settings) -> Evidence:
    try:
        best = _design(problem, settings)
    except NoSolutionError as none:
        if none.solution.status is Status.INFEASIBLE:
            return _refutation(problem, value, settings, str(none))
        return Evidence(value=value, verdict=Verdict.OPEN, target=target, design=None, remark=str(none))
    except VerificationError as none:
        return Evidence(value=value, verdict=Verdict.OPEN, target=target, design=None, remark=str(none))
    objective, bound = _bounds_of(best)
    verdict = Verdict.OPEN
    if target is None or objective <= target:
        verdict = Verdict.MET
    elif bound is not None and bound > target:
        verdict = Verdict.REFUTED
    return Evidence(value=value, verdict=verdict, target=target, design=best)


def _refutation(problem: Problem, value: Fraction, settings: Settings, claim: str) -> Evidence:
    """Return the proof that a problem has no mechanism: even the least delta is above what is allowed."""
    open_still = Evidence(value=value, verdict=Verdict.OPEN, target=None, design=None, remark=claim)
    privacy, most = problem.privacy, problem.privacy.delta
    if most is None:
        return open_still
    try:
        best = _design(replace(problem, privacy=privacy.seeking_delta(), objective=LeastDelta()), settings)
    except (NoSolutionError, VerificationError):
        return open_still
    bound = _bounds_of(best)[1]
    if bound is None or bound <= most:
        return open_still
    return Evidence(
        value=value,
        verdict=Verdict.REFUTED,
        target=most,
        design=best,
        is_of_delta=True,
    )


def _design(problem: Problem, settings: Settings) -> Design:
    return design(
        problem, solver=settings.solver, time_limit=settings.deadline.seconds_left, threads=settings.threads
    )


def _bounds_of(best: Design) -> tuple[Fraction, Fraction | None]:
    assert best.certificate is not None  # noqa: S101 - only raw designs have none
    return best.certificate.objective, best.certificate.bound


def _least(bound: Fraction | None) -> str:
    """Return a lower bound of a number."""
    return "an unknown number" if bound is None else at_least(bound, _DIGITS)


def _most(objective: Fraction) -> str:
    """Return an upper bound of a number."""
    return at_most(objective, _DIGITS)
