"""Acceptance regions: for each true answer, a run of responses with at least a given probability.

Model
-----
    A(t) is a run of responses with  P(response in A(t) | t) >= level
    the interval of a response r goes from the least to the largest t with r in A(t)

so that for every t the interval of the released answer holds t with probability at least `level`: the
confidence interval of Neyman 1937, without a prior. If rows released as 0 are left out, all probabilities are
conditional on the row being shown. A true answer that is never shown is in no interval:

    P(response in A(t) | t, response is not 0) >= level

For a matrix A(t) is the shortest run, best centred on t. For a distribution it is the set of answers from
noise between two quantiles. If 0 is among them, only large noise shows the row, and A(t) is every shown
answer except an upper tail with at most the share ``1 - level`` of the shown mass. If A(t) is without 0,
conditioning makes it more probable. Sums are exact, rounded to the safe side.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.mechanisms.sampling import whole_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.noise_mechanism import NoiseMechanism
    from optmech.proofs.chain.noise import Noise

    Positions = NDArray[np.int64]


def ends_of_matrix(mechanism: Mechanism, level: Fraction, *, shown_only: bool) -> tuple[Positions, Positions]:
    """Return for each response the positions of the least and of the largest true answer in its interval.

    With `shown_only` the response 0 is left out. Positions are -1 where no true answer is ever shown.
    """
    weights = whole_weights(mechanism.matrix, mechanism.exact)
    columns = weights.T.tolist()
    if shown_only:
        columns = [
            [weight if response else 0 for weight, response in zip(column, mechanism.responses, strict=True)]
            for column in columns
        ]
    return ends_of_columns(columns, mechanism.responses, mechanism.truths, level)


def ends_of_columns(
    columns: Sequence[Sequence[int]],
    responses: Sequence[Fraction],
    truths: Sequence[Fraction],
    level: Fraction,
) -> tuple[Positions, Positions]:
    """Return the same from the weights of responses at each truth; both stand in increasing order.

    A truth without weights is in no interval.
    """
    number = len(responses)
    low, high = np.full((2, number), -1)
    distances = np.full(number, np.inf)
    indices = np.arange(number)
    for truth, (value, column) in enumerate(zip(truths, columns, strict=True)):
        if not any(column):  # such a row is never shown
            continue
        start, stop = _shortest(column, responses, value, level)
        away = np.maximum(np.maximum(start - indices, indices - stop), 0)
        inside = away == 0
        low[inside & ((low < 0) | (distances > 0))] = truth
        high[inside] = truth
        # A response in no run keeps the truths with the nearest runs.
        nearer = ~inside & (away < distances)
        low[nearer], high[nearer] = truth, truth
        high[~inside & (away == distances)] = truth
        distances = np.minimum(distances, away)
    return low, high


def _shortest(
    weights: Sequence[int], responses: Sequence[Fraction], truth: Fraction, level: Fraction
) -> tuple[int, int]:
    """Return the first and the last response of the shortest run that has the level."""
    sums = [0, *accumulate(weights)]
    mass = level * sums[-1]
    best: tuple[Fraction, Fraction, int, int] | None = None
    stop = 0
    for start in range(len(weights)):
        while stop < len(weights) and sums[stop + 1] - sums[start] < mass:
            stop += 1
        if stop == len(weights):
            break
        first, last = responses[start], responses[stop]
        best_range = last - first, abs(first + last - 2 * truth), start, stop
        best = best_range if best is None else min(best, best_range)
    assert best is not None  # noqa: S101 - all responses together have probability one
    return best[2:]


class NoiseRegions(NamedTuple):
    """The acceptance regions of a mechanism without a matrix, in points of the noise.

    For a truth t it is ``after < point - period t <= until``, with at least the level. For the first truths,
    if rows must be shown, it is every shown answer up to one of `reaches`.
    """

    after: int
    until: int
    reaches: Positions | None


def regions_of_noise(mechanism: NoiseMechanism, level: Fraction, *, shown_only: bool) -> NoiseRegions:
    """Return the acceptance regions of a mechanism without a matrix."""
    certificate, number = mechanism.certificate, len(mechanism.truths)
    noise, tail = certificate.noise, (1 - level) / 2
    never, always = noise.ends(number)
    most = always - never + noise.period * number  # this noise leads from each truth to each response
    after = _first(lambda point: noise.below(point)[1] > tail * noise.one, most) - 1
    until = _reaching(noise, (1 - tail) * noise.one, most)
    if not shown_only:
        return NoiseRegions(after, until, None)
    edge = int(mechanism.limits[1])  # up to this point 0 is released
    first_without = min(max(-((after - edge) // noise.period), 0), number)
    return NoiseRegions(after, until, _shown_reaches(noise, edge, first_without, 1 - level, most))


def ends_of_distribution(
    mechanism: NoiseMechanism, regions: NoiseRegions, responses: Positions
) -> tuple[Positions, Positions]:
    """Return the positions of the ends of the intervals of the responses at these positions."""
    start, stop = mechanism.limits[responses], mechanism.limits[responses + 1]
    low = -((regions.until - 1 - start) // mechanism.period)
    high = (stop - regions.after - 1) // mechanism.period
    if regions.reaches is not None:
        number = len(regions.reaches)
        first_shown = regions.reaches.searchsorted(start, side="right")
        low = np.where(first_shown < number, first_shown, np.maximum(low, number))
    last = len(mechanism.truths) - 1
    return np.clip(np.minimum(low, high), 0, last), np.clip(np.maximum(low, high), 0, last)


def _shown_reaches(noise: Noise, edge: int, number: int, tail: Fraction, most: int) -> Positions:
    """Return the last point of A(t) for the first `number` truths, `edge` where it is empty.

    The noise beyond `edge` shows the row; at most a share of `tail` of it is beyond the last point.
    """
    reaches = np.full(number, edge, np.int64)
    for truth in range(number):
        shift = noise.period * truth
        shown = noise.one - noise.below(edge - shift)[1]
        if shown > 0:
            reaches[truth] = shift + _reaching(noise, noise.one - tail * shown, most)
    return np.maximum.accumulate(reaches)


def _reaching(noise: Noise, least: Fraction, most: int) -> int:
    """Return the first point with at least a cumulative mass, in the noise's units."""
    return _first(lambda point: noise.below(point)[0] >= least, most)


def _first(is_true: Callable[[int], bool], most: int) -> int:
    """Return the first integer up to `most` from which on a condition holds."""
    reach = 1
    while reach < most and (is_true(-reach) or not is_true(reach)):
        reach *= 2
    return bisect_left(range(-reach, reach + 1), 1, key=lambda point: int(is_true(point))) - reach
