"""What modular noise costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.loss import need_numbers, noise_cost
from optmech.question.losses import ExpectedLoss

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.question.query import Query
    from optmech.question.structures import ModularNoise

__all__ = ["modular_cost"]


def modular_cost(query: Query, structure: ModularNoise, cost: str | ArrayLike) -> ExpectedLoss:
    """Return the expected cost of the noise, each value as `noise_cost` says."""
    size = query.num_truths
    if isinstance(cost, str) and cost != "error-rate" and not structure.moduli:
        need_numbers(query, cost)
    # Such noise costs the same at every truth, so the cost is read at truth 0 alone.
    at_zero = np.zeros(size)
    at_zero[0] = 1.0
    return ExpectedLoss(noise_cost(cost, structure.moduli or size)[structure.noise(size)], at_zero)
