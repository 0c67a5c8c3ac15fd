"""Which solvers there are, and which of them are installed."""

from __future__ import annotations

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, SolverMissingError
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.interface import Solver

__all__ = ["installed_solvers", "solver"]

_SOLVERS: tuple[Solver, ...] = (Highs(), Cbc())


def installed_solvers() -> tuple[Solver, ...]:
    """Return the solvers that are installed, the one to prefer first."""
    return tuple(each for each in _SOLVERS if each.available())


def solver(name: str | Solver) -> Solver:
    """Return the solver called `name`; one of a user's own is itself.

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
    message = f"solver {name!r} is not available; found: {names_installed}. {remedy}"
    raise SolverMissingError(message)


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
