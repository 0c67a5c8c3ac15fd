"""The different neighbouring columns of noise and thresholds, in integers."""

from __future__ import annotations

from fractions import Fraction
from operator import sub
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.noise_shares import FAR

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.proofs.chain.noise import Noise

    Columns = tuple[list[int], list[int]]

# Longer numbers count as several entries: a column far out in a tail may have thousands, each of a million
# bits.
_LONG = 1 << 10


def different_columns(
    noise: Noise, limits: Integers, number: int, most: int
) -> tuple[list[Columns], Integers]:
    """Return the different pairs of neighbouring columns, and the index of the pair at each truth.

    Responses with equal likelihood ratios are merged. More than `most` entries in all raise NotAcceptedError.
    """
    finite = limits[np.abs(limits) < FAR]
    shifts = noise.period * np.arange(number - 1)
    # Before the first of these, and after the last, a shift multiplies all by the same factor.
    starts = np.maximum(finite.searchsorted(shifts + noise.first + noise.period) - 1, 0)
    stops = finite.searchsorted(shifts + noise.last, side="right") + 1
    index_of: dict[bytes, int] = {}
    windows: list[Integers] = []
    indices = np.empty(len(shifts), dtype=np.int64)
    entries = 0
    for truth, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        window = finite[start:stop] - shifts[truth]
        key = window.tobytes()
        if key not in index_of:
            entries += (len(window) + 1) * _length(noise, window)
            if entries > most:
                message = (
                    f"neighbouring columns that differ must have at most {most:,} entries; these have more. "
                    "Ask for a coarser range, or for a prior that is flat between its ends."
                )
                raise NotAcceptedError(message)
            index_of[key] = len(windows)
            windows.append(window)
        indices[truth] = index_of[key]
    return [_columns(noise, window.tolist()) for window in windows], indices


def _length(noise: Noise, window: Integers) -> int:
    """Return the number of entries that a number counts as, by its bits."""
    if not (noise.tail and len(window)):
        return 1
    beyond = max(noise.first - int(window[0]), int(window[-1]) - noise.last, 0)
    return 1 + beyond // noise.period * noise.bits // _LONG


def _columns(noise: Noise, points: list[int]) -> Columns:
    """Return the masses between points of the noise, and of the noise at the next truth."""
    here = _cumulative(noise, points)
    beside = _cumulative(noise, [point - noise.period for point in points])
    return list(map(sub, here[1:], here)), list(map(sub, beside[1:], beside))


def _cumulative(noise: Noise, points: list[int]) -> list[int]:
    """Return F before all points, at them and beyond them, in integers over the last."""
    if not (noise.tail and points) or noise.first <= points[0] <= points[-1] <= noise.last:
        listed = np.clip(np.array(points) - noise.first, 0, len(noise.cumulative) - 1)
        return [0, *map(noise.cumulative.__getitem__, listed.tolist()), noise.one]
    shares = [*map(noise.share, points), Fraction(1)]
    scale = max(share.denominator for share in shares)  # all are powers of two
    return [0, *(share.numerator * (scale // share.denominator) for share in shares)]
