"""Gumbel noise added to the true answer.

Kadam et al. 2024, footnote 6, take it for the exponential mechanism. That equality holds for noise added to
the *scores* (`selection.gumbel_max`). Added to the answer, the lower tail of Gumbel noise falls
double-exponentially, and no epsilon suffices: only (epsilon, delta) is left.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scipy.stats import gumbel_r

from benchmarks.baselines.unbounded_noise import UnboundedNoise
from optmech.analysis.baselines.baseline import (
    Baseline,
    measure_baseline,
    positive_epsilon,
    sensitivity,
)
from optmech.analysis.baselines.cells import SNAPPED, edge_offsets, snap
from optmech.base.errors import ProblemError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["gumbel_noise", "snapped_gumbel"]


def gumbel_noise(query: Query, epsilon: Number, scale: Number) -> UnboundedNoise:
    """Return Gumbel noise with its mode at zero, each of two neighbours protected against the other.

    Parameters
    ----------
    query : Query
        Its sensitivity counts.
    epsilon : str, int, float or Fraction
        Where delta is wanted.
    scale : str, int, float or Fraction
        The paper's beta', positive, in units of the answer.

    Raises
    ------
    ProblemError
        If the scale is not positive.
    """
    exact_epsilon = positive_epsilon(epsilon)
    width = exact(scale, "scale")
    if width <= 0:
        message = f"`scale` must be positive; got {scale}. Larger means more noise."
        raise ProblemError(message)
    scale_, apart = float(width), float(sensitivity(query))
    noise = gumbel_r(scale=scale_)
    factor, steps = math.exp(exact_epsilon), apart / scale_
    # At noise x, the log-ratio to an answer larger by `apart` is e^(-x/scale) (e^steps - 1) - steps.
    log_rise = steps + math.log(-math.expm1(-steps))
    cut = scale_ * (log_rise - math.log(float(exact_epsilon) + steps))
    deltas = [float(noise.cdf(cut) - factor * noise.cdf(cut - apart))]
    if steps > exact_epsilon:  # the other way it is the negative, at most `steps`
        cut = scale_ * (log_rise - math.log(steps - float(exact_epsilon)))
        deltas.append(float(noise.sf(cut - apart) - factor * noise.sf(cut)))
    return UnboundedNoise(
        name="Gumbel",
        source="Kadam et al. 2024, footnote 6",
        says=f"adds Gumbel noise of scale {scale_:.6g} to the answer itself",
        distribution=noise,
        asked_epsilon=exact_epsilon,
        spent_epsilon=math.inf,
        spent_delta=max(deltas),
    )


def snapped_gumbel(query: Query, epsilon: Number, scale: Number) -> Baseline:
    """Return Gumbel noise added to the answer and snapped to the nearest response; see `gumbel_noise`.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> baseline = snapped_gumbel(count(8), 1, 2)
    >>> baseline.spent_epsilon > 5, baseline.spent_delta > 0
    (True, True)
    """
    noise = gumbel_noise(query, epsilon, scale)
    return measure_baseline(
        name="snapped Gumbel",
        source="Kadam et al. 2024, footnote 6, snapped like Croft et al. 2020 (16)",
        says=f"{noise.says}{SNAPPED}",
        matrix=snap(noise.distribution, edge_offsets(query)),
        query=query,
        epsilon=epsilon,
    )
