"""Numbers kept exactly as they were given."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.logarithm import Logarithm

__all__ = ["Number", "as_text", "brief", "exact", "exact_delta"]

Number = str | int | float | Decimal | Fraction | Logarithm
"""A number as a user may give it. Logarithms, text included, are understood for epsilon alone."""

# Longer exponents would make `Fraction` build integers of millions of digits.
_LARGEST_EXPONENT = 400
_EXPONENT = re.compile(r"[eE][+-]?0*(\d+)\s*$")
_REMEDY = "Write a decimal such as 0.5 or a ratio such as 1/3."


def exact(value: Number, name: str, remedy: str = _REMEDY) -> Fraction:
    """Return `value` as a fraction, without rounding it; `name` and `remedy` are for the error.

    Text may be a decimal (``"0.5"``, ``"1e-5"``) or a ratio (``"1/3"``). A float stands for the shortest
    decimal that reads back to it: ``0.1`` is one tenth, as it is printed.
    """
    number = _fraction_of(value)
    if number is None:
        raise broken_rule(name, "be a finite number", brief(value), remedy)
    return number


def _fraction_of(value: Number) -> Fraction | None:
    if type(value) is Fraction:
        return value
    if isinstance(value, str):  # text and doubles are asked for first: there may be a million
        return _read(value)
    if isinstance(value, float):
        return Fraction(str(value)) if math.isfinite(value) else None
    if isinstance(value, Rational) and not isinstance(value, bool):  # int, Fraction and NumPy integers
        return Fraction(int(value.numerator), int(value.denominator))
    is_wide = isinstance(value, (Real, Decimal)) and not isinstance(value, bool)  # NumPy floats of any width
    return Fraction(str(value)) if is_wide and math.isfinite(value) else None


def _read(text: str) -> Fraction | None:
    exponent = _EXPONENT.search(text)
    too_long = exponent and len(exponent[1]) > 1 and int(exponent[1][:8]) > _LARGEST_EXPONENT
    if too_long or "_" in text or not text.isascii():
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def exact_delta(value: Number) -> Fraction:
    """Return a delta of zero or more and below 1, without rounding what the user typed.

    >>> exact_delta("1e-6")
    Fraction(1, 1000000)
    """
    delta = exact(value, "delta")
    if not 0 <= delta < 1:
        message = (
            f"`delta` must be zero or more and below 1; got {as_text(delta)}. It is a probability: at 1 "
            "anything may be released, even the true answer, and nothing is private."
        )
        raise ProblemError(message)
    return delta


def as_text(value: Fraction | Logarithm) -> str:
    """Return `value` as the shortest text that reads back: a decimal if there is one."""
    if isinstance(value, Logarithm):
        return str(value)
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return str(value)
    decimals = max(twos, fives)
    if decimals == 0:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}"
