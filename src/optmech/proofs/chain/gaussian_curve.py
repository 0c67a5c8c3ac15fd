"""The trade-off curve of continuous Gaussian noise in ball arithmetic, and the proof that a noise keeps it.

Model
-----
    y <= K(x) = Phi(Phi^-1(x) + 1/sigma)      is      Phi^-1(y) - Phi^-1(x) <= 1/sigma
    K(x) <= S x + Phi(v) - S Phi(v - 1/sigma),        S = exp((1/(2 sigma) - v) / sigma)

for every v: the tangent at x = Phi(v - 1/sigma), y = Phi(v), since K is concave. With S and the offset
rounded up it is above K all the same. Each v is a multiple of ``2**-96`` next to ``Phi^-1(F(l))``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.base.errors import VerificationError
from optmech.base.time_left import need_time
from optmech.proofs.chain.curve import LINE_BITS, Line
from optmech.proofs.chain.noise import worst_sets

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.proofs.chain.noise import Noise

# Tangents further out are below the resolution of a line.
_NARROW_BITS = LINE_BITS + 8
_POINT_BITS = 96
# Nearly always enough to round a point, or the distance of two.
_FEW_BITS = 160


@dataclass(frozen=True, eq=False)
class GaussianCurve:
    """K of Gaussian noise in ball arithmetic of `bits` bits."""

    sigma: Fraction
    bits: int

    def lines(self, noise: Noise) -> tuple[Line, ...]:
        """Return tangents at all points of a noise, the steepest first."""
        narrow = noise.one >> _NARROW_BITS
        shares = {share for share in noise.cumulative if narrow < share < noise.one - narrow}
        points = {self._point(share, noise.one) for share in shares or {noise.one >> 1}}
        return tuple(sorted(map(self._tangent, points), reverse=True))

    def _point(self, share: int, unit: int) -> int:
        """Return the multiple of ``2**-96`` next below ``Phi^-1`` of a share."""
        if 2 * share == unit:
            return 0
        need_time("the tangents of Gaussian noise")
        return self._floor(lambda: _quantile(share, unit) * (1 << _POINT_BITS), min(self.bits, _FEW_BITS))

    def _tangent(self, point: int) -> Line:
        v, sigma = fmpq(point, 1 << _POINT_BITS), _rational(self.sigma)
        power, beside = (1 / (2 * sigma) - v) / sigma, v - 1 / sigma

        def fall() -> arb:
            return -arb(power).exp() * (1 << LINE_BITS)

        def depth() -> arb:
            return -fall() * normal(arb(beside)) - normal(arb(v)) * (1 << LINE_BITS)

        return Line(-self._floor(fall, self.bits), -self._floor(depth, self.bits))

    def _floor(self, number: Callable[[], arb], bits: int) -> int:
        """Return the floor of a real number, with as many bits as needed, at least `bits`."""
        most = self.bits << 3
        while bits <= most:
            with ctx.workprec(bits):
                whole = number().floor().unique_fmpz()
            if whole is not None:
                return int(whole)
            bits *= 2
        message = f"tangents of Gaussian noise must be found with {most:,} bits; they are not."
        raise VerificationError(message)

    def keeps(self, noise: Noise) -> bool:
        """Whether one shift of a noise keeps the curve, proved."""
        unit = noise.one << (noise.bits if noise.tail else 0)
        return all(self._holds(x, y, unit) for x, y in worst_sets(noise))

    def _holds(self, x: int, y: int, unit: int) -> bool:
        if y == 0 or x == unit:
            return True
        if x == 0 or y == unit:
            return False
        need_time("the proof that noise is as private as Gaussian noise")
        for bits in (_FEW_BITS, self.bits, self.bits << 1, self.bits << 2):
            with ctx.workprec(bits):
                apart = _quantile(y, unit) - _quantile(x, unit)
                shift = 1 / arb(_rational(self.sigma))
                if apart <= shift or apart > shift:
                    return bool(apart <= shift)
        return False


def normal(value: arb) -> arb:
    """Return Phi of a number.

    >>> float(normal(arb(0)))
    0.5
    """
    return (-value / arb(2).sqrt()).erfc() / 2


def _quantile(share: int, unit: int) -> arb:
    """Return Phi^-1 of ``share / unit``, from the side where it is small."""
    if 2 * share <= unit:
        return -(arb(fmpq(2 * share, unit)).erfcinv() * arb(2).sqrt())
    return arb(fmpq(2 * (unit - share), unit)).erfcinv() * arb(2).sqrt()


def _rational(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)
