"""Best covariance of the margins of a table, as rationals that keep the budget exactly.

Source: Xiao, He, Zhang, Kifer 2023; Lebeda, Nikolov, Tang 2025. s_A is in proportion to sqrt(p_A / v_A), see
`proofs/tables/covariance.py`. Where all margins are published, the largest variance is least with

    s_A = prod_(i in A) 2  prod_(i not in A) 2 / (n_i + 1),   prices c_S = prod_(i not in S) (n_i + 2).

For other sets of margins prices are the optimum of a small concave program, by Newton's method.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.tables.covariance import root_below, spent
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.arrays import Floats
    from optmech.question.tables.margins import Axes, Margins
    from optmech.question.tables.table_problem import TableProblem

_BITS = 44
# Interactions that nobody asks for spend at most so small a part of the budget.
_HIDDEN = 10**6
_GAP, _ROUNDS, _MOST_STEPS, _SHORT = 1e-11, 60, 60, 2**128


def best_prices(problem: TableProblem) -> Mapping[Axes, Fraction]:
    """Return the price of one number of each margin, for which the best covariance is the one wanted."""
    shape, weights = problem.shape, problem.weights
    if weights is not None:
        return weights
    if len(problem.totals) == 2 ** len(shape.sizes):
        return {
            margin: Fraction(prod(shape.sizes[axis] + 2 for axis in shape.every - margin))
            for margin in problem.totals
        }
    return _program(shape, problem.totals)


def _program(shape: Margins, totals: tuple[Axes, ...]) -> dict[Axes, Fraction]:
    """Return prices w of margins that maximise sum_A sqrt(p_A (K'w)_A), sum w = 1."""
    parts = [part for part in subsets(shape.every) if any(part <= margin for margin in totals)]
    price = np.array([float(shape.price(part)) for part in parts])
    table: Floats = np.array(
        [[float(shape.coefficient(m, p)) if p <= m else 0.0 for p in parts] for m in totals]
    )
    own = np.full(len(totals), 1 / len(totals))
    barrier = 1.0
    for _ in range(_ROUNDS):
        for _ in range(_MOST_STEPS):
            value = own @ table
            slope = table @ np.sqrt(price / value) / 2 + barrier / own
            curve = (table * (np.sqrt(price) * value**-1.5 / 4)) @ table.T + np.diag(barrier / own**2)
            ways = np.linalg.solve(curve, np.column_stack([slope, np.ones(len(own))]))
            step = ways[:, 0] - ways[:, 1] * (ways[:, 0].sum() / ways[:, 1].sum())
            own += step * min(1.0, 0.9 / max(1e-300, (-step / own).max()))
            if abs(slope @ step) < barrier * 1e-3:
                break
        if 2 * barrier * len(own) < _GAP * np.sqrt(price * (own @ table)).sum():
            break
        barrier /= 8
    return {
        margin: Fraction(f"{weight:.15g}") / shape.cells(margin)
        for margin, weight in zip(totals, own.tolist(), strict=True)
    }


def best_variances(
    problem: TableProblem, rho: Fraction, prices: Mapping[Axes, Fraction]
) -> dict[Axes, Fraction]:
    """Return s_A of each interaction, with which one person spends at most rho."""
    shape = problem.shape
    if problem.weights is None and len(problem.totals) == 2 ** len(shape.sizes):
        own = {part: _of_same_errors(shape, part) for part in subsets(shape.every)}
    else:
        own = _of_prices(shape, prices)
    scaled = _scaled(own, spent(shape, own, problem.person) / rho)
    if max(value.denominator for value in scaled.values()) < _SHORT and problem.weights is None:
        return scaled
    most = min(scaled.values())
    bits = _BITS - (most.numerator.bit_length() - most.denominator.bit_length())
    short = _rounded_up(scaled, bits)
    while spent(shape, short, problem.person) > rho:  # off the diagonal larger variances may cost more
        short = _rounded_up(_scaled(short, 1 + Fraction(1, 2**_BITS)), bits)
    return short


def _of_same_errors(shape: Margins, part: Axes) -> Fraction:
    """Return s_A, with which all numbers of all margins have the same variance."""
    return Fraction(
        2 ** len(shape.sizes), prod(size + 1 for axis, size in enumerate(shape.sizes) if axis not in part)
    )


def _of_prices(shape: Margins, prices: Mapping[Axes, Fraction]) -> dict[Axes, Fraction]:
    scaled = {margin: price * shape.out(margin) for margin, price in prices.items()}
    found: dict[Axes, Fraction] = {}
    for part in subsets(shape.every):
        value = sum((price for margin, price in scaled.items() if part <= margin), Fraction())
        if value:
            found[part] = 1 / root_below(value * shape.cells(shape.every))
    hidden = _HIDDEN / sum((shape.price(part) / value for part, value in found.items()), Fraction())
    return {part: found.get(part, hidden) for part in subsets(shape.every)}


def _scaled(variances: Mapping[Axes, Fraction], factor: Fraction) -> dict[Axes, Fraction]:
    return {part: value * factor for part, value in variances.items()}


def _rounded_up(variances: Mapping[Axes, Fraction], bits: int) -> dict[Axes, Fraction]:
    scale = Fraction(2) ** bits
    return {part: Fraction(-(-(value * scale) // 1)) / scale for part, value in variances.items()}
