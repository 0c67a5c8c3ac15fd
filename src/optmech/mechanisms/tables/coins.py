"""Coins, geometric numbers and whole numbers below a limit, drawn exactly from random bytes, many at once."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, log, log1p, log2
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq

from optmech.mechanisms.sampling.words import random_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Integers, Marks
    from optmech.mechanisms.sampling.words import RandomBytes

    Chance = Callable[[int], tuple[int, int]]
    """A probability p: for a number of bits, whole numbers around ``2**bits p``, at most two apart."""

WORD = 64
_BYTES, _GUARD = WORD // 8, 64


def words(number: int, random_bytes: RandomBytes) -> NDArray[np.uint64]:
    """Return random words of 64 bits."""
    return np.frombuffer(random_text(random_bytes, _BYTES * number), dtype="<u8")


def enclosed(number: arb, bits: int) -> tuple[int, int]:
    """Return whole numbers around ``2**bits`` times the number that a ball holds."""
    scaled = number * arb(2) ** bits
    least, most = scaled.lower().floor().unique_fmpz(), scaled.upper().ceil().unique_fmpz()
    assert least is not None  # noqa: S101 - a whole number, exactly
    assert most is not None  # noqa: S101 - the same
    return int(least), int(most)


def settled(chance: Chance, word: int, random_bytes: RandomBytes) -> bool:
    """Return whether a uniform number is below a probability; `word` has its first 64 bits."""
    bits = WORD
    while True:
        least, most = chance(bits)
        if word < least:
            return True
        if word >= most:
            return False
        word = word << WORD | int.from_bytes(random_text(random_bytes, _BYTES), "little")
        bits += WORD


def coins(chance: Chance, number: int, random_bytes: RandomBytes) -> Marks:
    """Return independent coins, each true with a probability."""
    least, most = chance(WORD)
    if least >= 1 << WORD:
        return np.ones(number, dtype=bool)
    drawn = words(number, random_bytes)
    result = drawn < np.uint64(least)
    for index in np.flatnonzero(~result & (drawn <= np.uint64(min(most, 1 << WORD) - 1))).tolist():
        result[index] = settled(chance, int(drawn[index]), random_bytes)
    return result


@lru_cache(maxsize=256)
def _bits_of(ratio: Fraction) -> tuple[tuple[Chance, ...], Chance]:
    """Return the chance of each low bit of a geometric number, and that of one more of the rest.

    The bits of a geometric number are independent: bit j is 1 with probability x / (1 + x), x = ratio^(2^j).
    """
    number = max(0, ceil(log2(log(2) / -log1p(-float(1 - ratio)))))
    return tuple(_bit(ratio, place) for place in range(number)), _power(ratio, number)


def _power(ratio: Fraction, place: int) -> Chance:
    def chance(bits: int) -> tuple[int, int]:
        with ctx.workprec(bits + place + _GUARD):
            return enclosed(arb(fmpq(ratio.numerator, ratio.denominator)) ** (1 << place), bits)

    return lru_cache(maxsize=2)(chance)


def _bit(ratio: Fraction, place: int) -> Chance:
    def chance(bits: int) -> tuple[int, int]:
        with ctx.workprec(bits + place + _GUARD):
            power = arb(fmpq(ratio.numerator, ratio.denominator)) ** (1 << place)
            return enclosed(power / (1 + power), bits)

    return lru_cache(maxsize=2)(chance)


def geometric(ratio: Fraction, number: int, random_bytes: RandomBytes) -> Integers:
    """Return numbers 0, 1, 2, ..., n with probability in proportion to ``ratio**n``."""
    places, more = _bits_of(ratio)
    drawn = np.zeros(number, dtype=np.int64)
    for place, chance in enumerate(places):
        drawn += coins(chance, number, random_bytes).astype(np.int64) << place
    left = np.arange(number)
    while left.size:
        left = left[coins(more, left.size, random_bytes)]
        drawn[left] += 1 << len(places)
    return drawn


def two_sided(ratio: Fraction, number: int, random_bytes: RandomBytes) -> Integers:
    """Return whole numbers n with probability in proportion to ``ratio**abs(n)``: a difference of two."""
    return geometric(ratio, number, random_bytes) - geometric(ratio, number, random_bytes)


def rounded_up(parts: Integers, wholes: Integers, random_bytes: RandomBytes) -> Integers:
    """Return 1 with probability ``parts / wholes``, else 0; ``0 <= parts < wholes``.

    A word is a uniform number below `wholes` unless it lies in the last, incomplete block.
    """
    result, left = np.zeros(len(parts), dtype=np.int64), np.arange(len(parts))
    if wholes.dtype == object:
        for index in left.tolist():
            part, whole = int(parts[index]), int(wholes[index])
            result[index] = settled(_ratio(part, whole), int(words(1, random_bytes)[0]), random_bytes)
        return result
    while left.size:
        drawn, limits = words(left.size, random_bytes), wholes[left].astype(np.uint64)
        remainder = drawn % limits
        complete = drawn - remainder <= np.uint64((1 << WORD) - 1) - (limits - np.uint64(1))
        settled_now = left[complete]
        result[settled_now] = remainder[complete] < parts[settled_now].astype(np.uint64)
        left = left[~complete]
    return result


def _ratio(part: int, whole: int) -> Chance:
    return lambda bits: ((part << bits) // whole, -(-(part << bits) // whole))
