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

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.mechanisms.noise_shares import FAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.noise_mechanism import NoiseMechanism
    from optmech.proofs.chain.noise import Noise

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
    """Yield the combined columns, as probabilities by response, with the combined truths.

    A combination depends on limits only by how far they are from its truth, so that few are computed.
    """
    noise, limits, last = mechanism.certificate.noise, mechanism.limits.tolist(), len(mechanism.truths) - 1
    decay = Fraction(noise.tail, noise.one)
    inside = {-1: -decay, 0: 1 + decay**2, 1: -decay}
    ends = {0: {0: Fraction(1), 1: -decay}, last: {-1: -decay, 0: Fraction(1)}}
    truths = [fmpq(truth.numerator, truth.denominator) for truth in mechanism.truths]
    balls: dict[tuple[int, int], arb] = {}
    for truth in range(last + 1):
        near = ends.get(truth, inside)
        if truth in (0, 1, last):
            share, balls = cache(partial(_share, noise, near)), {}
            factors = {at: fmpq(factor.numerator, factor.denominator) for at, factor in near.items()}
        low = max(bisect_left(limits, truth + noise.first - 1) - 1, 0) if truth else 0
        high = bisect_right(limits, truth + noise.last + 1) + 1 if truth < last else last + 1
        row = {}
        for response in range(low, min(high, last + 1)):
            between = _offset(limits[response], truth), _offset(limits[response + 1], truth)
            if between not in balls:
                balls[between] = _ball(share(between[1]) - share(between[0]))
            if balls[between] != 0:
                row[response] = balls[between]
        yield row, arb(sum((factor * truths[truth + at] for at, factor in factors.items()), fmpq(0)))


def _offset(limit: int, truth: int) -> int:
    """Return how far a limit is from a truth; without end where the limit is."""
    return limit if abs(limit) == FAR else limit - truth


def _share(noise: Noise, near: dict[int, Fraction], offset: int) -> Fraction:
    """Return the combination of the probabilities of noise up to a limit."""
    if abs(offset) == FAR:
        return sum(near.values(), Fraction(0)) if offset > 0 else Fraction(0)
    return sum((factor * noise.share(offset - at) for at, factor in near.items()), Fraction(0))


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
