"""The trade-off curve of continuous Gaussian noise in ball arithmetic, and the proof that a noise keeps it.

Model
-----
    y <= K(x) = Phi(Phi^-1(x) + 1/sigma)      is      Phi^-1(y) - Phi^-1(x) <= 1/sigma
    K(x) - S x is highest where K has the slope S, at x = Phi(v - 1/sigma), y = Phi(v),
    v = 1/(2 sigma) - sigma ln S

K is concave with a slope from infinity to 0, so that each S > 0 has one such place. Lines are tangents with
rounded slopes, and lie above K by less than their offset is rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.proofs.chain.curve import LINE_BITS, Line
from optmech.proofs.chain.worst_sets import worst_sets

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.proofs.chain.noise import Noise

__all__ = ["GaussianCurve", "normal"]

# Beyond, a tangent shows nothing that a line can hold.
_NARROW_BITS = LINE_BITS + 8


@dataclass(frozen=True, eq=False)
class GaussianCurve:
    """K of Gaussian noise.

    Attributes
    ----------
    sigma : Fraction
    bits : int
        Of the ball arithmetic.
    """

    sigma: Fraction
    bits: int

    def lines(self, noise: Noise) -> tuple[Line, ...]:
        """Return tangents at all places of a noise, the steepest first."""
        narrow = noise.one >> _NARROW_BITS
        shares = {share for share in noise.cumulative if narrow < share < noise.one - narrow}
        with ctx.workprec(self.bits):
            found = {self._tangent(share, noise.one) for share in shares or {noise.one >> 1}}
        return tuple(sorted(found, reverse=True))

    def _tangent(self, share: int, unit: int) -> Line:
        sigma = arb(_rational(self.sigma))
        steep = (-_quantile(share, unit) / sigma + 1 / (2 * sigma * sigma)).exp() * (1 << LINE_BITS)
        slope = max(1, _floor(steep))
        exact = arb(slope) / (1 << LINE_BITS)
        place = 1 / (2 * sigma) - sigma * exact.log()
        offset = normal(place) - exact * normal(place - 1 / sigma)
        return Line(slope, -_floor(-offset * (1 << LINE_BITS)))

    def keeps(self, noise: Noise) -> bool:
        """Whether one shift of a noise keeps the curve, proved."""
        unit = noise.one << (noise.bits if noise.tail else 0)
        with ctx.workprec(self.bits):
            shift = 1 / arb(_rational(self.sigma))
            for x, y in worst_sets(noise):
                if y == 0 or x == unit:
                    continue
                if x == 0 or y == unit or not _quantile(y, unit) - _quantile(x, unit) <= shift:
                    return False
        return True


def normal(place: arb) -> arb:
    """Return Phi of a place.

    Examples
    --------
    >>> float(normal(arb(0)))
    0.5
    """
    return (-place / arb(2).sqrt()).erfc() / 2


def _quantile(share: int, unit: int) -> arb:
    """Return Phi^-1 of ``share / unit``, from the side where it is small."""
    if 2 * share <= unit:
        return -(arb(fmpq(2 * share, unit)).erfcinv() * arb(2).sqrt())
    return arb(fmpq(2 * (unit - share), unit)).erfcinv() * arb(2).sqrt()


def _rational(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


def _floor(ball: arb) -> int:
    """Return a whole number that is at most the ball."""
    mantissa, exponent = (int(part) for part in ball.lower().man_exp())
    return mantissa << exponent if exponent >= 0 else mantissa >> -exponent
