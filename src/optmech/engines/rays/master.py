"""The master program: how much of each ray, so that every truth has probability one in all.

Where the question is its own mirror image a ray stands for itself and its image, half of each, and one row
for two truths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.model import Block, LinearModel
from optmech.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.engines.rays.private_rows import PrivateRows
    from optmech.solution import Solution

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Master", "Mixture"]

# Solvers drop smaller coefficients.
_DROPPED = 1e-12
# Less of a ray than this is a solver's rounding.
_USED = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """What the master program says.

    Attributes
    ----------
    solution : Solution
        The solver's word.
    prices : ndarray, shape (num_truths,)
        What each truth is worth.
    weights : ndarray, shape (num_rays,)
        How much of each ray.
    """

    solution: Solution
    prices: Floats
    weights: Floats


class Master:
    """All rays found so far, each with the response that it serves best.

    Parameters
    ----------
    rows : PrivateRows
        The question.
    solve : callable
        Solves a program that has only grown by columns since the last call.
    """

    def __init__(self, rows: PrivateRows, solve: Callable[[LinearModel], Solution]) -> None:
        """Start without rays."""
        self._rows = rows
        self._solve = solve
        truths = rows.costs.shape[1]
        self._equations = (truths + 1) // 2 if rows.mirrored else truths
        self._known: set[tuple[int, bytes]] = set()
        self.responses = np.empty(0, dtype=np.int64)
        self.levels = np.empty((0, truths), dtype=np.int64)
        self._costs = np.empty(0)
        self._table = sparse.csc_array((self._equations, 0))

    def add(self, levels: Integers) -> int:
        """Add rays, each for the response that it serves at the least cost; return how many are new.

        Parameters
        ----------
        levels : ndarray of int, shape (num_rays, num_truths)
        """
        rows = self._rows
        levels = levels - levels.max(axis=1, keepdims=True)
        costs = np.where(_admitted(rows, levels), np.exp(rows.epsilon * levels) @ rows.costs.T, np.inf)
        responses = costs.argmin(axis=1)
        if rows.mirrored:
            other = responses >= rows.priced
            responses[other] = len(rows.costs) - 1 - responses[other]
            levels[other] = levels[other, ::-1]
        new = []
        for place, (response, level) in enumerate(zip(responses.tolist(), levels, strict=True)):
            key = response, level.astype(np.int32).tobytes()
            if np.isfinite(costs[place]).any() and key not in self._known:
                self._known.add(key)
                new.append(place)
        if new:
            self._append(responses[new], levels[new])
        return len(new)

    def _append(self, responses: Integers, levels: Integers) -> None:
        rays = np.exp(self._rows.epsilon * levels)
        costs = (self._rows.costs[responses] * rays).sum(axis=1)
        table = self._folded(rays)
        table[table < _DROPPED] = 0.0
        self.responses = np.concatenate([self.responses, responses])
        self.levels = np.concatenate([self.levels, levels])
        self._costs = np.concatenate([self._costs, costs])
        self._table = sparse.csc_array(sparse.hstack([self._table, sparse.csc_array(table.T)]))

    def _folded(self, rays: Floats) -> Floats:
        if not self._rows.mirrored:
            return rays.copy()
        folded: Floats = (rays + rays[:, ::-1])[:, : self._equations] / 2
        return folded

    def solve(self) -> Mixture:
        """Return the best mixture of the rays so far."""
        number = len(self._costs)
        solution = self._solve(
            LinearModel(
                name="rays",
                columns=(Block(name="w", indices=np.arange(number)[:, None]),),
                rows=(Block(name="total", indices=np.arange(self._equations)[:, None]),),
                cost=self._costs,
                offset=0.0,
                matrix=self._table,
                row_lower=np.ones(self._equations),
                row_upper=np.ones(self._equations),
                column_lower=np.zeros(number),
                column_upper=np.full(number, np.inf),
                integer=np.zeros(number, dtype=bool),
            )
        )
        missing = solution.status is not Status.OPTIMAL or solution.row_duals is None
        weights = np.zeros(number) if solution.values is None else np.maximum(solution.values, 0.0)
        duals = np.zeros(self._equations) if missing else np.array(solution.row_duals)
        return Mixture(solution=solution, prices=self._unfolded(duals), weights=weights)

    def _unfolded(self, duals: Floats) -> Floats:
        """Return a price for each truth: an equation for two truths is worth half to each of them."""
        truths = self._rows.costs.shape[1]
        if not self._rows.mirrored:
            return duals
        prices = np.empty(truths)
        prices[: self._equations] = duals / 2
        prices[::-1][: self._equations] = duals / 2
        if truths % 2:
            prices[self._equations - 1] = duals[-1]
        return prices

    def polished(self, weights: Floats) -> Floats:
        """Return weights whose sums are one to a double's last digits, where that takes no ray away."""
        used = np.flatnonzero(weights > _USED)
        table = self._folded(np.exp(self._rows.epsilon * self.levels[used])).T
        change = np.linalg.lstsq(table, 1 - table @ weights[used], rcond=None)[0]
        better = np.zeros_like(weights)
        better[used] = weights[used] + change
        sums = np.abs(table @ better[used] - 1).max()
        return better if better.min() >= 0 and sums < np.abs(table @ weights[used] - 1).max() else weights

    def matrix(self, weights: Floats) -> Floats:
        """Return the mechanism matrix that a mixture makes, shape (num_responses, num_truths)."""
        rows = self._rows
        made = np.zeros(rows.costs.shape)
        used = np.flatnonzero(weights > _USED)
        np.add.at(made, self.responses[used], weights[used, None] * np.exp(rows.epsilon * self.levels[used]))
        return (made + made[::-1, ::-1]) / 2 if rows.mirrored else made


def _admitted(rows: PrivateRows, levels: Integers) -> NDArray[np.bool_]:
    """Return which responses may have which rays, shape (num_rays, num_responses)."""
    if rows.order is None:
        return np.ones((1, 1), dtype=bool)
    steps = np.diff(levels, axis=1)
    last = steps.shape[1]
    falls, rises = steps < 0, steps > 0
    first_fall = np.where(falls.any(axis=1), falls.argmax(axis=1), last)
    last_rise = np.where(rises.any(axis=1), last - 1 - rises[:, ::-1].argmax(axis=1), -1)
    rising, falling = rows.order
    admitted: NDArray[np.bool_] = (first_fall[:, None] >= rising) & (last_rise[:, None] < falling)
    return admitted
