"""The letters of Sadeghi et al. 2020, and the readings of a formula in them.

A formula is written once, in the letters of a `Law`, over any numbers that add, multiply and compare:

* called, it gives the nearest doubles;
* ``ball`` gives enclosures with as many correct digits as are asked for;
* ``formula`` is the formula itself: over rationals it is exact for a rational ``e^epsilon``.

Every reading but the last goes through ball arithmetic, whose exponents do not overflow. Where a difference
cancels, or a comparison stays open, the precision doubles until it is settled. That ends: for a rational
epsilon above 0, ``e^epsilon`` is transcendental, so no two different formulas here have the same value. At
epsilon = 0 and at the logarithm of a rational, where ties are real, the formulas are computed in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from flint import arb, fmpq

from optmech.base.logarithm import Logarithm
from optmech.question.privacy import PerOutcomePrivacy
from optmech.question.structures import SymmetricNoise
from optmech.theorems.powers import at_most, enclosure, rational

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.base.numbers import Number

Real = TypeVar("Real", fmpq, arb)

# More than a double holds, so that the nearest double is right but for ties.
_DOUBLE_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Law(Generic[Real]):
    """The letters of Sadeghi et al. 2020, section III, with eta the accuracy.

    E, D          ``e^epsilon``, and the half-width of the noise
    C             twice the odds of the truth, ``2 eta / (1 - eta)``
    half_error    ``1 / B = (1 - eta) / 2``: probability of noise above zero; a delta is so often ``b``
    x             ``C - (E - 1)``: positive where the accuracy is past the knee ``tanh(epsilon / 2)``
    S, T, W       for m = 0, …, D + 1  ``S[m] = 1 + E + … + E^(m-1)``,  ``T[m] = S[1] + … + S[m]``, the sum in
                  (32),  ``W[m] = sum_{j<m} E^j (j + 1)``, the sum in (23)
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
        sums, triangles, weighted_sums, power = [zero], [zero], [zero], zero + 1
        for m in range(1, self.D + 2):
            sums.append(sums[-1] + power)
            triangles.append(triangles[-1] + sums[-1])
            weighted_sums.append(weighted_sums[-1] + power * m)
            power = power * self.E
        object.__setattr__(self, "x", self.C - (self.E - 1))
        object.__setattr__(self, "S", sums)
        object.__setattr__(self, "T", triangles)
        object.__setattr__(self, "W", weighted_sums)


def law_of(factor: Real, accuracy: Fraction, half_width: int) -> Law[Real]:
    """Return the letters at ``e^epsilon``, in numbers of its kind."""
    kind = type(factor)
    odds, half_error = rational(2 * accuracy / (1 - accuracy)), rational((1 - accuracy) / 2)
    return Law(factor, kind(odds), half_width, kind(half_error))


def exceeds(left: Real, right: Real) -> bool:
    """Tell whether `left` is the larger number; raise `UndecidedError` where overlapping balls hide it."""
    return not at_most(left, right)


class ClosedForm:
    """A formula in the letters: a number, several numbers, or a choice between formulas."""

    def __init__(self, formula: Callable[..., Any]) -> None:
        self.formula = formula
        update_wrapper(self, formula)

    def __call__(self, epsilon: Number, accuracy: Number, half_width: int, *more: int) -> Any:  # noqa: ANN401 - as the formula
        """Return the nearest doubles, 0.0 where they underflow, or the choice, never by a guess."""
        value = self.ball(epsilon, accuracy, half_width, *more, digits=_DOUBLE_DIGITS)
        if isinstance(value, list):
            return np.array([float(ball) for ball in value])
        return float(value) if isinstance(value, arb) else value

    def ball(self, epsilon: Number, accuracy: Number, half_width: int, *more: int, digits: int = 30) -> Any:  # noqa: ANN401 - as the formula
        """Return a ball around each number, narrow enough for `digits` correct digits."""
        noise = SymmetricNoise(half_width, accuracy)  # type: ignore[arg-type]
        exponent = PerOutcomePrivacy(epsilon).epsilon  # type: ignore[arg-type]

        def compute() -> Any:  # noqa: ANN401 - as the formula
            factor: Any
            if isinstance(exponent, Logarithm):
                factor = rational(exponent.of)
            else:
                factor = arb(rational(exponent)).exp() if exponent else fmpq(1)
            return self.formula(law_of(factor, noise.accuracy, noise.half_width), *more)

        return enclosure(compute, digits)
