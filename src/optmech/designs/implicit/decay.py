"""The decay of a geometric mechanism as a whole number over a power of two, on the side that is safe.

Laws, for a decay ``a = numerator / 2**bits``:

* ``a >= e^-epsilon``: a mechanism whose neighbouring columns differ by factors within [a, 1/a] is private,
  for ``1/a <= e^epsilon``.
* ``a <= e^-epsilon``: every row x of a private matrix has ``a x[f] <= x[f+1] <= x[f] / a``. A bound for all
  such rows is one for all private mechanisms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from optmech.base.logarithm import Logarithm
    from optmech.designs.implicit.question import ImplicitCount

__all__ = ["Decay", "decays_of"]

_FEWEST_BITS, _MOST_BITS = 64, 2**13


@dataclass(frozen=True, slots=True)
class Decay:
    """A rational between 0 and 1 that fixed-point arithmetic multiplies by without rounding it.

    Attributes
    ----------
    numerator, bits : int
        It is ``numerator / 2**bits``; the numbers it is multiplied with are multiples of ``2**-bits``.

    Raises
    ------
    VerificationError
        If it is not between 0 and 1.
    """

    numerator: int
    bits: int

    def __post_init__(self) -> None:
        """Check the range."""
        if not (_FEWEST_BITS <= self.bits <= _MOST_BITS and 0 < self.numerator < 1 << self.bits):
            message = f"a decay must be between 0 and 1, of {_FEWEST_BITS} to {_MOST_BITS} bits; it is not."
            raise VerificationError(message)

    @property
    def value(self) -> Fraction:
        """The decay itself."""
        return Fraction(self.numerator, 1 << self.bits)

    @property
    def reach(self) -> int:
        """A whole number above ``1 / (1 - a)``, the sum of all powers."""
        return (1 << self.bits) // ((1 << self.bits) - self.numerator) + 1

    def proves_privacy(self, epsilon: Fraction | Logarithm) -> bool:
        """Whether ``1/a <= e^epsilon``, proved."""
        return self.value * enclose_exponential(epsilon, self.bits + 8).lower >= 1

    def proves_a_bound(self, epsilon: Fraction | Logarithm) -> bool:
        """Whether ``1/a >= e^epsilon``, proved."""
        return self.value * enclose_exponential(epsilon, self.bits + 8).upper <= 1


def decays_of(question: ImplicitCount, spare_bits: int = 100) -> tuple[Decay, Decay]:
    """Return the decays of mechanism and bound, of equally many bits, around ``e^-epsilon``."""
    epsilon = float(question.epsilon)
    # Sums of up to n terms of up to n in size, each with 1 / (1 - a) roundings behind it.
    bits = spare_bits + 2 * question.largest.bit_length() + 3 * max(0, ceil(-log(epsilon) / log(2)) + 1)
    bits = min(bits + 2 * ceil(epsilon / log(2)), _MOST_BITS)
    factor = enclose_exponential(question.epsilon, bits + 8)
    one = 1 << bits
    return Decay(ceil(one / factor.lower), bits), Decay(int(one / factor.upper), bits)
