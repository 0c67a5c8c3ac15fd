"""The matrix of noise and thresholds in doubles, each the nearest to its probability."""

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
        # The probability of a response at a truth depends on how far one of its finite limits is from there.
        places = (high if is_first else low)[rows][:, None] - shifts
        matrix[rows] = _near(noise, places, int(width), is_first=bool(is_first), is_last=bool(is_last))
    return matrix


def _near(noise: Noise, places: Integers, width: int, *, is_first: bool, is_last: bool) -> Floats:
    """Return the probabilities of responses as wide as one of them, by where their limits are."""
    if is_first and is_last:
        return np.ones(places.shape)
    between, start = NearestDoubles(noise).between, int(places.min())
    values = np.zeros(int(places.max()) - start + 1)
    is_met = np.zeros(len(values), dtype=bool)
    is_met[places - start] = True
    for at in np.flatnonzero(is_met).tolist():
        place = at + start
        if is_first:
            values[at] = between(None, place)
        else:
            values[at] = between(place, None if is_last else place + width)
    near: Floats = values[places - start]
    return near


def _alike(kinds: Integers, rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield each kind once, with the rows that are of it."""
    different, which = np.unique(kinds, axis=0, return_inverse=True)
    for place, kind in enumerate(different):
        yield kind, rows[which.ravel() == place]
