"""Noise and a threshold, for groups that need not be public: what stays below it is not released, told as 0.

An empty group gets no noise: it is never seen. A group with people gets noise Z, and is released where ``f +
Z`` reaches the threshold t. A person who is in a group alone, with up to D records, is seen with ``P(D + Z >=
t)``, which must be at most delta; between all other neighbours, noise of rate epsilon / D keeps epsilon.
Below, ``a = e^(-epsilon / D)``, L is Laplace noise of scale D / epsilon, and delta is at most one half.

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
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import laplace

from optmech.analysis.baselines.baseline import baseline
from optmech.analysis.baselines.cells import snap
from optmech.analysis.baselines.whole_number_noise import TwoSidedGeometric, lattice_of
from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.baselines.baseline import Baseline, Exact, NoiseDistribution
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query

_LARGEST_DELTA = 0.5
_HALF = 0.5


def _start(query: Query, epsilon: Exact, delta: Number) -> tuple[int, float, float]:
    """Return how far one person moves a count, in steps, the rate of the noise of a step, and delta."""
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
    return lattice.reach, float(epsilon / lattice.reach), float(share)


def _geometric(query: Query, epsilon: Exact, delta: Number, *, lower: int) -> tuple[str, Floats]:
    """Return geometric noise and the least threshold that keeps delta, or one so much lower."""
    reach, rate, share = _start(query, epsilon, delta)
    # The least c with a^c / (1 + a) <= delta.
    indices = max(math.ceil(-math.log(share * (1 + math.exp(-rate))) / rate), 0)
    threshold = reach + max(indices - lower, 0)
    says = f"adds geometric noise with ratio {math.exp(-rate):.6g} and releases from {threshold} on"
    return says, _matrix(query, lambda response: response - 1, threshold, TwoSidedGeometric(rate=rate))


def _laplace(query: Query, epsilon: Exact, delta: Number, *, rounded_first: bool) -> tuple[str, Floats]:
    """Return Laplace noise, rounded where the sum is above the threshold, or before, both of them."""
    reach, rate, share = _start(query, epsilon, delta)
    threshold = reach - math.log(2 * share) / rate
    says = f"adds Laplace noise of scale {1 / rate:.6g}, "
    if rounded_first:
        threshold = math.ceil(threshold)
        says += f"rounds the sum and releases it from {threshold} on"
    else:
        says += f"releases what is above {threshold:.6g} and rounds it"

    def edge(response: int) -> float:
        return response - _HALF if rounded_first else max(response - _HALF, threshold)

    return says, _matrix(query, edge, math.floor(threshold + _HALF), laplace(scale=1 / rate))


def _matrix(query: Query, edge: Callable[[int], float], first: int, noise: NoiseDistribution) -> Floats:
    """Return the matrix of sums; those above ``edge(r)`` are released as r or more, `first` the least.

    A sum above the range is released as the end of the range.
    """
    last, truths = query.num_responses - 1, -lattice_of(query).shifts[0].astype(float)
    edges = np.array([edge(max(response, first)) for response in range(1, last + 1)])[:, None] - truths
    matrix = snap(noise, np.vstack([edges[:1], edges, edges[-1:]]))
    matrix[:, truths == 0] = 0.0
    matrix[0, truths == 0] = 1.0
    return matrix


def _named(
    name: str, build: Callable[..., tuple[str, Floats]]
) -> Callable[[Query, Number, Number], Baseline]:
    return baseline(name, "Korolova, Kenthapadi, Mishra, Ntoulas 2009")(build)


THRESHOLDED: dict[str, Callable[[Query, Number, Number], Baseline]] = {
    "thresholded-geometric": _named("thresholded geometric", partial(_geometric, lower=0)),
    # The threshold that OpenDP's map of `make_laplace_threshold` takes for enough.
    "early-geometric": _named("geometric, 1 lower", partial(_geometric, lower=1)),
    "thresholded-laplace": _named("thresholded Laplace", partial(_laplace, rounded_first=False)),
    "early-laplace": _named("Laplace, rounded first", partial(_laplace, rounded_first=True)),
}
"""Those that never show an empty group, made for an epsilon and a delta."""
