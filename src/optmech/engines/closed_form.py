"""The engine of closed forms: mechanisms that a theorem writes down, and prices that prove some of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from optmech.engines.found import Answer, Found
from optmech.engines.pairs_proof import (
    fair_leaf_for_all_pairs,
    leaf_for_all_pairs,
    prices_for_all_pairs,
)
from optmech.engines.path_proof import leaf_of_prices
from optmech.errors import ProblemError
from optmech.problem.objective import ExpectedLoss
from optmech.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.exact.multipliers import Leaf
    from optmech.problem.problem import Problem
    from optmech.theorems.theorem import Theorem

    Floats = NDArray[np.float64]

__all__ = ["by_theorem", "closed_forms", "priced_by_theorem", "theorem_with_matrix", "theorem_with_prices"]

_COUNT, _EXTREMUM = "croft-variant-1-count", "croft-variant-1-extremum"
_FAIR_EXTREMUM = "croft-variant-2-extremum"
_PRICED = (_COUNT, _EXTREMUM, _FAIR_EXTREMUM)


def closed_forms(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """Yield the optimal matrix of each proved theorem that has one for this problem, with its name."""
    for theorem in _theorems(problem):
        yield f"closed form of {theorem.name}", theorem.matrix(problem)  # type: ignore[misc]


def theorem_with_matrix(problem: Problem) -> Theorem | None:
    """Return the first proved theorem that writes down an optimal matrix of this problem."""
    return next(_theorems(problem), None)


def theorem_with_prices(problem: Problem) -> Theorem | None:
    """Return the theorem that gives the matrix and the prices that prove it optimal."""
    return next((found for found in _theorems(problem) if found.name in _PRICED), None)


def priced_by_theorem(problem: Problem) -> Leaf | None:
    """Return the multipliers that follow from a theorem, or ``None`` where none speaks of prices."""
    theorem = theorem_with_prices(problem)
    if theorem is None:
        return None
    objective: ExpectedLoss = problem.objective  # type: ignore[assignment]
    costs = objective.loss * objective.weights
    factor = float(np.exp(float(problem.privacy.epsilon)))
    if theorem.name == _COUNT:
        from optmech.theorems.counting import dual_prices  # noqa: PLC0415 - as `_theorems`

        _, values = dual_prices(1 / factor, costs[:, 0].tolist())  # type: ignore[arg-type]
        return leaf_of_prices(costs, np.array(values, dtype=float), factor)
    if theorem.name == _FAIR_EXTREMUM:
        return fair_leaf_for_all_pairs(costs, factor)
    prices = prices_for_all_pairs(costs, theorem.value(problem), factor)
    return None if prices is None else leaf_for_all_pairs(costs, prices, factor)


def by_theorem(problem: Problem) -> Found:
    """Return the matrix that a theorem writes down, and the multipliers that prove it where they are known.

    Raises
    ------
    ProblemError
        If no theorem gives the optimal matrix of this problem.
    """
    start = time.perf_counter()
    theorem = theorem_with_matrix(problem)
    if theorem is None:
        message = (
            "`engine` must fit the problem; got closed-form, but no theorem writes down its mechanism. "
            "Take auto, which finds one by a program."
        )
        raise ProblemError(message)
    matrix = theorem.matrix(problem)  # type: ignore[misc]
    value = theorem.value(problem)
    objective = problem.objective
    recomputed = isinstance(objective, ExpectedLoss)
    solution = Solution(
        status=Status.OPTIMAL,
        solver=f"theorem {theorem.name}",
        method="closed form",
        seconds=time.perf_counter() - start,
        message=theorem.says,
        objective=value,
        bound=value,
    )

    def leaves() -> Iterator[Leaf]:
        priced = priced_by_theorem(problem)
        if priced is not None:
            yield priced

    return Found(
        engine="closed-form",
        solution=solution,
        answer=Answer(
            matrix=matrix,
            objective=objective.value(matrix) if isinstance(objective, ExpectedLoss) else value,
            standing="recomputed" if recomputed else "claimed",
            bound=value,
            bound_standing="claimed",
        ),
        raw=matrix,
        proposals=lambda: ((f"closed form of {theorem.name}", matrix),),
        leaves=leaves,
    )


def _theorems(problem: Problem) -> Iterator[Theorem]:
    # Theorems load SciPy's distributions, most of a second, which no other design should wait for.
    from optmech.theorems.registry import THEOREMS  # noqa: PLC0415
    from optmech.theorems.theorem import Relation, Truth  # noqa: PLC0415

    for theorem in THEOREMS:
        proved = theorem.relation is Relation.EQUAL and theorem.truth is Truth.PROVED
        if proved and theorem.matrix is not None and theorem.objection(problem) is None:
            yield theorem
