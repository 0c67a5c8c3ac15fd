"""The letters of Sadeghi et al. 2020, and three readings of a formula in them.

A formula is written once, in the letters of a `Law`, over any numbers that add, multiply and compare:

* called, it gives the nearest doubles;
* ``ball`` gives enclosures with as many correct digits as are asked for;
* ``log`` gives natural logarithms, for values that no double can hold;
* ``formula`` is the formula itself: over rationals it is exact for a rational ``e^epsilon``.

Every reading but the last goes through ball arithmetic, whose exponents do not overflow. Where a difference
cancels, or a comparison stays open, the precision doubles until it is settled. That ends: for a rational
epsilon above 0, ``e^epsilon`` is transcendental, so no two different formulas here have the same value. At
epsilon = 0 and at the logarithm of a rational, where ties are real, the formulas are computed in rationals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from flint import arb, ctx, fmpq

from optmech.base.logarithm import Logarithm
from optmech.question.privacy import PerOutcomePrivacy
from optmech.question.structures import SymmetricNoise

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.numbers import Number

__all__ = ["ClosedForm", "ClosedForms", "Law", "Real", "Verdict", "exceeds", "positive_part"]

Real = TypeVar("Real", fmpq, arb)

# More than a double holds, so that the nearest double is right but for ties.
_DOUBLE_DIGITS = 18
# Bits lost to the rounding of some thousand additions and products.
_GUARD_BITS = 48


class UndecidedError(ArithmeticError):
    """Two balls overlap: more digits are needed to tell which number is larger."""


@dataclass(frozen=True, slots=True)
class Law(Generic[Real]):
    """The letters of Sadeghi et al. 2020, section III.

    Attributes
    ----------
    E : fmpq or arb
        ``e^epsilon``.
    C : fmpq or arb
        Twice the odds of the truth, ``2 eta / (1 - eta)`` for the accuracy eta.
    D : int
        Half-width of the noise.
    half_error : fmpq or arb
        ``1 / B = (1 - eta) / 2``; probability of noise above zero. A delta is ``half_error`` times ``b``.
    x : fmpq or arb
        ``C - (E - 1)``; positive where the accuracy is past the knee ``tanh(epsilon / 2)``.
    S, T, W : list
        ``S[m] = 1 + E + … + E^(m-1)``; ``T[m] = S[1] + … + S[m]``, the sum in (32);
        ``W[m] = sum_{j<m} E^j (j + 1)``, the sum in (23). For m = 0, …, D + 1.
    """

    E: Real
    C: Real
    D: int
    half_error: Real
    x: Real = field(init=False)
    S: list[Real] = field(init=False, repr=False)
    T: list[Real] = field(init=False, repr=False)
    W: list[Real] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Form the sums."""
        zero = self.E * 0
        sums, triangles, weighted, power = [zero], [zero], [zero], zero + 1
        for m in range(1, self.D + 2):
            sums.append(sums[-1] + power)
            triangles.append(triangles[-1] + sums[-1])
            weighted.append(weighted[-1] + power * m)
            power = power * self.E
        object.__setattr__(self, "x", self.C - (self.E - 1))
        object.__setattr__(self, "S", sums)
        object.__setattr__(self, "T", triangles)
        object.__setattr__(self, "W", weighted)


def exceeds(left: Real, right: Real) -> bool:
    """Tell whether `left` is the larger number; raise `UndecidedError` where overlapping balls hide it."""
    if left > right:
        return True
    if left <= right:
        return False
    raise UndecidedError


def positive_part(value: Real) -> Real:
    """Return the larger of `value` and zero."""
    return value.max(0) if isinstance(value, arb) else max(value, value * 0)


class Verdict:
    """A choice between formulas, decided at any epsilon and accuracy."""

    def __init__(self, formula: Callable[..., Any]) -> None:
        self.formula = formula
        update_wrapper(self, formula)

    def __call__(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> Any:  # noqa: ANN401 - as the formula
        """Return what the formula returns, never by a guess."""
        return self._settled((epsilon, accuracy, half_width, *more), 1)

    def _settled(self, arguments: tuple[Any, ...], digits: int) -> Any:  # noqa: ANN401 - as the formula
        epsilon, accuracy, half_width, *more = arguments
        noise = SymmetricNoise(half_width, accuracy)
        exponent = PerOutcomePrivacy(epsilon).epsilon
        eta, width = noise.accuracy, noise.half_width
        odds, half_error = _rational(2 * eta / (1 - eta)), _rational((1 - eta) / 2)
        bits = math.ceil(digits * math.log2(10)) + 2
        precision = bits + _GUARD_BITS
        if exponent == 0 or isinstance(exponent, Logarithm):
            factor = _rational(exponent.of) if isinstance(exponent, Logarithm) else fmpq(1)
            with ctx.workprec(precision):
                return _balls(self.formula(Law(factor, odds, width, half_error), *more))
        while True:
            with ctx.workprec(precision):
                law = Law(arb(_rational(exponent)).exp(), arb(odds), width, arb(half_error))
                try:
                    found = self.formula(law, *more)
                except UndecidedError:
                    found = None
            if found is not None and _precision(found) >= bits:
                return found
            precision *= 2


class ClosedForm(Verdict):
    """A number given by a formula."""

    def __call__(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> float:
        """Return the nearest double; 0.0 where it underflows."""
        return float(self.ball(epsilon, accuracy, half_width, *more, digits=_DOUBLE_DIGITS))

    def ball(self, epsilon: Number, accuracy: Number, half_width: int, *more: int, digits: int = 30) -> arb:
        """Return a ball around the value, narrow enough for so many correct digits."""
        ball: arb = self._settled((epsilon, accuracy, half_width, *more), digits)
        return ball

    def log(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> float:
        """Return the natural logarithm of a positive value, however small it is."""
        return _log(self.ball(epsilon, accuracy, half_width, *more, digits=_DOUBLE_DIGITS))


class ClosedForms(Verdict):
    """Several numbers given by a formula."""

    def __call__(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> NDArray[np.float64]:
        """Return the nearest doubles; 0.0 where they underflow."""
        balls = self.ball(epsilon, accuracy, half_width, *more, digits=_DOUBLE_DIGITS)
        return np.array([float(ball) for ball in balls])

    def ball(
        self, epsilon: Number, accuracy: Number, half_width: int, *more: int, digits: int = 30
    ) -> list[arb]:
        """Return a ball around each value, narrow enough for so many correct digits."""
        balls: list[arb] = self._settled((epsilon, accuracy, half_width, *more), digits)
        return balls

    def log(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> NDArray[np.float64]:
        """Return the natural logarithm of each value; minus infinity where it is exactly zero."""
        balls = self.ball(epsilon, accuracy, half_width, *more, digits=_DOUBLE_DIGITS)
        return np.array([_log(ball) for ball in balls])


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _balls(found: Any) -> Any:  # noqa: ANN401 - a number, a list of numbers or a verdict
    if isinstance(found, list):
        return [_balls(value) for value in found]
    return arb(found) if isinstance(found, fmpq) else found


def _precision(found: Any) -> float:  # noqa: ANN401 - a number, a list of numbers or a verdict
    if isinstance(found, list):
        return min((_precision(value) for value in found), default=math.inf)
    return found.rel_accuracy_bits() if isinstance(found, arb) else math.inf


def _log(ball: arb) -> float:
    if ball.is_zero():
        return -math.inf
    with ctx.workprec(128):
        return float(ball.log())
