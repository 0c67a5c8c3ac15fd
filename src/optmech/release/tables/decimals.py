"""Match a decimal to the truths that round to it at its number of digits.

Law
---
    a decimal v whose last digit is worth u stands for the truths t with |t - v| <= u / 2,
    be halves rounded up, down or to even; if there are none, for those whose double is that near

The second line is for printed doubles: near 3 they are 4e-16 apart, so that a 16th digit may be off by 2, and
a 15th by 1. A decimal without digits behind the point is rounded to integers, with any exponent: ``1e3`` is a
thousand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def rounded_from(text: str | Decimal, values: Sequence[Fraction] | range) -> range:
    """Return the positions of the increasing values that a decimal stands for.

    A number that is no decimal, such as ``2/3``, stands for itself alone.

    >>> sevenths = [Fraction(step, 7) for step in range(8)]
    >>> [list(rounded_from(written, sevenths)) for written in ("0.14", "0.1", "0.4285714285714286", "0.5")]
    [[1], [1], [3], []]
    >>> list(rounded_from("0", sevenths))
    [0, 1, 2, 3]
    """
    try:
        decimal = Decimal(text)
    except InvalidOperation:
        return range(0)
    _, _, exponent = decimal.as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 - it is finite
    value, half = Fraction(decimal), Fraction(10) ** min(exponent, 0) / 2
    indices = range(bisect_left(values, value - half), bisect_right(values, value + half))
    if indices:
        return indices
    near = bisect_left(values, value)
    same = [index for index in (near - 1, near) if 0 <= index < len(values)]
    same = [index for index in same if abs(Fraction(float(values[index])) - value) <= half]
    return range(same[0], same[-1] + 1) if same else indices


def enough_digits(values: Sequence[Fraction] | range) -> int:
    """Return the number of decimals that distinguish all values, for every rounding of halves."""
    gap = min(later - value for value, later in pairwise(map(Fraction, values)))
    digits = 0
    while Fraction(1, 10**digits) >= gap:
        digits += 1
    return digits
