"""What modular noise asks of a query, and what such noise costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.loss import need_numbers, noise_cost
from optmech.question.objective import ExpectedLoss

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.question.query import Query
    from optmech.question.structure import ModularNoise

__all__ = ["distances_of", "modular_cost"]


def distances_of(query: Query, structure: ModularNoise) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distances, truth minus neighbour, of a query on a circle or torus, and their weights.

    Both have shape (num_distances,); a distance is the position of that noise.

    Raises
    ------
    NotAcceptedError
        If responses and truths differ, or some pair has a distance that other truths do not.
    """
    size = query.num_truths
    found = query.distances(structure.noise(size))
    if found is None:
        message = (
            f"{structure} needs a query that looks the same from every answer, such as residues({size}, [1]) "
            f"or a vector of these moduli; got {query.title}. Use a free matrix instead."
        )
        raise NotAcceptedError(message)
    return found


def modular_cost(query: Query, structure: ModularNoise, cost: str | ArrayLike) -> ExpectedLoss:
    """Return the expected cost of the noise, each value as `noise_cost` says.

    Raises
    ------
    ProblemError
        If the cost breaks its rule, or is a distance and the answers are no numbers.
    """
    size = query.num_truths
    if isinstance(cost, str) and cost != "error-rate" and not structure.moduli:
        need_numbers(query, cost)
    # Such noise costs the same at every truth, so the cost is read at truth 0 alone.
    at_zero = np.zeros(size)
    at_zero[0] = 1.0
    return ExpectedLoss(noise_cost(cost, structure.moduli or size)[structure.noise(size)], at_zero)
