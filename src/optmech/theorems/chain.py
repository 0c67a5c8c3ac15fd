"""The theorem of chains: whether thresholds of the engine `chain` cross; `docs/theory/chain.md`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion

if TYPE_CHECKING:
    from optmech.question.problem import Problem

_CROSSING = "its loss is not convex: where thresholds cross the sum is a bound and no optimum"


def no_convexity(problem: Problem) -> str | None:
    """Say whether some truth's loss is not convex along the responses."""
    question = ChainQuestion.of(problem, any_steps=True)
    if question.rises:
        rises = question.rises[1:-1]  # the outermost are beyond all distances
        return _CROSSING if any(after < before for before, after in pairwise(rises)) else None
    points = [response.midpoint for response in problem.query.responses]
    gaps = np.array([after - before for before, after in pairwise(points)], dtype=object)
    slopes = np.array(question.table, dtype=object) / gaps[:, None]
    return _CROSSING if (np.diff(slopes, axis=0) < 0).any() else None
