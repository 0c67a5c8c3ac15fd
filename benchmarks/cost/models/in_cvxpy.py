"""CVXPY: vectorised expressions, up to the data that a solver is given (``get_problem_data``)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.cost.machine import peer

__all__ = ["HOW", "build", "canonical", "optimum"]

HOW = "vectorised, up to get_problem_data"


def build(size: int, epsilon: str) -> Any:  # noqa: ANN401 - a type of a library without types here
    """Return the data of the canonical problem for HiGHS."""
    return canonical(size, epsilon).get_problem_data("HIGHS")


def canonical(size: int, epsilon: str) -> Any:  # noqa: ANN401 - as above
    """Return the problem."""
    cp = peer("cvxpy")
    factor, numbers = math.exp(float(epsilon)), np.arange(size + 1)
    loss = np.abs(numbers[:, None] - numbers[None, :]) / (size + 1)
    entries = cp.Variable((size + 1, size + 1), bounds=[0, 1])
    rows = [
        cp.sum(entries, axis=0) == 1,
        entries[:, :-1] <= factor * entries[:, 1:],
        entries[:, 1:] <= factor * entries[:, :-1],
    ]
    return cp.Problem(cp.Minimize(cp.sum(cp.multiply(loss, entries))), rows)


def optimum(built: Any) -> float:  # noqa: ANN401 - as above
    """Return the least objective of the canonical data, as HiGHS claims it through CVXPY."""
    data, chain, inverse = built
    solver = chain.solver
    result = chain.invert(
        solver.solve_via_data(data, warm_start=False, verbose=False, solver_opts={}), inverse
    )
    return float(result.opt_val)
