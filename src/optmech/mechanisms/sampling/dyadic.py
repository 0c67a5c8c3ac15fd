"""A matrix of doubles as whole numbers, without a rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Whole

__all__ = ["dyadic_weights"]

_SIGNIFICANT_BITS = 53


def dyadic_weights(matrix: Floats) -> Whole:
    """Scale each column to whole numbers by a power of two.

    A double is a whole number of at most 53 bits times a power of two. The smallest such power of a column
    becomes its unit, so that proportions inside the column are kept exactly.

    Parameters
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
        Finite, zero or more.

    Returns
    -------
    ndarray of int, shape (num_responses, num_truths)
        Python's whole numbers, of any size. Totals of columns differ where the doubles of a column do not sum
        to one exactly, and by powers of two.

    Examples
    --------
    >>> dyadic_weights(np.array([[0.75, 0.5], [0.25, 0.5]])).tolist()
    [[3, 1], [1, 1]]
    """
    fraction, exponent = np.frexp(matrix)
    mantissa = np.ldexp(fraction, _SIGNIFICANT_BITS).astype(np.int64)
    positive = mantissa > 0
    lowest_bit = np.where(positive, mantissa & -mantissa, 1)
    trailing = np.frexp(lowest_bit.astype(float))[1] - 1
    mantissa >>= trailing
    exponent = exponent + trailing
    unit = np.where(positive, exponent, np.iinfo(exponent.dtype).max).min(axis=0)
    shift = np.where(positive, exponent - unit, 0)
    weights: Whole = mantissa.astype(object) << shift.astype(object)
    return weights
