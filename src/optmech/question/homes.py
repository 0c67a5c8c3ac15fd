"""Which response holds each truth, and by how much each exceeds it."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Total
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Marks, Whole
    from optmech.question.query import Query


def need_homes(query: Query, demand: str) -> Integers:
    """Return the response that holds each truth, and refuse a truth that none holds."""
    if (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"{demand} needs every truth inside a response; {as_text(truth)} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise ProblemError(message)
    return query.home


def errors_of_entries(query: Query) -> tuple[Whole, int]:
    """Return by how much each response's midpoint exceeds each truth, as whole numbers over a scale."""
    points = [response.midpoint for response in query.responses]
    scale = lcm(*(value.denominator for value in (*points, *query.truths)))
    rows, columns = (
        np.array([int(value * scale) for value in values], dtype=object) for values in (points, query.truths)
    )
    return rows[:, None] - columns[None, :], scale


def is_beyond(query: Query, distance: Fraction) -> Marks:
    """Return which responses lie farther than a distance from which truths, decided exactly."""
    points = [response.midpoint for response in query.responses]
    return np.array([[abs(point - truth) > distance for truth in query.truths] for point in points])


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
