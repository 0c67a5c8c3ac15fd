"""Epsilon and delta of a whole table under zCDP noise: at most those of one count at its worst centre.

Model
-----
    one count     discrete normal noise of parameter s = 1/(2 rho);  h = s epsilon + 1/2, u in (0, 1]
    phi(w) = exp(-w^2 / 2s),  S(u) = sum_(j >= 0) phi(h+u+j),  theta >= 2 sum_(j >= 0) phi(j + 1/2)
    delta = max_u (phi(h+u-1) - (e^epsilon - 1) S(u)) / theta,

and the bracket rises, then falls, in u. So two points beside its maximum enclose it: each sign of
    s g'(u) = -(h+u-1) phi(h+u-1) + (e^epsilon - 1) sum_j (h+u+j) phi(h+u+j).

`check_table.py` computes the same digits.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import count
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.tables.count_bound import decimal, fraction, precise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

_SLACK = Decimal(10) ** -24
# Terms below this part of the first are left out: of a sum that is subtracted, or bounded by an integral.
_SMALL, _LEAST = Decimal(10) ** -30, Decimal(10) ** -300
MOST_VARIANCE = 10**6
"""The largest parameter of one count for which so many terms are summed."""


def delta_of(rho: Fraction, epsilon: Fraction, centre: tuple[Fraction, Fraction]) -> Fraction:
    """Return a delta that a table keeps at epsilon, rounded up, given two points beside the worst centre.

    Raises
    ------
    VerificationError
        If the worst centre does not lie between the points.
    """
    low, high = centre
    if not (epsilon > 0 and 0 < 1 / (2 * rho) <= MOST_VARIANCE):
        message = "epsilon must be positive, and rho not too small"
        raise VerificationError(message)
    with localcontext(precise()):
        s = decimal(1 / (2 * rho))
        h, rise = s * decimal(epsilon) + Decimal("0.5"), decimal(epsilon).exp() - 1
        for u, sign, is_end in ((decimal(low), 1, low == 0), (decimal(high), -1, high == 1)):
            first, tail = h + u - 1, (h + u + 8 * s + 10) * _SMALL * _phi(h + u, s)
            rest = sum((w * value for w, value in _terms(s, h + u)), Decimal(0))
            slope = rise * (rest if sign > 0 else rest + tail) - first * _phi(first, s)
            if not is_end and slope * sign < _SLACK * rise * rest:
                message = "the worst centre must lie between the two points"
                raise VerificationError(message)
        top = h + decimal(low) - 1
        peak = _phi(max(top, Decimal(0)), s)
        bracket = peak - rise * sum((value for _, value in _terms(s, h + decimal(high))), Decimal(0))
        theta = 2 * sum((value for _, value in _terms(s, Decimal("0.5"))), Decimal(0))
        return fraction(max((max(bracket, Decimal(0)) + _SLACK * peak) / theta, _LEAST))


def _phi(w: Decimal, s: Decimal) -> Decimal:
    return (-w * w / (2 * s)).exp()


def _terms(s: Decimal, start: Decimal) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield w and phi(w) at start, start + 1, ..., as long as they count."""
    least = _SMALL * _phi(start, s)
    for j in count():
        value = _phi(start + j, s)
        if value <= least:
            return
        yield start + j, value
