"""Noise on a lattice, drawn exactly.

Drawing
-------
    U uniform on [0, 1), bit after bit;  Z is the least point l with  U < F(l)

The first 63 bits of U, W in whole numbers, say that U is in ``[W, W + 1) / 2**63``. Where ``W >= 2**63 F(l)``
Z is beyond l, where ``W + 1 <= 2**63 F(l)`` it is not. Between the two further words decide, by whole
numbers or, far out in a tail, ball arithmetic.

Points up to a fixed number of periods beyond the list are distinguished; noise further out counts as the next
point.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpz

from optmech.mechanisms.sampling.words import random_text

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.chain.noise import Noise

_BITS, _BYTES = 63, 8
# Draws in one batch.
_BLOCK = 1 << 16
_SPARE_BITS = 64


class NoiseDraws:
    """Exact draws of the noise, without floating point.

    Noise beyond `steps` periods is not distinguished.
    """

    def __init__(self, noise: Noise, steps: int) -> None:
        self._noise, self._steps = noise, steps if noise.tail else 0

    @cached_property
    def _heads(self) -> tuple[Integers, Integers, int]:
        """Return ``2**63 F`` rounded down and up, as long as it is not near 0 or 1, and the first point."""
        noise = self._noise
        left = _tail_heads(noise, noise.cumulative[: noise.period], self._steps)
        beyond = [noise.one - each for each in noise.cumulative[-noise.period :]]
        right = _tail_heads(noise, beyond[::-1], self._steps)
        whole = 1 << _BITS
        pairs = [
            *reversed(left),
            *(_head(each, each, noise.bits) for each in noise.cumulative),
            *((whole - most, whole - least) for least, most in right),
        ]
        heads = np.array(
            [(min(least, whole - 1), min(most, whole - 1)) for least, most in pairs], dtype=np.int64
        )
        least, most = np.ascontiguousarray(heads[:, 0]), np.ascontiguousarray(heads[:, 1])
        return least, most, noise.first - len(left)

    def draw(self, number: int, random_bytes: RandomBytes) -> Integers:
        """Return `number` draws from the bytes of a function such as `os.urandom`."""
        least, most, first = self._heads
        points = np.empty(number, np.int64)
        for start in range(0, number, _BLOCK):
            block = points[start : start + _BLOCK]
            words = np.frombuffer(random_text(random_bytes, _BYTES * block.size), dtype="<u8")
            heads = (words >> np.uint64(1)).astype(np.int64)
            block[:] = most.searchsorted(heads, side="right")
            is_open = block != least.searchsorted(heads, side="right")
            is_open |= (heads == 0) | (heads == (1 << _BITS) - 1)
            block += first
            for index in np.flatnonzero(is_open).tolist():
                block[index] = self._settle(int(heads[index]), random_bytes)
        return points

    def _settle(self, word: int, random_bytes: RandomBytes) -> int:
        """Draw further words until the number that begins with `word` lies between two values of F."""
        noise, bits = self._noise, _BITS
        reach = noise.period * self._steps
        points = range(noise.first - reach, noise.last + reach + 1)
        while True:
            # U is in [word, word + 1) / 2**bits
            least = bisect_left(points, 1, key=lambda point: int(self._sign(point, word, bits) > 0))
            most = bisect_left(points, 1, key=lambda point: int(self._sign(point, word + 1, bits) >= 0))
            if least == most:
                return points.start + least
            word = word << 8 * _BYTES | int.from_bytes(random_text(random_bytes, _BYTES), "little")
            bits += 8 * _BYTES

    def _sign(self, point: int, word: int, bits: int) -> int:
        """Return the sign of F at a point minus ``word / 2**bits``."""
        noise = self._noise
        steps = max(-((point - noise.first) // noise.period), -((noise.last - point) // noise.period), 0)
        if not steps:
            difference = (noise.cumulative[point - noise.first] << bits) - (word << noise.bits)
            return (difference > 0) - (difference < 0)
        if point < noise.first:
            return self._tail_sign(
                noise.cumulative[point + steps * noise.period - noise.first], steps, word, bits
            )
        beyond = noise.one - noise.cumulative[point - steps * noise.period - noise.first]
        return -self._tail_sign(beyond, steps, (1 << bits) - word, bits)

    def _tail_sign(self, share: int, steps: int, word: int, bits: int) -> int:
        """Return the sign of a share after `steps` steps of the tail, minus ``word / 2**bits``."""
        noise = self._noise
        if not (share and noise.tail):
            return -(word > 0)
        if word <= 0:
            return 1
        exact = noise.bits * (steps + 1) + bits
        precision = bits + noise.bits + _SPARE_BITS
        while True:
            with ctx.workprec(min(precision, exact + _SPARE_BITS)):
                shrunk = arb(fmpz(noise.tail)) ** steps * fmpz(share) * arb(2) ** -(noise.bits * (steps + 1))
                other = arb(fmpz(word)) * arb(2) ** -bits
                if shrunk > other:
                    return 1
                if shrunk < other:
                    return -1
            if precision > exact:
                return 0  # no digit is left out
            precision *= 2


def _tail_heads(noise: Noise, shares: tuple[int, ...] | list[int], steps: int) -> list[tuple[int, int]]:
    """Return ``2**63`` times the shares of the periods further out, rounded down and up.

    From the list outward, while the rounded shares are positive.
    """
    pairs, heads = [(each, each) for each in reversed(shares)], list[tuple[int, int]]()
    for _ in range(steps):
        pairs = [
            (least * noise.tail >> noise.bits, -(-most * noise.tail >> noise.bits)) for least, most in pairs
        ]
        heads += (_head(least, most, noise.bits) for least, most in pairs)
        if heads[-noise.period][1] <= 1:
            break
    return heads


def _head(least: int, most: int, bits: int) -> tuple[int, int]:
    """Return whole numbers below and above, in units of ``2**-63`` in place of ``2**-bits``."""
    shift = bits - _BITS
    return (least >> shift, -(-most >> shift)) if shift > 0 else (least << -shift, most << -shift)
