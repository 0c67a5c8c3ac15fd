"""Mechanisms written down by a formula, for Variant 2 where no solver ends: private, not optimal.

Explicit fair mechanism
-----------------------
On truths 0..N-1, with d = |r - f|, b = min(f, N-1-f) and a = e^(-epsilon/S) for neighbours within reach S,

    M[r,f] = y a^d                for d < b
             y a^ceil((d+b)/2)    otherwise,        y = 1 / sum_r a^|r - floor((N-1)/2)|

Each column holds the same powers of a: around a truth near an end those of both sides take turns on the
longer side. One step in f changes an exponent by at most one, so neighbours within reach S keep e^epsilon.
It is fair, symmetric, and monotone in rows and columns.

Source: Croft, Sack, Shi 2020, section 4, compare with it; checked here by exact arithmetic where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.models.formulations.reduced import is_variant_2, reach_of_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.problem import Problem


__all__ = ["explicit_fair", "fallbacks"]


def fallbacks(problem: Problem) -> Iterator[tuple[str, Floats]]:
    """Yield matrices that keep the promises of `problem` but are not the best, each with its name."""
    reach = reach_of_range(problem.query) if is_variant_2(problem) else None
    if reach is not None:
        matrix = explicit_fair(problem.query.num_truths, float(problem.privacy.epsilon), reach)
        yield "fair mechanism by formula, not optimal", matrix


def explicit_fair(size: int, epsilon: float, reach: int) -> Floats:
    """Return the explicit fair mechanism, shape (size, size); truths up to `reach` apart are neighbours.

    Examples
    --------
    >>> explicit_fair(3, np.log(2), 1).tolist()
    [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    """
    position = np.arange(size)
    distance = np.abs(position[:, None] - position[None, :])
    edge = np.minimum(position, size - 1 - position)[None, :]
    power = np.where(distance < edge, distance, -(-(distance + edge) // 2))
    powers = np.exp(-epsilon / reach * power)
    matrix: Floats = powers / powers.sum(axis=0)
    return matrix
