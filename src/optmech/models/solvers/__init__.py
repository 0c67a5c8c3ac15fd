"""The only place that knows HiGHS and CBC."""

from optmech.models.solvers.interface import Solver
from optmech.models.solvers.registry import installed_solvers, solver

__all__ = ["Solver", "installed_solvers", "solver"]
