"""The unbiased estimator of a count from noise of one decay and thresholds, without a matrix.

Model
-----
    F_i(l) = F(l - i),  F(l - 1) = t F(l) in the left tail,  1 - F(l + 1) = t (1 - F(l)) in the right one
    columns combined as    C_0 - t C_1,    - t C_{i-1} + (1 + t^2) C_i - t C_{i+1},    C_n - t C_{n-1}

are zero but near the truth: the combination is the inverse of a matrix of powers of t, which is tridiagonal.
It loses nothing, and leaves a system with few entries in each row. That is solved from row to row in balls
of 256 bits that hold the exact numbers. As many responses as truths, and no pivot that may be zero: the
estimator exists, and is the only one. A row without entries whose right side cannot be zero: there is none.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.mechanisms.noise_shares import FAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.noise_mechanism import NoiseMechanism

_BITS = 256


class TooCloseError(ArithmeticError):
    """The balls do not tell whether there is an unbiased estimator."""


def localised_estimates(mechanism: NoiseMechanism) -> list[float] | None:
    """Return the unbiased estimate for each response in doubles, None where there is proved to be none.

    The noise must consist of two tails of one decay.

    Raises
    ------
    TooCloseError
        If the precision does not tell which.
    """
    with ctx.workprec(_BITS):
        pivots: dict[int, tuple[dict[int, arb], arb]] = {}
        for row, wanted in _rows(mechanism):
            right = wanted
            while row and (lead := min(row)) in pivots:
                pivot, pivot_right = pivots[lead]
                factor = row.pop(lead) / pivot[lead]
                right -= factor * pivot_right
                for at, value in pivot.items():
                    if at != lead:
                        row[at] = row.get(at, arb(0)) - factor * value
            if not row:
                if right.contains(0):
                    raise TooCloseError
                return None
            if row[lead].contains(0):
                raise TooCloseError
            pivots[lead] = row, right
        return _substituted(pivots, len(mechanism.responses))


def _substituted(pivots: dict[int, tuple[dict[int, arb], arb]], number: int) -> list[float]:
    """Return the solution of a system in the form of steps."""
    estimates = [arb(0)] * number
    for lead in sorted(pivots, reverse=True):
        row, right = pivots[lead]
        for at, value in row.items():
            if at != lead:
                right -= value * estimates[at]
        estimates[lead] = right / row[lead]
        if estimates[lead].rel_accuracy_bits() < _BITS // 4 and not estimates[lead].contains(0):
            raise TooCloseError
    return [float(estimate.mid()) for estimate in estimates]


def _rows(mechanism: NoiseMechanism) -> Iterator[tuple[dict[int, arb], arb]]:
    """Yield the combined columns, as probabilities by response, with the combined truths."""
    noise, limits, last = mechanism.certificate.noise, mechanism.limits, len(mechanism.truths) - 1
    decay = Fraction(noise.tail, noise.one)
    for truth in range(last + 1):
        near = {truth - 1: -decay, truth: 1 + decay**2, truth + 1: -decay}
        if truth in (0, last):
            near[truth] = Fraction(1)
        near = {at: factor for at, factor in near.items() if 0 <= at <= last}
        low = max(int(limits.searchsorted(truth + noise.first - 1)) - 1, 0) if truth else 0
        high = (
            int(limits.searchsorted(truth + noise.last + 1, side="right")) + 1 if truth < last else last + 1
        )
        row = {}
        below = _share(mechanism, int(limits[low]), near)
        for response in range(low, min(high, last + 1)):
            until = _share(mechanism, int(limits[response + 1]), near)
            if until != below:
                row[response] = _ball(until - below)
            below = until
        yield row, _ball(sum((factor * mechanism.truths[at] for at, factor in near.items()), Fraction(0)))


def _share(mechanism: NoiseMechanism, limit: int, near: dict[int, Fraction]) -> Fraction:
    """Return the combination of the probabilities of noise up to a limit."""
    if abs(limit) == FAR:
        return sum(near.values(), Fraction(0)) if limit > 0 else Fraction(0)
    noise = mechanism.certificate.noise
    return sum((factor * noise.share(limit - truth) for truth, factor in near.items()), Fraction(0))


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
