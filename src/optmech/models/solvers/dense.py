"""Small programs of dense rows, of which a proof by cases solves thousands: HiGHS as SciPy brings it.

No model is built of them, for that would take longer than the program itself. What they answer is proposed to
a proof, which trusts none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy

if TYPE_CHECKING:
    from optmech.base.arrays import Floats


# Settings to try in turn. Without presolve a program of this size takes half the time.
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "highs-ds",
        {"presolve": False, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    ),
    ("highs-ds", {"presolve": True}),
    ("highs-ipm", {"presolve": True}),
)
"""Method and options of SciPy, the best first."""

_OPTIMAL, _INFEASIBLE = 0, 2  # of SciPy
_NONE = np.zeros(0)


class DenseAnswer(NamedTuple):
    """What the solver claims; the numbers where it is optimal."""

    is_optimal: bool = False
    is_infeasible: bool = False
    value: float = np.inf
    columns: Floats = _NONE
    multipliers: Floats = _NONE
    """Of each row, zero or more where the solver keeps its word."""


def least_price(
    prices: Floats, matrix: Floats, limits: Floats, size: int, setting: tuple[str, dict[str, Any]]
) -> DenseAnswer:
    """Return the least ``prices @ x`` with ``matrix @ x <= limits``, x >= 0, its first `size` of sum one."""
    method, options = setting
    total = np.zeros((1, len(prices)))
    total[0, :size] = 1.0
    answer = scipy.optimize.linprog(
        prices, A_ub=matrix, b_ub=limits, A_eq=total, b_eq=[1.0], method=method, options=options
    )
    if answer.status != _OPTIMAL:
        return DenseAnswer(is_infeasible=answer.status == _INFEASIBLE)
    return DenseAnswer(
        is_optimal=True,
        value=float(answer.fun),
        columns=answer.x,
        multipliers=-answer.ineqlin.marginals,
    )
