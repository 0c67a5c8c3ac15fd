"""Draw the noise of a whole table before its counts are read, and add it.

Lattice noise is a table of its own. Other noise is added to each asked margin, and all that comes behind
sees noisy numbers and coins alone. Bytes for coins are drawn beforehand, too. Nothing is kept between draws.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.sampling.words import random_text
from optmech.mechanisms.tables.lattice_draws import LatticeDraws
from optmech.mechanisms.tables.margin_draws import margin_noise, margin_sums, whole_margins
from optmech.mechanisms.tables.table_noise import LatticeNoise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.mechanisms.tables.table_noise import TableNoise
    from optmech.question.tables.margins import Axes

_MOST = 1 << 60
_BYTES_OF_A_COIN, _MOST_COINS = 8, 1 << 24


@dataclass(frozen=True, eq=False)
class DrawnNoise:
    """The noise of one release.

    Attributes
    ----------
    noise : LatticeNoise, MarginNoise or NormalMargins
        What was drawn from.
    numbers : mapping of frozenset to ndarray
        The noise of cells, or of each asked margin.
    coins : callable
        Random bytes for the rounding.
    """

    noise: TableNoise
    numbers: Mapping[Axes, Integers]
    coins: RandomBytes

    def released(self, counts: Integers, totals: Iterable[Axes]) -> dict[Axes, Integers]:
        """Return the noisy numbers of these margins; they add up."""
        noisy = {margin: margin_sums(counts, margin) + noise for margin, noise in self.numbers.items()}
        if not isinstance(self.noise, LatticeNoise):
            noisy = whole_margins(self.noise, noisy, self.coins)
        return {margin: _margin(noisy, margin) for margin in totals}


def _margin(tables: Mapping[Axes, Integers], margin: Axes) -> Integers:
    """Return a margin from the smallest of some larger ones."""
    within = min((axes for axes in tables if margin <= axes), key=len)
    places = frozenset(place for place, axis in enumerate(sorted(within)) if axis in margin)
    return margin_sums(tables[within], places)


def draw_noise(noise: TableNoise, random_bytes: RandomBytes = os.urandom) -> DrawnNoise:
    """Return fresh noise for one release.

    Raises
    ------
    NotAcceptedError
        If lattice noise is too small to be drawn, or noise is so large that sums would not be exact.
    """
    if isinstance(noise, LatticeNoise):
        numbers = {frozenset(range(len(noise.sizes))): LatticeDraws(noise).draw(random_bytes)}
        text = b""
    else:
        numbers = margin_noise(noise, random_bytes)
        text = random_text(random_bytes, _BYTES_OF_A_COIN * min(prod(noise.sizes), _MOST_COINS))
    if any(np.abs(each).sum(dtype=np.float64) > _MOST for each in numbers.values()):
        message = "`mechanism` must have noise whose sums are at most 2^60, so that they are exact."
        raise NotAcceptedError(message)
    kept = BytesIO(text)

    def coins(number: int) -> bytes:
        first = kept.read(number)
        return first + (random_text(random_bytes, number - len(first)) if len(first) < number else b"")

    return DrawnNoise(noise, numbers, coins)
