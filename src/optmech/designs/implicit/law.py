"""The law of geometric noise that is clamped to 0..n, as closed forms.

Model
-----
    P(Z = z) = (1 - a) / (1 + a) a^|z|,   s(k) = P(Z >= k)
    s(k) = a^k / (1 + a) for k >= 0,   1 - a^(1-k) / (1 + a) for k <= 0
    P(f + Z, clamped to 0..n, is in i..j-1) = s(i - f) - s(j - f),   where s is 1 at i = 0 and 0 at j = n + 1

so that the draw j has probability ``w_j a^|j-f|``: the truncated geometric mechanism.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["probabilities", "probability"]


def probability(decay: Fraction, largest: int, start: int, stop: int, truth: int) -> Fraction:
    """Return the probability of a draw in start..stop-1, exactly.

    Examples
    --------
    >>> [str(probability(Fraction(1, 2), 2, draw, draw + 1, 0)) for draw in range(3)]
    ['2/3', '1/6', '1/6']
    """

    def at_least(draw: int) -> Fraction:
        if not 0 < draw <= largest:
            return Fraction(draw == 0)
        distance = draw - truth
        tail = decay ** (distance if distance > 0 else 1 - distance) / (1 + decay)
        return tail if distance > 0 else 1 - tail

    return at_least(start) - at_least(stop)


def probabilities(
    decay: Fraction, largest: int, starts: Integers, stops: Integers, truths: Integers
) -> Floats:
    """Return the probability of a draw in start..stop-1 as doubles, for arrays that broadcast.

    On one side of the truth it is ``a^near (1 - a^length) / (1 + a)``, without a difference of numbers near
    one; around the truth it is one less both tails.

    Examples
    --------
    >>> probabilities(Fraction(1, 2), 2, np.arange(3), np.arange(1, 4), np.array(0)).round(3).tolist()
    [0.667, 0.167, 0.167]
    """
    logarithm = float(np.log1p(float(decay - 1))) if 2 * decay > 1 else float(np.log(float(decay)))
    scale = float(1 + decay)
    first, last = starts == 0, stops > largest

    def power(exponents: Integers) -> Floats:
        raised: Floats = np.exp(logarithm * np.maximum(exponents, 0))
        return raised

    shorter = -np.expm1(logarithm * (stops - starts))
    above = power(starts - truths) * np.where(last, 1.0, shorter)
    below = power(truths - stops + 1) * np.where(first, 1.0, shorter)
    tails = np.where(last, 0.0, power(stops - truths)) + np.where(first, 0.0, power(truths - starts + 1))
    around = scale - tails
    inside: Floats = np.where(starts > truths, above, np.where(stops <= truths, below, around)) / scale
    return np.where(stops > starts, inside, 0.0)
