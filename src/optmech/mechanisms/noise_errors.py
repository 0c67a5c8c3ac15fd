"""Errors of a distribution at each truth from its tails, without a matrix.

    P(|response - truth| > d) = P(response < truth - d) + P(response > truth + d)
    E |error| = sum_d P(|error| > d),     E error^2 = sum_d (2 d + 1) P(|error| > d),     d = 0, 1, ...

Each d takes time linear in the number of truths; sums end where the rest is below rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from optmech.mechanisms.matrix_errors import LEVEL_ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers


class WithTails(Protocol):
    """A mechanism on consecutive integers with known tails at each truth."""

    @property
    def truths(self) -> tuple[Fraction, ...]:
        """The whole numbers."""

    def tails(self, responses: Integers, truths: Integers) -> tuple[Floats, Floats]:
        """Return the probabilities of releasing at most a response, and more than it."""


# A probability times its squared error below this is rounding.
_NOTHING = 1e-22


def beyond(mechanism: WithTails, distance: Integers | int) -> Floats:
    """Return for each truth the probability of a response more than `distance` away."""
    low, high = _sides(mechanism, distance)
    return low + high


def reach(mechanism: WithTails) -> int:
    """Return a distance that no response exceeds at any truth, up to rounding."""
    size = len(mechanism.truths)
    low, high = 0, size - 1
    while low < high:
        middle = (low + high) // 2
        if beyond(mechanism, middle).max() * (2 * middle + 1) > _NOTHING:
            low = middle + 1
        else:
            high = middle
    return low


def distances(mechanism: WithTails, level: float) -> Integers:
    """Return for each truth the quantile `level` of the absolute error."""
    return _least(len(mechanism.truths), lambda d: beyond(mechanism, d) <= 1 - level + LEVEL_ROUNDING)


def signed_errors(mechanism: WithTails, level: float) -> Integers:
    """Return for each truth the quantile `level` of the signed error."""
    truths = np.arange(len(mechanism.truths))
    responses = _least(len(truths), lambda r: mechanism.tails(r, truths)[1] <= 1 - level + LEVEL_ROUNDING)
    return responses - truths


def moments(mechanism: WithTails) -> tuple[Floats, Floats, Floats]:
    """Return for each truth the means of the error, of its square and of its size."""
    size = len(mechanism.truths)
    bias, square, mean = np.zeros(size), np.zeros(size), np.zeros(size)
    for distance in range(reach(mechanism)):
        low, high = _sides(mechanism, distance)
        bias += high - low
        mean += high + low
        square += (2 * distance + 1) * (high + low)
    return bias, square, mean


def loss_by_truth(mechanism: WithTails, losses: Floats) -> Floats:
    """Return for each truth the mean of losses at the distances 0, 1, ..., up to rounding."""
    mean = np.full(len(mechanism.truths), losses[0])
    for distance in range(reach(mechanism)):
        if losses[distance + 1] != losses[distance]:
            mean += (losses[distance + 1] - losses[distance]) * beyond(mechanism, distance)
    return mean


def _sides(mechanism: WithTails, distance: Integers | int) -> tuple[Floats, Floats]:
    """Return the probabilities of responses farther below, and farther above each truth."""
    truths = np.arange(len(mechanism.truths))
    low = mechanism.tails(np.maximum(truths - distance - 1, -1), truths)[0]
    high = mechanism.tails(np.minimum(truths + distance, len(truths) - 1), truths)[1]
    return low, high


def _least(size: int, is_at_least: Callable[[Integers], NDArray[np.bool_]]) -> Integers:
    """Return for each truth the least of 0 to size - 1 at which the level is reached; at the last it is."""
    low, high = np.zeros(size, dtype=np.int64), np.full(size, size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        is_reached = is_at_least(middle)
        low, high = (
            np.where(is_reached, low, np.minimum(middle + 1, high)),
            np.where(is_reached, middle, high),
        )
    return low
