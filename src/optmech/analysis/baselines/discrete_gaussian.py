"""Discrete Gaussian noise, by its parameter, and clamped to a grid.

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

from optmech.analysis.baselines.baseline import baseline, positive_epsilon
from optmech.analysis.baselines.whole_number_noise import (
    SymmetricIntegerNoise,
    clamp,
    lattice_of,
    noise_delta,
)
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.baselines.baseline import Baseline, Exact
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query

# Beyond this many sigma a double is zero: e^(-39^2 / 2) = 5e-331.
_WIDTH_IN_SIGMA = 39
# A table of some million numbers.
_LARGEST = 10**9
# Noise is tried some dozen times until it is calibrated: a table of a million numbers takes seconds.
_LONGEST_TABLE = 10**8
# Stands for a delta of zero, whose logarithm is none.
_NO_DELTA = 1e-320
# Tolerance of the logarithm of the parameter.
_ROOT = 1e-9
# Below this the noise is zero up to e^-500, and no variance a double resolves is that small.
_SMALLEST_PARAMETER = 1e-3


def discrete_gaussian(parameter: float) -> SymmetricIntegerNoise:
    """Return the law of the noise for the parameter sigma^2, positive, in squared steps."""
    width = math.ceil(_WIDTH_IN_SIGMA * math.sqrt(parameter)) + 1
    weights = np.exp(-(np.arange(width + 1, dtype=float) ** 2) / (2 * parameter))
    return SymmetricIntegerNoise(half=weights / (2 * weights[:0:-1].sum() + weights[0]))


@baseline(
    "clamped Gaussian", "Canonne, Kamath, Steinke 2020; Kadam et al. 2024 (55)-(56), the last row corrected"
)
def clamped_gaussian(query: Query, _: Exact, *, parameter: Number) -> tuple[str, Floats]:
    """Return discrete Gaussian noise clamped to the grid, Kadam (55)-(56).

    The `parameter` is sigma^2, positive, in squared steps. Clamping can make *probabilistic* delta larger,
    because it joins outcomes; true delta it cannot.
    """
    sigma_squared = exact(parameter, "parameter")
    if not 0 < sigma_squared <= _LARGEST:
        raise broken_rule("parameter", "be positive and at most 1e9, in squared steps", parameter)
    noise = discrete_gaussian(float(sigma_squared))
    says = f"adds discrete Gaussian noise of variance {noise.variance:.6g} and clamps the sum to the grid"
    return says, clamp(noise, lattice_of(query).shifts)


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
