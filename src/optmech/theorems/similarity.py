"""The similarity matrix of a graph of neighbours, its weighting, and the mechanism that the two make.

    K[r,f] = e^(-epsilon d(r,f))     d(r,f): least number of steps from truth r to truth f, where a step leads
                                     from f to g for each pair (f, g) of neighbours; K is 0 if there is no way
    w                                weighting: sum_r w[r] K[r,f] = 1 for each truth f
    diag(w) K                        similarity mechanism, if no weight is negative

It is a mechanism, since its columns sum to one, and it is private, since ``d(r,g) <= d(r,f) + 1``. On a path
it is the truncated geometric, and where all truths are neighbours it is randomised response.

Signs are decided in doubles, and only where they are clear: what lies nearer to 0 than rounding might move it
is left undecided, and no theorem applies to it.

Names: Leinster 2013, The magnitude of metric spaces.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, arb_mat

from optmech.question.graphs import path_lengths
from optmech.theorems.croft_question import ball_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.problem import Problem


MOST_TRUTHS_IN_BALLS = 50
"""A linear system of this many balls takes some hundredths of a second."""
# Shortest ways between this many truths, and a linear system of them, take a fifth of a second.
_MOST_TRUTHS = 500
# Far more than a solution in doubles is off by, relatively, while epsilon is not tiny.
_CLEAR = 1e-9


def similarity(steps: Floats, epsilon: float) -> Floats:
    """Return K for steps between truths."""
    near = np.isfinite(steps)
    matrix: Floats = np.where(near, np.exp(-epsilon * np.where(near, steps, 0.0)), 0.0)
    return matrix


def similarity_of(problem: Problem) -> Floats:
    """Return K of a problem."""
    return similarity(path_lengths(problem.query), float(problem.privacy.epsilon))


def similarity_in_balls(steps: Floats, epsilon: Number) -> arb_mat:
    """Return K at the working precision."""
    decay = (-ball_of(epsilon)).exp()
    powers = {float(step): decay ** int(step) for step in np.unique(steps[np.isfinite(steps)])}
    return arb_mat([[powers.get(step, arb(0)) for step in row] for row in steps.tolist()])


def similarity_mechanism(steps: Floats, epsilon: float) -> Floats:
    """Return ``diag(w) K``, where no weight is negative."""
    matrix = similarity(steps, epsilon)
    weights = np.linalg.solve(matrix.T, np.ones(len(matrix)))
    weighted_matrix: Floats = weights[:, None] * matrix
    return weighted_matrix


def solve(matrix: Floats, right: Floats) -> Floats:
    """Return the solution of a linear system, not a number where it has none that doubles hold."""
    solution: Floats = np.full(len(matrix), np.nan)
    with suppress(np.linalg.LinAlgError):
        solution[:] = np.linalg.solve(matrix, right)
    return solution


def objection_to_graph(problem: Problem) -> str | None:
    """Say why there is no similarity matrix of truths that are also the responses, or return ``None``."""
    query = problem.query
    if query.num_truths > _MOST_TRUTHS:
        return f"there are {query.num_truths} truths; similarity matrices are solved for up to {_MOST_TRUTHS}"
    if query.num_responses != query.num_truths:
        return "there is not one response for each truth"
    if not len(query.pairs):
        return "no two answers are neighbours; there is nothing to protect"
    return "epsilon is 0, where the similarity matrix has no inverse" if not problem.privacy.epsilon else None


def objection_to_signs(parts: Iterable[tuple[str, Floats]]) -> str | None:
    """Say which part has a negative number in it, or one too near to 0 to tell, or return ``None``."""
    for name, numbers in parts:
        least, clear = numbers.min(), _CLEAR * np.abs(numbers).max()
        if least < -clear:
            return f"{name} must not be negative; at this epsilon one is {least:.3g}"
        if not least > clear:
            return f"{name} must not be negative, and one is too near to 0 to tell"
    return None
