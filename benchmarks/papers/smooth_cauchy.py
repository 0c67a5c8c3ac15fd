"""Cauchy noise scaled to the smooth sensitivity of one data set, for max, min and median.

The scale depends on the whole data set, not on the true answer alone: there is no mechanism matrix in the
sense of Croft's Definition 3. There is one column for each data set; an average of columns over data
sets with the same answer may be used for utility and must not be tested for privacy.

    A_t = max over s = 0..t+1 of  x[m+s] - x[m+s-t-1]            local sensitivity within t changes
    S   = max over t of  e^(-beta t) A_t                         smooth sensitivity
    release  f + Cauchy noise of scale 8 S / epsilon,  beta = epsilon / 2

x is sorted, m the rank of the statistic, x = lower below rank 1 and upper above rank n.

Source: Nissim, Raskhodnikova, Smith 2007, by way of Croft, Sack, Shi 2020, section 4.3.5, who print the
scale and not beta. Two Cauchy densities differ exactly by ``arcosh(1 + (d^2 + (s - s')^2) / (2 s s'))``: the
hyperbolic distance of the points (answer, scale) in the upper half-plane. With d at most the smaller S and
scales within ``e^beta`` that is at most ``arcosh(cosh(epsilon/2) + (epsilon/8)^2 e^(-epsilon/2) / 2)``, below
0.516 epsilon: about half of what is asked is never spent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import cauchy

from optmech.analysis.baselines.baseline import positive_epsilon
from optmech.analysis.baselines.cells import edge_offsets, snap
from optmech.base.errors import ProblemError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from optmech.analysis.baselines.baseline import NoiseDistribution
    from optmech.base.numbers import Number
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["SmoothRelease", "cauchy_privacy_loss", "smooth_cauchy", "smooth_sensitivity"]

_STATISTICS = ("max", "min", "median")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothRelease:
    """The answer about one data set.

    Attributes
    ----------
    truth : int
        Position of the true answer in the query.
    smooth_sensitivity : float
        That of this data set, in units of the answer.
    scale : float
        That of the Cauchy noise, in units of the answer.
    distribution : Distribution
        The noise, unbounded.
    column : ndarray, shape (num_responses,)
        Probabilities of the responses after snapping.
    spent_epsilon : float
        Largest privacy loss of the unbounded noise against any data set with one record replaced by another
        truth of the query, in closed form. Snapping can only lower it.
    """

    truth: int
    smooth_sensitivity: float
    scale: float
    distribution: NoiseDistribution
    column: Floats
    spent_epsilon: float


def smooth_sensitivity(records: ArrayLike, statistic: str, beta: float, lower: float, upper: float) -> Floats:
    """Return the smooth sensitivity of a statistic for one data set or many.

    Parameters
    ----------
    records : array_like, shape (..., num_records)
        From `lower` to `upper`; one data set in each row.
    statistic : {"max", "min", "median"}
        The median is the lower one.
    beta : float
        Smoothing, zero or more: how fast changes further away are forgotten.
    lower, upper : float
        The range that a record may have.

    Examples
    --------
    >>> round(float(smooth_sensitivity([3, 9, 9, 9], "max", 0.5, 0, 9)), 9)  # 6, once two nines are gone
    2.207276647
    """
    ordered = np.sort(np.asarray(records, dtype=float), axis=-1)
    number = ordered.shape[-1]
    rank = _rank(statistic, number)

    def ranked(place: int) -> Floats:
        if 1 <= place <= number:
            value: Floats = ordered[..., place - 1]
            return value
        return np.full(ordered.shape[:-1], lower if place < 1 else upper)

    smooth = np.zeros(ordered.shape[:-1])
    for changes in range(number + 1):
        for above in range(changes + 2):
            gap = ranked(rank + above) - ranked(rank + above - changes - 1)
            smooth = np.maximum(smooth, np.exp(-beta * changes) * gap)
    return smooth


def cauchy_privacy_loss(
    answer: ArrayLike, scale: ArrayLike, other: ArrayLike, other_scale: ArrayLike
) -> Floats:
    """Return the largest absolute log-ratio of two Cauchy densities, the same both ways."""
    left, right = np.asarray(scale, dtype=float), np.asarray(other_scale, dtype=float)
    apart = np.asarray(answer, dtype=float) - np.asarray(other, dtype=float)
    loss: Floats = np.arccosh(1.0 + (apart**2 + (left - right) ** 2) / (2 * left * right))
    return loss


def smooth_cauchy(
    query: Query,
    epsilon: Number,
    records: Sequence[Number],
    *,
    statistic: str = "max",
    factor: Number = 8,
    beta: Number | None = None,
) -> SmoothRelease:
    """Return how the statistic of `records` is released.

    Parameters
    ----------
    query : Query
        Its truths are the values that a record may have, as in `extremum`.
    epsilon : str, int, float or Fraction
        The epsilon of the question.
    records : sequence of numbers
        One data set, each record a truth of the query.
    statistic : {"max", "min", "median"}, default "max"
        The median is the lower one.
    factor : str, int, float or Fraction, default 8
        The noise has scale ``factor * S / epsilon``.
    beta : str, int, float or Fraction, optional
        Smoothing, ``epsilon / 2`` if left out.

    Raises
    ------
    ProblemError
        If there is no record, one is no truth of the query, the statistic is unknown, `factor` is not
        positive or `beta` is negative.

    Examples
    --------
    >>> from optmech.question.queries import extremum
    >>> release = smooth_cauchy(extremum(0, 9), 1, [3, 9, 9, 9])
    >>> release.truth, round(release.scale, 3), round(release.spent_epsilon, 3)
    (9, 17.658, 0.5)
    """
    exact_epsilon = float(positive_epsilon(epsilon))
    places = {truth: place for place, truth in enumerate(query.truths)}
    values = [exact(record, "records") for record in records]
    strange = [value for value in values if value not in places]
    if not values or strange:
        message = (
            f"`records` must be one or more truths of the query, {query.truths[0]}..{query.truths[-1]}; "
            f"got {strange[0] if strange else 'none'}."
        )
        raise ProblemError(message)
    smoothing = exact_epsilon / 2 if beta is None else float(exact(beta, "beta"))
    width = float(exact(factor, "factor")) / exact_epsilon
    if smoothing < 0 or width <= 0:
        message = (
            f"`beta` must be zero or more and `factor` positive; got {smoothing:g} and {factor}. "
            "The usual ones are epsilon / 2 and 8."
        )
        raise ProblemError(message)
    grid = query.truth_values
    own = np.array([places[value] for value in values])
    changed = _one_replaced(own, len(grid))
    ends = (float(grid[0]), float(grid[-1]))
    scales = width * smooth_sensitivity(grid[changed], statistic, smoothing, *ends)
    rank = _rank(statistic, len(values))
    answers = np.sort(changed, axis=-1)[:, rank - 1]
    truth, scale = int(answers[0]), float(scales[0])  # the first row is the data set itself
    noise: NoiseDistribution = cauchy(scale=scale)
    return SmoothRelease(
        truth=truth,
        smooth_sensitivity=scale / width,
        scale=scale,
        distribution=noise,
        column=snap(noise, edge_offsets(query)[:, [truth]])[:, 0],
        spent_epsilon=float(cauchy_privacy_loss(grid[truth], scale, grid[answers], scales).max()),
    )


def _one_replaced(places: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return the data set, then all data sets with one record replaced, shape (sets, num_records)."""
    sets = np.tile(places, (len(places) * number + 1, 1))
    changed = np.arange(len(places) * number)
    sets[changed + 1, changed // number] = changed % number
    return sets


def _rank(statistic: str, number: int) -> int:
    ranks = dict(zip(_STATISTICS, (number, 1, (number + 1) // 2), strict=True))
    if statistic not in ranks:
        message = f"`statistic` must be one of {', '.join(_STATISTICS)}; got {statistic!r}."
        raise ProblemError(message)
    return ranks[statistic]
