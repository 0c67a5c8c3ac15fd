"""The same curve by Google's ``dp-accounting``, in floating point: a second opinion, from other hands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.pairs import neighbours_of
from optmech.base.extras import package

if TYPE_CHECKING:
    from optmech.analysis.composition.losses import Losses
    from optmech.analysis.composition.pairs import Source

__all__ = ["numerical_delta"]


def numerical_delta(
    source: Source, uses: int, epsilon: float, *, interval: float = 1e-4, pessimistic: bool = True
) -> float:
    """Return the delta of repeated uses by ``dp-accounting``: *recomputed*, by rounding losses on a grid.

    It is the largest over the ordered pairs of neighbours, each composed with itself.

    Parameters
    ----------
    source : Certificate or (Mechanism, Query)
        What is used.
    uses : int
        How often, for the same query.
    epsilon : float
        Of all uses together.
    interval : float
        The grid of losses.
    pessimistic : bool
        Whether losses are rounded up; else down.

    Raises
    ------
    ProblemError
        If ``dp-accounting`` is not installed.
    """
    module = package("dp_accounting.pld.privacy_loss_distribution", "accounting", "this comparison")
    return max(
        float(
            _distribution(module, losses, interval, pessimistic=pessimistic)
            .self_compose(uses)
            .get_delta_for_epsilon(epsilon)
        )
        for losses in neighbours_of(source).worst()
    )


def _distribution(module: Any, losses: Losses, interval: float, *, pessimistic: bool) -> Any:  # noqa: ANN401
    truth = {str(ratio): float(_log(mass)) for ratio, mass in losses.finite.items()}
    neighbour = {str(ratio): float(_log(mass / ratio)) for ratio, mass in losses.finite.items()}
    if losses.infinite:
        truth["infinite"] = _log(losses.infinite)
    return module.from_two_probability_mass_functions(
        log_probability_mass_function_lower=neighbour,
        log_probability_mass_function_upper=truth,
        pessimistic_estimate=pessimistic,
        value_discretization_interval=interval,
    )


def _log(value: Any) -> float:  # noqa: ANN401 - a rational without types of its own
    return math.log(int(value.p)) - math.log(int(value.q))
