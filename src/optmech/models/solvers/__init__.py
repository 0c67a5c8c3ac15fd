"""The only place that knows HiGHS and CBC."""

from optmech.models.solvers.interface import Solver
from optmech.models.solvers.registry import installed, solver

__all__ = ["Solver", "installed", "solver"]
