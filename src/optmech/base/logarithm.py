"""The natural logarithm of a rational number, kept exactly: an epsilon whose ``e^epsilon`` is that number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import total_ordering
from numbers import Rational

from optmech.base.errors import ProblemError

# More than a double holds, so that the nearest double is right but for ties.
_SURE_DIGITS = 20


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Logarithm:
    """``ln(of)``, a number that no decimal and no ratio is equal to, unless it is ``ln(1) = 0``.

    It compares exactly with positive rational numbers and doubles; divided it is a double.
    """

    of: Fraction

    def __post_init__(self) -> None:
        if isinstance(self.of, bool) or not isinstance(self.of, Rational) or self.of <= 0:
            message = (
                f"a logarithm must be one of a positive number; got {self.of}. "
                "Write ln 2 for the epsilon at which odds may double."
            )
            raise ProblemError(message)
        object.__setattr__(self, "of", Fraction(int(self.of.numerator), int(self.of.denominator)))

    def __str__(self) -> str:
        return f"ln {self.of}"

    def __float__(self) -> float:
        return 0.0 if self.of == 1 else float(self._less(Fraction(0)))

    def __hash__(self) -> int:
        return hash(0) if self.of == 1 else hash(("ln", self.of))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Logarithm):
            return self.of == other.of
        if isinstance(other, (Rational, float)):
            return self.of == 1 and other == 0  # any other is transcendental
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Logarithm):
            return self.of < other.of
        # A ratio may be too large for a double.
        if not isinstance(other, (Rational, float)) or (isinstance(other, float) and math.isnan(other)):
            return NotImplemented
        if isinstance(other, float) and math.isinf(other):
            return other > 0
        number = Fraction(other)
        # 1 - 1/x <= ln(x) <= x - 1 decides near zero, where digits would cancel by the thousand.
        if self.of - 1 < number:
            return True
        if 1 - 1 / self.of >= number:
            return False
        return self._less(number) < 0

    def __truediv__(self, other: Fraction | int) -> float:
        return float(self) / float(other)

    def __rtruediv__(self, other: Fraction | int) -> float:
        return float(other) / float(self)

    def _less(self, number: Fraction) -> Decimal:
        """Return ``ln(of) - number``, which is not zero, good to `_SURE_DIGITS` digits."""
        digits = 2 * _SURE_DIGITS
        while True:
            with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
                parts = (
                    Decimal(self.of.numerator).ln(),
                    -Decimal(self.of.denominator).ln(),
                    -Decimal(number.numerator) / Decimal(number.denominator),
                )
                difference = sum(parts, Decimal(0))
                if abs(difference) > max(map(abs, parts)).scaleb(_SURE_DIGITS + 1 - digits):
                    return difference
            digits *= 2
