"""Baselines that need nothing but a query and an epsilon, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.baselines.continuous_noise import (
    bounded_laplace,
    calibrated_laplace,
    folded_laplace,
    normalised_laplace,
    snapped_laplace,
    snapped_staircase,
)
from optmech.analysis.baselines.selection import (
    data_independent,
    exponential,
    gumbel_max,
    randomized_response,
    uniform,
)
from optmech.analysis.baselines.whole_number_noise import explicit_fair, folded_geometric, truncated_geometric

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.baselines.baseline import Baseline
    from optmech.base.numbers import Number
    from optmech.question.query import Query

# Those on whole-number noise refuse queries without a grid of equal steps, those kept in a range refuse
# truths outside it, with `NotAcceptedError`.
BASELINES: dict[str, Callable[[Query, Number], Baseline]] = {
    "snapped-laplace": snapped_laplace,
    "snapped-staircase": snapped_staircase,
    "normalised-laplace": normalised_laplace,
    "calibrated-laplace": calibrated_laplace,
    "bounded-laplace": bounded_laplace,
    "folded-laplace": folded_laplace,
    "truncated-geometric": truncated_geometric,
    "folded-geometric": folded_geometric,
    "explicit-fair": explicit_fair,
    "exponential": exponential,
    "gumbel-max": gumbel_max,
    "randomized-response": randomized_response,
    "data-independent": data_independent,
    "uniform": uniform,
}
