"""The estimates of one true number from a mechanism that is too large for exact columns.

Intervals are exact, as `optmech apply --interval` writes them. That the unbiased estimator exists, or does
not, is proved; its numbers, the likeliest truths and the posterior are doubles.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import broken_rule
from optmech.release.estimates.dense import dense_estimates
from optmech.release.estimates.localised import TooCloseError, localised_estimates
from optmech.release.estimates.near_errors import near_errors
from optmech.release.estimates.numbers import NumberEstimate
from optmech.release.estimates.tails import EstimateErrors, Term
from optmech.release.tables.acceptance import ends_of_distribution, ends_of_matrix, regions_of_noise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.release.estimates.one_sided import OneSided

_MOST_SOLVED, _MOST_DENSE = 20_000, 400
_NONE = "no unbiased estimator exists: multiples of the mechanism's columns prove it"
_LIMIT = (
    f"no unbiased estimate is computed for a mechanism this large: only for noise of one decay on at most "
    f"{_MOST_SOLVED:,} numbers, and for a matrix of at most {_MOST_DENSE} that loses nothing"
)
# Two likelihoods in doubles are the same where they differ by less than this, relatively.
_SAME = 1e-12


class LargeEstimator:
    """Estimators of a true number from one release by a mechanism without exact columns.

    Parameters
    ----------
    mechanism : Mechanism
        Noise and thresholds, or a large matrix.
    prior : ndarray, shape (num_truths,)
        The probability of each truth.
    shown_only : bool
        Whether rows released as 0 were left out.
    """

    def __init__(self, mechanism: Mechanism, prior: Floats, *, shown_only: bool) -> None:
        self.mechanism: Any = mechanism  # a certificate without a matrix has a noise
        self.prior, self.shown_only = prior, shown_only
        self.truths = mechanism.truths
        self._known: dict[Fraction, tuple[Sequence[int], Sequence[int]]] = {}

    @cached_property
    def _numbers(self) -> Floats:
        """The truths in doubles."""
        return np.array([float(truth) for truth in self.truths])

    @cached_property
    def _solved(self) -> tuple[list[float] | None, str]:
        """The unbiased estimate for each response, or the reason why there is none."""
        try:
            estimates = None if self.shown_only else self._found
        except TooCloseError:
            return None, _LIMIT
        if estimates is None:
            return None, _LIMIT if self.shown_only else _NONE
        return estimates, ""

    @property
    def _found(self) -> list[float] | None:
        """The unbiased estimate for each response, None where there is none, or TooCloseError."""
        number, certificate = len(self.truths), self.mechanism.certificate
        if certificate is not None and certificate.noise.is_all_tails and number <= _MOST_SOLVED:
            return localised_estimates(self.mechanism)
        if certificate is None and number <= _MOST_DENSE:
            return dense_estimates(self.mechanism)
        raise TooCloseError

    @property
    def reason(self) -> str:
        """The reason why there is no unbiased estimate, else empty."""
        return self._solved[1]

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The errors of the unbiased estimate, where they are few enough."""
        estimates, _ = self._solved
        if estimates is None:
            return ()
        if self.mechanism.certificate is None:
            errors = np.subtract.outer(np.array(estimates), np.array(list(map(float, self.truths))))
            return (Term(errors=EstimateErrors(probabilities=self.mechanism.matrix, errors=errors)),)
        near = near_errors(self.mechanism, estimates)
        return () if near is None else (Term(errors=near),)

    def released(self, responses: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Return the released number at this position."""
        return (self.mechanism.responses[responses[0]],)

    def unbiased(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the unbiased estimate, to the nearest double; None where there is none."""
        estimates, _ = self._solved
        return None if estimates is None else Fraction(estimates[responses[0]])

    def variance(self, truth: int) -> Fraction | None:
        """Return the variance of the unbiased estimate at a truth, in doubles."""
        estimates, _ = self._solved
        if estimates is None:
            return None
        errors = np.array(estimates) - self._numbers[truth]
        return Fraction(float(self.mechanism.column(self.truths[truth]) @ errors**2))

    def variance_here(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the variance at the likeliest truth, the largest of several."""
        variances = [self.variance(truth) for truth in self._likeliest(responses[0])]
        return max((variance for variance in variances if variance is not None), default=None)

    def estimate(self, responses: tuple[int, ...], level: Fraction) -> NumberEstimate:
        """Return the estimates from the response at this position."""
        response = self.mechanism.responses[responses[0]]
        joint = self.mechanism.row(response) * self._shown * self.prior
        if not joint.sum():
            rule = "give some probability to a truth that can lead to each released answer"
            raise broken_rule("prior", rule, f"none for {response}")
        after, truths = joint / joint.sum(), self._numbers
        mean = float(after @ truths)
        variance = self.variance_here(responses)
        low, high = self.ends(responses, level)
        return NumberEstimate(
            unbiased=self.unbiased(responses),
            standard_error=None if variance is None else sqrt(variance),
            most_likely=tuple(self.truths[truth] for truth in self._likeliest(responses[0])),
            posterior=tuple(map(Fraction, after.tolist())),
            posterior_mean=Fraction(mean),
            posterior_sd=sqrt(float(after @ (truths - mean) ** 2)),
            low=low,
            high=high,
        )

    def ends(self, responses: tuple[int, ...], level: Fraction) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval of the true number."""
        low, high = self._positions(level)
        return self.truths[low[responses[0]]], self.truths[high[responses[0]]]

    def widest(self, level: Fraction) -> Fraction:
        """Return the width of the widest interval that there can be."""
        low, high = self._positions(level)
        return max(self.truths[b] - self.truths[a] for a, b in zip(low, high, strict=True))

    def biased(self, sign: int, number: int, tail: Fraction) -> OneSided | None:  # noqa: ARG002 - of small ones alone
        """Return None: no such function is computed for a mechanism this large."""
        return None

    def _positions(self, level: Fraction) -> tuple[Sequence[int], Sequence[int]]:
        """Return the positions of the ends of the interval for each response."""
        if level not in self._known:
            mechanism, shown = self.mechanism, self.shown_only
            if mechanism.certificate is None:
                ends = ends_of_matrix(mechanism, level, shown_only=shown)
            else:
                regions = regions_of_noise(mechanism, level, shown_only=shown)
                ends = ends_of_distribution(mechanism, regions, np.arange(len(mechanism.responses)))
            self._known[level] = ends[0].tolist(), ends[1].tolist()
        return self._known[level]

    def _likeliest(self, response: int) -> list[int]:
        """Return the positions of the likeliest truths, in doubles."""
        row = self.mechanism.row(self.mechanism.responses[response]) * self._shown
        positions: list[int] = np.flatnonzero(row >= row.max() * (1 - _SAME)).tolist()
        return positions

    @cached_property
    def _shown(self) -> Floats:
        """One over the probability that a row is shown, at each truth; 0 where it never is."""
        number = len(self.truths)
        if not self.shown_only or 0 not in self.mechanism.responses:
            return np.ones(number)
        shown = 1 - self.mechanism.row(Fraction(0))
        inverse: Floats = np.divide(1, shown, out=np.zeros(number), where=shown > 0)
        return inverse
