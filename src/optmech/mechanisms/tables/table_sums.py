"""Errors of the sum of some categories of each axis: variance, and limits that hold for every table.

Model
-----
    t           the product of the marks of an axis: m of its n categories are in the sum
    variance    sum_A s_A |P_A t|^2 + 1/4 sum g^2,
                |P_A t|^2 = prod_(a in A) m (n - m) / n  prod_(a not in A) m^2 / n
    rounding    g, a product over the axes: m/n for the sum, and the mean of t in the left part of a region
                less that in its rest for each coordinate of `axis_tree`; nothing where noise is whole anyway
    normal      P(|z| >= x) <= 2 exp(-x^2 / 2v), v the variance parameter, with what rounding adds
    geometric   P(|z| >= x) <= 2 exp(-y x) exp(y^2 G / 8) prod_j (1-a)^2 / ((1 - a e^(y b)) (1 - a e^(-y b)))
                for y with a e^(y |b|) < 1; b the weights of the least squares, G / 4 what rounding adds
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, exp, log, log1p, prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.tables.axis_tree import axis_tree
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Marks
    from optmech.mechanisms.tables.table_noise import TableNoise
    from optmech.question.tables.margins import Axes

_SAFE = 1 + 1e-9
_MOST_CLASSES = 1 << 16


@dataclass(frozen=True, eq=False)
class TableSum:
    """The error of a sum over the categories of each axis that are marked, under a noise.

    `rounding` is at most what rounding adds to the variance, where that is known otherwise.

    >>> noise = LatticeNoise((2,), {frozenset(): Fraction(4), frozenset({0}): Fraction(4)})
    >>> TableSum(noise, [np.array([True, True])]).variance
    Fraction(8, 1)
    """

    noise: TableNoise
    marks: Sequence[Marks]
    rounding: Fraction | None = None

    @property
    def axes(self) -> Axes:
        """The axes of which not all categories are in the sum."""
        return frozenset(axis for axis, marks in enumerate(self.marks) if not marks.all())

    @property
    def _chosen(self) -> list[int]:
        return [int(marks.sum()) for marks in self.marks]

    @property
    def _is_rounded(self) -> bool:
        """Whether rounding adds to the error."""
        every = frozenset(range(len(self.noise.sizes)))
        return not isinstance(self.noise, LatticeNoise) and self.noise.spreads.keys() != {every}

    @property
    def variance(self) -> Fraction:
        """At most the variance; the part of rounding is rounded up."""
        noise, sizes, chosen = self.noise, self.noise.sizes, self._chosen
        parts = noise.variances
        total = sum(
            (
                parts[part]
                * prod(
                    Fraction(m * (n - m) if axis in part else m * m, n)
                    for axis, (m, n) in enumerate(zip(chosen, sizes, strict=True))
                )
                for part in subsets(self.axes)
            ),
            Fraction(),
        )
        return total + Fraction(self.squares) / 4

    @property
    def squares(self) -> float:
        """Four times the most that rounding adds to the variance."""
        if not self._is_rounded:
            return 0.0
        known = self.rounding
        return prod(map(_squares_of_axis, self.marks)) * _SAFE if known is None else 4 * float(known)

    def limit(self, sure: Fraction) -> int:
        """Return the error that the sum stays within, but for at most this probability."""
        from scipy.optimize import minimize_scalar  # noqa: PLC0415 - it takes a moment to load

        variance, odds = float(self.variance) * _SAFE, log(2 / float(sure))
        if not variance:
            return 0
        usual = sqrt(variance / float(sure))
        if not isinstance(self.noise, MarginNoise):
            return ceil(min(sqrt(2 * odds * variance), usual) * _SAFE) - 1
        weights = self._weights()
        if not weights:
            return ceil(usual * _SAFE) - 1
        most = min(-log(ratio) / abs(weight) for ratio, weight, _ in weights)
        squares = self.squares

        def limit(share: float) -> float:
            x = share * most
            moment = x * x * squares / 8 + odds
            for a, b, number in weights:
                moment += number * (2 * log1p(-a) - log1p(-a * exp(x * b)) - log1p(-a * exp(-x * b)))
            return moment / x

        found = minimize_scalar(limit, bounds=(1e-6, 1 - 1e-9), method="bounded")
        return ceil(min(float(found.fun), usual) * _SAFE) - 1

    def _weights(self) -> list[tuple[float, float, int]]:
        """Return ratio, weight in the sum, and how many, of noisy numbers; nothing if too many."""
        assert isinstance(self.noise, MarginNoise)  # noqa: S101 - asked of such noise alone
        noise, sizes, chosen = self.noise, self.noise.sizes, self._chosen
        every, found = frozenset(range(len(sizes))), []
        if sum(3 ** len(asked) for asked in noise.ratios) > _MOST_CLASSES:
            return []
        for asked, ratio in noise.ratios.items():
            split, outside = sorted(asked & self.axes), every - asked
            scale = Fraction(prod(chosen[axis] for axis in outside), 2**noise.bits)
            scale /= prod(sizes[axis] for axis in outside)
            for inside in product((True, False), repeat=len(split)):
                within = dict(zip(split, inside, strict=True))
                weight = sum(
                    noise.weights[part, asked]
                    * prod(
                        within[axis] - Fraction(chosen[axis], sizes[axis])
                        if axis in part
                        else Fraction(chosen[axis], sizes[axis])
                        for axis in asked
                    )
                    for part in subsets(frozenset(split))
                )
                number = prod(
                    (chosen[axis] if within[axis] else sizes[axis] - chosen[axis])
                    if axis in within
                    else sizes[axis]
                    for axis in asked
                )
                if weight and number:
                    found.append((float(ratio), float(scale * weight), number))
        return found


def _squares_of_axis(marks: Marks) -> float:
    """Return the sum of squares of what the fractions of an axis' coordinates bring to a sum."""
    if marks.all():
        return 1.0
    tree = axis_tree(len(marks), 1)
    ahead = np.concatenate([[0], np.cumsum(marks)])
    stop = tree.start + tree.size
    left = (ahead[tree.stop] - ahead[tree.start])[1:] / tree.left[1:]
    rest = (ahead[stop] - ahead[tree.stop])[1:] / (tree.size - tree.left)[1:]
    return float((marks.sum() / len(marks)) ** 2 + ((left - rest) ** 2).sum())
