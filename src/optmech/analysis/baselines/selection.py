"""Mechanisms that choose a response by a score, or blindly, or add noise modulo the number of answers.

Source: McSherry, Talwar 2007 (exponential mechanism); Warner 1965 and its form for many answers (randomized
response); Croft et al. 2020, section 4.3.2 (uniform); Kadam et al. 2024 (4) (modular noise). The
data-independent noise that they compare with (Ravi et al. 2022) is known here from the caption of their
figure 7 alone, which is damaged: the truth with probability 1 - rho, and any other answer with rho / n. Its
matrix is that of randomized response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon, sensitivity
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import exact
from optmech.question.epsilon import exponential as exp_epsilon
from optmech.question.loss import loss_matrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query


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
        rate = others / (others + exp_epsilon(positive_epsilon(epsilon)))
    else:
        rate = float(exact(error_rate, "error_rate"))
        if not 0 <= rate <= 1:
            raise broken_rule("error_rate", "lie between 0 and 1", error_rate, "It is a probability.")
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
