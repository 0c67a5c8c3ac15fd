"""Two rationals with ``e^epsilon`` between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.base.errors import broken_rule
from optmech.base.logarithm import Logarithm

if TYPE_CHECKING:
    from flint import fmpz

    from optmech.question.problem import Problem

# Lost to rounding and to the exponent, which scales a relative error of epsilon by epsilon, at most 700.
_SPARE_BITS = 16
_MOST_BITS = 2**16
# Powers of fewer bits are exact; of longer ones more significant bits are kept than a certified ratio has.
LONGEST_POWER = 200_000
"""Bits of a power of e^epsilon that a certificate holds to the last one; see `docs/certificate.md`."""
_POWER_BITS = 2**8


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number between two rationals, which are the number itself where it is rational.

    A rule that holds with `lower` holds with the number; a value above `upper` exceeds the number.
    `further` are the enclosures of further privacies, where a question has several.
    """

    lower: Fraction
    upper: Fraction
    further: tuple[Enclosure, ...] = field(default=(), repr=False)

    @property
    def each(self) -> tuple[Enclosure, ...]:
        """Itself, and those of further privacies."""
        return (self, *self.further)

    def holds(self, epsilon: Fraction | Logarithm) -> bool:
        """Whether ``lower <= e^epsilon <= upper``, proved."""
        bits = _SPARE_BITS
        if self.lower < self.upper:  # of what is wider than this, sooner or later some digit decides
            width = self.lower / (self.upper - self.lower)
            bits = max(bits, 2 + width.numerator.bit_length() - width.denominator.bit_length())
        while bits <= _MOST_BITS:  # e to a rational power but 0 is irrational, so that some precision decides
            enclosure = enclose_exponential(epsilon, bits)
            if self.lower <= enclosure.lower and enclosure.upper <= self.upper:
                return True
            if enclosure.upper < self.lower or self.upper < enclosure.lower:
                return False
            bits *= 2
        return False


def enclose_exponential(epsilon: Fraction | Logarithm, bits: int) -> Enclosure:
    """Return rationals around ``e^epsilon`` no further apart than ``2**-bits`` times the lower, by balls.

    For a logarithm of a rational both ends are that rational, and at 0 both are 1. Otherwise the exponential
    is transcendental and lies strictly inside, between multiples of a power of two.

    >>> enclose_exponential(Fraction(1), 8)
    Enclosure(lower=Fraction(5700649, 2097152), upper=Fraction(5700651, 2097152))
    """
    if bits < 1:
        raise broken_rule("bits", "be at least 1", bits, "It says how narrow the enclosure is.")
    if isinstance(epsilon, Logarithm):
        return Enclosure(epsilon.of, epsilon.of)
    precision = bits + _SPARE_BITS
    while True:
        with ctx.workprec(precision):
            ball = arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()
            lower, upper = (_dyadic(*end.man_exp()) for end in (ball.lower(), ball.upper()))
        lower = max(lower, Fraction(epsilon >= 0))  # as e^epsilon is
        if lower > 0 and (upper - lower) * 2**bits <= lower:
            return Enclosure(lower, upper)
        precision += _SPARE_BITS


def enclosures_of(problem: Problem, bits: int) -> Enclosure:
    """Return rationals around ``e^epsilon`` of each privacy of a question; see `enclose_exponential`."""
    main, *further = (enclose_exponential(privacy.epsilon, bits) for privacy in problem.privacies)
    return Enclosure(main.lower, main.upper, tuple(further))


def power_below(base: Fraction, power: int) -> Fraction:
    """Return ``base**power`` for a base of at least 1, rounded down where that is long.

    No certificate holds a power of more than `LONGEST_POWER` bits. Until it is refused, rounding down is safe
    and keeps the number short.
    """
    return _power(base, power, up=False)


def power_above(base: Fraction, power: int) -> Fraction:
    """Return ``base**power``, rounded up where that is long; see `power_below`."""
    return _power(base, power, up=True)


def _power(base: Fraction, power: int, *, up: bool) -> Fraction:
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if power * bits <= LONGEST_POWER or power == 1:
        return base**power
    with ctx.workprec(_POWER_BITS + power.bit_length()):
        ball = arb(fmpq(base.numerator, base.denominator)) ** power
        end = ball.upper() if up else ball.lower()
    return max(_dyadic(*end.man_exp()), Fraction(1))


def _dyadic(mantissa: fmpz, exponent: fmpz) -> Fraction:
    power = int(exponent)
    return Fraction(int(mantissa) << max(power, 0), 1 << max(-power, 0))
