"""Powers of e^-epsilon in doubles, balls or rationals, and enclosures: each formula is written once.

A formula of `Powers` gives a number of their kind. `Doubles` are fast and never overflow. `Exact` ones are
balls, or rationals where epsilon is the logarithm of one: there two numbers can be equal, which no precision
shows. `enclosure` raises the precision until as many digits as wanted are sure.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from flint import arb, ctx, fmpq

from optmech.base.logarithm import Logarithm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

Amount = TypeVar("Amount", float, arb, fmpq)
Value = TypeVar("Value")

# A double holds e^x for |x| below this, and products of such numbers by probabilities.
_SAFE_EXPONENT = 300
_LARGEST_EXPONENT = 709
# Bits lost to the rounding of some thousand additions and products.
_SPARE_BITS = 48
_MOST_BITS = 1 << 17


class UndecidedError(ArithmeticError):
    """Two balls overlap where a formula has to know which number is larger."""


def at_most(left: Any, right: Any) -> bool:  # noqa: ANN401 - two numbers of one kind
    """Whether `left` is at most `right`, for certain; else `UndecidedError`."""
    if left <= right:
        return True
    if left > right:
        return False
    message = f"{left} and {right} cannot be told apart at this precision."
    raise UndecidedError(message)


def smaller(left: Amount, right: Amount) -> Amount:
    """Return the smaller of two numbers, or a ball around it."""
    return left.min(right) if isinstance(left, arb) else min(left, right)


def larger(left: Amount, right: Amount) -> Amount:
    """Return the larger of two numbers, or a ball around it."""
    return left.max(right) if isinstance(left, arb) else max(left, right)


def rational(value: Fraction | int) -> fmpq:
    """Return a rational number as python-flint has it."""
    return fmpq(value.numerator, value.denominator)


class Powers(Generic[Amount]):
    """Numbers made of ``decay = e^-epsilon``, all of one kind."""

    def __init__(self, kind: Callable[[Any], Amount], decay: Amount) -> None:
        self._kind: Callable[[Any], Any] = kind
        self._decay: Any = decay
        self.power = cache(self.power)  # type: ignore[method-assign]

    def number(self, value: Fraction | int) -> Amount:
        """Return a rational number."""
        return self._kind(rational(value))  # type: ignore[no-any-return]

    def power(self, steps: int) -> Amount:
        """Return ``decay**steps``."""
        return self._decay**steps  # type: ignore[no-any-return]

    def terms(self, count: int) -> Amount:
        """Return ``1 + decay + ... + decay**(count - 1)``, the paper's xi; up to one term it is exact."""
        return self.number(count) if count <= 1 else (1 - self.power(count)) / self.complement()

    def complement(self) -> Amount:
        """Return ``1 - decay``."""
        return 1 - self._decay  # type: ignore[no-any-return]

    def grow(self, value: Fraction, steps: int) -> Amount:
        """Return ``value / decay**steps``, infinite where a double cannot hold it."""
        return self.number(value) / self.power(steps)

    def total(self, counts: Sequence[int]) -> Amount:
        """Return ``sum_i counts[i] * decay**i``."""
        summands = [count * self.power(steps) for steps, count in enumerate(counts) if count]
        return sum(summands, self.number(0))

    def share(self, value: Fraction, counts: Sequence[int]) -> Amount:
        """Return ``value / total(counts)``; some count must be positive."""
        return self.number(value) / self.total(counts)


class Doubles(Powers[float]):
    """Powers in floating point, 0 where they underflow; nothing cancels, nothing overflows on the way."""

    def __init__(self, epsilon: Fraction | Logarithm) -> None:
        self._epsilon = float(epsilon)
        super().__init__(float, math.exp(-self._epsilon))

    def number(self, value: Fraction | int) -> float:
        """Return the nearest double."""
        return float(value)

    def power(self, steps: int) -> float:
        """Return ``decay**steps``, rounded once."""
        return math.exp(-steps * self._epsilon)

    def terms(self, count: int) -> float:
        """Return the geometric sum, stable for small epsilon."""
        return math.expm1(-count * self._epsilon) / math.expm1(-self._epsilon)

    def complement(self) -> float:
        """Return ``1 - decay`` without cancellation."""
        return -math.expm1(-self._epsilon)

    def grow(self, value: Fraction, steps: int) -> float:
        """Return ``value / decay**steps``, through logarithms where a factor leaves the doubles."""
        exponent = steps * self._epsilon
        if value <= 0:
            return 0.0
        if exponent < _SAFE_EXPONENT and float(value) > math.exp(-_SAFE_EXPONENT):
            return float(value) * math.exp(exponent)
        exponent += math.log(value.numerator) - math.log(value.denominator)
        return math.exp(exponent) if exponent < _LARGEST_EXPONENT else math.inf

    def total(self, counts: Sequence[int]) -> float:
        """Return ``sum_i counts[i] * decay**i``, rounded once."""
        return math.fsum(count * self.power(steps) for steps, count in enumerate(counts) if count)

    def share(self, value: Fraction, counts: Sequence[int]) -> float:
        """Return ``value / total(counts)``: the largest power is taken out, so that nothing underflows."""
        first = next(steps for steps, count in enumerate(counts) if count)
        return self.grow(value, first) / self.total(counts[first:])


class Exact(Powers[Any]):
    """Powers without rounding at the logarithm of a rational, else balls at the working precision."""

    def __init__(self, epsilon: Fraction | Logarithm) -> None:
        if isinstance(epsilon, Logarithm):
            super().__init__(fmpq, rational(1 / epsilon.of))
        else:
            super().__init__(arb, (-arb(rational(epsilon))).exp())


def enclosure(compute: Callable[[], Value], digits: int) -> Value:
    """Return the balls that `compute` gives, at a working precision that makes each good to `digits` digits.

    Rationals become balls; in a list each number counts, and what is no number is sure at once. An
    UndecidedError says that no ball narrows, or a choice hangs on two numbers that agree in 100,000 bits.
    """
    digits_needed = math.ceil(digits * math.log2(10)) + 4
    bits = digits_needed + _SPARE_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            try:
                value = _as_balls(compute())
            except UndecidedError:
                value = None
        if value is not None and _precision(value) >= digits_needed:
            return value  # type: ignore[no-any-return]
        bits *= 2
    message = f"the formula stays undecided at {_MOST_BITS} bits: no ball of {digits} digits."
    raise UndecidedError(message)


def enclose(formula: Callable[[Powers[arb]], Value], epsilon: Fraction | Logarithm, digits: int) -> Value:
    """Return a ball around the value of a formula whose radius is below ``10**-digits`` of it.

    >>> from fractions import Fraction
    >>> print(enclose(lambda powers: powers.terms(3), Fraction(1), 30).str(25))
    [1.503214724408055013489523 +/- 2.66e-25]
    """
    return enclosure(lambda: formula(Exact(epsilon)), digits)


def _as_balls(value: Any) -> Any:  # noqa: ANN401 - as the formula
    if isinstance(value, list):
        return [_as_balls(one) for one in value]
    return arb(value) if isinstance(value, fmpq) else value


def _precision(value: Any) -> float:  # noqa: ANN401 - as the formula
    if isinstance(value, list):
        return min(map(_precision, value), default=math.inf)
    return value.rel_accuracy_bits() if isinstance(value, arb) and not value.is_exact() else math.inf
