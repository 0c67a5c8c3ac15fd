"""What every engine hands over: an answer in doubles, other matrices to try, and proposals for a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.models.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optmech.base.arrays import Floats
    from optmech.base.provenance import Provenance
    from optmech.models.formulations.assemble import Formulation
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.multipliers import Leaf


__all__ = ["Answer", "EngineResult"]

_BEYOND_DOUBLES = 10**300


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """An engine's answer as a mechanism matrix in doubles. Nothing of it is proved.

    Attributes
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
        Probabilities, without a solver's rounding where that is free.
    objective : float
        Its objective, of the `provenance` ``"recomputed"`` or ``"claimed"``.
    bound : float
        Recomputed from duals, or claimed: see `bound_provenance`.
    notes : tuple of str
        What a careful user should know.
    """

    matrix: Floats
    objective: float
    provenance: Provenance
    bound: float
    bound_provenance: Provenance
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineResult:
    """The result of an engine.

    Attributes
    ----------
    engine : str
        Its name, one of `choice.ENGINES`.
    solution : Solution
        Who says so, and how the search ended.
    answer : Answer or None
        ``None`` where there is none.
    raw : ndarray, shape (num_responses, num_truths), or None
        The matrix as it came, before anything was tidied.
    proposals : callable
        Yields matrices to make whole numbers of, the best first, each with a word on where it is from.
    leaves : callable
        Returns multipliers that may prove a bound.
    formulation : Formulation or None
        The program, where one was assembled.
    refinements : callable
        Yields the answer's matrix to ever more digits, each with multipliers, for where they are worth it.
    others : callable
        Returns what other solvers say, for where nothing can be proved.
    certificate : Certificate or None
        Of an engine that proves its own mechanism, and has no matrix: then nothing is left to repair.
    """

    engine: str
    solution: Solution
    answer: Answer | None
    raw: Floats | None
    proposals: Callable[[], Iterable[tuple[str, Floats]]]
    leaves: Callable[[], Iterable[Leaf]]
    formulation: Formulation | None = None
    refinements: Callable[[], Iterable[tuple[Floats, Leaf]]] = tuple
    others: Callable[[], Iterable[Solution]] = tuple
    certificate: Certificate | None = None

    @classmethod
    def certified(
        cls, engine: str, certificate: Certificate, *, solver: str, method: str, message: str, seconds: float
    ) -> EngineResult:
        """Return the result of an engine that has proved its own mechanism.

        Parameters
        ----------
        solver, method, message, seconds
            As in `Solution`; its objective is the proved bound.
        """
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
        return cls(
            engine=engine,
            solution=solution,
            answer=None,
            raw=None,
            proposals=tuple,
            leaves=tuple,
            certificate=certificate,
        )
