"""Discrete Gaussian noise before it is clamped, and the parameter of a variance that a paper names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scipy.optimize import brentq

from benchmarks.baselines.unbounded_noise import UnboundedNoise
from optmech.analysis.baselines.baseline import positive_epsilon
from optmech.analysis.baselines.discrete_gaussian import discrete_gaussian
from optmech.analysis.baselines.whole_number_noise import lattice_of, noise_delta
from optmech.base.errors import broken_rule
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["discrete_gaussian_noise", "parameter_of_variance"]

# Below it the noise is zero up to e^-500, and no variance a double resolves is that small.
_SMALLEST_PARAMETER = 1e-3


def discrete_gaussian_noise(query: Query, epsilon: Number, parameter: Number) -> UnboundedNoise:
    """Return discrete Gaussian noise of a parameter, sigma^2, in squared steps of a query."""
    exact_epsilon, noise = positive_epsilon(epsilon), discrete_gaussian(float(exact(parameter, "parameter")))
    return UnboundedNoise(
        name="discrete Gaussian",
        source="Canonne, Kamath, Steinke 2020",
        says=f"adds discrete Gaussian noise of parameter {parameter}, variance {noise.variance:.6g}",
        distribution=noise,
        asked_epsilon=exact_epsilon,
        spent_epsilon=math.inf,
        spent_delta=noise_delta(noise, noise.width, float(exact_epsilon), lattice_of(query).distances),
    )


def parameter_of_variance(variance: Number) -> float:
    """Return the parameter sigma^2 whose discrete Gaussian has this true variance, in squared steps.

    It is never below the variance. Accurate to 1e-12 relatively.
    """
    target = float(exact(variance, "variance"))
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
