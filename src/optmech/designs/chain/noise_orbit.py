"""An integer noise that is as private as a given irrational distribution, and near it.

Its cumulative probabilities are an orbit of the curve, ``a_(i+1) = K(a_i)``, begun in the far left tail,
a hair more private at every step than asked, so that rounding leaves no set outside. (The same law with a
little more noise will not do: it is not more private at every set.) Beyond both ends tails have one ratio:
the chord from 0 to the first corner lies below the curve.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.chain.noise import Noise
from optmech.proofs.chain.noise_curve import SPARE_BITS, curve_of

if TYPE_CHECKING:
    from optmech.proofs.chain.noise_curve import NoiseCurve
    from optmech.question.privacy.noise_law import NoiseLaw

_SLACK_BITS = 96
_SPARE_BITS = 24
_FINITE_BITS = 128
# The mass of a noise with tails that the orbit leaves out, on each side.
_TAIL = 2.0**-100
# With at most this many truths tails are listed in full, if the numbers stay this short.
_WHOLE_TAILS = 300
_LONGEST = 4096


def reaches_into_tails(law: NoiseLaw, number: int) -> bool:
    """Whether one of `number` truths is in a tail of the noise, so that there is no matrix."""
    return law.weights is None and _listed_steps(law, number) is None


def noise_of_law(law: NoiseLaw, number: int) -> Noise:
    """Return a noise that keeps the curve of a distribution, for `number` truths.

    >>> from optmech.question.privacy.noise_laws import noise_law
    >>> noise_of_law(noise_law("binomial", trials=2), 5).cumulative
    (0, 1, 3, 4)
    """
    if law.weights is not None:
        return _finite(law)
    lowest, ratio_bits = _core(law)
    steps = _listed_steps(law, number) or 0
    bits = _SLACK_BITS + _SPARE_BITS + ceil(-lowest) + (steps + 1) * ratio_bits
    bits = 8 * ceil(bits / 8)
    curve = curve_of(law, bits + SPARE_BITS)
    one = 1 << bits
    start = next(point for point, low in enumerate(curve.low) if low > curve.unit >> ceil(-lowest))
    values = [curve.low[start] * one // curve.unit]
    values.append(_next(curve, values[0], one))
    tail = (values[0] << bits) // values[1]
    # Until what is left shrinks by the tail's ratio or more.
    while True:
        left, further = one - values[-1], _next(curve, values[-1], one)
        if (one - further) << bits <= tail * left:
            break
        values.append(further)
    flatter = tail + -(-tail >> (_SLACK_BITS + 1)) if steps else tail
    before, after = [values[0]], [one - values[-1]]
    for _ in range(steps):
        before.append(-(-before[-1] * flatter >> bits))
        after.append(-(-after[-1] * flatter >> bits))
    cumulative = (*before[:0:-1], *values, *(one - left for left in after[1:]))
    return Noise(1, curve.first + start - steps, cumulative, bits, flatter)


def _finite(law: NoiseLaw) -> Noise:
    """Return the law itself; what a power of two is more than a multiple of its total comes after all values.

    Every corner is then drawn towards 0 by one factor, so that it stays in C, and all ratios are the same.
    """
    curve = curve_of(law, 1)
    bits = curve.unit.bit_length() - 1
    if curve.unit == 1 << bits:
        return Noise(1, law.first - 1, (0, *curve.low), bits)
    bits = 8 * ceil((bits + _FINITE_BITS) / 8)
    times = (1 << bits) // curve.unit
    return Noise(1, law.first - 1, (0, *(times * value for value in curve.low), 1 << bits), bits)


def _next(curve: NoiseCurve, value: int, one: int) -> int:
    """Return a little less than K of a value."""
    above = curve.above(value, one)
    if above >= one:
        return one
    if 2 * above < one:
        return above - (-(-above >> _SLACK_BITS))
    left = one - above
    return max(one - left - (-(-left >> _SLACK_BITS)), value)


def _core(law: NoiseLaw) -> tuple[float, int]:
    """Return log2 of F where the orbit begins, a little less, and the bits of its ratio to the next."""
    below = np.cumsum(law.floats)
    first = max(int(np.searchsorted(below, _TAIL)) - 1, 0)
    lowest = float(np.log2(below[first]))
    return lowest - 1.0, ceil(float(np.log2(below[first + 1])) - lowest) + 1


def _listed_steps(law: NoiseLaw, number: int) -> int | None:
    """Return the number of listed steps of the tails, ``None`` if it is too large."""
    lowest, ratio_bits = _core(law)
    steps = number + 1
    return steps if number <= _WHOLE_TAILS and steps * ratio_bits - lowest < _LONGEST else None
