"""Whole-number normal noise around rational centres, drawn exactly, many numbers at once.

Law
---
    P(z) in proportion to exp(-(z - c)^2 / 2s), c the centre, s the parameter

From the whole number next to c a step k is drawn in proportion to a^|k|, a rational. It is kept with
probability exp(-x), x = (|k| - s t - g f)^2 / 2s + t (|f| - g f) >= 0, where t = -ln a, f is the rest of c,
and g the sign of k. Doubles find exp(-x). They decide where the number drawn for it is further from exp(-x)
than a bound on all their errors; elsewhere balls decide, with as many further bits as that takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq

from optmech.mechanisms.tables.coins import WORD, enclosed, settled, two_sided, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.mechanisms.tables.coins import Chance

# Doubles find exp(-x) up to 1e-11 of it, and a word as a part of one up to 2^-53.
_RELATIVE, _ABSOLUTE = 1e-9, 2.0**-50
_DIGITS, _GUARD = 24, 64


@dataclass(frozen=True, slots=True)
class Proposal:
    """The rational a, and t = -ln a as a double and as a ball."""

    ratio: Fraction
    rate: float

    def exact_rate(self) -> arb:
        """Return t to the precision in use."""
        return -_ball(self.ratio).log()


@lru_cache(maxsize=256)
def proposal(exponent: int) -> Proposal:
    """Return the proposal for parameters near ``2**exponent``: any ratio gives the same law."""
    near = exp(-(2.0 ** (-exponent / 2)))
    digits = _DIGITS + max(exponent, 0)
    whole = min(max(round(Fraction(near) * (1 << digits)), 1), (1 << digits) - 1)
    ratio = Fraction(whole, 1 << digits)
    return Proposal(ratio, -log(ratio))


def normal_numbers(
    parts: Whole,
    wholes: Whole,
    doubles: Floats,
    parameter: Callable[[int], Fraction],
    random_bytes: RandomBytes,
) -> tuple[Integers, Whole]:
    """Return numbers around the centres ``parts / wholes``, and the rests of the centres, as parts.

    Parameters
    ----------
    parts, wholes : ndarray of int
        The centres.
    doubles : ndarray of float
        The parameters, each up to 1e-14 of it.
    parameter : callable
        Returns the parameter of an index, exactly.
    random_bytes : callable
        A source of random bytes.
    """
    nearest = (2 * parts + wholes) // (2 * wholes)
    rests = parts - nearest * wholes
    fractions = (rests / wholes).astype(float)
    numbers = nearest.astype(np.int64)
    exponents = np.frexp(doubles)[1]
    for exponent in np.unique(exponents).tolist():
        chosen, left = proposal(exponent), np.flatnonzero(exponents == exponent)
        while left.size:
            drawn = two_sided(chosen.ratio, left.size, random_bytes)
            kept = _kept(chosen, drawn, fractions[left], doubles[left], words(left.size, random_bytes))
            for place, word in kept.open.items():
                index = int(left[place])
                rest = Fraction(int(rests[index]), int(wholes[index]))
                chance = _chance(chosen, int(drawn[place]), rest, parameter(index))
                kept.sure[place] = settled(chance, word, random_bytes)
            numbers[left[kept.sure]] += drawn[kept.sure]
            left = left[~kept.sure]
    return numbers, rests


@dataclass(frozen=True, slots=True)
class _Kept:
    """The numbers that are kept, and the words of those of which doubles do not decide."""

    sure: Whole
    open: dict[int, int]


def _kept(chosen: Proposal, drawn: Integers, fractions: Floats, doubles: Floats, deciding: Whole) -> _Kept:
    sign = np.where(drawn < 0, -1.0, 1.0)
    beyond = np.abs(drawn) - doubles * chosen.rate - sign * fractions
    exponents = beyond**2 / (2 * doubles) + chosen.rate * (np.abs(fractions) - sign * fractions)
    chances = np.exp(-exponents)
    uniform = deciding * 2.0**-WORD
    near = np.abs(uniform - chances) <= _ABSOLUTE + _RELATIVE * chances
    open_now = {place: int(deciding[place]) for place in np.flatnonzero(near).tolist()}
    return _Kept(uniform < chances, open_now)


def _chance(chosen: Proposal, number: int, rest: Fraction, parameter: Fraction) -> Chance:
    sign = -1 if number < 0 else 1

    def chance(bits: int) -> tuple[int, int]:
        with ctx.workprec(bits + _GUARD + 2 * number.bit_length()):
            rate, width = chosen.exact_rate(), _ball(parameter)
            beyond = abs(number) - width * rate - _ball(sign * rest)
            exponent = beyond * beyond / (2 * width) + rate * _ball(abs(rest) - sign * rest)
            return enclosed((-exponent).exp(), bits)

    return chance


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def theta_ratio(rest: Fraction, parameter: Fraction) -> arb:
    """Return theta(c) / theta(0), theta the sum of exp(-(z - c)^2 / 2s) over all whole z, in a ball.

    By Poisson summation theta(c) is in proportion to 1 + 2 sum_j q^(j^2) cos(2 pi j c), q = exp(-2 pi^2 s).
    """
    pi = arb.pi()
    base = (-2 * pi * pi * _ball(parameter)).exp()
    angle = 2 * pi * _ball(rest)
    above, below, place = arb(1), arb(1), 1
    while True:
        power = base ** (place * place)
        if power < arb(2) ** -(ctx.prec + 2):  # what follows is less than twice as much as this
            tail = arb(0, 1) * 4 * power
            return (above + tail) / (below + tail)
        above += 2 * power * (angle * place).cos()
        below += 2 * power
        place += 1
