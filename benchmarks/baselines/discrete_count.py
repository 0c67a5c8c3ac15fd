"""The discrete count mechanism of Sadeghi et al. 2020 with weights that the caller names.

    P(0) = eta,   P(i) = P(-i) = (1 - eta)/2 alpha[i]   for i = 1..D         Proposition 3, (14)

The weights that make the per-outcome delta least are a theorem, `theorems.sadeghi`; this file takes any.
Their grid reaches D beyond the counts on both sides, and nothing is clamped. On a shorter one the noise is
clamped to its ends, which costs no privacy and does cost the zero bias.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.baselines.unbounded_noise import UnboundedNoise
from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon
from optmech.analysis.baselines.whole_number_noise import (
    SymmetricIntegerNoise,
    clamp,
    lattice_of,
    noise_delta,
)
from optmech.base.errors import ProblemError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["discrete_count", "discrete_count_noise"]

# Weights typed as decimals sum to one only up to their rounding.
_ROUNDING = 1e-9


def discrete_count_noise(
    query: Query, epsilon: Number, accuracy: Number, weights: ArrayLike
) -> UnboundedNoise:
    """Return symmetric noise of bounded width that is zero with probability `accuracy`.

    Parameters
    ----------
    query : Query
        On a grid of equal steps.
    epsilon : str, int, float or Fraction
        Where delta is wanted: the true one, over sets of outcomes, not the paper's over single outcomes.
    accuracy : str, int, float or Fraction
        The paper's eta, strictly between 0 and 1.
    weights : array_like, shape (half_width,)
        The paper's alpha_1, …, alpha_D: non-negative, sum to one.

    Raises
    ------
    ProblemError
        If the accuracy or the weights break their rule.
    """
    exact_epsilon = positive_epsilon(epsilon)
    noise = _law(accuracy, weights)
    return UnboundedNoise(
        name="discrete count",
        source="Sadeghi et al. 2020 (14)",
        says=f"adds symmetric noise within {noise.width} that is zero with probability {noise.half[0]:.6g}",
        distribution=noise,
        asked_epsilon=exact_epsilon,
        spent_epsilon=math.inf,
        spent_delta=noise_delta(noise, noise.width, float(exact_epsilon), lattice_of(query).distances),
    )


def discrete_count(query: Query, epsilon: Number, accuracy: Number, weights: ArrayLike) -> Baseline:
    """Return that noise on the responses of the query, Sadeghi (16); see `discrete_count_noise`.

    Examples
    --------
    >>> from optmech.question.query import Query
    >>> counts = Query(range(2, 5), range(7), 1)
    >>> discrete_count(counts, 1, "0.5", ["0.6", "0.4"]).matrix[:, 0].round(3).tolist()
    [0.1, 0.15, 0.5, 0.15, 0.1, 0.0, 0.0]
    """
    noise = discrete_count_noise(query, epsilon, accuracy, weights)
    return measure_baseline(
        name=noise.name,
        source="Sadeghi et al. 2020 (14), (16)",
        says=f"{noise.says} and clamps the sum to the grid",
        matrix=clamp(_law(accuracy, weights), lattice_of(query).shifts),
        query=query,
        epsilon=epsilon,
    )


def _law(accuracy: Number, weights: ArrayLike) -> SymmetricIntegerNoise:
    bound = exact(accuracy, "accuracy")
    if not 0 < bound < 1:
        message = (
            f"`accuracy` must lie strictly between 0 and 1; got {accuracy}. "
            "It is the probability of releasing the truth."
        )
        raise ProblemError(message)
    shares = np.array(weights, dtype=float)
    sound = shares.ndim == 1 and shares.size > 0 and bool((shares >= 0).all())
    if not sound or abs(float(shares.sum()) - 1.0) > _ROUNDING:
        message = (
            "`weights` must be one row of non-negative numbers that sum to one; "
            f"got shape {shares.shape} with sum {float(shares.sum())!r}. They share what `accuracy` leaves."
        )
        raise ProblemError(message)
    return SymmetricIntegerNoise(half=np.concatenate([[float(bound)], float((1 - bound) / 2) * shares]))
