"""Limits of a share where no unbiased estimator exists, or none of use: from a function biased to one side.

Model
-----
    min   sum_t w_t m(t) + lambda (high - low)     m(t) = sum_j P(j | t) g(j),   low <= g(j) <= high
    s.t.  m(t) >= sign 1{t = answer}               for each truth t
    lambda = sqrt(log(1 / tail) / (2 N))

The mean of g over N people is then at least the share, times the sign, but for lambda (high - low) with
probability at most `tail` (Hoeffding 1963), whatever g is: so the solver is not trusted. Its doubles become
fractions, and a constant is added that keeps every m(t) exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, nextafter, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.estimates.likelihoods import Likelihoods

_ROUNDING = 1 + 1e-12


@dataclass(frozen=True, kw_only=True)
class OneSided:
    """A function of the response whose mean is at least a share, times a sign, at every truth.

    Attributes
    ----------
    values : tuple of Fraction
        One for each response.
    deviation : Fraction
        How far its mean over people falls below its expectation, but for the probability of the tail.
    usual : Fraction
        The mean of the limit where all answers have the same share.
    """

    values: tuple[Fraction, ...]
    deviation: Fraction
    usual: Fraction

    def limit(self, counts: Sequence[int]) -> Fraction:
        """Return the limit of the share, times the sign, from how many people released each response."""
        total = sum((n * value for n, value in zip(counts, self.values, strict=True)), Fraction(0))
        return total / sum(counts) + self.deviation


def one_sided(likelihoods: Likelihoods, answer: int, sign: int, people: int, tail: Fraction) -> OneSided:
    """Return the function for the upper limit of a share, or with the sign -1 for the lower one.

    Examples
    --------
    A mechanism that says nothing leaves the share between 0 and 1:

    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> silent = Likelihoods(responses=(0, 1), truths=(0, 1, 2), weights=((1, 1),) * 3)
    >>> [float(one_sided(silent, 0, sign, 50, Fraction(1, 40)).limit([20, 30])) for sign in (1, -1)]
    [1.0, 0.0]
    """
    from scipy.optimize import linprog  # noqa: PLC0415 - a third of a second that most estimates do not need

    rate = nextafter(sqrt(log(1 / tail) / (2 * people)) * _ROUNDING, 2.0)
    possible, number = likelihoods.possible, len(likelihoods.truths)
    shares = likelihoods.matrix[list(possible)].T
    width = len(possible)
    wanted = np.array([float(sign) if truth == answer else 0.0 for truth in range(number)])
    below = np.column_stack([-np.eye(width), np.ones(width), np.zeros(width)])  # low <= g
    above = np.column_stack([np.eye(width), np.zeros(width), -np.ones(width)])  # g <= high
    means = np.column_stack([-shares, np.zeros((number, 2))])
    cost = np.concatenate([shares.mean(axis=0), [-rate, rate]])
    solution = linprog(
        cost,
        A_ub=np.vstack([below, above, means]),
        b_ub=np.concatenate([np.zeros(2 * width), -wanted]),
        bounds=(None, None),
    )
    found = solution.x[:width].tolist() if solution.status == 0 else [float(max(sign, 0))] * width
    return _kept(likelihoods, answer, sign, list(map(Fraction, found)), rate)


def _kept(likelihoods: Likelihoods, answer: int, sign: int, found: list[Fraction], rate: float) -> OneSided:
    """Return the function raised by a constant, so that it keeps its rule exactly."""
    values = [Fraction(0)] * len(likelihoods.responses)
    for response, value in zip(likelihoods.possible, found, strict=True):
        values[response] = value
    means = [
        sum((weight * value for weight, value in zip(column, values, strict=True)), Fraction(0)) / total
        for column, total in zip(likelihoods.weights, likelihoods.totals, strict=True)
    ]
    lacking = max((sign if truth == answer else 0) - mean for truth, mean in enumerate(means))
    raised = tuple(value + lacking for value in values)
    deviation = Fraction(rate) * (max(found) - min(found))
    return OneSided(
        values=raised, deviation=deviation, usual=sum(means, Fraction(0)) / len(means) + lacking + deviation
    )
