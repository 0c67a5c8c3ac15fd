"""Bounds for sums of independent errors that hold whatever the truths are, by Chernoff.

Model
-----
    P(sum_r c_r e_r >= x) <= exp(sum_r L_r(s c_r) - s x)    for each s > 0
    L_r(s) = max_i log sum_j P_r(j | i) exp(s e_r(j, i))

Each s gives a valid x, so that the search for the best one needs no proof. Doubles are rounded outward by far
more than they can be off.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from optmech.base.arrays import Floats

# A logarithm of a sum of some thousand exponentials is off by less, for exponents of size one.
_ROUNDING = 1e-12
# Steps of a golden search, after which a factor is within one per cent of the best; bounds are flat there.
_STEPS, _GOLDEN = 14, (sqrt(5) - 1) / 2
_RANGE = 64.0


@dataclass(frozen=True, kw_only=True)
class EstimateErrors:
    """The errors of an unbiased estimate, in doubles.

    Attributes
    ----------
    probabilities, errors : ndarray, shape (num_responses, num_truths)
    """

    probabilities: Floats
    errors: Floats

    @property
    def variance(self) -> float:
        """The largest variance at any truth."""
        return float((self.probabilities * self.errors**2).sum(axis=0).max())

    def log_means(self, factor: float) -> Floats:
        """Return the logarithm of the mean of ``exp(factor error)`` at each truth, rounded up."""
        exponents = np.where(self.probabilities > 0, factor * self.errors, -np.inf)
        largest = exponents.max(axis=0)
        means = (self.probabilities * np.exp(exponents - largest)).sum(axis=0)
        size = np.abs(np.where(self.probabilities > 0, factor * self.errors, 0)).max()
        rounded: Floats = np.log(means) + largest + _ROUNDING * (1 + size)
        return rounded


@dataclass(frozen=True, kw_only=True)
class Term:
    """Some independent errors of one kind, each multiplied by a coefficient."""

    errors: EstimateErrors
    number: int = 1
    coefficient: float = 1.0

    @property
    def variance(self) -> float:
        """The largest variance of their sum."""
        return self.number * self.coefficient**2 * self.errors.variance

    def log_mean(self, factor: float) -> float:
        """Return a bound of the logarithm of the mean of ``exp(factor sum)``."""
        return self.number * float(self.errors.log_means(factor * self.coefficient).max())


def deviation(terms: Sequence[Term], tail: Fraction, *, sign: int) -> float:
    """Return a number that the sum, times a sign, exceeds with probability at most `tail`.

    Examples
    --------
    A coin that errs by one either way, a hundred times: Hoeffding's bound is sqrt(200 log 40) = 27.16.

    >>> from fractions import Fraction
    >>> import numpy as np
    >>> coin = EstimateErrors(probabilities=np.array([[0.5], [0.5]]), errors=np.array([[-1.0], [1.0]]))
    >>> round(deviation([Term(errors=coin, number=100)], Fraction(1, 40), sign=1), 2)
    26.99
    """
    return least_deviation(
        lambda factor: sum(term.log_mean(sign * factor) for term in terms),
        sum(term.variance for term in terms),
        tail,
    )


def least_deviation(log_mean: Callable[[float], float], variance: float, tail: Fraction) -> float:
    """Return the least x with ``exp(log_mean(s) - s x) <= tail`` that a search over s finds."""
    if not variance > 0:
        return 0.0
    surprise = log(1 / tail) * (1 + _ROUNDING)

    def width(factor: float) -> float:
        return (log_mean(factor) + surprise) / factor

    middle = sqrt(2 * surprise / variance)
    low, high = log(middle / _RANGE), log(middle * _RANGE)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = width(exp(left)), width(exp(right))
    for _ in range(_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = width(exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = width(exp(right))
    return max(min(at_left, at_right) * (1 + _ROUNDING), 0.0)
