"""Mechanisms that choose a response by a score, or blindly.

Source: McSherry, Talwar 2007 (exponential mechanism); Warner 1965 and its form for many answers (randomized
response); Croft et al. 2020, section 4.3.2 (uniform).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon, sensitivity
from optmech.base.errors import NotAcceptedError
from optmech.question.loss import loss_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.numbers import Number
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["exponential", "gumbel_max", "randomized_response", "uniform"]


def exponential(query: Query, epsilon: Number) -> Baseline:
    """Return the exponential mechanism whose score is minus the distance to the truth.

    A response is chosen with weight ``exp(epsilon * score / (2 * sensitivity))``. The two in it pays for
    weights that need not sum to the same; between truths where they do, half of epsilon is spent.
    """
    return measure_baseline(
        name="exponential",
        source="McSherry, Talwar 2007",
        says="chooses a response with weight falling exponentially in its distance from the truth",
        matrix=_softmax(query, epsilon),
        query=query,
        epsilon=epsilon,
    )


def gumbel_max(query: Query, epsilon: Number) -> Baseline:
    """Return the response whose score is largest after Gumbel noise is added to every score.

    With noise of scale ``2 * sensitivity / epsilon``, drawn afresh for each response, this *is* the
    exponential mechanism: the matrices are equal. Gumbel noise added to the answer itself is something else
    and not private.
    """
    return measure_baseline(
        name="Gumbel-max",
        source="McSherry, Talwar 2007; the Gumbel-max identity",
        says="adds Gumbel noise to every score and takes the largest: equal to the exponential mechanism",
        matrix=_softmax(query, epsilon),
        query=query,
        epsilon=epsilon,
    )


def randomized_response(query: Query, epsilon: Number) -> Baseline:
    """Return the truth's response, which each must have, with ``e^epsilon`` times any other's probability."""
    rate = float(positive_epsilon(epsilon))
    if (query.home < 0).any():
        place = int(np.argmin(query.home))
        message = (
            f"randomized response needs a response for each truth; truth {query.truths[place]} of "
            f"{query.title} has none. Add a category that holds it."
        )
        raise NotAcceptedError(message)
    other = np.exp(-rate)
    matrix = np.full((query.num_responses, query.num_truths), other)
    matrix[query.home, np.arange(query.num_truths)] = 1.0
    return measure_baseline(
        name="randomized response",
        source="Warner 1965, for many answers",
        says="tells the truth, or with smaller probability any other response, all alike",
        matrix=matrix / (1.0 + (query.num_responses - 1) * other),
        query=query,
        epsilon=epsilon,
    )


def uniform(query: Query, epsilon: Number) -> Baseline:
    """Return every response with the same probability, Croft et al. 2020, section 4.3.2.

    It looks at no data and spends nothing, whatever `epsilon` it is compared at.
    """
    return measure_baseline(
        name="uniform",
        source="Croft et al. 2020, section 4.3.2",
        says="releases any response with the same probability",
        matrix=np.full((query.num_responses, query.num_truths), 1.0 / query.num_responses),
        query=query,
        epsilon=epsilon,
    )


def _softmax(query: Query, epsilon: Number) -> Floats:
    rate = float(positive_epsilon(epsilon) / (2 * sensitivity(query)))
    distance = loss_matrix("absolute", query)
    weights = np.exp(-rate * (distance - distance.min(axis=0)))
    matrix: Floats = weights / weights.sum(axis=0)
    return matrix
