"""Geometric noise of a ratio that the caller names, clamped to a grid: Kadam et al. 2024 (55)-(56)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.analysis.baselines.baseline import Baseline, measure_baseline
from optmech.analysis.baselines.whole_number_noise import TwoSidedGeometric, clamp, lattice_of
from optmech.base.errors import ProblemError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["clamped_geometric"]


def clamped_geometric(query: Query, epsilon: Number, ratio: Number) -> Baseline:
    """Return geometric noise of a given ratio, clamped to the grid, Kadam (55)-(56).

    Parameters
    ----------
    query : Query
        On a grid of equal steps.
    epsilon : str, int, float or Fraction
        Where delta is wanted.
    ratio : str, int, float or Fraction
        The paper's alpha, between 0 and 1: how much less likely one step more is.

    Raises
    ------
    ProblemError
        If the ratio is not strictly between 0 and 1.
    """
    alpha = exact(ratio, "ratio")
    if not 0 < alpha < 1:
        message = f"`ratio` must lie strictly between 0 and 1; got {ratio}. Larger means more noise."
        raise ProblemError(message)
    return measure_baseline(
        name="clamped geometric",
        source="Ghosh et al. 2009; Kadam et al. 2024 (55)-(56), the last row corrected",
        says=f"adds geometric noise with ratio {float(alpha):.6g} and clamps the sum to the grid",
        matrix=clamp(TwoSidedGeometric(rate=-math.log(alpha)), lattice_of(query).shifts),
        query=query,
        epsilon=epsilon,
    )
