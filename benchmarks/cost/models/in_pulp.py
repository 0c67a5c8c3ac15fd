"""PuLP: one object for each variable and row, expressions made of pairs, which is its fast way.

Expressions by ``+`` and ``lpSum`` are slower; PuLP has no way to take a matrix.
"""

from __future__ import annotations

import math
from typing import Any

from benchmarks.cost.machine import peer

__all__ = ["HOW", "build", "optimum"]

HOW = "objects: LpVariable.matrix, LpAffineExpression of pairs"


def build(size: int, epsilon: str) -> Any:  # noqa: ANN401 - a type of a library without types
    """Return the problem, with its rows."""
    pulp = peer("pulp")
    factor, numbers, share = math.exp(float(epsilon)), range(size + 1), 1 / (size + 1)
    entries = pulp.LpVariable.matrix("M", (numbers, numbers), 0, 1)
    problem = pulp.LpProblem("count", pulp.LpMinimize)
    problem.setObjective(
        pulp.LpAffineExpression([(entries[r][f], abs(r - f) * share) for r in numbers for f in numbers])
    )
    for f in numbers:
        total = pulp.LpAffineExpression([(entries[r][f], 1) for r in numbers])
        problem.addConstraint(pulp.LpConstraint(total, pulp.LpConstraintEQ, rhs=1))
    for row in entries:
        for f in range(size):
            for here, there in ((row[f], row[f + 1]), (row[f + 1], row[f])):
                expression = pulp.LpAffineExpression([(here, 1), (there, -factor)])
                problem.addConstraint(pulp.LpConstraint(expression, pulp.LpConstraintLE, rhs=0))
    return problem


def optimum(built: Any) -> float:  # noqa: ANN401 - as above
    """Return its least objective, as CBC claims it."""
    pulp = peer("pulp")
    built.solve(pulp.PULP_CBC_CMD(msg=False))
    return float(pulp.value(built.objective))
