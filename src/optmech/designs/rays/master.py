"""The master program: how much of each ray, so that every truth has probability one in all.

Where the question is its own mirror image a ray stands for itself and its image, half of each, and one row
for two truths. Ties of `coupling` are rows as well; of fairness the common probability is a column.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.designs.rays.coupling import Ties
from optmech.designs.rays.slopes import Slopes
from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.rays.private_rows import PrivateRows
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution

# Solvers drop smaller coefficients.
_NEGLIGIBLE = 1e-12
# Less of a ray than this is a solver's rounding.
_LEAST_WEIGHT = 1e-13
# A tie with less room is one without.
_TIGHT = 1e-8


class Mixture(NamedTuple):
    """The solution of the master program: prices of truths, duals of ties, and the weight of each ray."""

    solution: Solution
    prices: Floats
    duals: Floats
    weights: Floats


class Master:
    """All rays found so far, each with a response that may have it.

    The solver sees a program that has only grown by columns and rows since the last call.
    """

    def __init__(self, rows: PrivateRows, solve: Callable[[LinearModel], Solution]) -> None:
        self._rows = rows
        self._solve = solve
        truths = rows.costs.shape[1]
        self._equations = (truths + 1) // 2 if rows.mirrored else truths
        self._slopes = Slopes.of(truths, rows.reach, rows.epsilon)
        self._known: set[tuple[int, bytes]] = set()
        self.responses = np.empty(0, dtype=np.int64)
        self.levels = np.empty((0, truths), dtype=np.int64)
        self._costs = np.empty(0)
        self._table = sparse.csc_array((self._equations, 0))
        self.ties = Ties.none(rows.costs.size)
        coupling = rows.coupling
        self._common = int(coupling is not None and len(coupling.fair) > 0)
        self._fair = 0  # the number of ties of fairness, which come first
        self._tied = np.zeros(0 if coupling is None else len(coupling.ordered), dtype=bool)

    def add(self, levels: Integers, costs: Floats | None = None) -> int:
        """Add rays, each for the response that it serves at the least cost; return how many are new.

        Absent costs of entries are those without ties.
        """
        rows = self._rows
        levels = levels - levels.max(axis=1, keepdims=True)
        table = rows.costs if costs is None else costs
        costs_of_rays = np.where(_admissible(rows, levels), np.exp(rows.epsilon * levels) @ table.T, np.inf)
        responses, possible = costs_of_rays.argmin(axis=1), np.isfinite(costs_of_rays).any(axis=1)
        other = responses >= rows.num_priced
        if rows.mirrored:
            responses[other] = len(rows.costs) - 1 - responses[other]
            levels[other] = levels[other, ::-1]
        return self.give(responses[possible], levels[possible])

    def give(self, responses: Integers, levels: Integers) -> int:
        """Add rays for the responses named, which may have them; return how many are new."""
        levels = levels - levels.max(axis=1, keepdims=True)
        new = []
        for index, (response, level) in enumerate(zip(responses.tolist(), levels, strict=True)):
            key = response, level.astype(np.int32).tobytes()
            if key not in self._known:
                self._known.add(key)
                new.append(index)
        if new:
            self._append(responses[new], levels[new])
        return len(new)

    def _append(self, responses: Integers, levels: Integers) -> None:
        rays = np.exp(self._rows.epsilon * levels)
        costs = (self._rows.costs[responses] * rays).sum(axis=1)
        table = np.hstack([self._fold(self._combined(rays)), self.ties.of_rays(responses, rays)])
        table[np.abs(table) < _NEGLIGIBLE] = 0.0
        self.responses = np.concatenate([self.responses, responses])
        self.levels = np.concatenate([self.levels, levels])
        self._costs = np.concatenate([self._costs, costs])
        self._table = sparse.csc_array(sparse.hstack([self._table, sparse.csc_array(table.T)]))

    def _combined(self, values: Floats) -> Floats:
        """Return what the equations hold of values of all truths: themselves, or combinations of them."""
        return values if self._slopes is None else self._slopes.combine(values)

    def _fold(self, rays: Floats) -> Floats:
        if not self._rows.mirrored:
            return rays.copy()
        sums: Floats = (rays + rays[:, ::-1])[:, : self._equations] / 2
        return sums

    def tie(self, matrix: Floats) -> int:
        """Add the ties of fairness, and those of order that a matrix breaks; return how many are new."""
        coupling = self._rows.coupling
        if coupling is None:
            return 0
        broken_ties = coupling.violations(matrix) & ~self._tied
        self._tied |= broken_ties
        new = Ties.ordered(coupling, broken_ties, matrix)
        if self._common and not self._fair:
            new = Ties.fair(coupling).with_more(new)
            self._fair = len(coupling.fair)
        if len(new.pairs):
            table = new.of_rays(self.responses, np.exp(self._rows.epsilon * self.levels))
            table[np.abs(table) < _NEGLIGIBLE] = 0.0
            self.ties = self.ties.with_more(new)
            self._table = sparse.csc_array(sparse.vstack([self._table, sparse.csc_array(table.T)]))
        return len(new.pairs)

    def with_charges(self, duals: Floats) -> PrivateRows:
        """Return the rows with what ties add to the costs of their entries."""
        if self._rows.coupling is None:
            return self._rows
        charges = self.ties.table[: len(duals)].T @ duals
        return replace(self._rows, costs=self._rows.costs - charges.reshape(self._rows.costs.shape))

    def solve(self) -> Mixture:
        """Return the best mixture of the rays so far."""
        number, ties, fair = len(self._costs), len(self.ties.pairs), self._fair
        first = self._common
        matrix = self._table
        if first:
            common = np.zeros((matrix.shape[0], 1))
            common[self._equations : self._equations + fair] = -1.0
            matrix = sparse.csc_array(sparse.hstack([sparse.csc_array(common), matrix]))
        totals = self._fold(self._combined(np.ones((1, len(self._rows.costs[0])))))[0]
        lower = np.concatenate([totals, np.zeros(fair), np.full(ties - fair, -np.inf)])
        upper = np.concatenate([totals, np.zeros(ties)])
        costs = np.concatenate([np.zeros(first), self._costs])
        solution = self._solve(unnamed_program("rays", costs, matrix, rows=(lower, upper)))
        missing = solution.status is not Status.OPTIMAL or solution.row_duals is None
        weights = np.zeros(number) if solution.values is None else np.maximum(solution.values[first:], 0.0)
        duals = np.zeros(self._equations + ties) if missing else np.array(solution.row_duals)
        prices, charges = np.split(duals, [self._equations])
        charges[:fair] -= charges[:fair].sum() / max(fair, 1)  # the common probability costs nothing
        charges[fair:] = np.minimum(charges[fair:], 0.0)
        return Mixture(
            solution=solution, prices=self._combined(self._unfold(prices)), duals=charges, weights=weights
        )

    def _unfold(self, duals: Floats) -> Floats:
        """Return a price for each truth: an equation for two truths is worth half to each of them."""
        truths = self._rows.costs.shape[1]
        if not self._rows.mirrored:
            return duals
        prices = np.empty(truths)
        prices[: self._equations] = prices[::-1][: self._equations] = duals / 2
        if truths % 2:
            prices[self._equations - 1] = duals[-1]
        return prices

    def constant(self, solution: Solution) -> Mixture:
        """Return the best mixture that ignores the truth, for when no solver gives one."""
        flat = (self.levels == 0).all(axis=1)
        weights = np.zeros(len(self._costs))
        weights[np.argmin(np.where(flat, self._costs, np.inf))] = 1.0
        cost = float(self._costs @ weights)
        return Mixture(
            solution=replace(solution, objective=cost),
            prices=np.zeros(self._rows.costs.shape[1]),
            duals=np.zeros(len(self.ties.pairs)),
            weights=weights,
        )

    def polish(self, weights: Floats) -> Floats:
        """Return weights that keep sums and tight ties to a double's last digits, if none is negative."""
        nonzero = np.flatnonzero(weights > _LEAST_WEIGHT)
        rays = np.exp(self._rows.epsilon * self.levels[nonzero])
        ties = self.ties.of_rays(self.responses[nonzero], rays).T
        fair, tight = ties[: self._fair], ties[self._fair :]
        tight = tight[np.abs(tight @ weights[nonzero]) <= _TIGHT]
        if len(fair):  # equal to each other is equal to their mean
            fair -= fair.mean(axis=0)
        table = np.vstack([self._fold(rays).T, fair, tight])
        right = np.concatenate([np.ones(self._equations), np.zeros(len(fair) + len(tight))])
        change = np.linalg.lstsq(table, right - table @ weights[nonzero], rcond=None)[0]
        better = np.zeros_like(weights)
        better[nonzero] = weights[nonzero] + change
        errors = [np.abs(table @ candidate[nonzero] - right).max() for candidate in (better, weights)]
        return better if better.min() >= 0 and errors[0] < errors[1] else weights

    def matrix(self, weights: Floats) -> Floats:
        """Return the mechanism matrix that a mixture makes, shape (num_responses, num_truths)."""
        rows = self._rows
        entries = np.zeros(rows.costs.shape)
        nonzero = np.flatnonzero(weights > _LEAST_WEIGHT)
        np.add.at(
            entries,
            self.responses[nonzero],
            weights[nonzero, None] * np.exp(rows.epsilon * self.levels[nonzero]),
        )
        return (entries + entries[::-1, ::-1]) / 2 if rows.mirrored else entries


def _admissible(rows: PrivateRows, levels: Integers) -> Marks:
    """Return a mask of the responses that may have each ray, shape (num_rays, num_responses)."""
    if rows.order is None:
        return np.ones((1, 1), dtype=bool)
    steps = np.diff(levels, axis=1)
    last = steps.shape[1]
    falls, rises = steps < 0, steps > 0
    first_fall = np.where(falls.any(axis=1), falls.argmax(axis=1), last)
    last_rise = np.where(rises.any(axis=1), last - 1 - rises[:, ::-1].argmax(axis=1), -1)
    rising, falling = rows.order
    mask: Marks = (first_fall[:, None] >= rising) & (last_rise[:, None] < falling)
    return mask
