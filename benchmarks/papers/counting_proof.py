"""Counts: the remap in closed form, and a proof of the optimum in rationals, without a solver.

The letters are those of `optmech.theorems.counting`, whose `dual_prices` are proved here; what the package
itself proves of a count goes through its certificates.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import ctx

from optmech.theorems.counting import dual_prices, mirror
from optmech.theorems.croft_question import ball_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optmech.base.numbers import Number

    Integers = NDArray[np.int64]

__all__ = ["absolute_remap", "certified_interval", "certifies"]


def absolute_remap(largest: int, epsilon: float) -> Integers:
    """Return the best answer for each draw of the truncated geometric, for the absolute loss.

    It is the median of the distribution proportional to a^|r-j|: for r <= n/2 the least i >= r with
    ``2 a^(i-r+1) <= 1 + a - a^(r+1) + a^(n-r+1)``; beyond, ``rho(n-r) = n - rho(r)``.

    Examples
    --------
    >>> absolute_remap(5, 0.5).tolist()
    [1, 1, 2, 3, 4, 4]
    """
    draws = np.arange(largest // 2 + 1)
    # (1 + a - a^(r+1) + a^(n-r+1))/2 - 1, without the difference of numbers near one.
    less = (
        np.expm1(-epsilon) + np.exp(-epsilon * (draws + 1)) * np.expm1(-epsilon * (largest - 2 * draws))
    ) / 2
    tie = 1e-12  # a whole number met exactly may come out just above itself
    inward = np.maximum(1, np.ceil(np.log1p(less) / -epsilon - tie))
    return mirror((draws - 1 + inward).astype(np.int64), largest)


def certifies(decay: Fraction, losses: Sequence[Fraction], prices: list[Fraction], least: Fraction) -> bool:
    """Whether `prices` prove, exactly, that no mechanism of ``e^-epsilon = decay`` loses less than `least`.

    A row x of a private matrix has ``decay x_j <= x_(j+1) <= x_j / decay``. With ``g_j = l(|i-j|) - u_j``,

        W_n = g_n,   W_j = g_j + (decay W_(j+1) if W_(j+1) >= 0 else W_(j+1) / decay),

    ``sum_(k>=j) g_k x_k >= W_j x_j`` by induction. So W_0 >= 0 for each response i gives
    ``sum_ij l(|i-j|) M[i,j] >= sum_ij u_j M[i,j] = sum_j u_j``, which must be `least`.
    """
    if sum(prices) != least:
        return False
    for response in range(len(losses)):
        worth = Fraction(0)
        for truth in reversed(range(len(losses))):
            step = worth * decay if worth >= 0 else worth / decay
            worth = losses[abs(response - truth)] - prices[truth] + step
        if worth < 0:
            return False
    return True


def certified_interval(
    epsilon: Number, losses: Sequence[Fraction], bits: int = 64
) -> tuple[Fraction, Fraction]:
    """Return two rationals that enclose the least loss at the real epsilon, each proved by its prices.

    A larger epsilon allows more: the optimum at a rational below e^-epsilon is at most the one sought, that
    at a rational above it at least.

    Raises
    ------
    ArithmeticError
        If the prices fail: the losses decrease somewhere, which the theorem excludes.
    """
    with ctx.workprec(bits + 32):
        scaled = (-ball_of(epsilon)).exp() * 2**bits
        floor, ceiling = int(scaled.lower().floor().fmpz()), int(scaled.upper().ceil().fmpz())
    ends = []
    for numerator in (floor, ceiling):
        decay = Fraction(numerator, 2**bits)
        least, prices = dual_prices(decay, losses)
        if not certifies(decay, losses, prices, least):
            message = f"the prices prove nothing at decay {decay}; the losses must not decrease."
            raise ArithmeticError(message)
        ends.append(least)
    return ends[0], ends[1]
