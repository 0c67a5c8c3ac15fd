"""Whole-number noise clamped to 0..n, measured without its matrix, in time linear in n.

Model
-----
Noise Z is symmetric with the probabilities p and the tails s(k) = P(Z > k); f is the true answer.

    E l(|R - f|) = l(0) p(0) + A(f) + A(n - f),
    A(m) = sum_(0<k<m) l(k) p(k) + l(m) s(m - 1),   A(0) = l(0) s(0)
    P(R = r | f) = p(r - f) inside,   s(f - 1) at r = 0,   s(n - f - 1) at r = n

A ratio of neighbours is one of p(k) and p(k+1), or of s(k-1) and s(k); the sum over r of what exceeds
e^epsilon times the neighbour's is one of p, between two ends, and the end 0: at n the neighbour has more.
Source: Kadam et al. 2024 (55)-(56), as in `lattice`; definitions of pure and approximate privacy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.cells import mass_between
from optmech.analysis.baselines.discrete_gaussian import (
    calibrated_parameter,
    clamped_gaussian,
    discrete_gaussian,
)
from optmech.analysis.baselines.geometric import geometric_noise, truncated_geometric
from optmech.analysis.baselines.laplace import laplace_noise, snapped_laplace
from optmech.analysis.baselines.staircase import snapped_staircase, staircase_noise
from optmech.question.queries import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.analysis.baselines.baseline import Baseline, Distribution
    from optmech.analysis.baselines.lattice import WholeNumberNoise
    from optmech.base.arrays import Floats

_BIT = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundedNoise:
    """Continuous noise in steps of the grid, symmetric about zero, rounded to the nearest whole number."""

    noise: Distribution

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        values = np.asarray(noise, dtype=float)
        return mass_between(self.noise, values - 0.5, values + 0.5)

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that."""
        return self.noise.sf(np.asarray(noise, dtype=float) + 0.5)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.noise.cdf(np.asarray(noise, dtype=float) + 0.5)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClampedNoise:
    """Noise added to a count and clamped to its range, whose neighbours are one apart.

    `name` and `says` are those of a `Baseline`; the noise is symmetric about zero, and the answers are
    0..`last`. `most_epsilon` is the epsilon of pure privacy of the noise by its formula, infinite where it
    has none: clamping spends no more. It tells what doubles cannot where probabilities fall below 1e-308.

    Examples
    --------
    >>> noise = ClampedNoise(name="", says="", noise=geometric_noise(count(1), 1), last=2)
    >>> noise.mean_losses(np.array([0.0, 1.0, 2.0])).round(4).tolist(), round(noise.spent_epsilon, 12)
    ([0.3679, 0.5379, 0.3679], 1.0)
    """

    name: str
    says: str
    noise: WholeNumberNoise
    last: int
    most_epsilon: float = math.inf

    def mean_losses(self, losses: Floats) -> Floats:
        """Return the expected loss at each truth, of the losses at the distances 0, 1, ..., last."""
        distances = np.arange(self.last + 1)
        masses, tails = self.noise.pmf(distances), self.noise.sf(distances - 1)
        tails[0] = self.noise.sf(0)  # the noise of 0 is counted once, by itself
        inside = losses * masses
        inside[0] = 0.0
        one_side = np.cumsum(inside) - inside + losses * tails
        mean: Floats = losses[0] * masses[0] + one_side + one_side[::-1]
        return mean

    @property
    def spent_epsilon(self) -> float:
        """Smallest epsilon of pure privacy, recomputed, at most that of the formula."""
        places = np.arange(self.last + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [np.log(self.noise.pmf(places)), np.log(self.noise.sf(places - 1))]
            apart = max(float(np.abs(np.diff(values)).max()) for values in logs)
        return self.most_epsilon if math.isnan(apart) else min(apart, self.most_epsilon)

    def spent_delta(self, epsilon: float) -> float:
        """Return the smallest delta at `epsilon`, recomputed."""
        factor, last = math.exp(epsilon), self.last
        noise = np.arange(1 - last, last)  # of responses strictly between the ends, from -f + 1 to n - f - 1
        excess = np.maximum(self.noise.pmf(noise) - factor * self.noise.pmf(noise - 1), 0.0)
        sums = np.append(0.0, np.cumsum(excess))
        truths = np.arange(last)
        inside = sums[2 * last - 1 - truths] - sums[last - truths]
        end = np.maximum(self.noise.sf(truths - 1) - factor * self.noise.sf(truths), 0.0)
        return float((inside + end).max())


def _clamped(
    baseline: Baseline, noise: WholeNumberNoise, last: int, most_epsilon: float = math.inf
) -> ClampedNoise:
    """Return the noise of a baseline, called as on a count 0..1, which has a matrix."""
    return ClampedNoise(
        name=baseline.name, says=baseline.says, noise=noise, last=last, most_epsilon=most_epsilon
    )


def _geometric(last: int, epsilon: float, _: Fraction) -> ClampedNoise:
    return _clamped(truncated_geometric(_BIT, epsilon), geometric_noise(_BIT, epsilon), last, epsilon)


def _laplace(last: int, epsilon: float, _: Fraction) -> ClampedNoise:
    noise = RoundedNoise(noise=laplace_noise(_BIT, epsilon))
    return _clamped(snapped_laplace(_BIT, epsilon), noise, last, epsilon)


def _staircase(last: int, epsilon: float, _: Fraction) -> ClampedNoise:
    noise = RoundedNoise(noise=staircase_noise(_BIT, epsilon))
    return _clamped(snapped_staircase(_BIT, epsilon), noise, last, epsilon)


def _gaussian(last: int, epsilon: float, delta: Fraction) -> ClampedNoise:
    parameter = calibrated_parameter(epsilon, delta, (1,))
    baseline = clamped_gaussian(_BIT, epsilon, parameter=parameter)
    return _clamped(baseline, discrete_gaussian(parameter), last)


CLAMPED_NOISES: dict[str, Callable[[int, float, Fraction], ClampedNoise]] = {
    "truncated-geometric": _geometric,
    "snapped-laplace": _laplace,
    "snapped-staircase": _staircase,
    "clamped-gaussian": _gaussian,
}
"""Those of the baselines that are such noise, by the same names: of the largest answer, epsilon and delta."""
