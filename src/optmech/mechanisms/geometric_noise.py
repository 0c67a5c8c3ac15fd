"""Two-sided geometric noise, drawn exactly.

Model
-----
    P(Z = z) = (1 - a) / (1 + a) a^|z|,   so that P(|Z| >= k) = t_k = 2 a^k / (1 + a) for k >= 1

    one word of 64 bits: a sign, and the first 63 bits W of a number v uniform on (0, 1]
    |Z| is the number of k >= 1 with v <= t_k;  it is at least k with probability t_k, exactly

v is in ``(W, W+1] / 2**63``. Where ``W+1 <= floor(2**63 t_k)`` v has passed t_k, where ``W > floor(2**63
t_k)`` it has not. Where they are equal further words decide, by ball arithmetic on the rational t_k. They do
in the end: t_k is no fraction of a power of two, for a a fraction m / 2^b with m odd has ``t_k = 2 m^k /
((2^b + m) 2^(b (k-1)))``, and 2^b + m is odd, above 1 and without a common factor with m.

Only k up to a largest distance is told apart; beyond it the noise counts as that distance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpz

from optmech.mechanisms.sampling.words import random_text

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.geometric_sums import Decay

_BITS, _BYTES = 63, 8
# Draws that are worked on at a time.
_BLOCK = 1 << 16


class GeometricNoise:
    """Draws of the noise; nothing of their law is in floating point.

    Noise of the size `farthest` and beyond is not told apart.
    """

    def __init__(self, decay: Decay, farthest: int) -> None:
        self._decay, self._farthest = decay, farthest
        # Rounded down and up to multiples of 2**-bits, to the first that is below 2**-63.
        first, divisor = 2 << 2 * decay.bits, (1 << decay.bits) + decay.numerator
        least, most, thresholds = first // divisor, -(-first // divisor), []
        shift = decay.bits - _BITS
        for _ in range(farthest):
            least = least * decay.numerator >> decay.bits
            most = -(-most * decay.numerator >> decay.bits)
            thresholds.append((least >> shift, most >> shift))
            if most >> shift == 0:
                break
        # Rising, for searches; the last threshold stands first.
        below, above = np.array(thresholds[::-1], dtype=np.int64).T
        self._sure, self._possible = np.ascontiguousarray(below), np.ascontiguousarray(above)

    def draw(self, number: int, random_bytes: RandomBytes) -> Integers:
        """Return so many draws, of bytes as `os.urandom` gives."""
        noise = np.empty(number, np.int64)
        for start in range(0, number, _BLOCK):
            block = noise[start : start + _BLOCK]
            text = random_text(random_bytes, _BYTES * block.size)
            words = np.frombuffer(text, dtype="<u8")
            values = (words >> np.uint64(1)).astype(np.int64)
            count = len(self._sure)
            sizes = count - self._sure.searchsorted(values, side="right")
            most = count - self._possible.searchsorted(values, side="left")
            is_open = sizes != most
            for place in np.flatnonzero(is_open).tolist():
                sizes[place] = self._settle(int(values[place]), random_bytes)
            block[:] = np.where(words & np.uint64(1), -sizes, sizes)
        return noise

    def _settle(self, word: int, random_bytes: RandomBytes) -> int:
        """Draw further words until the number that begins with `word` lies between two thresholds."""
        bits = _BITS
        while True:
            # v is in (word, word + 1] / 2**bits
            least = self._count(word + 1, bits)
            if least == self._count(word, bits):
                return least
            word = word << 8 * _BYTES | int.from_bytes(random_text(random_bytes, _BYTES), "little")
            bits += 8 * _BYTES

    def _count(self, word: int, bits: int) -> int:
        """Return how many thresholds are above ``word / 2**bits``; none is equal to it."""
        low, high = 0, self._farthest
        while low < high:
            middle = (low + high + 1) // 2
            if self._passes(middle, word, bits):
                low = middle
            else:
                high = middle - 1
        return low

    def _passes(self, distance: int, word: int, bits: int) -> bool:
        """Whether ``2 a^distance / (1 + a)`` is above ``word / 2**bits``."""
        if word == 0:
            return True
        precision = bits + self._decay.bits
        while True:
            with ctx.workprec(precision):
                decay = arb(fmpz(self._decay.numerator)) * arb(2) ** -self._decay.bits
                threshold = 2 * decay**distance / (1 + decay)
                bound = arb(fmpz(word)) * arb(2) ** -bits
                if threshold > bound:
                    return True
                if threshold < bound:
                    return False
            precision *= 2
