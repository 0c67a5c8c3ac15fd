"""Neighbouring columns of noise and thresholds that differ, in whole numbers and each once."""

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

# Longer shares count as several: a column far out in a tail may have thousands, each of a million bits.
_LONG = 1 << 10


def different_columns(
    noise: Noise, limits: Integers, number: int, most: int
) -> tuple[list[Columns], Integers]:
    """Return the pairs of columns of neighbours that differ, and which of them each truth but the last has.

    Responses that are as much likelier under one as others are are put together. With more entries than
    `most` in all of them they are refused with a NotAcceptedError.
    """
    finite = limits[np.abs(limits) < FAR]
    shifts = noise.period * np.arange(number - 1)
    # Before the first of these, and after the last, a shift changes all by one and the same factor.
    starts = np.maximum(finite.searchsorted(shifts + noise.first + noise.period) - 1, 0)
    stops = finite.searchsorted(shifts + noise.last, side="right") + 1
    place_of: dict[bytes, int] = {}
    windows: list[Integers] = []
    places = np.empty(len(shifts), dtype=np.int64)
    entries = 0
    for truth, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        window = finite[start:stop] - shifts[truth]
        key = window.tobytes()
        if key not in place_of:
            entries += (len(window) + 1) * _length(noise, window)
            if entries > most:
                message = (
                    f"neighbouring columns that differ must have at most {most:,} entries; these have more. "
                    "Ask for a coarser range, or for a prior that is flat between its ends."
                )
                raise NotAcceptedError(message)
            place_of[key] = len(windows)
            windows.append(window)
        places[truth] = place_of[key]
    return [_columns(noise, window.tolist()) for window in windows], places


def _length(noise: Noise, window: Integers) -> int:
    """Return as how many entries a share counts: far out in a tail its bits are those of many periods."""
    if not (noise.tail and len(window)):
        return 1
    beyond = max(noise.first - int(window[0]), int(window[-1]) - noise.last, 0)
    return 1 + beyond // noise.period * noise.bits // _LONG


def _columns(noise: Noise, places: list[int]) -> Columns:
    """Return what lies between places of the noise, and of the noise one truth further on."""
    here = _below_places(noise, places)
    beside = _below_places(noise, [place - noise.period for place in places])
    return list(map(sub, here[1:], here)), list(map(sub, beside[1:], beside))


def _below_places(noise: Noise, places: list[int]) -> list[int]:
    """Return F before all places, at them and beyond them, in whole numbers over the last."""
    if not (noise.tail and places) or noise.first <= places[0] <= places[-1] <= noise.last:
        listed = np.clip(np.array(places) - noise.first, 0, len(noise.cumulative) - 1)
        return [0, *map(noise.cumulative.__getitem__, listed.tolist()), noise.one]
    shares = [*map(noise.share, places), Fraction(1)]
    scale = max(share.denominator for share in shares)  # all are powers of two
    return [0, *(share.numerator * (scale // share.denominator) for share in shares)]
