"""Normalised Laplace noise whose matrix spends exactly epsilon: less noise than where its density does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scipy.optimize import brentq

from optmech.analysis.baselines.baseline import baseline, sensitivity
from optmech.analysis.baselines.continuous_noise import truncate
from optmech.base.errors import ProblemError
from optmech.question.privacy.loss import largest_privacy_loss

if TYPE_CHECKING:
    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.question.query import Query

__all__ = ["calibrated_cells"]

_ROOT = 1e-15
# A scale that is smaller still, next to the plain one, makes every cell certain.
_SMALLEST_SHARE = 1e-9


@baseline(
    "calibrated Laplace", "Croft et al. 2020 (22), its sign corrected, with the scale found by its privacy"
)
def calibrated_cells(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return normalised Laplace noise whose matrix on the cells of a query spends exactly epsilon.

    It tells less than the density and allows a smaller scale. ProblemError if cells cannot spend so much.
    """
    rate = float(epsilon)
    plain = float(sensitivity(query)) / rate

    def excess(scale: float) -> float:
        loss = largest_privacy_loss(truncate(query, scale), query.pairs, query.weights).value
        return min(loss, 2 * rate) - rate  # the loss may be infinite

    lowest = plain
    while excess(lowest) <= 0:
        lowest /= 2
        if lowest < _SMALLEST_SHARE * plain:
            message = (
                f"the cells of {query.title} cannot spend epsilon {rate:g} at any scale of the noise: "
                "they tell the truths too little apart. Release the truth's cell, or use finer cells."
            )
            raise ProblemError(message)
    scale = brentq(excess, lowest, 2 * plain, xtol=_ROOT * plain)
    says = f"truncates Laplace noise of scale {scale:.6g} to the range: its cells spend epsilon"
    return says, truncate(query, float(scale))
