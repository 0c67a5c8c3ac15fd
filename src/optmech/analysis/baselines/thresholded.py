"""Noise and a threshold, for groups that need not be public: what stays below it is not released, told as 0.

A group that nobody is in gets no noise: it is never seen. One that somebody is in gets noise Z, and is
released where ``f + Z`` reaches the threshold t. Whoever is in a group alone, with up to D records, is seen
with ``P(D + Z >= t)``, which must be at most delta; between all other neighbours, noise of rate epsilon / D
keeps epsilon. Below, ``a = e^(-epsilon / D)``, L is Laplace noise of scale D / epsilon, and delta is at most
one half.

    geometric                 t = D + least c with a^c / (1 + a) <= delta                 P(Z >= c)
    geometric, 1 lower        t = D + least c with a^(c+1) / (1 + a) <= delta             P(Z > c)
    Laplace                   t = D - D / epsilon ln(2 delta)                             P(L > t - D)
    Laplace, rounded first    the same, rounded up; Z is L rounded to a whole number

The second and the fourth may spend more than delta. The second takes the probability of noise above c where
noise from c on is released. In the fourth, noise from ``c - 1/2`` on is rounded up to c: its probability is
larger by up to ``e^(epsilon / 2D)``.

Source: Korolova, Kenthapadi, Mishra, Ntoulas 2009 (noise and a threshold); for the thresholds the sources of
Tumult Core, OpenDP and Google's libraries, as `comparison.libraries` names them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import laplace

from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon
from optmech.analysis.baselines.cells import mass_between
from optmech.analysis.baselines.lattice import TwoSidedGeometric, lattice_of
from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.baselines.baseline import Distribution
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = [
    "THRESHOLDED",
    "early_geometric",
    "early_laplace",
    "thresholded_geometric",
    "thresholded_laplace",
]

_LARGEST_DELTA = 0.5
_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """What the formulas need: how far one person moves a count, in steps, and the noise of a step."""

    reach: int
    rate: float
    delta: float

    @classmethod
    def of(cls, query: Query, epsilon: Number, delta: Number) -> _Start:
        """Return it, refused where counts do not begin with a group that nobody is in."""
        lattice, share = lattice_of(query), exact(delta, "delta")
        if query.truths[0] != 0 or query.responses[0].midpoint != 0:
            message = (
                "noise and a threshold need truths and responses that begin with 0, a group that nobody is "
                f"in; got {query.title}. Count from 0."
            )
            raise NotAcceptedError(message)
        if not 0 < share <= _LARGEST_DELTA:
            message = f"a threshold needs a `delta` above 0 and at most 1/2; got {delta}. Such as 1e-6."
            raise NotAcceptedError(message)
        rate = float(positive_epsilon(epsilon) / lattice.reach)
        return cls(reach=lattice.reach, rate=rate, delta=float(share))


def thresholded_geometric(query: Query, epsilon: Number, delta: Number) -> Baseline:
    """Return geometric noise and the least threshold that keeps delta."""
    start = _Start.of(query, epsilon, delta)
    return _geometric(query, epsilon, start, start.reach + _places(start), "thresholded geometric")


def early_geometric(query: Query, epsilon: Number, delta: Number) -> Baseline:
    """Return the same with the threshold that OpenDP's map of `make_laplace_threshold` takes for enough.

    It releases from the threshold on and takes the probability of what lies above it, so that its least
    threshold is 1 lower: delta is up to e^epsilon times what is asked.
    """
    start = _Start.of(query, epsilon, delta)
    threshold = start.reach + max(_places(start) - 1, 0)
    return _geometric(query, epsilon, start, threshold, "geometric, 1 lower")


def thresholded_laplace(query: Query, epsilon: Number, delta: Number) -> Baseline:
    """Return Laplace noise, released where the sum is above the threshold, and rounded then."""
    start = _Start.of(query, epsilon, delta)
    threshold = _laplace_threshold(start)
    noise = laplace(scale=1 / start.rate)
    return _baseline(
        query,
        epsilon,
        name="thresholded Laplace",
        says=f"adds Laplace noise of scale {noise.kwds['scale']:.6g}, releases what is above {threshold:.6g} "
        "and rounds it",
        edge=lambda response: max(response - _HALF, threshold),
        first=math.floor(threshold + _HALF),
        noise=noise,
    )


def early_laplace(query: Query, epsilon: Number, delta: Number) -> Baseline:
    """Return Laplace noise rounded to whole numbers, released from the threshold, rounded up, on."""
    start = _Start.of(query, epsilon, delta)
    threshold = math.ceil(_laplace_threshold(start))
    noise = laplace(scale=1 / start.rate)
    return _baseline(
        query,
        epsilon,
        name="Laplace, rounded first",
        says=f"adds Laplace noise of scale {noise.kwds['scale']:.6g}, rounds the sum and releases it from "
        f"{threshold} on",
        edge=lambda response: response - _HALF,
        first=threshold,
        noise=noise,
    )


THRESHOLDED: dict[str, Callable[[Query, Number, Number], Baseline]] = {
    "thresholded-geometric": thresholded_geometric,
    "early-geometric": early_geometric,
    "thresholded-laplace": thresholded_laplace,
    "early-laplace": early_laplace,
}
"""Those that never show an empty group, made for an epsilon and a delta."""


def _places(start: _Start) -> int:
    """Return the least c with ``a^c / (1 + a) <= delta``."""
    return max(math.ceil(-math.log(start.delta * (1 + math.exp(-start.rate))) / start.rate), 0)


def _laplace_threshold(start: _Start) -> float:
    return start.reach - math.log(2 * start.delta) / start.rate


def _geometric(query: Query, epsilon: Number, start: _Start, threshold: int, name: str) -> Baseline:
    return _baseline(
        query,
        epsilon,
        name=name,
        says=f"adds geometric noise with ratio {math.exp(-start.rate):.6g} and releases from {threshold} on",
        edge=lambda response: response - 1,
        first=threshold,
        noise=TwoSidedGeometric(rate=start.rate),
    )


def _baseline(
    query: Query,
    epsilon: Number,
    *,
    name: str,
    says: str,
    edge: Callable[[int], float],
    first: int,
    noise: Distribution,
) -> Baseline:
    """Return the matrix of sums; those above ``edge(r)`` are released as r or more, `first` the least.

    What is above the range is taken for its end.
    """
    last, truths = query.num_responses - 1, -lattice_of(query).shifts[0].astype(float)
    edges = np.array([edge(max(response, first)) for response in range(1, last + 1)])[:, None] - truths
    matrix = np.vstack([noise.cdf(edges[0]), mass_between(noise, edges[:-1], edges[1:]), noise.sf(edges[-1])])
    matrix[:, truths == 0] = 0.0
    matrix[0, truths == 0] = 1.0
    return measure_baseline(
        name=name,
        source="Korolova, Kenthapadi, Mishra, Ntoulas 2009",
        says=says,
        matrix=matrix,
        query=query,
        epsilon=epsilon,
    )
