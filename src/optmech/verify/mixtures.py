"""As little as needed of a private matrix mixed into one that is not, exactly.

Model
-----
    M = (1 - w) G + w P    G as given, P private; w a multiple of 2**-20

Epsilon and delta are convex in the matrix, and linear rules linear: where P has room, M keeps all from some w
below one on, which halving finds. Under definitions that are not convex the w that is found need not be the
least; each M is checked as a whole.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.time_left import time_is_up
from optmech.proofs.file_limits import MOST_DIGITS
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.violation import violation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

_BITS = 20


def nearest_mixture(
    rules: Rules, entries: NDArray[Any], optimum: ExactMatrix, factor: Enclosure
) -> ExactMatrix | None:
    """Return the mixture with the least share of another matrix that keeps all rules, or ``None``.

    Entries are fractions; where a column misses one, its largest entry takes the difference.
    """
    bottom = 1
    for value in {entry.denominator for entry in entries.ravel().tolist()}:
        bottom = lcm(bottom, value)
        if bottom >= 10 ** (MOST_DIGITS // 2):
            return None
    given = np.array([[int(entry * bottom) for entry in row] for row in entries.tolist()], dtype=object)
    given[given.argmax(axis=0), np.arange(given.shape[1])] += bottom - given.sum(axis=0)
    uniform = ExactMatrix(numerators=np.full(given.shape, 1, dtype=object), denominator=len(given))
    mixtures = [
        _least(
            rules,
            given * private.denominator,
            private.numerators * bottom,
            bottom * private.denominator,
            factor,
        )
        for private in (uniform, optimum)
    ]
    found = [mixture for mixture in mixtures if mixture is not None]
    return min(found, key=lambda mixture: _distance(mixture, given, bottom), default=None)


def _least(
    rules: Rules, given: Whole, private: Whole, denominator: int, factor: Enclosure
) -> ExactMatrix | None:
    """Return the mixture of the least weight; both have the same denominator."""
    low, high, best = 0, (1 << _BITS) - 1, None
    while high - low > 1 and not time_is_up():
        weight = high if best is None else (low + high) // 2
        mixture = ExactMatrix(
            numerators=given * ((1 << _BITS) - weight) + private * weight, denominator=denominator << _BITS
        )
        if violation(rules, mixture, factor) is None:
            high, best = weight, mixture
        elif best is None:
            return None
        else:
            low = weight
    return best


def _distance(mixture: ExactMatrix, given: Whole, bottom: int) -> float:
    apart = np.abs(mixture.numerators - given * (mixture.denominator // bottom)).sum(axis=0)
    return float(max(apart.tolist()) / (2 * mixture.denominator))
