"""Multipliers that prove the least squared error of one long count: doubles, to be rounded and proved.

Model
-----
Write g = log r, with g(1-z) = -g(z). The best g makes

    z^2 + lambda/2 (2 + g(z+1) - exp(-g(z+1)) - g(z) - exp(g(z)))

equal at all z of a coset of the whole numbers. Cosets do not touch each other, so that Newton's method solves
all of them at once, in sparse equations. Beyond the ends g is constant, as large as keeps those points above.
Under (epsilon, delta) the multiplier eta is one number.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, expm1, isqrt, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from optmech.proofs.tables.count_bound import CountMultipliers, approximate_bound

if TYPE_CHECKING:
    from optmech.base.arrays import Floats

# Below this rho a step of several rows is as sharp, with fewer points.
_SMALLEST = Fraction(2, 100)
_BITS, _STEPS, _TOLERANCE = 36, 60, 1e-11
# Above it the weight is searched for; below, the formula is as good in seven digits.
_SEARCHED, _WEIGHT_TERM = 0.25, 0.0355


def count_multipliers(rho: Fraction) -> CountMultipliers:
    """Return multipliers of one long count that is rho-zCDP.

    >>> 5 / float(count_multipliers(Fraction(1, 10)).bound(Fraction(1, 10))) < 1.00041
    True
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - it takes a moment to load

    rows = 1 if rho >= _SMALLEST else isqrt(ceil(_SMALLEST / rho) - 1) + 1
    own = float(rows**2 * rho)
    points = 33 if own < 0.04 else 49 if own < 0.08 else 65 if own < 0.3 else 97  # noqa: PLR2004 - so that 1/(4 m^2) is small
    square = 2 * (1 / (2 * own)) ** 2
    weight = square * (1 + _WEIGHT_TERM * own**2)
    if own > _SEARCHED:
        found = minimize_scalar(
            lambda factor: -_solved(own, factor * square, 9)[1], bounds=(0.3, 3), method="bounded"
        )
        weight = found.x * square
    logs = np.rint(_solved(own, weight, points)[0] * 2.0**_BITS)
    return CountMultipliers(
        rows=rows,
        points=points,
        weight=Fraction(f"{weight:.9g}"),
        bits=_BITS,
        logarithms=tuple(int(value) for value in logs),
    )


def _solved(rho: float, weight: float, points: int) -> tuple[Floats, float]:
    """Return g at (m+1)/2m and on, and the least value of the cosets without 1/(4 m^2)."""
    from scipy.sparse.linalg import spsolve  # noqa: PLC0415 - it takes a moment to load

    s = 1 / (2 * rho)
    reach, count = ceil(6 * s + 6 * sqrt(s) + 6), (points + 1) // 2
    cosets = np.arange(count) / points
    z = cosets[:, None] + np.arange(-reach, reach + 1)  # the points of the equations
    end = _end(reach + 0.5, s, weight, rho)
    g = np.zeros((count, 2 * reach + 2))
    g[:, 1:-1] = np.clip(2 * np.arcsinh((z[:, 1:] - 0.5) / (2 * s)), -end, end)
    g[:, 0], g[:, -1] = -end, end
    value = np.full(count, s + weight * rho)
    width = 2 * reach + 1
    rows = np.arange(count * width).reshape(count, width)
    at = np.concatenate([rows[:, :-1].ravel(), rows[:, 1:].ravel(), rows.ravel()])
    columns = np.concatenate(
        [rows[:, :-1].ravel(), rows[:, :-1].ravel(), np.broadcast_to(rows[:, -1:], rows.shape).ravel()]
    )
    for _ in range(_STEPS):
        up, down = np.exp(g[:, :-1]), np.exp(-g[:, 1:])
        left = z**2 + weight / 2 * (2 + g[:, 1:] - down - g[:, :-1] - up) - value[:, None]
        ahead, own = weight / 2 * (1 + down[:, :-1]), -weight / 2 * (1 + up[:, 1:])
        entries = np.concatenate([ahead.ravel(), own.ravel(), np.full(rows.size, -1.0)])
        matrix = csr_array((entries, (at, columns)), shape=(rows.size, rows.size)).tocsc()
        step = spsolve(matrix, -left.ravel()).reshape(count, width)
        damp = min(1.0, 1 / np.abs(step[:, :-1]).max())
        g[:, 1:-1] += damp * step[:, :-1]
        value += damp * step[:, -1]
        if np.abs(step[:, :-1]).max() < _TOLERANCE:
            break
    # Cosets c and 1 - c share their values: g(1-z) = -g(z).
    mirrored = -g[1:, ::-1]
    table = np.full((points, 2 * reach + 2), end)
    table[:count] = g
    table[count:, :-1] = mirrored[::-1, 1:]
    line = table.T.ravel()  # by z, from minus reach on
    middle = reach * points + (points + 1) // 2
    return line[middle : middle + reach * points + 1], float(value.min() - weight * rho)


def _end(reach: float, s: float, weight: float, rho: float) -> float:
    """Return the largest g beyond which z^2 outweighs a constant one."""
    half = 1 + (reach**2 - s - weight * rho) / weight  # cosh g
    return float(np.arccosh(half))


def approximate_multipliers(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Return eta, and a point beyond the maximum of its multipliers, of one count under epsilon and delta."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - it takes a moment to load

    eps = float(epsilon)

    def proved(logarithm: float) -> float:
        eta = Fraction(f"{exp(logarithm):.9g}")
        return -float(approximate_bound(epsilon, delta, eta, _beyond(eps, float(eta))))

    pure = 1 / (2 * np.sinh(eps / 2) ** 2)
    found = minimize_scalar(proved, bounds=(np.log(pure) - 40, np.log(pure) - 1e-9), method="bounded")
    eta = Fraction(f"{exp(found.x):.9g}")
    return eta, _beyond(eps, float(eta))


def _beyond(eps: float, eta: float) -> Fraction:
    """Return a point a little beyond the maximum of H."""
    e = exp(eps)

    def falls(x: float) -> bool:
        slope = (2 * x + 2 * e / expm1(eps)) / expm1(eps)
        return slope < eta * (e + 1) / (2 * expm1(eps)) * eps * exp(min(eps * x, 700))

    low, high = 0.0, 1.0
    while not falls(high):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if falls(middle) else (middle, high)
    return Fraction(f"{high * (1 + 1e-9) + 1e-9:.12g}")
