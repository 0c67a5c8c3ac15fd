"""Zero-concentrated privacy: rho adds up, also where a later release depends on earlier results.

Model
-----
    several       epsilon = min over a > 1 of  a rho + log(a - 1) - (log delta + a log a) / (a - 1)
    one table     epsilon at delta is at most that of one count at its worst centre, which is less
    pure epsilon  is epsilon^2 / 2 of rho

Source: Canonne, Kamath, Steinke 2020, Proposition 12; Bun, Steinke 2016, Propositions 1.4 and 1.7.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING

from optmech.analysis.composition.releases import StatedGuarantee
from optmech.base.provenance import Provenance
from optmech.designs.tables.centre import epsilon_of

if TYPE_CHECKING:
    from fractions import Fraction

# Every order gives a bound; doubles find its value up to far less than this part.
_SAFE = 1 + 1e-9
_LARGEST_PARAMETER = 10_000


class TableGuarantee(StatedGuarantee):
    """What the certificate of a whole table proves of one person."""

    @property
    def provenance(self) -> Provenance:
        """The standing of it: its certificate was proved again."""
        return Provenance.PROVED


def rho_of_pure(epsilon: Fraction) -> Fraction:
    """Return the rho of pure epsilon.

    >>> from fractions import Fraction
    >>> print(rho_of_pure(Fraction(1)))
    1/2
    """
    return epsilon**2 / 2


def epsilon_of_rho(rho: Fraction, delta: Fraction) -> float:
    """Return an epsilon that rho keeps at delta, rounded up; infinite where delta is zero.

    >>> from fractions import Fraction
    >>> round(epsilon_of_rho(Fraction(1, 10), Fraction(1, 10**6)), 3)
    2.142
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - it takes a moment to load

    if not delta:
        return inf
    r, logarithm = float(rho), log(delta.numerator) - log(delta.denominator)

    def epsilon(place: float) -> float:
        beyond = exp(place)  # the order less 1
        order = 1 + beyond
        return order * r + log(beyond) - (logarithm + order * log(order)) / beyond

    near = log(sqrt(max(-logarithm, 1e-9) / r))
    found = minimize_scalar(epsilon, bounds=(near - 5, near + 5), method="bounded")
    return max(0.0, float(found.fun) * _SAFE)


def epsilon_of_one_table(rho: Fraction, delta: Fraction) -> float:
    """Return an epsilon that one table keeps at delta: by its worst centre, where that is computed soon."""
    usual = epsilon_of_rho(rho, delta)
    if not 0 < delta < 1 or 1 / (2 * rho) > _LARGEST_PARAMETER:
        return usual
    return min(usual, float(epsilon_of(rho, delta)[0]) * _SAFE)
