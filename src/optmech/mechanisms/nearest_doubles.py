"""The doubles nearest to the probabilities of noise, at any distance in its tails.

A power of the tail is bounded by two integers of some hundred bits and an exponent. If both bounds have the
same nearest double, it is that of the number. Otherwise, which is rare, fractions decide.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.proofs.chain.noise import Noise

    # Between the first two, in units of 2 to the minus the third.
    _Ends = tuple[int, int, int]

_BITS = 320
_NOTHING = 1100  # a number with this many zero bits after the point rounds to 0


class NearestDoubles:
    """Probabilities of a noise between lattice points, each computed once; ``None`` is infinite."""

    def __init__(self, noise: Noise) -> None:
        self._noise = noise
        self._powers: list[_Ends] = [(1, 1, 0)]
        self._known: dict[tuple[int | None, int | None], float] = {}

    def between(self, low: int | None, high: int | None) -> float:
        """Return the double nearest to the probability of noise beyond `low` and up to `high`."""
        found = self._known.get((low, high))
        if found is None:
            found = self._known[low, high] = self._nearest(low, high)
        return found

    def _nearest(self, low: int | None, high: int | None) -> float:
        noise = self._noise
        if low is not None and high is not None and low >= high:
            return 0.0
        if high is not None and high <= noise.last:
            ends = _less(self._below(high), self._below(low))
        elif low is not None and low >= noise.first:
            ends = _less(self._beyond(low), self._beyond(high))
        else:
            ends = _less(_less((1, 1, 0), self._below(low)), self._beyond(high))
        least, most, bits = ends
        if bits - most.bit_length() > _NOTHING:
            return 0.0
        nearest, other = least / (1 << bits), most / (1 << bits)
        if nearest != other:
            shares = (
                Fraction(below) if point is None else noise.share(point)
                for point, below in ((low, 0), (high, 1))
            )
            below, until = shares
            return float(until - below)
        return nearest

    def _below(self, point: int | None) -> _Ends:
        """Return F at a point up to the last."""
        noise = self._noise
        if point is None:
            return 0, 0, 0
        steps = max(-((point - noise.first) // noise.period), 0)
        return self._shrunk(noise.cumulative[point + steps * noise.period - noise.first], steps)

    def _beyond(self, point: int | None) -> _Ends:
        """Return 1 - F at a point from the first on."""
        noise = self._noise
        if point is None:
            return 0, 0, 0
        steps = max(-((noise.last - point) // noise.period), 0)
        return self._shrunk(noise.one - noise.cumulative[point - steps * noise.period - noise.first], steps)

    def _shrunk(self, share: int, steps: int) -> _Ends:
        noise = self._noise
        if steps and not noise.tail:
            return 0, 0, 0
        while len(self._powers) <= steps:
            least, most, bits = self._powers[-1]
            least, most, bits = least * noise.tail, most * noise.tail, bits + noise.bits
            shift = max(least.bit_length() - _BITS, 0)
            self._powers.append((least >> shift, -(-most >> shift), bits - shift))
        least, most, bits = self._powers[steps]
        return least * share, most * share, bits + noise.bits


def _less(number: _Ends, other: _Ends) -> _Ends:
    """Return the difference, in the larger of both units with some extra bits."""
    if not other[1]:
        return number
    (least, most, bits), (low, high, other_bits) = number, other
    unit = min(max(bits, other_bits), min(bits, other_bits) + _BITS)
    low, high = _moved(low, high, unit - other_bits)
    least, most = _moved(least, most, unit - bits)
    return max(least - high, 0), max(most - low, 0), unit


def _moved(least: int, most: int, shift: int) -> tuple[int, int]:
    return (least << shift, most << shift) if shift >= 0 else (least >> -shift, -(-most >> -shift))
