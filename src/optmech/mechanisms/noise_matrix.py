"""The matrix of noise and thresholds, with the nearest double of each probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.nearest_doubles import NearestDoubles
from optmech.mechanisms.noise_shares import FAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.proofs.chain.noise import Noise


def nearest_matrix(noise: Noise, limits: Integers, number: int) -> Floats:
    """Return the doubles nearest to the probabilities, shape (number, number)."""
    matrix, shifts = np.zeros((number, number)), noise.period * np.arange(number)
    low, high = limits[:-1], limits[1:]
    ends = np.column_stack([low == -FAR, high == FAR, high - low])
    for (is_first, is_last, width), rows in _alike(ends[low < high], np.flatnonzero(low < high)):
        # The probability of a response depends on the distance of one of its finite limits from the truth.
        points = (high if is_first else low)[rows][:, None] - shifts
        matrix[rows] = _near(noise, points, int(width), is_first=bool(is_first), is_last=bool(is_last))
    return matrix


def _near(noise: Noise, points: Integers, width: int, *, is_first: bool, is_last: bool) -> Floats:
    """Return the probabilities of responses of equal width, by their limits."""
    if is_first and is_last:
        return np.ones(points.shape)
    between, start = NearestDoubles(noise).between, int(points.min())
    values = np.zeros(int(points.max()) - start + 1)
    is_met = np.zeros(len(values), dtype=bool)
    is_met[points - start] = True
    for at in np.flatnonzero(is_met).tolist():
        point = at + start
        if is_first:
            values[at] = between(None, point)
        else:
            values[at] = between(point, None if is_last else point + width)
    near: Floats = values[points - start]
    return near


def _alike(kinds: Integers, rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield each kind once, with its rows."""
    different, which = np.unique(kinds, axis=0, return_inverse=True)
    for index, kind in enumerate(different):
        yield kind, rows[which.ravel() == index]
