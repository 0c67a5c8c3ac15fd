"""Interfaces to HiGHS and CBC; no other package imports them."""

from optmech.models.solvers.interface import Solver, installed_solvers, solver

__all__ = ["Solver", "installed_solvers", "solver"]
