"""The estimates of one true number from its release, or from several releases of it.

Model
-----
    release r has an unbiased estimator g_r with expected variance V_r under the prior
    the average   sum_r w_r g_r,   w_r proportional to 1 / V_r,   is unbiased
    variance at truth i   sum_r w_r^2 Var(g_r | i)

Weights do not depend on what was released. The interval of one release is that of `apply --interval`; of
several it is the same construction on the exact distribution of their average, or Chernoff's bound where
that has too many values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.one_sided import OneSided, one_sided
from optmech.release.estimates.posterior import likelihood, most_likely, posterior
from optmech.release.estimates.tails import EstimateErrors, Term, deviation
from optmech.release.estimates.unbiased import NoUnbiasedEstimator, UnbiasedEstimator, unbiased_estimator
from optmech.release.tables.acceptance import ends_of_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    Responses = tuple[int, ...]
    """The position of the response of each release."""

# Values of an average times truths: its distribution is summed one by one.
_MOST_SUMS = 200_000


@dataclass(frozen=True, kw_only=True)
class NumberEstimate:
    """All that is estimated of one true number.

    Attributes
    ----------
    unbiased : Fraction or None
        ``None`` where no unbiased estimator exists.
    standard_error : float or None
        That of the unbiased estimate, exact at the likeliest truth; of several the largest.
    most_likely : tuple of Fraction
        The truths at which the release is likeliest.
    posterior : tuple of Fraction
        The probability of each truth under the prior.
    posterior_mean : Fraction
    posterior_sd : float
    low, high : Fraction
        Between them is the truth with the level at least, whatever it is.
    """

    unbiased: Fraction | None
    standard_error: float | None
    most_likely: tuple[Fraction, ...]
    posterior: tuple[Fraction, ...]
    posterior_mean: Fraction
    posterior_sd: float
    low: Fraction
    high: Fraction


class NumberEstimator:
    """Estimators of a true number from its releases.

    Parameters
    ----------
    releases : sequence of Likelihoods
        The mechanism of each release, all of the same truths.
    prior : sequence of Fraction, shape (num_truths,)
        The probability of each truth.

    Examples
    --------
    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> noisy = Likelihoods(responses=(0, 1, 2), truths=(0, 1, 2), weights=((4, 1, 1), (1, 4, 1), (1, 1, 4)))
    >>> estimator = NumberEstimator([noisy], [Fraction(1, 3)] * 3)
    >>> found = estimator.estimate((2,), Fraction(1, 2))
    >>> str(found.unbiased), found.most_likely, str(found.posterior_mean), found.low, found.high
    ('3', (2,), '3/2', 2, 2)
    """

    def __init__(self, releases: Sequence[Likelihoods], prior: Sequence[Fraction]) -> None:
        self.releases = tuple(releases)
        self.truths = self.releases[0].truths
        self.prior = tuple(prior)

    @cached_property
    def estimators(self) -> tuple[UnbiasedEstimator | NoUnbiasedEstimator, ...]:
        """The unbiased estimator of each release, or the proof that there is none."""
        by_release = {id(release): release for release in self.releases}
        made = {
            key: unbiased_estimator(release, self.truths, self.prior) for key, release in by_release.items()
        }
        return tuple(made[id(release)] for release in self.releases)

    @cached_property
    def weighted(self) -> tuple[tuple[int, UnbiasedEstimator, Fraction], ...]:
        """The index, the unbiased estimator and the weight of each release that has one."""
        found = [
            (index, estimator)
            for index, estimator in enumerate(self.estimators)
            if not isinstance(estimator, NoUnbiasedEstimator)
        ]
        if len(found) == 1:
            return tuple((index, estimator, Fraction(1)) for index, estimator in found)
        variances = [self._expected_variance(estimator) for _, estimator in found]
        certain = [Fraction(not variance) for variance in variances]
        # Weights are free: doubles of the inverses keep the numbers short.
        inverse = certain if any(certain) else [Fraction(float(1 / variance)) for variance in variances]
        total = sum(inverse)
        return tuple(
            (index, estimator, weight / total)
            for (index, estimator), weight in zip(found, inverse, strict=True)
        )

    @property
    def reason(self) -> str:
        """The reason why there is no unbiased estimate, else empty."""
        return "" if self.weighted else str(self.estimators[0])

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The errors of the unbiased estimate, for bounds of sums."""
        return tuple(
            Term(errors=_errors_of(estimator), coefficient=float(weight))
            for _, estimator, weight in self.weighted
        )

    def released(self, responses: Responses) -> tuple[Fraction, ...]:
        """Return the released numbers at these positions."""
        releases = zip(self.releases, responses, strict=True)
        return tuple(release.responses[response] for release, response in releases)

    def unbiased(self, responses: Responses) -> Fraction | None:
        """Return the unbiased estimate, None where there is none."""
        if not self.weighted:
            return None
        return sum(
            (weight * estimator.estimates[responses[index]] for index, estimator, weight in self.weighted),
            Fraction(0),
        )

    def variance(self, truth: int) -> Fraction:
        """Return the variance of the unbiased estimate at a truth, exactly."""
        variances = (weight**2 * estimator.variance(truth) for _, estimator, weight in self.weighted)
        return sum(variances, Fraction(0))

    def likeliest(self, responses: Responses) -> tuple[int, ...]:
        """Return the positions of the likeliest truths."""
        return most_likely(likelihood(self.releases, responses))

    def variance_here(self, responses: Responses) -> Fraction | None:
        """Return the largest variance at the likeliest truths, None without an unbiased estimate."""
        return max(map(self.variance, self.likeliest(responses))) if self.weighted else None

    def estimate(self, responses: Responses, level: Fraction) -> NumberEstimate:
        """Return the estimates from the responses, by position, one of each release."""
        shares = likelihood(self.releases, responses)
        named = ", ".join(map(as_text, self.released(responses)))
        if not any(shares):
            raise broken_rule("released", "hold what some true answer can lead to", named)
        after = posterior(shares, self.prior, named)
        mean = sum((share * truth for share, truth in zip(after, self.truths, strict=True)), Fraction(0))
        square = sum(share * (truth - mean) ** 2 for share, truth in zip(after, self.truths, strict=True))
        low, high = self.ends(responses, level)
        variance = self.variance_here(responses)
        return NumberEstimate(
            unbiased=self.unbiased(responses),
            standard_error=None if variance is None else sqrt(variance),
            most_likely=tuple(self.truths[truth] for truth in most_likely(shares)),
            posterior=after,
            posterior_mean=mean,
            posterior_sd=sqrt(square),
            low=low,
            high=high,
        )

    def ends(self, responses: Responses, level: Fraction) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval of the true number."""
        if len(self.releases) > 1 and not self.weighted:
            return self._ends_of_each(responses, level)
        statistic = self._statistic
        if statistic is not None:
            low, high = self._positions(statistic, level)
            at = responses[0] if len(self.releases) == 1 else self._place(responses)
            return self.truths[low[at]], self.truths[high[at]]
        estimate, (above, below) = self.unbiased(responses), self._deviations(level)
        assert estimate is not None  # noqa: S101 - it has weights
        first, last = self.truths[0], self.truths[-1]
        return min(max(estimate - above, first), last), max(min(estimate + below, last), first)

    def widest(self, level: Fraction) -> Fraction:
        """Return the width of the widest interval that there can be, or more."""
        statistic = self._statistic if len(self.releases) == 1 or self.weighted else self.releases[0]
        if statistic is None:
            return sum(self._deviations(level), Fraction(0))
        low, high = self._positions(statistic, level)
        return max(self.truths[high[at]] - self.truths[low[at]] for at in statistic.possible)

    def biased(self, sign: int, number: int, tail: Fraction) -> OneSided | None:
        """Return a function of the response that is never below the number, times a sign, on average.

        It is the best for sums of as many numbers. ``None`` for several releases.
        """
        if len(self.releases) > 1:
            return None
        key = sign, number, tail
        if key not in self._biased:
            self._biased[key] = one_sided(
                self.releases[0], [sign * value for value in self.truths], number, tail
            )
        return self._biased[key]

    @cached_property
    def _biased(self) -> dict[tuple[int, int, Fraction], OneSided]:
        return {}

    @cached_property
    def _statistic(self) -> Likelihoods | None:
        """The mechanism whose response has the interval: the release, or the average of several."""
        return self.releases[0] if len(self.releases) == 1 else self._average()

    def _place(self, responses: Responses) -> int:
        """Return the position of the average of these responses among all of them."""
        assert self._statistic is not None  # noqa: S101 - it was asked for before
        return self._statistic.responses.index(self.unbiased(responses) or Fraction(0))

    def _deviations(self, level: Fraction) -> tuple[Fraction, Fraction]:
        """Return how far the average is above the truth, and below it, at most, with this level for both."""
        above, below = (deviation(self.terms, (1 - level) / 2, sign=sign) for sign in (1, -1))
        return Fraction(above), Fraction(below)

    def _positions(self, statistic: Likelihoods, level: Fraction) -> tuple[Sequence[int], Sequence[int]]:
        """Return the positions of the ends of the interval for each response of a mechanism."""
        key = id(statistic), level
        if key not in self._known:
            ends = ends_of_columns(statistic.weights, statistic.responses, statistic.truths, level)
            low, high = (end.tolist() for end in ends)
            self._known[key] = low, high
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[int, Fraction], tuple[Sequence[int], Sequence[int]]]:
        return {}

    def _ends_of_each(self, responses: Responses, level: Fraction) -> tuple[Fraction, Fraction]:
        """Return the common part of the intervals of all releases, by the union bound.

        Where they have none in common, all of them.
        """
        each = 1 - (1 - level) / len(self.releases)
        pairs = [self._positions(release, each) for release in self.releases]
        lows = [int(low[response]) for (low, _), response in zip(pairs, responses, strict=True)]
        highs = [int(high[response]) for (_, high), response in zip(pairs, responses, strict=True)]
        low, high = max(lows), min(highs)
        if low > high:
            low, high = min(lows), max(highs)
        return self.truths[low], self.truths[high]

    def _average(self) -> Likelihoods | None:
        """Return the average as a mechanism, None where it has too many values."""
        parts = [(self.releases[index], estimator, weight) for index, estimator, weight in self.weighted]
        if not parts:
            return None
        if prod(len(release.alike) for release, _, _ in parts) * len(self.truths) > _MOST_SUMS:
            return None
        values: dict[Fraction, list[int]] = {}
        for groups in product(*(release.alike for release, _, _ in parts)):
            value = sum(
                (
                    weight * estimator.estimates[group[0]]
                    for (_, estimator, weight), group in zip(parts, groups, strict=True)
                ),
                Fraction(0),
            )
            masses = values.setdefault(value, [0] * len(self.truths))
            for truth in range(len(self.truths)):
                masses[truth] += prod(
                    sum(release.weights[truth][response] for response in group)
                    for (release, _, _), group in zip(parts, groups, strict=True)
                )
        responses = tuple(sorted(values))
        weights = zip(*(values[response] for response in responses), strict=True)
        return Likelihoods(responses=responses, truths=self.truths, weights=tuple(weights))

    def _expected_variance(self, estimator: UnbiasedEstimator) -> Fraction:
        return sum(
            (weight * estimator.variance(truth) for truth, weight in enumerate(self.prior) if weight),
            Fraction(0),
        )


def _errors_of(estimator: UnbiasedEstimator) -> EstimateErrors:
    """Return the errors of an unbiased estimate at each truth, in doubles."""
    values = list(map(float, estimator.values))
    estimates = list(map(float, estimator.estimates))
    errors = np.subtract.outer(np.array(estimates), np.array(values))
    return EstimateErrors(probabilities=estimator.likelihoods.matrix, errors=errors)
