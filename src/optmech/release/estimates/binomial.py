"""Exact limits for a number of people, of whom a count of releases is known: a test inverted.

Model
-----
    of N people m have the answer;  S = Binomial(m, a) + Binomial(N - m, b),  a > b
    m is kept where  P(S >= s | m) >= tail  and  P(S <= s | m) >= tail

Both probabilities are monotone in m, so that the kept m are a run; it is never empty for a tail of at most
one half. If the N people are themselves drawn from a population with a share p, S is Binomial(N, q) with
q = b + (a - b) p, and the limits of q are those of Clopper and Pearson 1934.

Probabilities are doubles; a limit is moved only where it is clear of their rounding. Numbers farther than
12 sqrt(N) from a mean have less than exp(-288) by Hoeffding, and are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv, gammaln, xlogy

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats

# Logarithms of factorials of a million are off by 1e-9, so that probabilities are, relatively.
_ROUNDING = 1e-6
_LEFT_OUT = 1e-100
_DEVIATIONS = 12


def limits_of_number(
    released: int, people: int, share: Fraction, other: Fraction, tail: Fraction
) -> tuple[int, int]:
    """Return the least and the largest number of people with an answer that a count of releases allows.

    Parameters
    ----------
    released : int
        The number of the `people` who released what the answer leads to with probability `share`, and any
        other with probability `other`, which is smaller.
    tail : Fraction
        The probability of missing the number on each side, at most 1/2.

    Examples
    --------
    >>> from fractions import Fraction
    >>> limits_of_number(70, 100, Fraction(3, 4), Fraction(1, 4), Fraction(1, 40))
    (73, 100)
    """
    chances, others = (share, other), (1 - share, 1 - other)
    numbers = range(people + 1)
    enough = float(tail) * (1 - _ROUNDING)
    low = bisect_left(numbers, 1, key=lambda m: int(_at_least(released, m, people - m, chances) >= enough))
    few = bisect_left(
        numbers, 1, key=lambda m: int(_at_least(people - released, m, people - m, others) < enough)
    )
    return min(low, people), max(few - 1, 0)


def limits_of_probability(released: int, people: int, tail: Fraction) -> tuple[float, float]:
    """Return the limits of Clopper and Pearson for the probability of a release, rounded outward.

    Examples
    --------
    >>> from fractions import Fraction
    >>> low, high = limits_of_probability(7, 10, Fraction(1, 40))
    >>> round(low, 3), round(high, 3)
    (0.348, 0.933)
    """
    share = float(tail) * (1 - _ROUNDING)
    low = float(betaincinv(released, people - released + 1, share)) if released else 0.0
    high = 1 - float(betaincinv(people - released, released + 1, share)) if released < people else 1.0
    return low * (1 - _ROUNDING), min(1 - (1 - high) * (1 - _ROUNDING), 1.0)


def _at_least(least: int, first: int, second: int, chances: tuple[Fraction, Fraction]) -> float:
    """Return the probability of `least` successes or more in both, with what is left out added."""
    start, masses = _masses(first, chances[0])
    start_other, masses_other = _masses(second, chances[1])
    above = np.append(np.cumsum(masses_other[::-1])[::-1], 0.0)  # P(other >= start_other + k)
    needed = np.clip(least - np.arange(start, start + len(masses)) - start_other, 0, len(masses_other))
    return float(masses @ above[needed]) + _LEFT_OUT


def _masses(number: int, chance: Fraction) -> tuple[int, Floats]:
    """Return the first of the numbers of successes that have some probability, and their probabilities."""
    share, rest = float(chance), float(1 - chance)
    far = _DEVIATIONS * (isqrt(number) + 1)
    start = max(int(number * share) - far, 0)
    counts = np.arange(start, min(int(number * share) + far, number) + 1)
    ways = gammaln(number + 1) - gammaln(counts + 1) - gammaln(number - counts + 1)
    masses: Floats = np.exp(ways + xlogy(counts, share) + xlogy(number - counts, rest))
    return start, masses
