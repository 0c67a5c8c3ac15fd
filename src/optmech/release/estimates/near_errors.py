"""The errors of an unbiased estimate from noise of one decay, near each truth, and a bound of those beyond.

Model
-----
    e(j, i) = g(j) - i,   listed for the responses  |j - i| <= W
    beyond   P(|j - i| >= m) <= C t^m  and  |e| <= m + c,   so that there, where t e^s < 1,
             E exp(s |e|) <= C exp(s c) (t e^s)^(W + 1) / (1 - t e^s)

C follows from the tails of the noise and from how far thresholds are from the numbers that they stand for.
The bound is added at every truth, so that what is not listed is never left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, inf, log
from typing import TYPE_CHECKING

import numpy as np

from optmech.release.estimates.tails import EstimateErrors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats, Integers
    from optmech.mechanisms.noise_mechanism import NoiseMechanism

_MOST_LISTED = 20_000_000
# At half the decay the listed responses leave out less than exp(-60).
_FAR = 120
_ROUNDING = 1 + 1e-9
# Errors of estimates that differ by less are listed once, and the bound is that much wider.
_ALIKE = 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class NearErrors(EstimateErrors):
    """Errors that are listed near each truth whose errors are unlike those of the truth before it.

    Attributes
    ----------
    truths : ndarray of int
        The positions of those truths.
    decay : float
        By which the probability of a response shrinks with each step from the truth.
    beyond : float
        A bound of the probability of a response a step beyond the listed ones, on both sides.
    reach : float
        A bound of the size of an error there.
    """

    truths: Integers
    decay: float
    beyond: float
    reach: float

    def log_means(self, factor: float) -> Floats:
        """Return the logarithm of the mean of ``exp(factor error)`` at each truth, rounded up."""
        near = super().log_means(factor)
        ratio = self.decay * exp(min(abs(factor), -log(self.decay)))
        if ratio >= 1:
            return np.full_like(near, inf)
        far = log(self.beyond / (1 - ratio) * _ROUNDING) + abs(factor) * self.reach * _ROUNDING
        combined: Floats = np.logaddexp(near, far) + abs(factor) * _ALIKE
        return combined


def _unlike(shifts: Integers, errors: Floats, width: int) -> Integers:
    """Return the truths whose errors are not those of the truth before them, up to `_ALIKE`."""
    number = len(errors)
    alike = np.floor(errors / _ALIKE)
    changes = np.zeros(number + 1, dtype=np.int64)
    changes[1:-1] = alike[1:] != alike[:-1]
    changes[2:-1] |= np.diff(shifts) != 0
    changes[[0, 1, -2, -1]] = 1
    sums = np.concatenate([[0], np.cumsum(changes)])
    places = np.arange(number)
    low, high = (places - width - 1).clip(0), (places + width + 2).clip(max=number + 1)
    return np.flatnonzero((sums[high] > sums[low]) | (places == number // 2))


def near_errors(mechanism: NoiseMechanism, estimates: Sequence[float]) -> NearErrors | None:
    """Return the errors of the unbiased estimate for each response, None where they are too many to list.

    The noise must consist of two tails of one decay, and each response be possible.
    """
    noise, number = mechanism.certificate.noise, len(mechanism.truths)
    decay = noise.tail / noise.one
    # Thresholds less the numbers that they stand for, in steps.
    shifts = mechanism.limits[1:-1] - np.arange(1, number)
    width = min(ceil(_FAR / -log(decay)) + int(np.abs(shifts).max()) + 2, number)
    if (2 * width + 1) * number > _MOST_LISTED:
        return None
    numbers, values = np.array([float(truth) for truth in mechanism.truths]), np.array(estimates)
    truths = _unlike(shifts, values - numbers, width)
    responses = truths + np.arange(-width, width + 1)[:, None]
    inside = (responses >= 0) & (responses < number)
    responses = responses.clip(0, number - 1)
    below, above = mechanism.tails(responses, truths)
    below_before, above_before = mechanism.tails(responses - 1, truths)
    masses = np.where(responses < truths, below - below_before, above_before - above)
    step = width + 1
    right = (1 - noise.cumulative[-1] / noise.one) * decay ** (step + int(shifts.min()) - noise.last)
    left = noise.cumulative[0] / noise.one * decay ** (noise.first + step - 1 - int(shifts.max()))
    return NearErrors(
        probabilities=np.where(inside, np.maximum(masses, 0), 0),
        errors=values[responses] - numbers[truths],
        truths=truths,
        decay=decay,
        beyond=(left + right) * _ROUNDING,
        reach=step + float(np.abs(values - numbers).max()),
    )
