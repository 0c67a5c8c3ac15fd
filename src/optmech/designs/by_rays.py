"""The engine of rays: matrices that are private as they are made."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.provenance import Provenance
from optmech.designs import program
from optmech.designs.engine_result import Answer, EngineResult, need_fit
from optmech.designs.program import Deadline
from optmech.designs.rays.flows import leaves_of_rays
from optmech.designs.rays.private_rows import PrivateRows, objection
from optmech.designs.rays.search import search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions
    from optmech.proofs.multipliers import Leaf
    from optmech.question.problem import Problem


def by_rays(problem: Problem, solver: str | Solver, options: SolveOptions) -> EngineResult:
    """Return the best mixture of rays, and how to prove its bound.

    A problem that rays cannot make is refused with a `ProblemError`.
    """
    need_fit("rays", objection(problem), "Take program or auto.")
    rows = PrivateRows.of(problem)
    result = search(rows, solver, options)

    def leaves() -> Iterator[Leaf]:
        proving = Deadline.after(options.time_limit)

        def solve(model: LinearModel) -> Solution:
            return program.solve(model, solver, proving.within(options))

        if math.isfinite(result.bound):
            yield from leaves_of_rays(result, proving.within_deadline(solve))

    answer = Answer(
        matrix=result.matrix,
        objective=result.objective,
        provenance=Provenance.RECOMPUTED,
        bound=result.bound,
        bound_provenance=Provenance.RECOMPUTED,
    )
    return EngineResult(
        engine="rays",
        solution=result.solution,
        answer=answer,
        raw=result.matrix,
        proposals=lambda: (
            ("the mixture of rays", result.matrix),
            # Where the time was up before it had all properties: these have every one.
            ("responses alike, not optimal", np.full_like(result.matrix, 1 / len(result.matrix))),
        ),
        leaves=leaves,
    )
