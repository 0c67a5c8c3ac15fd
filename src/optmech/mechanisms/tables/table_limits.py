"""Limits of the error of one number of a margin: proved for every table, by bounds on exponential moments.

normal      P(|z| >= t) <= 2 exp(-t^2 / 2v), v the variance parameter
geometric   P(|z| >= t) <= 2 exp(-x t) exp(x^2 G / 8) prod_j (1-a)^2 / ((1 - a e^(x b)) (1 - a e^(-x b)))
            for x with a e^(x |b|) < 1; b the weights of the least squares, G / 4 what rounding adds
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, log, log1p, prod, sqrt
from typing import TYPE_CHECKING

from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise
from optmech.proofs.tables.geometric import rounding
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.margins import Axes, Margins

_SURE = 0.05
# Beyond so many axes the weights are too many, and the limit is that of Chebyshev.
_MOST_AXES = 5
_SAFE = 1 + 1e-9


def limit_of(certificate: TableCertificate, margin: Axes) -> int:
    """Return the error that a number of a margin stays within, with a probability of 95 % or more."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - it takes a moment to load

    variance = float(certificate.variances[margin])
    if isinstance(certificate.noise, LatticeNoise):
        return ceil(sqrt(2 * log(2 / _SURE) * variance) * _SAFE) - 1
    shape, noise = certificate.problem.shape, certificate.noise
    if len(shape.sizes) > _MOST_AXES:
        return ceil(sqrt(variance / _SURE) * _SAFE) - 1
    weights = [each for asked in noise.ratios for each in _weights(shape, noise, asked, margin)]
    whole = noise.ratios.keys() == {shape.every}
    squares = 0.0 if whole else 4 * float(rounding(shape, margin))
    most = min(-log(ratio) / abs(weight) for ratio, weight, _ in weights)

    def limit(share: float) -> float:
        x = share * most
        moment = x * x * squares / 8 + log(2 / _SURE)
        for a, b, number in weights:
            moment += number * (2 * log1p(-a) - log1p(-a * exp(x * b)) - log1p(-a * exp(-x * b)))
        return moment / x

    found = minimize_scalar(limit, bounds=(1e-6, 1 - 1e-9), method="bounded")
    return ceil(float(found.fun) * _SAFE) - 1


def _weights(shape: Margins, noise: MarginNoise, asked: Axes, margin: Axes) -> list[tuple[float, float, int]]:
    """Return the ratio, the weight in a number of a margin, and how many, of the numbers of an asked one."""
    common, sizes = asked & margin, shape.sizes
    scale = Fraction(shape.out(asked | margin), 2**noise.bits * shape.out(asked))
    found = []
    for apart in subsets(common):
        weight = sum(
            noise.weights[part, asked]
            * prod(
                ((axis not in apart) - Fraction(1, sizes[axis]) if axis in part else Fraction(1, sizes[axis]))
                for axis in common
            )
            for part in subsets(common)
        )
        number = shape.freedom(apart) * shape.cells(asked - margin)
        if weight:
            found.append((float(noise.ratios[asked]), float(scale * weight), number))
    return found
