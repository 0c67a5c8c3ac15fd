"""Noise added modulo the number of answers, one law for all of them.

Source: Kadam et al. 2024 (4). The data-independent noise that they compare with (Ravi et al. 2022) is known
here from the caption of their figure 7 alone, which is damaged: the truth with probability 1 - rho, and any
other answer with rho / n. Its matrix is that of randomized response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.numbers import exact
from optmech.question.epsilon import exponential

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["data_independent", "modular"]

# Probabilities typed as decimals sum to one only up to their rounding.
_ROUNDING = 1e-9


def modular(query: Query, epsilon: Number, probabilities: ArrayLike) -> Baseline:
    """Return noise with the given law, added modulo the number of answers, Kadam (4).

    The `probabilities` are of the noise 0, 1, …, n. Responses must be the truths; positions are added,
    whatever the spacing.
    """
    number = query.num_truths
    if query.num_responses != number or not np.array_equal(query.home, np.arange(number)):
        message = (
            "noise modulo the number of answers needs responses that are the truths; "
            f"got {query.num_responses} responses for {number} truths ({query.title})."
        )
        raise NotAcceptedError(message)
    law = np.array(probabilities, dtype=float)
    if law.shape != (number,) or (law < 0).any() or abs(float(law.sum()) - 1.0) > _ROUNDING:
        message = (
            f"`probabilities` must be {number} non-negative numbers that sum to one, one for each noise; "
            f"got shape {law.shape} with sum {float(law.sum())!r}."
        )
        raise ProblemError(message)
    places = np.arange(number)
    return measure_baseline(
        name="modular noise",
        source="Kadam et al. 2024 (4)",
        says="adds noise modulo the number of answers",
        matrix=law[(places[:, None] - places[None, :]) % number],
        query=query,
        epsilon=epsilon,
    )


def data_independent(query: Query, epsilon: Number, error_rate: Number | None = None) -> Baseline:
    """Return modular noise that is zero or, with probability `error_rate`, anything else alike.

    The rate, the paper's rho, is the least one that spends no more than epsilon, ``n / (n + e^epsilon)``, if
    it is left out.
    """
    others = query.num_truths - 1
    if error_rate is None:
        rate = others / (others + exponential(positive_epsilon(epsilon)))
    else:
        rate = float(exact(error_rate, "error_rate"))
        if not 0 <= rate <= 1:
            message = f"`error_rate` must lie between 0 and 1; got {error_rate}. It is a probability."
            raise ProblemError(message)
    law = np.full(query.num_truths, rate / max(others, 1))
    law[0] = 1.0 - rate
    noise = modular(query, epsilon, law)
    return measure_baseline(
        name="data-independent noise",
        source="Ravi et al. 2022, from Kadam et al. 2024, figure 7",
        says=f"tells the truth, or with probability {rate:.6g} any other answer alike",
        matrix=noise.matrix,
        query=query,
        epsilon=epsilon,
    )
