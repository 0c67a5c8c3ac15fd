"""The interface of every solver, and the list of those installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, SolverMissingError
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import Method, SolveOptions


SolverName = Literal["auto", "highs", "cbc"]
"""Values of `solver`: the names of those built in, and that of the choice among them."""


@runtime_checkable
class Solver(Protocol):
    """A program that solves a `LinearModel`, built in or a user's own."""

    @property
    def name(self) -> str:
        """Name in lower case, such as ``"highs"``."""

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods that it can run in this installation."""

    @property
    def remedy(self) -> str:
        """The remedy where it is not available, in a sentence."""

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
        """Solve `model` and return the solver's claim.

        No answer of a solver raises: a crash, garbage and a refusal have a `Status` of their own. An
        optimum that breaks a row, or that its own duals contradict, is not passed on as one: its status is
        `Status.NUMERICAL`.

        Raises
        ------
        SolverMissingError
            If the solver, or the method asked for, is not available.
        """


_SOLVERS: tuple[Solver, ...] = (Highs(), Cbc())


def installed_solvers() -> tuple[Solver, ...]:
    """Return the solvers that are installed, the one to prefer first."""
    return tuple(each for each in _SOLVERS if each.available())


def solver(name: str | Solver) -> Solver:
    """Return the solver called `name`; a user's solver object is returned itself.

    >>> solver("highs").name
    'highs'
    """
    if not isinstance(name, str):
        return _own(name)
    for each in _SOLVERS:
        if each.name == name and each.available():
            return each
    names_installed = ", ".join(each.name for each in installed_solvers()) or "none"
    names = " and ".join(each.name for each in _SOLVERS)
    remedies = [each.remedy for each in _SOLVERS if each.name == name]
    remedy = remedies[0] if remedies else f"optmech knows {names} and no other."
    message = f"solver {name!r} is not available; found: {names_installed}."
    raise SolverMissingError(message, remedy)


def _own(argument: Solver) -> Solver:
    if not isinstance(argument, Solver):
        names = ", ".join(each.name for each in _SOLVERS)
        message = (
            f"`solver` must be auto, {names}, or an object with name, methods, remedy, available, version "
            f"and solve; got {brief(argument)}."
        )
        raise ProblemError(message)
    if not argument.available():
        message = f"solver {argument.name!r} is not available. {argument.remedy}"
        raise SolverMissingError(message)
    return argument
