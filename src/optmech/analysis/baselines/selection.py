"""Mechanisms that choose a response by a score or blindly, and randomized response.

Source: McSherry, Talwar 2007 (exponential mechanism); Warner 1965 and its form for many answers (randomized
response); Croft et al. 2020, section 4.3.2 (uniform). The data-independent noise that Kadam et al. 2024
compare with (Ravi et al. 2022) is known here from the caption of their figure 7 alone, which is damaged: the
truth with probability 1 - rho, and any other answer with rho / n. Its matrix is that of randomized response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import baseline, sensitivity
from optmech.base.errors import NotAcceptedError
from optmech.question.epsilon import exponential as exp_epsilon
from optmech.question.loss import loss_matrix

if TYPE_CHECKING:
    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.question.query import Query


@baseline("exponential", "McSherry, Talwar 2007")
def exponential(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return the exponential mechanism whose score is minus the distance to the truth.

    A response is chosen with weight ``exp(epsilon * score / (2 * sensitivity))``. The two in it pays for
    weights that need not sum to the same; between truths where they do, half of epsilon is spent.
    """
    rate = float(epsilon / (2 * sensitivity(query)))
    distance = loss_matrix("absolute", query)
    weights = np.exp(-rate * (distance - distance.min(axis=0)))
    says = "chooses a response with weight falling exponentially in its distance from the truth"
    return says, weights / weights.sum(axis=0)


@baseline("Gumbel-max", "McSherry, Talwar 2007; the Gumbel-max identity")
def gumbel_max(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return the response whose score is largest after Gumbel noise is added to every score.

    With noise of scale ``2 * sensitivity / epsilon``, drawn afresh for each response, this *is* the
    exponential mechanism: the matrices are equal. Gumbel noise added to the answer itself is something else
    and not private.
    """
    says = "adds Gumbel noise to every score and takes the largest: equal to the exponential mechanism"
    return says, exponential(query, epsilon).matrix


@baseline("randomized response", "Warner 1965, for many answers")
def randomized_response(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return the truth's response, which each must have, with ``e^epsilon`` times any other's probability."""
    if (query.home < 0).any():
        index = int(np.argmin(query.home))
        message = (
            f"randomized response needs a response for each truth; truth {query.truths[index]} of "
            f"{query.title} has none. Add a category that holds it."
        )
        raise NotAcceptedError(message)
    other = np.exp(-float(epsilon))
    matrix = np.full((query.num_responses, query.num_truths), other)
    matrix[query.home, np.arange(query.num_truths)] = 1.0
    says = "tells the truth, or with smaller probability any other response, all alike"
    return says, matrix / (1.0 + (query.num_responses - 1) * other)


@baseline("uniform", "Croft et al. 2020, section 4.3.2")
def uniform(query: Query, _: Exact) -> tuple[str, Floats]:
    """Return every response with the same probability, Croft et al. 2020, section 4.3.2.

    It looks at no data and spends nothing, at any epsilon of a comparison.
    """
    matrix = np.full((query.num_responses, query.num_truths), 1.0 / query.num_responses)
    return "releases any response with the same probability", matrix


@baseline("data-independent noise", "Ravi et al. 2022, from Kadam et al. 2024, figure 7")
def data_independent(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return modular noise that is zero or, with a probability, anything else alike.

    It is the paper's rho, the least one that spends no more than epsilon: ``n / (n + e^epsilon)``. Responses
    must be the truths.
    """
    number = query.num_truths
    others = number - 1
    rate = others / (others + exp_epsilon(epsilon))
    if query.num_responses != number or not np.array_equal(query.home, np.arange(number)):
        message = (
            "noise modulo the number of answers needs responses that are the truths; "
            f"got {query.num_responses} responses for {number} truths ({query.title})."
        )
        raise NotAcceptedError(message)
    says = f"tells the truth, or with probability {rate:.6g} any other answer alike"
    return says, np.where(np.eye(number, dtype=bool), 1.0 - rate, rate / max(others, 1))
