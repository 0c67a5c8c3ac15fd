"""Mechanisms that a theorem writes down, for when no solver gives one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from optmech.problem.problem import Problem

__all__ = ["closed_forms"]


def closed_forms(problem: Problem) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield the optimal matrix of each proved theorem that has one for this problem, with its name."""
    for theorem in THEOREMS:
        proved = theorem.relation is Relation.EQUAL and theorem.truth is Truth.PROVED
        if proved and theorem.matrix is not None and theorem.objection(problem) is None:
            yield f"closed form of {theorem.name}", theorem.matrix(problem)
