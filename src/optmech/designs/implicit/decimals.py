"""Rationals as decimals to read, of any size."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["decimal_text"]

_DIGITS = 15


def decimal_text(value: Fraction) -> str:
    """Return the value rounded to 15 digits, also where no double is near it.

    Examples
    --------
    >>> from fractions import Fraction
    >>> decimal_text(Fraction(1, 3)), decimal_text(Fraction(10) ** 400), decimal_text(Fraction(2, 10**400))
    ('0.333333333333333', '1e+400', '2e-400')
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = 0.0
    if nearest or not value:
        return f"{nearest:.{_DIGITS}g}"
    rounded = Context(prec=_DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded.normalize():e}"
