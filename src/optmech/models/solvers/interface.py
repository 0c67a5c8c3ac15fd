"""What every solver can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import Method, SolveOptions

__all__ = ["Solver"]


@runtime_checkable
class Solver(Protocol):
    """A program that solves a `LinearModel`, whoever wrote it."""

    @property
    def name(self) -> str:
        """Name in lower case, such as ``"highs"``."""

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods that it can run here, now."""

    @property
    def remedy(self) -> str:
        """What to do where it is not available: one sentence."""

    def available(self) -> bool:
        """Whether it is installed, in a version that can be trusted."""

    def version(self) -> str:
        """Its version, such as ``"1.15.1"``.

        Raises
        ------
        SolverMissingError
            If it is not installed.
        """

    def solve(self, model: LinearModel, options: SolveOptions) -> Solution:
        """Solve `model` and return what the solver claims, whatever that is.

        No answer of a solver raises: a crash, garbage and a refusal have a `Status` of their own. An
        optimum that breaks a row, or that its own duals contradict, is not passed on as one: its status is
        `Status.NUMERICAL`.

        Raises
        ------
        SolverMissingError
            If the solver, or the method asked for, is not available.
        """
