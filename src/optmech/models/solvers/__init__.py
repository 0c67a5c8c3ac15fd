"""The only place that knows HiGHS and CBC."""

from optmech.models.solvers.interface import Solver, installed_solvers, solver

__all__ = ["Solver", "installed_solvers", "solver"]
