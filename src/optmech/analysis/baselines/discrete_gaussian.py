"""Discrete Gaussian noise, by its parameter or by its true variance, and clamped to a grid.

``P(k)`` is proportional to ``exp(-k^2 / (2 sigma^2))`` on the whole numbers. The parameter sigma^2 is not
the variance: below one half the variance is visibly smaller. No epsilon suffices; delta at epsilon for
answers s steps apart is ``P(Y > epsilon sigma^2 / s - s/2) - e^epsilon P(Y > epsilon sigma^2 / s + s/2)``.

Source: Canonne, Kamath, Steinke 2020; Kadam et al. 2024 (55)-(56).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from optmech.analysis.baselines.baseline import Baseline, UnboundedNoise, measure_baseline, positive_epsilon
from optmech.analysis.baselines.lattice import SymmetricNoise, clamp, lattice_of, noise_delta
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.numbers import Number
    from optmech.question.query import Query

# Beyond so many sigma a double is zero: e^(-39^2 / 2) = 5e-331.
_WIDTH_IN_SIGMA = 39
# A table of some million numbers.
_LARGEST = 10**9
# Noise is tried some dozen times until it is calibrated: a table of a million numbers takes seconds.
_LONGEST_TABLE = 10**8
# Stands for a delta of zero, whose logarithm is none.
_NO_DELTA = 1e-320
# Of the logarithm of the parameter.
_ROOT = 1e-9
# Below this the noise is zero up to e^-500, and no variance a double resolves is that small.
_SMALLEST_PARAMETER = 1e-3


def discrete_gaussian(parameter: float) -> SymmetricNoise:
    """Return the law of the noise for the parameter sigma^2, positive, in squared steps."""
    width = math.ceil(_WIDTH_IN_SIGMA * math.sqrt(parameter)) + 1
    weights = np.exp(-(np.arange(width + 1, dtype=float) ** 2) / (2 * parameter))
    return SymmetricNoise(half=weights / (2 * weights[:0:-1].sum() + weights[0]))


def parameter_of_variance(variance: Number) -> float:
    """Return the parameter sigma^2 whose discrete Gaussian has this true variance, in squared steps.

    It is never below the variance. Accurate to 1e-12 relatively.
    """
    target = float(_positive(variance, "variance"))
    if target <= discrete_gaussian(_SMALLEST_PARAMETER).variance:
        raise broken_rule("variance", "be above 1e-200", variance, "Release the truth instead.")
    # One more is enough: from sigma^2 = 1 on variance and parameter differ by less than 1e-6.
    root: float = brentq(
        lambda parameter: math.log(discrete_gaussian(parameter).variance / target),
        _SMALLEST_PARAMETER,
        target + 1,
        xtol=1e-15,
        rtol=1e-14,
    )
    return root


def discrete_gaussian_noise(
    query: Query, epsilon: Number, *, parameter: Number | None = None, variance: Number | None = None
) -> UnboundedNoise:
    """Return discrete Gaussian noise on the steps of a query.

    Either `parameter`, sigma^2, or the true `variance` is given, positive, in squared steps.
    """
    exact_value = positive_epsilon(epsilon)
    sigma_squared = _parameter(parameter, variance)
    noise = discrete_gaussian(sigma_squared)
    return UnboundedNoise(
        name="discrete Gaussian",
        source="Canonne, Kamath, Steinke 2020",
        says=f"adds discrete Gaussian noise of parameter {sigma_squared:.6g}, variance {noise.variance:.6g}",
        distribution=noise,
        asked_epsilon=exact_value,
        spent_epsilon=math.inf,
        spent_delta=noise_delta(noise, noise.width, float(exact_value), lattice_of(query).distances),
    )


def clamped_gaussian(
    query: Query, epsilon: Number, *, parameter: Number | None = None, variance: Number | None = None
) -> Baseline:
    """Return discrete Gaussian noise clamped to the grid, Kadam (55)-(56); see `discrete_gaussian_noise`.

    Clamping can make *probabilistic* delta larger, because it joins outcomes; true delta it cannot.
    """
    noise = discrete_gaussian(_parameter(parameter, variance))
    return measure_baseline(
        name="clamped Gaussian",
        source="Canonne, Kamath, Steinke 2020; Kadam et al. 2024 (55)-(56), the last row corrected",
        says=f"adds discrete Gaussian noise of variance {noise.variance:.6g} and clamps the sum to the grid",
        matrix=clamp(noise, lattice_of(query).shifts),
        query=query,
        epsilon=epsilon,
    )


def calibrated_gaussian(query: Query, epsilon: Number, delta: Number) -> Baseline:
    """Return discrete Gaussian noise that just spends (epsilon, delta), clamped to the grid.

    The noise is calibrated, not its clamped matrix: libraries do not know the grid. Delta does not fall
    steadily as the parameter grows, so that a smaller one may be private too. NotAcceptedError if so much
    noise is needed that its table is too long. diffprivlib 0.6.6 has the same variance for its
    GaussianDiscrete:

    >>> from optmech.question.queries import count
    >>> calibrated_gaussian(count(8), 1, "1e-6").says
    'adds discrete Gaussian noise of variance 17.8995 and clamps the sum to the grid'
    """
    target = exact(delta, "delta")
    if not 0 < target < 1:
        raise broken_rule("delta", "lie strictly between 0 and 1", delta, "Such as 1e-6.")
    rate, distances = float(positive_epsilon(epsilon)), lattice_of(query).distances
    return clamped_gaussian(query, epsilon, parameter=calibrated_parameter(rate, target, distances))


def calibrated_parameter(rate: float, target: Fraction, distances: tuple[int, ...]) -> float:
    """Return the least parameter, as `calibrated_gaussian` finds it, of noise that is (rate, target)-private.

    Neighbours are those `distances` apart, in steps. NotAcceptedError if the table of the noise is too long.
    """

    def log_excess(log_parameter: float) -> float:
        noise = discrete_gaussian(math.exp(log_parameter))
        delta_spent = noise_delta(noise, noise.width, rate, distances)
        return math.log(max(delta_spent, _NO_DELTA)) - math.log(target)

    low, high = math.log(_SMALLEST_PARAMETER), 0.0
    while log_excess(high) > 0:
        low, high = high, high + math.log(4)
        if math.exp(high) > _LONGEST_TABLE:
            message = (
                f"`epsilon` and `delta` must need noise of variance at most {_LONGEST_TABLE:g}, in squared "
                f"steps; {float(rate):g} and {float(target):g} need more. Use a larger delta."
            )
            raise NotAcceptedError(message)
    if log_excess(low) <= 0:
        return math.exp(low)
    # brentq keeps too little noise on the left: the other side of its tolerance is private.
    root = brentq(log_excess, low, high, xtol=_ROOT) + 2 * _ROOT
    return math.exp(root)


def _parameter(parameter: Number | None, variance: Number | None) -> float:
    if (parameter is None) == (variance is None):
        message = (
            f"`parameter` or `variance` must be given, one of them; got {parameter} and {variance}. "
            "The parameter is sigma^2, which is a little above the variance."
        )
        raise ProblemError(message)
    if parameter is not None:
        return float(_positive(parameter, "parameter"))
    return parameter_of_variance(variance or 0)


def _positive(value: Number, name: str) -> float:
    number = exact(value, name)
    if not 0 < number <= _LARGEST:
        raise broken_rule(name, "be positive and at most 1e9, in squared steps", value)
    return float(number)
