"""The least mean squared error of one long count, from multipliers, for real answers, biased or not.

Model
-----
    zCDP    r > 0 and lambda > 0 prove, from p log(p / q) >= p (1 + log r) - q r, both ways, at all counts,
            V = min_z z^2 + lambda/2 (2 + log r(z+1) + log r(1-z) - r(z) - r(-z))  -  lambda rho
            r is linear between the points j/m and constant beyond: the minimum over the points, less
            1/(4 m^2), holds for all z. Here r(1-z) = 1/r(z) at the points.
            Changes of k rows are (k^2 rho)-zCDP: k^2 V(k^2 rho) is a bound, too.
    pure    V = 2 e / (e - 1)^2,  e = e^epsilon
    both    V - eta - 2 lambda delta, with lambda = max_x H(x),  H(x) = q(x) - c e^(epsilon x),
            q(x) = (x^2 + eta)/(e-1) + e (2x + 1)/(e-1)^2,  c = eta (e+1) / (2 (e-1)).
            H rises, then falls; where H' <= 0, H's maximum is at most q - q'/epsilon.

`check_table.py` computes the same digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import (
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    Underflow,
    localcontext,
)
from fractions import Fraction

from optmech.base.errors import VerificationError

DIGITS = 40
"""Decimal digits of all computations; results are rounded to the safe side by far more than they lose."""
_SLACK = Decimal(10) ** -24
MOST_POINTS, MOST_STEPS, _LONGEST = 100_000, 10**9, 1000


def precise() -> Context:
    """Return the arithmetic of the proofs, in which `exp`, `ln` and `sqrt` are correctly rounded."""
    traps = [Overflow, Underflow, InvalidOperation, DivisionByZero]
    return Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emin=-(10**9), Emax=10**9, traps=traps)


def decimal(value: Fraction) -> Decimal:
    """Return a fraction to the digits of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def fraction(value: Decimal) -> Fraction:
    """Return a number exactly; VerificationError where that has millions of digits."""
    if value and abs(value.adjusted()) > _LONGEST:
        message = "numbers must have at most a thousand digits"
        raise VerificationError(message)
    return Fraction(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountMultipliers:
    """Multipliers of one long count under zCDP.

    Attributes
    ----------
    rows : int
        k: the count changes by so many rows in a step.
    points : int
        m, an odd number: points in a unit of the answer.
    weight : Fraction
        lambda.
    bits : int
        Logarithms are whole multiples of 2^-bits.
    logarithms : tuple of int
        log r at the points j/m from j = (m+1)/2 on; the last one holds beyond.
    """

    rows: int
    points: int
    weight: Fraction
    bits: int
    logarithms: tuple[int, ...]

    def __post_init__(self) -> None:
        sizes = 1 <= self.rows <= MOST_STEPS and 1 <= self.points <= MOST_POINTS and self.points % 2
        if not (sizes and self.weight > 0 and 0 <= self.bits <= DIGITS):
            message = "multipliers of one count must be positive, and their points odd"
            raise VerificationError(message)
        if not self.logarithms or max(map(abs, self.logarithms)) >> self.bits + 6:
            message = "multipliers of one count must have logarithms below 64"
            raise VerificationError(message)

    def bound(self, rho: Fraction) -> Fraction:
        """Return V for one row, rounded down."""
        m, half = self.points, (self.points + 1) // 2
        with localcontext(precise()):
            above = [Decimal(value) / 2**self.bits for value in self.logarithms]
            above += above[-1:] * (half - len(above))
            logs = [-value for value in reversed(above[:half])] + above
            ratios = [value.exp() for value in logs]
            weight, last, values = decimal(self.weight), len(logs) - 1, []
            for j in range(last + 1):  # at j and -j the same; beyond, all but z^2 is constant
                up = min(j + m, last)
                inner = 2 + logs[up] - logs[j] - ratios[j] - 1 / ratios[up]
                values.append(Decimal(j * j) / (m * m) + weight / 2 * inner)
            least = min(values) - weight * decimal(self.rows**2 * rho) - 1 / Decimal(4 * m * m)
            return fraction(self.rows**2 * (least - _SLACK * (1 + abs(least) + weight)))


def pure_bound(epsilon: Fraction) -> Fraction:
    """Return V under pure epsilon, rounded down.

    >>> float(pure_bound(Fraction(1)))
    1.8413471884155845
    """
    with localcontext(precise()):
        e = decimal(epsilon).exp()
        return fraction(2 * e / (e - 1) ** 2 * (1 - _SLACK))


def approximate_bound(epsilon: Fraction, delta: Fraction, eta: Fraction, beyond: Fraction) -> Fraction:
    """Return V under (epsilon, delta), rounded down; `beyond` is a point where H no longer rises.

    Raises
    ------
    VerificationError
        If eta is not in (0, V], or H still rises there.
    """
    pure = pure_bound(epsilon)
    with localcontext(precise()):
        eps, x, h = decimal(epsilon), decimal(beyond), decimal(eta)
        e = eps.exp()
        slope = (2 * x + 2 * e / (e - 1)) / (e - 1)
        falls = h * (e + 1) / (2 * (e - 1)) * eps * (eps * x).exp()
        if not 0 < eta <= pure or x < 0 or not slope * (1 + _SLACK) <= falls:
            message = "multipliers under epsilon and delta must lie beyond the maximum"
            raise VerificationError(message)
        most = (x * x + h) / (e - 1) + e * (2 * x + 1) / (e - 1) ** 2 - slope / eps
        most += _SLACK * (1 + abs(most) + slope / eps)
        return pure - eta - 2 * delta * fraction(most)
