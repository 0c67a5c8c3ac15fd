"""Whether another engine is asked as well, and whose answer is handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate

__all__ = ["is_better", "is_far_off"]

# From this relative gap on another engine is asked as well.
_FAR_OFF = 1e-3
# A chain without a gap is an optimum; with one its thresholds cross, and the theorem says nothing.
_ROUNDING_OF_BOUND = 1e-12
_AS_GOOD = 1e-9
# At the worst truth a program is solved, too.
_SHARE_OF_REPAIR = 1e-7


def is_better(result: tuple[float, float], best: tuple[float, float]) -> bool:
    """Whether an objective is clearly smaller, or as good with a bound nearer to it: both of each given.

    Examples
    --------
    >>> is_better((1.0, 0.9), (1.1, 1.0)), is_better((1.0, 0.9), (1.0, 0.95))
    (True, False)
    """
    (objective, bound), (best_objective, best_bound) = result, best
    return (
        bound > best_bound
        if abs(objective - best_objective) <= _AS_GOOD * abs(best_objective)
        else objective < best_objective
    )


def is_far_off(certificate: Certificate | None, engine: str) -> bool:
    """Whether the gap is so wide that another engine may do better."""
    gap = None if certificate is None else certificate.relative_gap
    wide = _FAR_OFF
    if certificate is not None and engine == "chain":
        wide = _SHARE_OF_REPAIR if certificate.problem.objective.is_worst else _ROUNDING_OF_BOUND
    return gap is not None and gap > wide
