"""`optmech.models.assemble`: sparse blocks from index arrays, up to the model that a solver is given."""

from __future__ import annotations

import optmech as om
from optmech.models.solvers.highs import Highs

__all__ = ["HOW", "build", "optimum"]

HOW = "assemble: named blocks, one sparse matrix"


def build(size: int, epsilon: str) -> om.models.Formulation:
    """Return the model, with its matrix."""
    return om.models.assemble(om.croft(om.count(size), epsilon, prior="uniform"))


def optimum(built: om.models.Formulation) -> float:
    """Return its least objective, as HiGHS claims it."""
    objective = Highs().solve(built.model, om.SolveOptions()).objective
    return float("nan") if objective is None else objective
