"""The result of an engine, and its comparison with another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from optmech.models.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optmech.base.arrays import Floats
    from optmech.base.notes import Note
    from optmech.base.provenance import Provenance
    from optmech.models.formulations.assemble import Formulation
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Leaf

Proposal: TypeAlias = "tuple[str, Floats | ExactMatrix]"
"""A matrix to make whole numbers of, or one of whole numbers, with a word on where it is from."""
_BEYOND_DOUBLES = 10**300
_AS_GOOD = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """An engine's answer as a mechanism matrix in doubles, with what a careful user should know.

    Nothing of it is proved: the objective is recomputed or claimed, and so is the bound.
    """

    matrix: Floats
    objective: float
    provenance: Provenance
    bound: float
    bound_provenance: Provenance
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineResult:
    """The result of an engine, one of `choice.ENGINES`."""

    engine: str
    solution: Solution  # who says so, and how the search ended
    answer: Answer | None = None
    raw: Floats | None = None  # the matrix as it came, before anything was tidied
    proposals: Callable[[], Iterable[Proposal]] = tuple  # the best first
    leaves: Callable[[], Iterable[Leaf]] = tuple  # that may prove a bound
    formulation: Formulation | None = None  # the program, where one was assembled
    # The answer's matrix to ever more digits, each with multipliers, for where they are worth it.
    refinements: Callable[[], Iterable[tuple[Floats, Leaf]]] = tuple
    # Solve again without the default time limit, where it stopped the solver.
    longer: Callable[[], EngineResult] | None = None
    # From an engine that proves its own mechanism, and has no matrix: then nothing is left to repair.
    certificate: Certificate | None = None

    @classmethod
    def certified(
        cls, engine: str, certificate: Certificate, *, solver: str, method: str, message: str, seconds: float
    ) -> EngineResult:
        """Return the result of an engine with a proved mechanism; its objective is the bound."""
        exact_bound = certificate.bound
        bound = float(exact_bound) if exact_bound is not None and exact_bound < _BEYOND_DOUBLES else None
        solution = Solution(
            status=Status.OPTIMAL,
            solver=solver,
            method=method,
            seconds=seconds,
            message=message,
            objective=bound,
            bound=bound,
        )
        return cls(engine=engine, solution=solution, certificate=certificate)


def solution_of_search(
    *,
    method: str,
    message: str,
    seconds: float,
    objective: float | None,
    bound: float,
    good_gap: float,
    is_stopped: bool,
) -> Solution:
    """Return the end of a search that no solver made.

    It is an optimum where the relative gap is at most `good_gap`, else a limit where the time stopped it, and
    else numerical trouble.
    """
    is_good = objective is not None and objective - bound <= good_gap * abs(objective)
    return Solution(
        status=Status.OPTIMAL if is_good else Status.LIMIT if is_stopped else Status.NUMERICAL,
        solver="optmech",
        method=method,
        seconds=seconds,
        message=message,
        objective=objective,
        bound=bound,
    )


def is_better(result: tuple[float, float], best: tuple[float, float]) -> bool:
    """Whether an objective is clearly smaller, or as good with a bound nearer to it: both of each given.

    >>> is_better((1.0, 0.0), (2.0, 1.0)), is_better((1.0, 0.0), (1.0, 0.5))
    (True, False)
    """
    (objective, bound), (best_objective, best_bound) = result, best
    if abs(objective - best_objective) <= _AS_GOOD * abs(best_objective):
        return bound > best_bound
    return objective < best_objective
