"""Utility as Croft et al. print it, to compare with the paper and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.loss import loss_matrix
from optmech.question.prior import truth_weights
from optmech.question.query import Query

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["expected_loss_after_guess_as_printed"]


def expected_loss_after_guess_as_printed(
    mechanism: Mechanism, loss: str | ArrayLike, prior: str | ArrayLike | None = "uniform"
) -> float:
    """Return Croft (25) and (26) as they are printed.

    Each response counts with Pr(r) although its losses are weighed by Pr(r|f') / |F| already.
    """
    grid = Query(mechanism.truths, neighbours=())
    weights = truth_weights(prior, grid)
    costs = (mechanism.matrix * weights) @ loss_matrix(loss, grid).T
    return float(costs.min(axis=1) @ (mechanism.matrix @ weights))
