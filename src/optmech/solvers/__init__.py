"""The only place that knows HiGHS and CBC."""

from optmech.solvers.interface import Solver
from optmech.solvers.registry import installed, solver

__all__ = ["Solver", "installed", "solver"]
