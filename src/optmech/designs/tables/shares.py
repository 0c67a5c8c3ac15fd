"""Shares of pure epsilon among the margins of a table: closed forms, and a search.

For each set T of axes one candidate: sums over axes of T are asked, in equal shares. From the best,
shares of all margins are searched. Every value includes the rounding, and is exact in the certificate; no
split is claimed to be the best.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, localcontext
from fractions import Fraction
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.tables.table_noise import MarginNoise, NormalMargins
from optmech.proofs.tables.count_bound import decimal, precise
from optmech.proofs.tables.geometric import rounding
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.arrays import Floats
    from optmech.question.tables.margins import Axes, Margins
    from optmech.question.tables.table_problem import TableProblem

_WEIGHT_BITS, _RATIO_BITS, _LEAST_PART = 16, 44, Fraction(1, 10**5)
# Shares are searched for up to so many margins, from so many candidates, by parts of all shares.
_SEARCHED, _STARTS, _TINY = 16, 3, 1e-100
_PARTS, _WORTH = (0.4, 0.2, 0.1, 0.05, 0.025, 0.01, 0.004, 0.001), 1e-7


class _Table:
    """The variances of a question for any shares, by bit masks of axes."""

    def __init__(self, problem: TableProblem, epsilon: Fraction) -> None:
        self.problem, self.epsilon = problem, float(epsilon)
        shape = problem.shape
        self.margins = [
            frozenset(i for i in range(len(shape.sizes)) if mask >> i & 1)
            for mask in range(2 ** len(shape.sizes))
        ]
        self.out = np.array([float(shape.out(margin)) for margin in self.margins])
        self.freedom = np.array([float(shape.freedom(margin)) for margin in self.margins])
        self.cells = np.array([float(shape.cells(margin)) for margin in self.margins])
        self.rounding = np.array([float(rounding(shape, margin)) for margin in self.margins])
        self.asked = np.array([margin in set(problem.totals) for margin in self.margins])
        weights = problem.weights
        self.weights = None if weights is None else np.array([float(weights.get(m, 0)) for m in self.margins])
        masks = [mask for mask in range(len(self.margins)) if self.asked[mask]]
        self.largest = [
            mask for mask in masks if not any(mask != other and mask & other == mask for other in masks)
        ]
        self.below = np.array(
            [any(mask & top == mask for top in self.largest) for mask in range(len(self.margins))]
        )

        self.free: list[int] = np.flatnonzero(self.below).tolist()

    def loss(self, shares: Floats) -> float:
        """Return the objective for shares of all margins, with the rounding."""
        precision = _sums(self.out * (np.cosh(self.epsilon * shares) - 1), above=True)
        own = np.where(self.below, self.freedom / np.maximum(precision, _TINY), 0)
        variances = self.out / self.cells * _sums(own, above=False)
        if (shares > 0).sum() > 1 or not shares[-1]:
            variances = variances + self.rounding
        if self.weights is None:
            return float(variances[self.asked].max())
        return float((self.weights * self.cells * variances)[self.asked].sum())

    def candidates(self) -> list[Floats]:
        """Return equal shares of the margins that leave out some of the axes of a set, best first."""
        masks = np.arange(len(self.margins))
        found: dict[bytes, Floats] = {}
        for chosen in masks:
            asked = np.zeros(len(masks), dtype=bool)
            for top in self.largest:
                asked |= (masks & ~top == 0) & (top & ~chosen & ~masks == 0)
            found[asked.tobytes()] = asked / asked.sum()
        found[self.asked.tobytes()] = self.asked / self.asked.sum()
        return sorted(found.values(), key=self.loss)

    def searched(self, start: Floats) -> Floats:
        """Return better shares: again and again some of all shares goes to one margin, or one has none."""
        shares, least = start, self.loss(start)
        parts = list(_PARTS)
        while parts:
            tries = [
                shares * (1 - parts[0]) + parts[0] * np.eye(1, len(shares), margin)[0] for margin in self.free
            ]
            tries += [self._without(shares, margin) for margin in self.free if 0 < shares[margin] < 1]
            losses = [self.loss(each) for each in tries]
            best = int(np.argmin(losses))
            if losses[best] < least * (1 - _WORTH):
                shares, least = tries[best], losses[best]
            else:
                parts.pop(0)
        return shares

    def _without(self, shares: Floats, margin: int) -> Floats:
        left = shares.copy()
        left[margin] = 0
        return np.asarray(left / left.sum())


def _sums(values: Floats, *, above: bool) -> Floats:
    """Return the sums over all supersets, or subsets, of each mask."""
    table = values.copy()
    step = 1
    while step < len(table):
        pairs = table.reshape(-1, 2, step)
        pairs[:, int(not above)] += pairs[:, int(above)]
        step *= 2
    return table


def best_shares(problem: TableProblem, epsilon: Fraction) -> dict[Axes, Fraction]:
    """Return the share of epsilon of each margin with noise of its own; they add up to at most 1."""
    table = _Table(problem, epsilon / problem.person.at_most)
    found = table.candidates()
    if 1 < len(table.free) <= _SEARCHED:
        cells = np.eye(1, len(table.margins), len(table.margins) - 1)[0]
        found += [table.searched(start) for start in (cells, *found[:_STARTS]) if table.below[-1]]
    best = min(found, key=table.loss)
    return {
        margin: Fraction(int(share * 2**_RATIO_BITS), 2**_RATIO_BITS)
        for margin, share in zip(table.margins, best.tolist(), strict=True)
        if share
    }


def margin_noise(problem: TableProblem, epsilon: Fraction, shares: dict[Axes, Fraction]) -> MarginNoise:
    """Return the noise of these shares: ratios rounded up."""
    shape, rows = problem.shape, problem.person.at_most
    ratios = {margin: _ratio(epsilon * share / rows) for margin, share in shares.items()}
    own = {m: float(shape.out(m) * (1 - a) ** 2 / a) for m, a in ratios.items()}
    return MarginNoise(shape.sizes, ratios, *_weights(shape, own))


def normal_margins(problem: TableProblem, rho: Fraction, variances: Mapping[Axes, Fraction]) -> NormalMargins:
    """Return normal noise on margins, s_A nearly these: 1/s_A is the sum of out_S/s_S, A in S.

    Margins whose precision would be none, or below, are not asked.
    """
    shape = problem.shape
    precision = {}
    for margin in subsets(shape.every):
        above = [part for part in variances if margin <= part]
        own = sum(((-1) ** len(part - margin) / variances[part] for part in above), Fraction())
        if own > sum((1 / variances[part] for part in above), Fraction()) * _LEAST_PART:
            precision[margin] = float(own)
    total = sum(value / shape.out(margin) for margin, value in precision.items())
    scale = 2 * float(rho) / problem.person.at_most**2 / total * (1 - 2.0**-_RATIO_BITS)
    spreads = {margin: Fraction(shape.out(margin) / (value * scale)) for margin, value in precision.items()}
    return NormalMargins(shape.sizes, spreads, *_weights(shape, precision))


def _weights(shape: Margins, precision: Mapping[Axes, float]) -> tuple[dict[tuple[Axes, Axes], int], int]:
    """Return the weights of least squares to 16 bits, and these bits."""
    bits = _WEIGHT_BITS if len(precision) > 1 else 0
    weights: dict[tuple[Axes, Axes], int] = {}
    for part in subsets(shape.every):
        above = [margin for margin in precision if part <= margin]
        if not above:
            continue
        total = sum(precision[margin] for margin in above)
        whole = {margin: round(precision[margin] / total * 2**bits) for margin in above}
        whole[max(above, key=lambda margin: precision[margin])] += 2**bits - sum(whole.values())
        weights |= {(part, margin): number for margin, number in whole.items()}
    return weights, bits


def _ratio(epsilon: Fraction) -> Fraction:
    """Return e^-epsilon, rounded up."""
    bits = _RATIO_BITS + max(0, ceil(-log2(epsilon)), ceil(epsilon * Fraction(3, 2)))
    with localcontext(precise()) as context:
        value = (-decimal(epsilon)).exp() * 2**bits
        context.rounding = ROUND_CEILING
        whole = int(value.to_integral_value()) + 1
    return Fraction(whole, 2**bits)
