"""By how much each response exceeds each truth, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Total

if TYPE_CHECKING:
    from optmech.base.arrays import Exact
    from optmech.question.query import Query

__all__ = ["errors_of_entries", "mean_errors"]


def errors_of_entries(query: Query) -> tuple[Exact, int]:
    """Return by how much each response's midpoint exceeds each truth, as whole numbers over a scale."""
    points = [response.midpoint for response in query.responses]
    scale = lcm(*(value.denominator for value in (*points, *query.truths)))
    rows, columns = (
        np.array([int(value * scale) for value in values], dtype=object) for values in (points, query.truths)
    )
    return rows[:, None] - columns[None, :], scale


def mean_errors(query: Query) -> Total:
    """Return the demand that the mean error of each truth is zero."""
    errors, scale = errors_of_entries(query)
    entries = np.arange(errors.size)
    truths = np.arange(query.num_truths)
    return Total(
        name="unbiased",
        subscripts=truths[:, None],
        rows=entries % query.num_truths,
        entries=entries,
        coefficients=errors.ravel(),
        scale=scale,
        right=np.full(query.num_truths, Fraction(0), dtype=object),
    )
