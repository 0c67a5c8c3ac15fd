"""Which solvers there are, and which of them are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import SolverMissingError
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs

if TYPE_CHECKING:
    from optmech.models.solvers.interface import Solver

__all__ = ["installed", "solver"]

_KNOWN: tuple[Solver, ...] = (Highs(), Cbc())


def installed() -> tuple[Solver, ...]:
    """Return the solvers that are installed, the one to prefer first."""
    return tuple(known for known in _KNOWN if known.available())


def solver(name: str) -> Solver:
    """Return the solver called `name`.

    Raises
    ------
    SolverMissingError
        If there is no such solver or it is not installed.

    Examples
    --------
    >>> solver("highs").name
    'highs'
    """
    for known in _KNOWN:
        if known.name == name and known.available():
            return known
    found = ", ".join(known.name for known in installed()) or "none"
    names = " and ".join(known.name for known in _KNOWN)
    remedies = [known.remedy for known in _KNOWN if known.name == name]
    remedy = remedies[0] if remedies else f"optmech knows {names} and no other."
    message = f"solver {name!r} is not available; found: {found}. {remedy}"
    raise SolverMissingError(message)
