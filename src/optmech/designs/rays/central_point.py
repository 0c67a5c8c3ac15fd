"""Central points of a program for the worst truth, by an interior-point method on dense columns.

Program
-------
    min   T
    s.t.  sum_j x_j w_j = 1               totals
          sum_j l_j w_j + s - T 1 = 0     losses
          w, T, s >= 0

with the rays x_j and their losses l_j, a column of the table each. Its values are w, T, s in that order, its
prices those of totals and losses, and ``reduced`` what prices leave of the costs: of s the prior.

The simplex method needs thousands of steps where all losses are nearly equal, and its prices swing from one
program to the next. Central prices are near those of the next program, so that few rays are missing.

Source: Mehrotra 1992; for column generation with central prices Gondzio, González-Brevis, Munari 2013.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import linalg
from scipy.linalg import blas

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats

_MOST_STEPS = 60
# A point this far below its goal whose sums are not right any more will not get them right.
_FAR_BELOW = 1e-3
_KEPT = 0.1
# Added to a unit diagonal where rounding leaves a system indefinite.
_RIDGES = (1e-15, 1e-13, 1e-11, 1e-9)
_REFINED, _PROJECTED = 2, 3
_LEAST_CENTRE, _MOST_CENTRE, _USUAL = 1e-3, 0.9, 0.995
# First values: a level above the largest loss, and costs of rays that are not much less than others.
_ABOVE, _LEAST_REDUCED, _FIRST_REST = 1.5, 1e-2, 0.1
# Values below are rounding.
_LEAST_VALUE = 1e-13


class Point(NamedTuple):
    """Values, prices and reduced costs of a program."""

    values: Floats
    prices: Floats
    reduced: Floats


@dataclass(frozen=True, slots=True, eq=False)
class WorstProgram:
    """The program of a table of rays, shape (2 * equations, num_rays): totals above losses."""

    table: Floats
    equations: int = field(init=False)
    right: Floats = field(init=False)
    costs: Floats = field(init=False)

    def __post_init__(self) -> None:
        equations, rays = len(self.table) // 2, self.table.shape[1]
        object.__setattr__(self, "equations", equations)
        object.__setattr__(self, "right", np.repeat([1.0, 0.0], equations))
        object.__setattr__(self, "costs", np.concatenate([np.zeros(rays), [1.0], np.zeros(equations)]))

    def sums(self, values: Floats) -> Floats:
        """Return the left sides of totals and losses."""
        number = self.equations
        sums: Floats = self.table @ values[: -number - 1]
        sums[number:] += values[-number:] - values[-number - 1]
        return sums

    def worths(self, prices: Floats) -> Floats:
        """Return what the prices make of each value."""
        losses = prices[self.equations :]
        return np.concatenate([self.table.T @ prices, [-losses.sum()], losses])

    def first(self) -> Point:
        """Return a point: as much of each ray, a level above all losses, and the truths alike."""
        number, rays = self.equations, self.table.shape[1]
        weights = np.full(rays, 1 / self.table[:number].sum(axis=1).mean())
        losses = self.table[number:] @ weights
        level = _ABOVE * losses.max()
        prior = np.full(number, 1 / number)
        costs = self.table[number:].T @ prior
        reduced = np.maximum(costs, _LEAST_REDUCED * costs.max())
        return Point(
            np.concatenate([weights, [level], level - losses]),
            np.concatenate([np.zeros(number), -prior]),
            np.concatenate([reduced, [_FIRST_REST], prior]),
        )

    def central(self, goal: float, is_up: Callable[[], bool]) -> Point:
        """Return a point whose products of values and reduced costs are the `goal` of the level in all.

        It is an earlier one where time is up, or where doubles hold no such point.
        """
        point = self.first()
        with np.errstate(all="ignore"):  # a step that is no number ends the search
            for _ in range(_MOST_STEPS):
                lack = self.right - self.sums(point.values)
                rest = self.costs - self.worths(point.prices) - point.reduced
                level = float(point.values[-self.equations - 1])
                share = float(point.values @ point.reduced) / level
                kept = max(np.abs(lack).max(), np.abs(rest).max() / level) < _KEPT * goal
                if share < goal and (kept or share < _FAR_BELOW * goal):
                    break
                following = None if is_up() else self._next(point, lack, rest)
                if following is None or not all(np.isfinite(part).all() for part in following):
                    break
                point = following
        return point

    def _next(self, point: Point, lack: Floats, rest: Floats) -> Point | None:
        """Return the next point, ``None`` where its system has no factors."""
        values, prices, reduced = point
        shape = values / reduced
        system = _System.of(self, shape)
        if system is None:
            return None

        def direction(products: Floats) -> Point:
            kept = products / reduced - shape * rest
            of_prices = system.solve(lack - self.sums(kept))
            worths = self.worths(of_prices)
            of_values = kept + shape * worths
            # The smaller one of a value and its reduced cost follows from the larger.
            of_reduced = np.where(values > reduced, (products - reduced * of_values) / values, rest - worths)
            return Point(of_values, of_prices, of_reduced)

        mean = float(values @ reduced) / len(values)
        affine = direction(-values * reduced)
        reached = (values + _length(values, affine.values) * affine.values) @ (
            reduced + _length(reduced, affine.reduced) * affine.reduced
        )
        centre = min(max((float(reached) / len(values) / mean) ** 3, _LEAST_CENTRE), _MOST_CENTRE)
        step = direction(centre * mean - values * reduced - affine.values * affine.reduced)
        primal = _USUAL * _length(values, step.values)
        dual = _USUAL * _length(reduced, step.reduced)
        return Point(
            values + primal * step.values, prices + dual * step.prices, reduced + dual * step.reduced
        )

    def kept(self, values: Floats) -> Floats:
        """Return values near the given ones that keep all sums to a double's last digits.

        They change least relatively to what they are.
        """
        number = self.equations
        values = np.where(values > _LEAST_VALUE, values, 0.0)
        some = np.flatnonzero(values)
        whole = np.hstack(
            [self.table, np.repeat([[0.0], [-1.0]], number, axis=0), np.eye(2 * number)[:, number:]]
        )
        scaled = whole[:, some] * values[some]
        scale = 1 / np.sqrt((scaled**2).sum(axis=1))
        factors = np.linalg.qr((scaled * scale[:, None]).T)
        for _ in range(_PROJECTED):
            lack = scale * (self.right - self.sums(values))
            shares = factors.Q @ linalg.solve_triangular(factors.R, lack, trans=1, check_finite=False)
            if not (np.abs(shares) < 1).all():
                break
            values[some] += values[some] * shares
        return values


class _System(NamedTuple):
    """The system of prices, ``A diag(shape) A'`` of all columns A, with a unit diagonal, and its factors."""

    factors: tuple[Floats, bool]
    scaled: Floats
    scale: Floats

    @classmethod
    def of(cls, program: WorstProgram, shape: Floats) -> _System | None:
        number = program.equations
        upper = np.array(blas.dsyrk(1.0, program.table * np.sqrt(shape[: -number - 1])))
        upper[number:, number:] += shape[-number - 1]
        losses = np.arange(number, 2 * number)
        upper[losses, losses] += shape[-number:]
        scale = 1 / np.sqrt(np.diag(upper))
        upper *= scale[:, None]
        upper *= scale
        if not np.isfinite(np.diag(upper)).all():
            return None
        scaled = np.triu(upper) + np.triu(upper, 1).T
        for ridge in _RIDGES:
            try:
                factors = linalg.cho_factor(scaled + ridge * np.eye(2 * number), check_finite=False)
            except linalg.LinAlgError:
                continue
            return cls(factors, scaled, scale)
        return None

    def solve(self, right: Floats) -> Floats:
        """Return the solution, refined."""
        right = self.scale * right
        solution = linalg.cho_solve(self.factors, right, check_finite=False)
        for _ in range(_REFINED):
            solution = solution + linalg.cho_solve(
                self.factors, right - self.scaled @ solution, check_finite=False
            )
        result: Floats = self.scale * solution
        return result


def _length(values: Floats, step: Floats) -> float:
    """Return how far values can go until one is zero, at most 1."""
    falls = step < 0
    return float(np.min(-values[falls] / step[falls], initial=1.0))
