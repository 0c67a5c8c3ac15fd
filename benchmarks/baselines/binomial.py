"""Binomial noise: heads of fair coins less half of them.

Source: Dwork et al. 2006, *Our data, ourselves*, by way of Bellet's lecture. It has bounded support, so that
no epsilon suffices: delta is at least ``2^-trials``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scipy.stats import binom

from benchmarks.baselines.unbounded_noise import UnboundedNoise
from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon
from optmech.analysis.baselines.whole_number_noise import clamp, lattice_of, noise_delta
from optmech.base.errors import ProblemError

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["binomial_noise", "clamped_binomial"]


def binomial_noise(query: Query, epsilon: Number, trials: int) -> UnboundedNoise:
    """Return the heads of `trials` fair coins less ``trials // 2``, in steps of the query.

    Parameters
    ----------
    query : Query
        On a grid of equal steps.
    epsilon : str, int, float or Fraction
        Where delta is wanted.
    trials : int
        Number of coins, at least 1. An odd number leaves a bias of half a step.

    Raises
    ------
    ProblemError
        If there is no coin.

    Examples
    --------
    The fewest coins that are (1, 0.01)-private for a count:

    >>> from optmech.question.queries import count
    >>> [binomial_noise(count(5), 1, trials).spent_delta <= 0.01 for trials in (15, 16)]
    [False, True]
    """
    exact_epsilon = positive_epsilon(epsilon)
    if isinstance(trials, bool) or not hasattr(trials, "__index__") or trials < 1:
        message = (
            f"`trials` must be a whole number of at least 1; got {trials!r}. More coins are more private."
        )
        raise ProblemError(message)
    noise = binom(trials, 0.5, loc=-(trials // 2))
    return UnboundedNoise(
        name="binomial",
        source="Dwork et al. 2006",
        says=f"adds the heads of {trials} fair coins less {trials // 2}",
        distribution=noise,
        asked_epsilon=exact_epsilon,
        spent_epsilon=math.inf,
        spent_delta=noise_delta(noise, trials, float(exact_epsilon), lattice_of(query).distances),
    )


def clamped_binomial(query: Query, epsilon: Number, trials: int) -> Baseline:
    """Return binomial noise clamped to the grid; see `binomial_noise`."""
    noise = binomial_noise(query, epsilon, trials)
    return measure_baseline(
        name="clamped binomial",
        source="Dwork et al. 2006, clamped like Kadam et al. 2024 (55)-(56)",
        says=f"{noise.says} and clamps the sum to the grid",
        matrix=clamp(binom(trials, 0.5, loc=-(trials // 2)), lattice_of(query).shifts),
        query=query,
        epsilon=epsilon,
    )
