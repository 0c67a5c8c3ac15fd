"""A number of a card, and its provenance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.number_format import at_least, at_most, percent, percent_at_least
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number with its provenance: the nearest double, which may be infinite, and the number itself.

    `exact` is a decimal, a fraction or ``ln p/q``; empty where there are only doubles.
    """

    value: float
    exact: str = ""
    provenance: Provenance

    def at_most(self, digits: int, longest: int) -> str:
        """Return the number as text: exactly where that is short enough, else rounded up.

        >>> third = Number.of(Fraction(1, 3), Provenance.PROVED)
        >>> third.at_most(4, 12), third.at_most(4, 2)
        ('1/3', '0.3334')
        >>> Number.of(0.6000001, Provenance.RECOMPUTED).at_most(4, 12)
        '0.6001'
        """
        return self._text(at_most, digits, longest)

    def at_least(self, digits: int, longest: int) -> str:
        """Return the number as text: exactly where that is short enough, else rounded down.

        >>> Number.of(Fraction(2, 3), Provenance.PROVED).at_least(4, 2)
        '0.6666'
        """
        return self._text(at_least, digits, longest)

    @property
    def percent(self) -> str:
        """The probability that the number is, in per cent.

        >>> Number.of(1 - Fraction(1, 10**20), Provenance.PROVED).percent
        'more than 99.99 %'
        """
        return percent(Fraction(self.exact) if self.exact else self.value)

    @property
    def percent_at_least(self) -> str:
        """The same of a probability that is promised at least, rounded down."""
        return percent_at_least(Fraction(self.exact) if self.exact else self.value)

    def share(self, number: int) -> Number:
        """Return one of so many equal parts.

        >>> Number.of(Fraction(1, 2), Provenance.PROVED).share(3).exact
        '1/6'
        """
        exact = str(Fraction(self.exact) / number) if self.exact else ""
        return Number(value=self.value / number, exact=exact, provenance=self.provenance)

    def _text(self, way: Callable[[Fraction | float, int], str], digits: int, longest: int) -> str:
        if not self.exact:
            return way(self.value, digits)
        exact = Fraction(self.exact)
        text = as_text(exact)
        return text if len(text) <= longest else way(exact, digits)

    @classmethod
    def of(cls, value: Fraction | float, provenance: Provenance) -> Number:
        """Return a number with its exact text, where it has one.

        >>> Number.of(Fraction(1, 3), Provenance.PROVED).exact
        '1/3'
        """
        exact = str(value) if isinstance(value, Fraction) and provenance is Provenance.PROVED else ""
        return cls(value=float(value), exact=exact, provenance=provenance)
