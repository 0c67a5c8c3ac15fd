"""The largest ratio and the largest excess between columns of whole numbers, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.proofs.matrix import ExactMatrix

    Integers = NDArray[np.int64]

__all__ = ["largest_excess", "largest_ratio"]

# Doubles of numerators have half a unit of error each; what may be the largest lies within far more.
_ROUNDING = 1e-12
# Below it a double has lost digits, and is not looked at.
_SMALLEST = 1e-290
_ENTRIES_AT_ONCE = 2**20


def largest_ratio(matrix: ExactMatrix, truths: Integers, others: Integers) -> Fraction | None:
    """Return the largest ``P(r) / Q(r)`` over pairs of columns and responses, ``None`` if it is infinite.

    Doubles find where it may be, whole numbers decide. Zero over zero is no ratio, and zero for no pairs.
    """
    entries, doubles = matrix.numerators, matrix.nearest()
    positive = (entries > 0).astype(bool)
    is_blurred = positive & (doubles < _SMALLEST)
    top = 0.0
    for some in _parts(len(truths), len(entries)):
        first, second = truths[some], others[some]
        if (positive[:, first] & ~positive[:, second]).any():
            return None
        top = max(top, float(_quotients(doubles, first, second).max(initial=0)))
    largest = Fraction(0)
    for some in _parts(len(truths), len(entries)):
        first, second = truths[some], others[some]
        near = _quotients(doubles, first, second) >= top * (1 - _ROUNDING)
        unclear = (is_blurred[:, first] | is_blurred[:, second]) & positive[:, second]
        for row, place in np.argwhere(near & positive[:, second] | unclear).tolist():
            largest = max(largest, Fraction(entries[row, first[place]], entries[row, second[place]]))
    return largest


def largest_excess(matrix: ExactMatrix, truths: Integers, others: Integers, factor: Fraction) -> Fraction:
    """Return the largest ``sum_r max(0, P(r) - factor Q(r))`` over pairs of columns."""
    entries, most = matrix.numerators, 0
    large, small = entries * factor.denominator, entries * factor.numerator
    for some in _parts(len(truths), len(entries)):
        sums = np.maximum(large[:, truths[some]] - small[:, others[some]], 0).sum(axis=0)
        most = max(most, int(sums.max()))
    return Fraction(most, factor.denominator * matrix.denominator)


def _quotients(doubles: NDArray[np.float64], first: Integers, second: Integers) -> NDArray[np.float64]:
    above, below = doubles[:, first], doubles[:, second]
    return np.divide(above, below, out=np.zeros(above.shape), where=below >= _SMALLEST)


def _parts(pairs: int, rows: int) -> Iterator[slice]:
    """Yield some of the pairs at a time, so that no table grows large."""
    step = max(1, _ENTRIES_AT_ONCE // rows)
    yield from (slice(start, start + step) for start in range(0, pairs, step))
