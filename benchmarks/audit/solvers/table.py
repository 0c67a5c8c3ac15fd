"""The rows of an audit, and their summary."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.audit.solvers.ladder import COUNTS
from optmech.question.epsilon import exact_epsilon

if TYPE_CHECKING:
    from collections.abc import Sequence

# A ratio of doubles may exceed e^epsilon by so much without being meant to.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One backend's answer to one problem. A number is ``None`` where there is none of its kind."""

    problem: str
    family: str
    size: int
    epsilon: str
    backend: str
    ended: str
    """Name of an `benchmarks.audit.solvers.run.RunEnding`."""
    status: str
    """Name of the `optmech.models.solution.Status` that is claimed; without any, how the process ended."""
    message: str
    """The solver's own words, or the last ones of a process that died."""
    version: str | None = None
    method: str | None = None
    seconds: float | None = None
    claimed: float | None = None
    bound: float | None = None
    """*Proved* from the duals of this answer; by cases for mixed-integer programs."""
    theorem_bound: float | None = None
    """*Proved* by a theorem's prices where one speaks."""
    best_bound: float | None = None
    rounding: float | None = None
    """Relative error bound of a sum of this many doubles."""
    below: bool | None = None
    """Whether the claim lies below the largest proved bound by more than rounding: it cannot be true."""
    epsilon_before: float | None = None
    """Effective epsilon, *recomputed*, zeros counted; like the next two absent where delta may be spent."""
    epsilon_after: float | None = None
    """Objective of the repaired matrix, *recomputed*; that it keeps epsilon is *proved*."""
    exposed: float | None = None
    """The mass behind an infinite epsilon, *recomputed*: the largest probability, given one truth, of
    responses that a neighbouring truth never has. 1e-16 is a solver's rounding, 1e-9 its tolerance."""
    delta_before: float | None = None
    """*Recomputed*; after repair *proved*. Absent under pure privacy."""
    delta_after: float | None = None
    repaired: bool | None = None
    """Whether a matrix of whole numbers near the solver's keeps all promises, *proved*."""
    objective: float | None = None
    """Objective of the repaired matrix, *proved*."""
    gap: float | None = None
    """From `bound` to `objective`, relatively."""

    @property
    def is_infinite(self) -> bool:
        """Whether a zero lies beside a positive entry in the solver's matrix, and privacy was to be pure."""
        return self.epsilon_before is not None and math.isinf(self.epsilon_before)

    @property
    def exceeds(self) -> bool:
        """Whether the effective epsilon of the solver's matrix is above what was asked, rounding aside."""
        return (
            self.epsilon_before is not None
            and self.epsilon_before > float(exact_epsilon(self.epsilon)) + _ROUNDING
        )


def comparisons(rows: Sequence[AuditRow]) -> list[AuditRow]:
    """Return all answers to one problem, each held against the largest bound that any of them proves."""
    bounds = [bound for row in rows for bound in (row.bound, row.theorem_bound) if bound is not None]
    if not bounds:
        return list(rows)
    best = max(bounds)
    return [
        replace(
            row,
            best_bound=best,
            below=None
            if row.claimed is None or row.rounding is None
            else row.claimed < best - row.rounding * abs(best),
        )
        for row in rows
    ]


def rows_without_repair(rows: Sequence[AuditRow]) -> list[AuditRow]:
    """Return the answers that a solver calls optimal but that could not be repaired, or not in time."""
    return [row for row in rows if row.status == "OPTIMAL" and not row.repaired]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstInfinity:
    """The first size at which the matrices of a backend have an infinite effective epsilon.

    `first` is the smallest such n, ``None`` if there is none, `largest` the largest n with a matrix.
    """

    backend: str
    family: str
    epsilon: str
    first: int | None
    exposed: float | None
    largest: int


def first_infinities(rows: Sequence[AuditRow]) -> list[FirstInfinity]:
    """Return for each backend, family of counts and epsilon the first size with infinity."""
    kinds = dict.fromkeys((row.backend, row.family, row.epsilon) for row in rows if row.family in COUNTS)
    infinities = []
    for backend, family, epsilon in kinds:
        same = [row for row in rows if (row.backend, row.family, row.epsilon) == (backend, family, epsilon)]
        sizes = [row.size for row in same if row.epsilon_before is not None]
        first = min((row for row in same if row.is_infinite), key=lambda row: row.size, default=None)
        if sizes:
            infinities.append(
                FirstInfinity(
                    backend=backend,
                    family=family,
                    epsilon=epsilon,
                    first=None if first is None else first.size,
                    exposed=None if first is None else first.exposed,
                    largest=max(sizes),
                )
            )
    return infinities


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Number of answers of one backend in each outcome.

    For `pure` matrices the effective epsilon is counted: `infinite`, or `exceeding` what was asked.
    """

    backend: str
    answers: int
    optimal: int
    died: int
    timed_out: int
    infinite: int
    exceeding: int
    pure: int
    below: int
    matrices: int
    repaired: int
    seconds: float


def tallies(rows: Sequence[AuditRow]) -> list[Tally]:
    """Return a tally for each backend."""
    tallies_by_backend = []
    for backend in dict.fromkeys(row.backend for row in rows):
        own = [row for row in rows if row.backend == backend]
        tallies_by_backend.append(
            Tally(
                backend=backend,
                answers=len(own),
                optimal=sum(row.status == "OPTIMAL" for row in own),
                died=sum(row.ended == "DIED" for row in own),
                timed_out=sum(row.ended == "TIMED_OUT" for row in own),
                infinite=sum(row.is_infinite for row in own),
                exceeding=sum(row.exceeds for row in own),
                pure=sum(row.epsilon_before is not None for row in own),
                below=sum(row.below is True for row in own),
                matrices=sum(row.epsilon_before is not None or row.delta_before is not None for row in own),
                repaired=sum(row.repaired is True for row in own),
                seconds=sum(row.seconds or 0.0 for row in own),
            )
        )
    return tallies_by_backend
