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
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from optmech.base.logarithm import Logarithm

__all__ = ["MOST_BITS", "Decay"]

MOST_BITS = 2**13
"""Of a decay: beyond, nothing is proved that fewer bits would not prove."""
_FEWEST_BITS = 64


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
        if not (_FEWEST_BITS <= self.bits <= MOST_BITS and 0 < self.numerator < 1 << self.bits):
            message = f"a decay must be between 0 and 1, of {_FEWEST_BITS} to {MOST_BITS} bits; it is not."
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
