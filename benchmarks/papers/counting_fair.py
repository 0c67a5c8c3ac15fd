"""Fair counts (Croft et al. 2020, Variant 2): the largest probability of the truth, and a mechanism with it.

With a = e^-epsilon and neighbours one apart, no fair mechanism tells the truth with probability above
``1 / sum_i a^|i - floor(n/2)|``. The explicit fair mechanism (their reference [7]) has all four properties
and attains it, but its loss is *not* the least.
"""

from __future__ import annotations

from math import exp, expm1
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from optmech.theorems.croft_question import ball_of
from optmech.theorems.powers import enclosure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.numbers import Number

    Floats = NDArray[np.float64]

__all__ = [
    "FAIR_DIAGONAL_FROM",
    "FAIR_DIAGONAL_MISSED",
    "explicit_fair",
    "fair_diagonal",
    "fair_diagonal_ball",
]

FAIR_DIAGONAL_FROM = 0.07
"""From here on Variant 2's optimum has `fair_diagonal` wherever it was computed: n = 2..60 at epsilon 0.07,
0.075, 0.09 and 0.15."""

FAIR_DIAGONAL_MISSED = {"0.05": frozenset((*range(9, 25), 26)), "0.03": frozenset(range(7, 52))}
"""The n at which it has a smaller one, of n = 2..80 at epsilon 0.05 and of n = 2..75 at 0.03: a count neither
small nor large. At n = 27, 28, 30, 40 and at n = 52, 56 it is attained again."""


def fair_diagonal(largest: int, epsilon: float) -> float:
    """Return ``1 / sum_i a^|i - floor(n/2)|``, the largest probability of the truth of a fair mechanism.

    Proof: a fair private mechanism has ``M[i,mid] >= a^|i-mid| M[i,i]``, and column `mid` sums to one.
    That Variant 2's optimum attains it, from `FAIR_DIAGONAL_FROM` on, and below it at some n
    (`FAIR_DIAGONAL_MISSED`), was computed and is not proved.
    """
    below, above = largest // 2 + 1, largest - largest // 2
    return expm1(-epsilon) / (expm1(-epsilon * below) + exp(-epsilon) * expm1(-epsilon * above))


def fair_diagonal_ball(largest: int, epsilon: Number, digits: int) -> arb:
    """Return a ball of at least `digits` digits around `fair_diagonal`."""

    def compute() -> arb:
        decay = (-ball_of(epsilon)).exp()
        return 1 / sum((decay ** abs(step - largest // 2) for step in range(largest + 1)), arb(0))

    return enclosure(compute, digits)


def explicit_fair(largest: int, epsilon: float) -> Floats:
    """Return the explicit fair mechanism: private, fair, symmetric, row and column monotone.

    Column j <= n/2 is the diagonal times a^e, with e = ceil(i/2) from i = 2j on and the distance before; the
    others follow by symmetry. Each column holds the exponents 0, 1, 1, 2, 2, … once, and along a row the
    exponent is flat, falls by ones to 0 at the diagonal, and rises again: that is the proof.
    """
    response, truth = np.indices((largest + 1, largest + 1))
    turned = 2 * truth > largest
    response, truth = (np.where(turned, largest - index, index) for index in (response, truth))
    exponents = np.where(response < 2 * truth, np.abs(response - truth), (response + 1) // 2)
    matrix: Floats = fair_diagonal(largest, epsilon) * np.exp(-epsilon * exponents)
    return matrix
