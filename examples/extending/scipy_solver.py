"""A solver of one's own: the programs of a design solved by SciPy's own interface to HiGHS.

Nothing that a solver says is believed: what is handed out is made and proved in exact arithmetic.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import scipy
from scipy.optimize import Bounds, LinearConstraint, milp

import optmech as om
from optmech.models.solvers.options import Method

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solvers.options import SolveOptions

STATUS = {0: om.models.Status.OPTIMAL, 1: om.models.Status.LIMIT, 2: om.models.Status.INFEASIBLE}


class SciPySolver:
    """`scipy.optimize.milp`, which gives values and no duals: a bound is then proved without them."""

    name = "scipy"
    methods = (Method.AUTO,)
    remedy = "Install it with `pip install scipy`."

    def available(self) -> bool:
        """Whether it is installed: SciPy is."""
        return True

    def version(self) -> str:
        """Return the version of SciPy."""
        return scipy.__version__

    def solve(self, model: LinearModel, options: SolveOptions) -> om.models.Solution:
        """Return what SciPy says of the model."""
        start = time.perf_counter()
        limit = {} if options.time_limit is None else {"time_limit": options.time_limit}
        answer = milp(
            model.cost,
            integrality=model.integer.astype(int),
            bounds=Bounds(model.column_lower, model.column_upper),
            constraints=LinearConstraint(model.matrix, model.row_lower, model.row_upper),
            options=limit,
        )
        values = None if answer.x is None else np.asarray(answer.x)
        return om.models.Solution(
            status=STATUS.get(answer.status, om.models.Status.NUMERICAL),
            solver=f"scipy {self.version()}",
            method="milp",
            seconds=time.perf_counter() - start,
            message=str(answer.message),
            objective=None if values is None else model.objective(values),
            bound=answer.mip_dual_bound if model.is_mixed_integer else None,
            values=values,
        )


def main() -> None:
    """Design a mechanism with it."""
    design = om.design(om.croft(om.count(6), 1), solver=SciPySolver())
    print(f"objective {design.objective:.6g} by {design.solution.solver}")


if __name__ == "__main__":
    main()
