"""Powers of e^-epsilon and their sums, in doubles or in balls: each formula of Kadam et al. is written once.

A formula takes a `Powers` and gives a number of its kind. `Doubles` are fast and never overflow. `Balls`
enclose the true number; `enclose` raises their precision until as many digits as wanted are sure. Where
epsilon is the logarithm of a rational, two numbers can be equal, which no precision shows: `Rationals`
decide.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from optmech.base.logarithm import Logarithm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flint import arb, fmpq

    from optmech.question.problem import Problem

__all__ = [
    "Balls",
    "Doubles",
    "Formula",
    "Powers",
    "Rationals",
    "UndecidedError",
    "enclose",
    "in_balls",
    "in_doubles",
]

Amount = TypeVar("Amount", float, "arb")

# A double holds e^x for |x| below this, and products of such numbers by probabilities.
_SAFE_EXPONENT = 300
_LARGEST_EXPONENT = 709
_BITS_PER_DIGIT = math.log2(10)
_SPARE_BITS = 40
_MOST_BITS = 1 << 17


class UndecidedError(ArithmeticError):
    """Two balls overlap where a formula has to know which number is larger."""


class Powers(Protocol[Amount]):
    """Numbers made of ``decay = e^-epsilon``, all of one kind."""

    def number(self, value: Fraction | int) -> Amount:
        """Return a rational number."""

    def power(self, steps: int) -> Amount:
        """Return ``decay**steps``."""

    def terms(self, count: int) -> Amount:
        """Return ``1 + decay + ... + decay**(count - 1)``, the paper's xi."""

    def complement(self) -> Amount:
        """Return ``1 - decay`` without cancellation."""

    def grown(self, value: Fraction, steps: int) -> Amount:
        """Return ``value / decay**steps``, infinite where a double cannot hold it."""

    def smaller(self, left: Amount, right: Amount) -> Amount:
        """Return the smaller of two numbers."""

    def larger(self, left: Amount, right: Amount) -> Amount:
        """Return the larger of two numbers."""

    def at_most(self, left: Amount, right: Amount) -> bool:
        """Whether `left` is at most `right`, for certain; else `UndecidedError`."""

    def total(self, counts: Sequence[int]) -> Amount:
        """Return ``sum_i counts[i] * decay**i``."""

    def share(self, value: Fraction, counts: Sequence[int]) -> Amount:
        """Return ``value / total(counts)``; some count must be positive."""


class Doubles:
    """Powers in floating point."""

    def __init__(self, epsilon: Fraction | Logarithm) -> None:
        self._epsilon = float(epsilon)
        self.power = cache(self.power)  # type: ignore[method-assign]

    def number(self, value: Fraction | int) -> float:
        """Return the nearest double."""
        return float(value)

    def power(self, steps: int) -> float:
        """Return ``decay**steps``, 0 where it underflows."""
        return math.exp(-steps * self._epsilon)

    def terms(self, count: int) -> float:
        """Return the geometric sum, stable for small epsilon."""
        return math.expm1(-count * self._epsilon) / math.expm1(-self._epsilon)

    def complement(self) -> float:
        """Return ``1 - decay`` without cancellation."""
        return -math.expm1(-self._epsilon)

    def grown(self, value: Fraction, steps: int) -> float:
        """Return ``value / decay**steps``, through logarithms where a factor leaves the doubles."""
        exponent = steps * self._epsilon
        if value <= 0:
            return 0.0
        if exponent < _SAFE_EXPONENT and float(value) > math.exp(-_SAFE_EXPONENT):
            return float(value) * math.exp(exponent)
        exponent += math.log(value.numerator) - math.log(value.denominator)
        return math.exp(exponent) if exponent < _LARGEST_EXPONENT else math.inf

    def smaller(self, left: float, right: float) -> float:
        """Return the smaller of two numbers."""
        return min(left, right)

    def larger(self, left: float, right: float) -> float:
        """Return the larger of two numbers."""
        return max(left, right)

    def at_most(self, left: float, right: float) -> bool:
        """Compare as doubles."""
        return left <= right

    def total(self, counts: Sequence[int]) -> float:
        """Return ``sum_i counts[i] * decay**i``."""
        return math.fsum(count * self.power(steps) for steps, count in enumerate(counts) if count)

    def share(self, value: Fraction, counts: Sequence[int]) -> float:
        """Return ``value / total(counts)``: the largest power is taken out, so that nothing underflows."""
        first = next(steps for steps, count in enumerate(counts) if count)
        return self.grown(value, first) / self.total(counts[first:])


class Balls:
    """Powers enclosed by balls, at the working precision of python-flint when a number is made."""

    def __init__(self, epsilon: Fraction) -> None:
        import flint  # noqa: PLC0415 - only who wants balls needs python-flint

        self._arb: type[arb] = flint.arb
        self._epsilon = self.number(epsilon)
        self.power = cache(self.power)  # type: ignore[method-assign]

    def number(self, value: Fraction | int) -> arb:
        """Return a ball around a rational number."""
        exact = Fraction(value)
        return self._arb(exact.numerator) / exact.denominator

    def power(self, steps: int) -> arb:
        """Return a ball around ``decay**steps``."""
        return (-steps * self._epsilon).exp()

    def terms(self, count: int) -> arb:
        """Return a ball around the geometric sum, a point where it has no or one term."""
        if count <= 1:
            return self._arb(count)
        return (-count * self._epsilon).expm1() / (-self._epsilon).expm1()

    def complement(self) -> arb:
        """Return a ball around ``1 - decay``."""
        return -(-self._epsilon).expm1()

    def grown(self, value: Fraction, steps: int) -> arb:
        """Return a ball around ``value / decay**steps``."""
        return self.number(value) * (steps * self._epsilon).exp()

    def smaller(self, left: arb, right: arb) -> arb:
        """Return a ball around the smaller of two numbers."""
        return left.min(right)

    def larger(self, left: arb, right: arb) -> arb:
        """Return a ball around the larger of two numbers."""
        return left.max(right)

    def at_most(self, left: arb, right: arb) -> bool:
        """Compare, if the balls decide it."""
        if left <= right:
            return True
        if left > right:
            return False
        message = f"{left} and {right} cannot be told apart at this precision."
        raise UndecidedError(message)

    def total(self, counts: Sequence[int]) -> arb:
        """Return a ball around ``sum_i counts[i] * decay**i``."""
        summands = [count * self.power(steps) for steps, count in enumerate(counts) if count]
        return sum(summands, self._arb(0))

    def share(self, value: Fraction, counts: Sequence[int]) -> arb:
        """Return a ball around ``value / total(counts)``."""
        return self.number(value) / self.total(counts)


class Rationals:
    """Powers of a rational ``e^-epsilon``, without rounding."""

    def __init__(self, epsilon: Logarithm) -> None:
        import flint  # noqa: PLC0415 - only who wants exact numbers needs python-flint

        self._fmpq: type[fmpq] = flint.fmpq
        self._decay = self.number(1 / epsilon.of)
        self.power = cache(self.power)  # type: ignore[method-assign]

    def number(self, value: Fraction | int) -> fmpq:
        """Return a rational number."""
        exact = Fraction(value)
        return self._fmpq(exact.numerator, exact.denominator)

    def power(self, steps: int) -> fmpq:
        """Return ``decay**steps``."""
        return self._decay**steps

    def terms(self, count: int) -> fmpq:
        """Return the geometric sum."""
        return (1 - self.power(count)) / self.complement()

    def complement(self) -> fmpq:
        """Return ``1 - decay``."""
        return 1 - self._decay

    def grown(self, value: Fraction, steps: int) -> fmpq:
        """Return ``value / decay**steps``."""
        return self.number(value) / self.power(steps)

    def smaller(self, left: fmpq, right: fmpq) -> fmpq:
        """Return the smaller of two numbers."""
        return min(left, right)

    def larger(self, left: fmpq, right: fmpq) -> fmpq:
        """Return the larger of two numbers."""
        return max(left, right)

    def at_most(self, left: fmpq, right: fmpq) -> bool:
        """Compare, without doubt."""
        return left <= right

    def total(self, counts: Sequence[int]) -> fmpq:
        """Return ``sum_i counts[i] * decay**i``."""
        summands = [count * self.power(steps) for steps, count in enumerate(counts) if count]
        return sum(summands, self._fmpq(0))

    def share(self, value: Fraction, counts: Sequence[int]) -> fmpq:
        """Return ``value / total(counts)``."""
        return self.number(value) / self.total(counts)


def enclose(formula: Callable[[Powers[arb]], arb], epsilon: Fraction | Logarithm, digits: int) -> arb:
    """Return a ball around the value of `formula` whose radius is below ``10**-digits`` of it.

    Raises
    ------
    UndecidedError
        If a choice in the formula hangs on two numbers that agree in 100,000 bits.

    Examples
    --------
    >>> print(enclose(lambda powers: powers.terms(3), Fraction(1), 30).str(25))
    [1.503214724408055013489523 +/- 2.66e-25]
    >>> print(enclose(lambda powers: powers.terms(3), Logarithm(Fraction(2)), 30).str(25))
    1.750000000000000000000000
    """
    import flint  # noqa: PLC0415 - only who wants balls needs python-flint

    wanted = math.ceil(digits * _BITS_PER_DIGIT) + 1
    bits = wanted + _SPARE_BITS
    if isinstance(epsilon, Logarithm):
        with flint.ctx.workprec(bits):
            return flint.arb(formula(_exact_powers(epsilon)))
    while bits <= _MOST_BITS:
        with flint.ctx.workprec(bits):
            try:
                value = formula(Balls(epsilon))
            except UndecidedError:
                value = None
        if value is not None and (value.is_exact() or value.rel_accuracy_bits() >= wanted):
            return value
        bits *= 2
    message = f"the formula stays undecided at {_MOST_BITS} bits."
    raise UndecidedError(message)


class Formula(Protocol):
    """A value of a problem, in either kind of number."""

    def __call__(self, powers: Powers[Amount], problem: Problem) -> Amount:
        """Return the value."""


def in_doubles(formula: Formula) -> Callable[[Problem], float]:
    """Return `formula` as a function of the problem, in floating point."""

    def value(problem: Problem) -> float:
        epsilon = problem.privacy.epsilon
        if isinstance(epsilon, Logarithm):
            return float(formula(_exact_powers(epsilon), problem))
        return formula(Doubles(epsilon), problem)

    return value


def in_balls(formula: Formula) -> Callable[[Problem, int], arb]:
    """Return `formula` as a function of the problem and a number of digits, enclosed."""

    def ball(problem: Problem, digits: int) -> arb:
        return enclose(lambda powers: formula(powers, problem), problem.privacy.epsilon, digits)

    return ball


def _exact_powers(epsilon: Logarithm) -> Powers[arb]:
    # A formula only adds, multiplies, divides and compares, which both kinds of number do alike.
    return cast("Powers[arb]", Rationals(epsilon))
