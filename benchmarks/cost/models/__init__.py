"""Variant 1 of a count 0..n, as each library likes it written; all state the same program.

min  1/(n+1) sum_{r,f} |r - f| M[r,f]
s.t. sum_r M[r,f] = 1,   M[r,f] <= E M[r,f+1],   M[r,f+1] <= E M[r,f],   0 <= M <= 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.cost.models import in_cvxpy, in_linopy, in_optmech, in_pulp

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["BUILDERS"]

BUILDERS: dict[str, ModuleType] = {
    "optmech": in_optmech,
    "pulp": in_pulp,
    "cvxpy": in_cvxpy,
    "linopy": in_linopy,
}
"""Modules with ``build(size, epsilon)`` and ``optimum(built)``."""
