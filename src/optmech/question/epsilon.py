"""Epsilon: a number, the natural logarithm of one, or given by its ``e^epsilon``."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, exact

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number

LARGEST_EPSILON = 700
"""e^epsilon overflows a double just above 709."""
_LARGEST_POWER = 2**1009

# Bits of the rational whose logarithm an epsilon is: Python prints whole numbers of 4,300 digits.
_MOST_BITS = 13_000
_LOGARITHM = re.compile(
    r"\s*(?:ln|log(?P<base>\w*))\s*(?:\((?P<inside>[^()]*)\)|(?P<after>.*))\s*", re.IGNORECASE | re.DOTALL
)


def exact_epsilon(value: Number, name: str = "epsilon") -> Fraction | Logarithm:
    """Return `value` exactly as typed; `name` is for the error.

    Text such as ``"ln 2"``, ``"ln(3/2)"`` or ``"log 1.5"`` is a natural logarithm.
    """
    if isinstance(value, Logarithm):
        return _simplest(value)
    match = _LOGARITHM.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return exact(
            value, name, "Write a decimal such as 0.5, a ratio such as 1/3, or a logarithm such as ln 2."
        )
    if match["base"]:
        message = (
            f"`{name}` must be a number or a natural logarithm; got {value!r}. "
            "Write ln 2 or log(3/2), with a space or parentheses: log2 would be another base."
        )
        raise ProblemError(message)
    try:
        of = exact((match["inside"] or match["after"] or "").strip(), name)
    except ProblemError:
        of = Fraction(0)
    if of <= 0:
        message = (
            f"`{name}` must be the logarithm of a positive number; got {value!r}. "
            "Write ln 2, ln(3/2) or log 1.5: a decimal or a ratio above 1."
        )
        raise ProblemError(message)
    return _simplest(Logarithm(of))


def one_epsilon(epsilon: Number | None, exp_epsilon: Number | None) -> Fraction | Logarithm:
    """Return the epsilon of a question that gives either itself or its ``e^epsilon``."""
    if epsilon is not None and exp_epsilon is not None:
        message = (
            f"`epsilon` and `exp_epsilon` must not both be given; got {epsilon} and {exp_epsilon}. "
            "Each says the same: exp_epsilon is e^epsilon."
        )
        raise ProblemError(message)
    if exp_epsilon is None:
        if epsilon is None:
            message = "`epsilon` must be given, or `exp_epsilon`, which is e^epsilon, in its place."
            raise ProblemError(message)
        return exact_epsilon(epsilon)
    of = exact(exp_epsilon, "exp_epsilon")
    if of < 1:
        message = (
            f"`exp_epsilon` must be at least 1; got {as_text(of)}. "
            "It is e^epsilon, by how much a probability may grow between neighbours."
        )
        raise ProblemError(message)
    return _simplest(Logarithm(of))


def multiple_of(epsilon: Fraction | Logarithm, times: int) -> Fraction | Logarithm:
    """Return a multiple of an epsilon, exactly.

    Raises
    ------
    ProblemError
        If it is the logarithm of a number of more than some 4,000 digits.
    """
    if not isinstance(epsilon, Logarithm):
        return times * epsilon
    length = max(epsilon.of.numerator.bit_length(), epsilon.of.denominator.bit_length())
    if times * length > _MOST_BITS:
        message = (
            f"`epsilon` must be a number, no logarithm, where {times:,} times it is meant; got a logarithm. "
            "Write a decimal such as 0.5."
        )
        raise ProblemError(message)
    return _simplest(Logarithm(epsilon.of**times))


def exponential(epsilon: Fraction | Logarithm) -> float:
    """Return ``e^epsilon`` in floating point: of a logarithm the rational itself, rounded once."""
    return float(epsilon.of) if isinstance(epsilon, Logarithm) else math.exp(float(epsilon))


def _simplest(logarithm: Logarithm) -> Fraction | Logarithm:
    return Fraction(0) if logarithm.of == 1 else logarithm


def is_too_large(epsilon: Fraction | Logarithm, weight: int = 1) -> bool:
    """Return whether `weight` times epsilon is above 700, or of a logarithm above that of 2^1009.

    2^1009 is just below e^700. Whole numbers decide it, so that every reader decides alike.

    >>> is_too_large(Logarithm(Fraction(2**1009))), is_too_large(Logarithm(Fraction(2)), 1010)
    (False, True)
    """
    if not isinstance(epsilon, Logarithm):
        return weight * epsilon > LARGEST_EPSILON
    about = weight * float(epsilon)
    if abs(about - LARGEST_EPSILON) > 1:
        return about > LARGEST_EPSILON
    top, bottom = epsilon.of.as_integer_ratio()
    return bool(top**weight > _LARGEST_POWER * bottom**weight)


def factors_of(epsilon: Fraction | Logarithm, weights: Integers) -> Floats:
    """Return ``e^(weight epsilon)`` for each weight of neighbours, in floating point."""
    largest = int(weights.max(initial=0))
    if largest * float(epsilon) > LARGEST_EPSILON:
        message = (
            f"`epsilon` times the largest weight of neighbours must be at most {LARGEST_EPSILON}; got "
            f"{as_text(epsilon)} times {largest}. Give a smaller epsilon, or a larger unit."
        )
        raise ProblemError(message)
    powers: Floats = np.power(exponential(epsilon), weights, dtype=float)
    return powers
