"""The textbook results: Laplace, Gaussian and integer noise, composition, groups, post-processing.

Source: Bellet, Privacy preserving machine learning, lecture 2. Neighbours add or remove one record. Where a
slide is wrong or loose, the true statement stands beside it:

* Gaussian mechanism: the slide's sigma is claimed for all epsilon; see `gaussian_classical_limit`.
* Gaussian l_inf error: the slide lacks a factor sqrt(2); see `gaussian_linf_bound`.
* (epsilon, delta) does *not* bound the privacy loss by epsilon with probability 1 - delta; `hockey_stick`.
* group privacy and composition hold, but not tightly; `group_delta`, `composed_delta`.
* parallel composition needs that a record is added or removed; see `parallel_composition`.
"""

from __future__ import annotations

from math import ceil, exp, expm1, floor, log, log1p, sinh, sqrt
from typing import TYPE_CHECKING

import numpy as np
import scipy  # whose parts load when they are used: statistics alone take half a second

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = [
    "binomial_delta",
    "binomial_least_trials",
    "binomial_trials",
    "composed_delta",
    "discrete_gaussian",
    "discrete_gaussian_delta",
    "gaussian_classical_limit",
    "gaussian_delta",
    "gaussian_linf_bound",
    "gaussian_linf_failure",
    "gaussian_sigma",
    "gaussian_sigma_analytic",
    "geometric_error",
    "group_delta",
    "hockey_stick",
    "l1_sensitivity",
    "l2_sensitivity",
    "laplace_l1_error",
    "laplace_linf_bound",
    "laplace_linf_failure",
    "laplace_linf_quantile",
    "laplace_scale",
    "parallel_composition",
    "simple_composition",
    "staircase_errors",
]


def l1_sensitivity(tallies: ArrayLike, *, replace: bool = False) -> float:
    """Return how much one record can move a vector of sums, in l_1.

    Parameters
    ----------
    tallies : array_like, shape (num_sums, num_kinds)
        The amount that a record of each kind adds to each sum.
    replace : bool, default False
        Whether neighbours replace a record, in place of adding or removing one.
    """
    return float(np.abs(_moves(tallies, replace=replace)).sum(axis=0).max())


def l2_sensitivity(tallies: ArrayLike, *, replace: bool = False) -> float:
    """As `l1_sensitivity`, in l_2: what Gaussian noise is scaled to."""
    return float(np.sqrt((_moves(tallies, replace=replace) ** 2).sum(axis=0).max()))


def laplace_scale(sensitivity: float, epsilon: float) -> float:
    """Return ``b = Delta / epsilon``; then ``E|Y| = b``, ``E Y^2 = 2 b^2`` and ``P(|Y| > tb) = e^-t``."""
    return sensitivity / epsilon


def laplace_l1_error(number: int, sensitivity: float, epsilon: float) -> float:
    """Return the expected l_1 error ``K Delta / epsilon`` of `number` answers."""
    return number * laplace_scale(sensitivity, epsilon)


def laplace_linf_bound(number: int, beta: float, sensitivity: float, epsilon: float) -> float:
    """Return ``ln(K / beta) Delta / epsilon``: no answer is off by more, but with probability `beta`."""
    return log(number / beta) * laplace_scale(sensitivity, epsilon)


def laplace_linf_failure(error: float, number: int, sensitivity: float, epsilon: float) -> float:
    """Return the probability ``1 - (1 - e^(-error/b))^K`` that some answer is off by `error` or more."""
    return -expm1(number * log1p(-exp(-error / laplace_scale(sensitivity, epsilon))))


def laplace_linf_quantile(number: int, beta: float, sensitivity: float, epsilon: float) -> float:
    """Return the error that is reached with probability exactly `beta`; `laplace_linf_bound` is above it."""
    return -log(-expm1(log1p(-beta) / number)) * laplace_scale(sensitivity, epsilon)


def staircase_errors(sensitivity: float, epsilon: float) -> tuple[float, float]:
    """Return E|X| and E X^2 of the staircase noise of Croft et al. 2020 (20)-(21), steps at gamma Delta.

    ``gamma = 1 / (1 + e^(epsilon/2))`` makes E|X| least, ``Delta e^(epsilon/2) / (e^epsilon - 1)``, but not
    E X^2.
    """
    decay, gamma = exp(-epsilon), 1 / (1 + exp(epsilon / 2))
    height = -expm1(-epsilon) / (2 * sensitivity * (gamma + decay * (1 - gamma)))  # (21)
    # sum over k of decay^k times 1, k, k^2, for the integrals of x^2 over [k, k+gamma] and [k+gamma, k+1]
    once = 1 / -expm1(-epsilon)
    by_step, by_square = decay * once**2, decay * (1 + decay) * once**3
    low = by_square * gamma + by_step * gamma**2 + once * gamma**3 / 3
    high = by_square * (1 - gamma) + by_step * (1 - gamma**2) + once * (1 - gamma**3) / 3
    return sensitivity / (2 * sinh(epsilon / 2)), 2 * height * sensitivity**3 * (low + decay * high)


def gaussian_sigma(sensitivity: float, epsilon: float, delta: float) -> float:
    """Return the slide's ``sqrt(2 ln(1.25/delta)) Delta / epsilon``; see `gaussian_classical_limit`."""
    return sqrt(2 * log(1.25 / delta)) * sensitivity / epsilon


def gaussian_delta(sigma: float, epsilon: float, sensitivity: float = 1.0) -> float:
    """Return the least delta of Gaussian noise, ``Phi(D/2s - es/D) - e^epsilon Phi(-D/2s - es/D)``.

    With a and b the two arguments, ``b^2 - a^2 = 2 epsilon``: for a < 0 both terms hold ``exp(-a^2/2)``.
    """
    half, drift = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
    first, second = half - drift, -half - drift
    if first > 0:
        return float(scipy.special.ndtr(first) - exp(epsilon + scipy.special.log_ndtr(second)))
    scaled = scipy.special.erfcx(-first / sqrt(2)) - scipy.special.erfcx(-second / sqrt(2))
    return float(exp(-(first**2) / 2) * scaled / 2)


def gaussian_sigma_analytic(sensitivity: float, epsilon: float, delta: float) -> float:
    """Return the least sigma that is (epsilon, delta)-private, by root finding on `gaussian_delta`."""

    def excess(log_sigma: float) -> float:
        return gaussian_delta(exp(log_sigma), epsilon, sensitivity) / delta - 1

    return exp(_root_of_falling(excess, log(sensitivity)))


def gaussian_classical_limit(delta: float) -> float:
    """Return the epsilon above which `gaussian_sigma` is too small to be (epsilon, delta)-private."""

    def excess(log_epsilon: float) -> float:
        epsilon = exp(log_epsilon)
        return 1 - gaussian_delta(gaussian_sigma(1.0, epsilon, delta), epsilon) / delta

    return exp(_root_of_falling(excess, 0.0))


def gaussian_linf_bound(
    number: int, beta: float, sensitivity: float, epsilon: float, delta: float, *, as_printed: bool = False
) -> float:
    """Return ``2 sqrt(ln(1.25/delta) ln(K/beta)) Delta / epsilon``, no answer is off by more but with `beta`.

    Since ``P(|Y| > t sigma) <= e^(-t^2/2)``, ``t = sqrt(2 ln(K/beta))`` and a union bound. The slide has
    ``t = sqrt(ln(K/beta))``, and fails: for K = 1 and beta = 0.05 with probability 0.083.
    """
    factor = 1 if as_printed else 2
    return sqrt(factor * log(number / beta)) * gaussian_sigma(sensitivity, epsilon, delta)


def gaussian_linf_failure(error: float, number: int, sigma: float) -> float:
    """Return the probability ``1 - (1 - 2 Phi(-error/sigma))^K`` that an answer is off by `error` or more."""
    return -expm1(number * log1p(-2 * float(scipy.special.ndtr(-error / sigma))))


def simple_composition(parts: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return (sum of the epsilons, sum of the deltas); for epsilons alone two geometric counts attain it."""
    epsilons, deltas = zip(*parts, strict=True)
    return sum(epsilons), sum(deltas)


def composed_delta(deltas: Iterable[float]) -> float:
    """Return ``1 - prod (1 - delta_k)``, the tight delta at the sum of the epsilons.

    A neighbouring pair within (epsilon, delta) is a mixture, of weight 1 - delta, of a pair within epsilon.
    """
    return -expm1(sum(log1p(-delta) for delta in deltas))


def parallel_composition(
    parts: Iterable[tuple[float, float]], *, replace: bool = False
) -> tuple[float, float]:
    """Return the privacy of mechanisms on distinct records: the largest epsilon and the largest delta.

    Under replacement a record can leave one part and enter another: the two largest add up.
    """
    epsilons, deltas = (sorted(values, reverse=True) for values in zip(*parts, strict=True))
    touched = 2 if replace else 1
    return sum(epsilons[:touched]), sum(deltas[:touched])


def group_delta(size: int, epsilon: float, delta: float, *, as_printed: bool = False) -> float:
    """Return the delta of a group at epsilon times `size`: ``delta (e^(K eps) - 1) / (e^eps - 1)``.

    The slide's last step loosens it to ``K e^(K eps) delta``.
    """
    if as_printed:
        return size * exp(size * epsilon) * delta
    steps = size if epsilon == 0 else expm1(size * epsilon) / expm1(epsilon)
    return steps * delta


def hockey_stick(first: ArrayLike, second: ArrayLike, epsilon: float) -> float:
    """Return ``sum_r max(0, P(r) - e^epsilon Q(r))``, the least delta of this ordered pair.

    Post-processing never raises it. It can be small while the privacy loss always exceeds epsilon.

    Examples
    --------
    >>> round(hockey_stick([0.5, 0.5], [0.51, 0.49], 0.0), 12)
    0.01
    """
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return float(np.maximum(one - exp(epsilon) * other, 0).sum())


def geometric_error(epsilon: float) -> float:
    """Return the mean absolute error ``2a / (1 - a^2) = 1 / sinh(epsilon)`` of the untruncated geometric."""
    return 1 / sinh(epsilon)


def binomial_trials(epsilon: float, delta: float) -> int:
    """Return the usual number ``ceil(64 ln(2/delta) / epsilon^2)`` of fair coins; far more than needed."""
    return ceil(64 * log(2 / delta) / epsilon**2)


def binomial_delta(trials: int, epsilon: float) -> float:
    """Return the least delta of the number of heads of `trials` fair coins, added to a count.

    Never below 2^-trials: at the ends there is no neighbour's probability to compare with.
    """
    heads = np.arange(floor((trials + 1) / (1 + exp(epsilon))) + 1)
    # P(k-1) / P(k) = k / (n-k+1): every term is positive, so nothing cancels.
    excess = np.maximum(0, 1 - exp(epsilon) * heads / (trials - heads + 1))
    return float((scipy.stats.binom.pmf(heads, trials, 0.5) * excess).sum())


def binomial_least_trials(epsilon: float, delta: float) -> int:
    """Return the least number of fair coins that is (epsilon, delta)-private; one more coin never hurts."""
    enough = 1
    while binomial_delta(enough, epsilon) > delta:
        enough *= 2
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        enough, too_few = (middle, too_few) if binomial_delta(middle, epsilon) <= delta else (enough, middle)
    return enough


def discrete_gaussian(variance: float) -> tuple[Floats, Floats]:
    """Return the integers that carry the discrete Gaussian of parameter sigma^2, and their probabilities."""
    reach = ceil(40 * sqrt(variance)) + 1  # beyond, e^(-800) is no double
    support = np.arange(-reach, reach + 1.0)
    weights = np.exp(-(support**2) / (2 * variance))
    return support, weights / weights.sum()


def discrete_gaussian_delta(variance: float, epsilon: float, sensitivity: int = 1) -> float:
    """Return its least delta, ``P(Y > es^2/D - D/2) - e^epsilon P(Y > es^2/D + D/2)``.

    Summed over responses as a hockey stick, whose terms are all positive.
    """
    support, mass = discrete_gaussian(variance)
    above = support > epsilon * variance / sensitivity - sensitivity / 2
    # log of the neighbour's probability over this one's, which is negative by more than epsilon here
    ratio = -(2 * support * sensitivity + sensitivity**2) / (2 * variance)
    return float((mass * -np.expm1(np.minimum(0, epsilon + ratio)))[above].sum())


def _root_of_falling(function: Callable[[float], float], start: float) -> float:
    step = log(2)
    high = start
    while function(high) > 0:
        high += step
    low = high - step
    while function(low) <= 0:
        low -= step
    return float(scipy.optimize.brentq(function, low, high, xtol=1e-15, rtol=1e-15))


def _moves(tallies: ArrayLike, *, replace: bool) -> Floats:
    """Return how far a record of one kind, in place of another or of none, moves each sum."""
    adds = np.asarray(tallies, dtype=float)
    other = adds[:, None, :] if replace else np.zeros((len(adds), 1, 1))
    moves: Floats = adds[:, :, None] - other
    return moves
