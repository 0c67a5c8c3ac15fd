"""K and its inverse H in fixed point, of the pairs that protect a truth and the next against each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from optmech.proofs.chain.curve import Line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    Pairs = Iterable[tuple[Fraction, Fraction]]

SAME_BITS = 64
"""Values so near to each other, relatively, are the same but for rounding."""


class Curve:
    """K and H, rounded to the nearest or nearly so.

    Parameters
    ----------
    up, down : iterable of tuple of Fraction
        e^epsilon and delta of what protects a truth against the next, and the next against it. Without any
        K is 1, and H is 0.
    bits : int
        Values are multiples of ``2**-bits``.
    """

    def __init__(self, up: Pairs, down: Pairs, bits: int) -> None:
        self.bits, self.one = bits, 1 << bits
        lines = {Line(self._of(factor), self._of(delta)) for factor, delta in up}
        for factor, delta in down:
            slope = self._of(1 / factor)
            lines.add(Line(slope, self.one - (slope * (self.one - self._of(delta)) >> bits)))
        self.lines = sorted(lines, reverse=True)

    def _of(self, value: Fraction) -> int:
        return round(value * self.one)

    def above(self, x: int) -> int:
        """Return K at x."""
        bits = self.bits
        return min([self.one, *[(slope * x >> bits) + offset for slope, offset in self.lines]])

    def beside(self, y: int) -> int:
        """Return H at y."""
        bits = self.bits
        return max([0, *[((y - offset) << bits) // slope for slope, offset in self.lines]])

    def corners(self) -> list[int]:
        """Return the x of corners of K, and the x at which it reaches 1, and 0."""
        crossings = {0, self.beside(self.one)}
        for line, other in combinations(self.lines, 2):
            if line.slope == other.slope:
                continue
            x = ((other.offset - line.offset) << self.bits) // (line.slope - other.slope)
            on = (line.slope * x >> self.bits) + line.offset
            if 0 < x < self.one and abs(self.above(x) - on) < 1 << (self.bits - SAME_BITS):
                crossings.add(x)
        return sorted(crossings)
