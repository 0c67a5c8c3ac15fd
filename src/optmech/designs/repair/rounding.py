"""Probabilities as multiples of a power of two, and how much room repairs leave for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Whole
    from optmech.proofs.enclosure import Enclosure

FLOOR = 2.0**-64
"""The smallest entry kept apart, far below what a solver's answer can mean: a range of 400 loses 1e-13."""
BITS = 64 + 56
"""Denominators are ``2**BITS``: at the floor 56 bits are left, and rounding moves no ratio by `MARGIN`."""
MARGIN = 2.0**-46
"""Ratios are held this much below ``e^epsilon``, relatively, for what rounding may add."""
GUARD = 2.0**-46
"""Left out of each sum, more than the rounding of a sum of doubles, so that no column has too much."""

_LEAST_SHARE = 2.0**-44
_LARGEST_SHARE = 0.3
_GROWTH = 2.0
_INTEGER = np.frompyfunc(int, 1, 1)


def as_integers(values: Floats) -> Whole:
    """Return the integer parts of doubles as Python integers, exactly."""
    integers: Whole = np.asarray(_INTEGER(values), dtype=object)
    return integers


def guarded_ratio(factor: Enclosure) -> float:
    """Return the ratio allowed between neighbours before rounding, a little below ``e^epsilon``."""
    return float(factor.lower) * (1 - MARGIN)


def shares(least: float) -> Iterator[float]:
    """Yield ever larger shares of an interior mechanism to mix in."""
    share = max(_LEAST_SHARE, least)
    while share < _LARGEST_SHARE:
        yield share
        share *= _GROWTH


def rounded_down(probabilities: Floats, bits: int = BITS) -> Whole:
    """Return ``floor(2**bits * probabilities)``, exactly, so that the order of doubles is kept."""
    # A double times a power of two is exact.
    return as_integers(np.floor(probabilities * 2.0**bits))
