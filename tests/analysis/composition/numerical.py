"""The same curve by Google's ``dp-accounting``, in floating point: a second opinion, from other hands."""

from __future__ import annotations

import math

from optmech.analysis.composition.pairs import neighbours_of


def numerical_delta(source, uses, epsilon, *, interval=1e-4, pessimistic=True):
    """Return the delta of repeated uses, losses rounded up on a grid, or down.

    It is the largest over the ordered pairs of neighbours, each composed with itself.
    """
    from dp_accounting.pld import privacy_loss_distribution  # noqa: PLC0415 - whoever has it not skips

    def delta(losses):
        truth = {str(ratio): log(mass) for ratio, mass in losses.finite.items()}
        neighbour = {str(ratio): log(mass / ratio) for ratio, mass in losses.finite.items()}
        if losses.infinite:
            truth["infinite"] = log(losses.infinite)
        composed = privacy_loss_distribution.from_two_probability_mass_functions(
            log_probability_mass_function_lower=neighbour,
            log_probability_mass_function_upper=truth,
            pessimistic_estimate=pessimistic,
            value_discretization_interval=interval,
        ).self_compose(uses)
        return float(composed.get_delta_for_epsilon(epsilon))

    return max(delta(losses) for losses in [near.low for near in neighbours_of(source).worst()])


def log(value):
    return math.log(int(value.p)) - math.log(int(value.q))
