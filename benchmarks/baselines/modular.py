"""Noise of any law, added modulo the number of answers: Kadam et al. 2024 (4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import baseline
from optmech.base.errors import NotAcceptedError, ProblemError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.question.query import Query

__all__ = ["modular"]

# Probabilities typed as decimals sum to one only up to their rounding.
_ROUNDING = 1e-9


@baseline("modular noise", "Kadam et al. 2024 (4)")
def modular(query: Query, _: Exact, probabilities: ArrayLike) -> tuple[str, Floats]:
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
    return "adds noise modulo the number of answers", law[(places[:, None] - places[None, :]) % number]
