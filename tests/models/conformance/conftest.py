"""Every test here runs on every solver that is installed, linear ones with each of its methods."""

from __future__ import annotations

import pytest

from optmech.models import solvers
from optmech.models.solvers.options import SolveOptions

INSTALLED = solvers.installed_solvers()
WITH_METHODS = [(solver, method) for solver in INSTALLED for method in solver.methods]


@pytest.fixture(params=WITH_METHODS, ids=lambda pair: f"{pair[0].name}-{pair[1].value}")
def solve_linear(request):
    """Return a function that solves a linear program with one solver and method."""
    solver, method = request.param
    return lambda model, **settings: solver.solve(model, SolveOptions(method=method, **settings))


@pytest.fixture(params=INSTALLED, ids=lambda solver: solver.name)
def solve_integer(request):
    """Return a function that solves a program with one solver; branch and bound has one method."""
    return lambda model, **settings: request.param.solve(model, SolveOptions(**settings))
