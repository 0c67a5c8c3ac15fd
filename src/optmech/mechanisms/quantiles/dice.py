"""The random choices of quantiles, exact: a whole number below a limit, fair coins, and powers of e.

No float decides: of a coin with probability 2^k e^-x random bits are compared with enclosures of that
number, as many as it takes.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.mechanisms.sampling.words import random_text
from optmech.mechanisms.tables.coins import WORD, enclosed, settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.mechanisms.sampling.words import RandomBytes

_GUARD = 64


class Dice:
    """The choices, from a source of random bytes."""

    def __init__(self, random_bytes: RandomBytes) -> None:
        self._random_bytes = random_bytes

    def _bits(self, number: int) -> int:
        text = random_text(self._random_bytes, -(-number // 8))
        return int.from_bytes(text, "little") >> (-number % 8)

    def below(self, limit: int) -> int:
        """Return a whole number below a limit, each with the same probability."""
        bits = (limit - 1).bit_length()
        while bits:
            drawn = self._bits(bits)
            if drawn < limit:
                return drawn
        return 0

    def key(self, weights: Mapping[int, int]) -> int:
        """Return a key by its weight."""
        place = self.below(sum(weights.values()))
        return next(
            key for key, end in zip(weights, accumulate(weights.values()), strict=True) if place < end
        )

    def heads(self, number: int) -> int:
        """Return how many of so many fair coins show heads."""
        return self._bits(number).bit_count() if number else 0

    def keeps(self, exponent: tuple[int, int], halvings: int) -> bool:
        """Return True with probability ``2**halvings * exp(-exponent)``, which is at most 1."""
        if not exponent[0]:
            return True

        def chance(bits: int) -> tuple[int, int]:
            with ctx.workprec(bits + halvings + _GUARD):
                return enclosed(arb(2) ** halvings * (-arb(fmpq(*exponent))).exp(), bits)

        return settled(chance, self._bits(WORD), self._random_bytes)
