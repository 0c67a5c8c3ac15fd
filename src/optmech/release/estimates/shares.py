"""The share of each answer among people who each released one, with standard errors and joint intervals.

Model
-----
    N people have fixed answers t_r, and each released J_r from the mechanism
    share of i:  p_i = #{r: t_r = i} / N,      estimate  (1 / N) sum_r g_i(J_r)
    g_i unbiased for the indicator of i, so that the mean of the estimate is p_i
    covariance   (1 / N) sum_t p_t Cov(g_i, g_k | t)          randomness of the mechanism alone
    covariance   (1 / N) Cov(g_i, g_k) over a random person    people drawn from a larger population

The covariance of one person's estimates is a value at each truth, and its unbiased estimator is averaged over
people: its mean is the covariance. For drawn people it is that of the sample, with N - 1 in place of N. A
standard error is the root of such a variance, cut to the smallest and the largest that any people have: so
that its square is no unbiased estimate, unless both are the same.

Limits hold for all answers together, by the union bound over both ends of each. Where g_i has two values,
the number of people who released the larger one is a sum of two binomials, and its limits are exact; else
they are Chernoff's, or, where no unbiased estimator is of use, Hoeffding's of functions biased to one side.
The choice does not depend on what was released. With two answers one share is one less the other, and both
have the limits of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from optmech.release.estimates.binomial import limits_of_number, limits_of_probability
from optmech.release.estimates.one_sided import OneSided, one_sided, shortfall
from optmech.release.estimates.tails import EstimateErrors, least_deviation
from optmech.release.estimates.unbiased import NoUnbiasedEstimator, UnbiasedEstimator, unbiased_estimator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.estimates.likelihoods import Likelihoods

_TWO = 2
# Limits wider than this are compared with those of functions that are biased to one side.
_WIDE = 0.5


@dataclass(frozen=True, kw_only=True)
class ShareEstimate:
    """The estimated share of one answer.

    Attributes
    ----------
    answer : int
        The position of the answer among the truths.
    estimate : Fraction or None
        It may be below 0 or above 1. ``None`` where no unbiased estimator exists.
    standard_error : float or None
        The root of the estimated variance, cut to the smallest and the largest that there can be: cutting
        makes it biased.
    low, high : Fraction
        Between them are all shares together with the level at least.
    reason : str
        The reason why there is no estimate, else empty.
    """

    answer: int
    estimate: Fraction | None
    standard_error: float | None
    low: Fraction
    high: Fraction
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShareQuestion:
    """The share of an answer that is asked for, what was released, and one of its two tails."""

    answer: int
    estimator: UnbiasedEstimator
    counts: Sequence[int]
    tail: Fraction
    sampled: bool

    @property
    def people(self) -> int:
        """The number of people who released a response."""
        return sum(self.counts)


class ShareEstimator:
    """Estimators of the shares of all answers of a mechanism.

    Parameters
    ----------
    likelihoods : Likelihoods
        The mechanism.
    prior : sequence of Fraction
        Under it the estimators have the least expected variance; the mean is the share for all of them.

    Examples
    --------
    Randomised response with odds of 3 to 1: 70 of 100 people released the first answer.

    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> coin = Likelihoods(responses=(0, 1), truths=(0, 1), weights=((3, 1), (1, 3)))
    >>> estimator = ShareEstimator(coin, [Fraction(1, 2)] * 2)
    >>> share, _ = estimator.shares([70, 30], Fraction(95, 100))
    >>> float(share.estimate), round(share.standard_error, 4), str(share.low), str(share.high)
    (0.9, 0.0866, '73/100', '1')
    """

    def __init__(self, likelihoods: Likelihoods, prior: Sequence[Fraction]) -> None:
        number = len(likelihoods.truths)
        self.likelihoods = likelihoods
        self.estimators = tuple(
            unbiased_estimator(likelihoods, [Fraction(at == answer) for at in range(number)], prior)
            for answer in range(number)
        )
        self._prior = tuple(prior)
        self._known: dict[tuple[int, int, Fraction], tuple[OneSided, OneSided]] = {}
        self._covariances: dict[tuple[int, int], UnbiasedEstimator | NoUnbiasedEstimator] = {}

    def shares(
        self, counts: Sequence[int], level: Fraction, *, sampled: bool = False
    ) -> tuple[ShareEstimate, ...]:
        """Return the share of each answer.

        Parameters
        ----------
        counts : sequence of int, shape (num_responses,)
            The number of people who released each response; not all 0.
        level : Fraction
            The probability that all limits hold together.
        sampled : bool, optional
            Whether shares are those of a larger population, from which the people were drawn independently.
        """
        number = len(self.estimators)
        tail = (1 - level) / (_TWO * (number if number > _TWO else 1))
        shares = [
            self._share(answer, counts, tail, sampled=sampled)
            for answer in range(number if number != _TWO else 1)
        ]
        return (shares[0], self._rest(shares[0])) if number == _TWO else tuple(shares)

    def covariance(
        self, counts: Sequence[int], first: int, second: int, *, sampled: bool = False
    ) -> Fraction | None:
        """Return the estimated covariance of the shares of two answers, exactly; None where there is none."""
        one, two = self.estimators[first], self.estimators[second]
        people = sum(counts)
        if isinstance(one, NoUnbiasedEstimator) or isinstance(two, NoUnbiasedEstimator):
            return None
        if sampled:
            if people == 1:
                return None
            product = sum(
                (n * a * b for n, a, b in zip(counts, one.estimates, two.estimates, strict=True)), Fraction(0)
            )
            return (product / people - _mean(one, counts) * _mean(two, counts)) / (people - 1)
        of_one = self._covariance_estimator(first, second)
        return None if isinstance(of_one, NoUnbiasedEstimator) else _mean(of_one, counts) / people

    def _covariance_estimator(self, first: int, second: int) -> UnbiasedEstimator | NoUnbiasedEstimator:
        """Return the unbiased estimator of the covariance of one person's estimates."""
        key = first, second
        if key not in self._covariances:
            one, two = self.estimators[first], self.estimators[second]
            assert not isinstance(one, NoUnbiasedEstimator) and not isinstance(two, NoUnbiasedEstimator)  # noqa: S101, PT018 - asked before
            values = [one.covariance(two, truth) for truth in range(len(self.estimators))]
            self._covariances[key] = unbiased_estimator(self.likelihoods, values, self._prior)
        return self._covariances[key]

    def _standard_error(self, asked: _ShareQuestion) -> float:
        """Return the root of the estimated variance, which is kept between the smallest and the largest.

        The largest stands where the variance has no unbiased estimator.
        """
        people, answer = asked.people, asked.answer
        variance = self.covariance(asked.counts, answer, answer, sampled=asked.sampled)
        variances = [asked.estimator.variance(truth) / people for truth in range(len(self.estimators))]
        most = max(variances) + (Fraction(1, 4 * people) if asked.sampled else 0)
        return sqrt(most if variance is None else min(max(variance, min(variances)), most))

    def _share(self, answer: int, counts: Sequence[int], tail: Fraction, *, sampled: bool) -> ShareEstimate:
        estimator = self.estimators[answer]
        if isinstance(estimator, NoUnbiasedEstimator):
            low, high = self._limits_by(self._one_sided(answer, sum(counts), tail), counts, tail)
            return ShareEstimate(
                answer=answer,
                estimate=None,
                standard_error=None,
                low=low,
                high=high,
                reason=str(estimator),
            )
        asked = _ShareQuestion(answer=answer, estimator=estimator, counts=counts, tail=tail, sampled=sampled)
        low, high = self._limits(asked)
        return ShareEstimate(
            answer=answer,
            estimate=_mean(estimator, counts),
            standard_error=self._standard_error(asked),
            low=low,
            high=high,
        )

    def _rest(self, share: ShareEstimate) -> ShareEstimate:
        """Return the share of the second of two answers."""
        return ShareEstimate(
            answer=1,
            estimate=None if share.estimate is None else 1 - share.estimate,
            standard_error=share.standard_error,
            low=1 - share.high,
            high=1 - share.low,
            reason=share.reason,
        )

    def _limits(self, asked: _ShareQuestion) -> tuple[Fraction, Fraction]:
        answer, people, possible = asked.answer, asked.people, self.likelihoods.possible
        estimates = asked.estimator.estimates
        values = {estimates[response] for response in possible}
        if len(values) == 1:  # there is one answer
            return Fraction(1), Fraction(1)
        if len(values) != _TWO:
            return self._chernoff(asked)
        larger = [response for response in possible if estimates[response] == max(values)]
        released = sum(asked.counts[response] for response in larger)
        other = next(truth for truth in range(len(self.estimators)) if truth != answer)
        share, rest = (
            sum((self.likelihoods.probability(response, truth) for response in larger), Fraction(0))
            for truth in (answer, other)
        )
        if not asked.sampled:
            low, high = limits_of_number(released, people, share, rest, asked.tail)
            return Fraction(low, people), Fraction(high, people)
        ends = limits_of_probability(released, people, asked.tail)
        lowest, highest = (_clipped((Fraction(end) - rest) / (share - rest)) for end in ends)
        return lowest, highest

    def _chernoff(self, asked: _ShareQuestion) -> tuple[Fraction, Fraction]:
        """Return limits from a bound of the mean of the exponential of one person's error."""
        answer, estimator, people, tail = asked.answer, asked.estimator, asked.people, asked.tail
        matrix = self.likelihoods.matrix
        estimates = np.array([[float(value)] for value in estimator.estimates])
        released = EstimateErrors(probabilities=matrix, errors=estimates + np.zeros_like(matrix))
        variance = people * max(float(estimator.variance(truth)) for truth in range(matrix.shape[1]))
        if asked.sampled:
            variance += people / 4  # of whether a person has the answer
        ends = []
        for sign in (1, -1):

            def log_mean(factor: float, sign: int = sign) -> float:
                logs = released.log_means(sign * factor)
                own, others = float(logs[answer]), float(np.delete(logs, answer).max())
                one = max(own - sign * factor, others)
                if asked.sampled:
                    one = _mixed(own, others, sign * factor)
                return people * one

            ends.append(least_deviation(log_mean, variance, tail) / people)
        if sum(ends) > _WIDE:
            sides = self._one_sided(answer, people, tail)
            usual = sum(side.usual + shortfall(side.spread**2 / people, tail) for side in sides)
            if usual < sum(ends):
                return self._limits_by(sides, asked.counts, tail)
        center = _mean(estimator, asked.counts)
        return _clipped(center - Fraction(ends[0])), _clipped(center + Fraction(ends[1]))

    def _one_sided(self, answer: int, people: int, tail: Fraction) -> tuple[OneSided, OneSided]:
        """Return the functions for the upper and for the lower limit of a share."""
        key = answer, people, tail
        if key not in self._known:
            share = [Fraction(at == answer) for at in range(len(self.estimators))]
            upper, lower = (
                one_sided(self.likelihoods, [sign * value for value in share], people, tail)
                for sign in (1, -1)
            )
            self._known[key] = upper, lower
        return self._known[key]

    @staticmethod
    def _limits_by(
        sides: tuple[OneSided, OneSided], counts: Sequence[int], tail: Fraction
    ) -> tuple[Fraction, Fraction]:
        """Return limits from functions that are biased upward, and downward."""
        people, listed = sum(counts), dict(enumerate(counts))
        above, below = (
            side.total(listed) / people + shortfall(side.spread**2 / people, tail) for side in sides
        )
        low, high = _clipped(-below), _clipped(above)
        return min(low, high), max(low, high)


def _mixed(own: float, others: float, factor: float) -> float:
    """Return the largest of ``log(x e^own + (1 - x) e^others) - factor x`` for x from 0 to 1.

    It is concave in x, and its derivative is 0 at ``1 / factor - e^others / (e^own - e^others)``.
    """
    ends = [others, own - factor]
    rise = exp(min(own - others, 700.0)) - 1
    if rise and 0 < (x := 1 / factor - 1 / rise) < 1:
        ends.append(others + np.log1p(x * rise) - factor * x)
    return max(ends)


def _mean(estimator: UnbiasedEstimator, counts: Sequence[int]) -> Fraction:
    """Return the mean of an estimate over people."""
    numerators, scale = estimator.whole
    total = sum(count * numerator for count, numerator in zip(counts, numerators, strict=True))
    return Fraction(total, scale * sum(counts))


def _clipped(share: Fraction) -> Fraction:
    return min(max(share, Fraction(0)), Fraction(1))
