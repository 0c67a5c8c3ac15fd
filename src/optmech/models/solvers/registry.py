"""Which solvers there are, and which of them are installed."""

from __future__ import annotations

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, SolverMissingError
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.interface import Solver

__all__ = ["installed", "solver"]

_KNOWN: tuple[Solver, ...] = (Highs(), Cbc())


def installed() -> tuple[Solver, ...]:
    """Return the solvers that are installed, the one to prefer first."""
    return tuple(known for known in _KNOWN if known.available())


def solver(name: str | Solver) -> Solver:
    """Return the solver called `name`; one of a user's own is itself.

    Raises
    ------
    ProblemError
        If what was given can not be asked what every solver can.
    SolverMissingError
        If there is no such solver or it is not installed.

    Examples
    --------
    >>> solver("highs").name
    'highs'
    """
    if not isinstance(name, str):
        return _own(name)
    for known in _KNOWN:
        if known.name == name and known.available():
            return known
    found = ", ".join(known.name for known in installed()) or "none"
    names = " and ".join(known.name for known in _KNOWN)
    remedies = [known.remedy for known in _KNOWN if known.name == name]
    remedy = remedies[0] if remedies else f"optmech knows {names} and no other."
    message = f"solver {name!r} is not available; found: {found}. {remedy}"
    raise SolverMissingError(message)


def _own(given: Solver) -> Solver:
    if not isinstance(given, Solver):
        names = ", ".join(known.name for known in _KNOWN)
        message = (
            f"`solver` must be auto, {names}, or an object with name, methods, remedy, available, version "
            f"and solve; got {brief(given)}."
        )
        raise ProblemError(message)
    if not given.available():
        message = f"solver {given.name!r} is not available. {given.remedy}"
        raise SolverMissingError(message)
    return given
