"""The response that holds each truth, and the excess of the others over it."""

from __future__ import annotations

from fractions import Fraction
from math import floor, lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Means
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Integers, Marks, Whole
    from optmech.question.query import Query

# Differences of two such whole numbers are held by doubles.
_SHORT = 2**52


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


def differences(values: Sequence[Fraction], others: Sequence[Fraction]) -> tuple[Whole, int]:
    """Return the excess of each value, in rows, over each other one, as integers over a scale.

    They are of `int64` where doubles hold them all, and the scale, else Python integers. Divided by the scale
    either gives the doubles nearest the exact differences.
    """
    scale = lcm(*(value.denominator for value in (*values, *others)))
    rows, columns = ([int(value * scale) for value in side] for side in (values, others))
    kind = np.int64 if max(map(abs, (*rows, *columns, scale))) <= _SHORT else object
    return np.array(rows, dtype=kind)[:, None] - np.array(columns, dtype=kind)[None, :], scale


def short_errors(query: Query) -> tuple[Whole, int]:
    """Return the excess of each response's midpoint over each truth, see `differences`."""
    return differences([response.midpoint for response in query.responses], query.truths)


def errors_of_entries(query: Query) -> tuple[Whole, int]:
    """Return the same as Python integers, with exact products and sums."""
    errors, scale = short_errors(query)
    return errors.astype(object), scale


def is_beyond(query: Query, distance: Fraction) -> Marks:
    """Return for each response and truth whether they are farther apart than a distance, exactly."""
    errors, scale = short_errors(query)
    # Whole numbers exceed a number where they exceed its floor.
    return np.abs(errors) > floor(distance * scale)


def mean_errors(query: Query) -> Means:
    """Return the demand that the mean error of each truth is zero."""
    errors, scale = errors_of_entries(query)
    entries = np.arange(errors.size)
    truths = np.arange(query.num_truths)
    return Means(
        name="unbiased",
        subscripts=truths[:, None],
        rows=entries % query.num_truths,
        entries=entries,
        coefficients=errors.ravel(),
        scale=scale,
        right=np.full(query.num_truths, Fraction(0), dtype=object),
    )
