"""Mixtures of rays for the worst truth: central prices, a prior among them, and pricing in turn.

Law: for any prior of the truths, no mechanism is better at the worst truth than the best one is on average.
So the bound of `search` is one here, with losses times the prior for costs. Prices of totals and a prior come
from the program of the rays so far (`central_point`), ever nearer to its optimum as the gap closes.

A row may be measured at any truth, as its entry there is at most one. Where the prior of its home is small it
is measured again at the top of its cheapest ray, which often says more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.reached import reach
from optmech.base.time_left import seconds_left
from optmech.designs.attempts import Deadline
from optmech.designs.engine_result import solution_of_search
from optmech.designs.rays.central_point import WorstProgram
from optmech.designs.rays.early import geometric_matrix, raise_bound
from optmech.designs.rays.master import Master
from optmech.designs.rays.search import RayAnswer, lower_bound, of_all_responses
from optmech.designs.rays.within_reach import staircases

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.rays.central_point import Point
    from optmech.designs.rays.private_rows import PrivateRows
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import SolveOptions

# The target of the relative gap, and that of a search that has not failed.
_TARGET_GAP, _GOOD_GAP = 1e-10, 1e-6
# The first program is solved to so much, and each as much more exactly than the gap before it.
_FIRST_GOAL, _MORE_EXACTLY, _LAST_GOAL = 1e-2, 0.1, 1e-11
# A ray that costs less than nothing by less, relatively to what it is made of, is rounding.
_ROUNDING = 1e-13
# From this gap on mixtures keep their sums exactly.
_NEAR = 1e-5
_MOST_ROUNDS, _PATIENCE = 120, 2
# Prices that are the same at all truths are tried for this share of the time that is left, so often at most.
_TO_RAISE, _MOST_TRIED = 0.3, 24


class _Best(NamedTuple):
    """The best bound so far, the prior and the prices that gave it, and cheapest rays."""

    bound: float
    prior: Floats
    prices: Floats
    levels: Integers


class _Clock:
    """Steps before a deadline: none is begun that ends after it if it takes as long as the longest before."""

    def __init__(self, options: SolveOptions) -> None:
        self._deadline = Deadline.after(options.time_limit)
        self._last: float | None = None
        self._longest, self.is_over = 0.0, False

    def end(self) -> bool:
        """Whether there is no time for another step."""
        now, left = time.perf_counter(), self._deadline.seconds_left
        self._longest = max(self._longest, now - (self._last or now))
        self._last = now
        self.is_over = self._deadline.is_up or (left is not None and left <= self._longest)
        return self.is_over


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """The rays so far, and the part of each truth or pair of mirror images in totals and losses."""

    rows: PrivateRows
    master: Master

    @classmethod
    def first(cls, rows: PrivateRows) -> _Rays:
        rays = cls(rows, Master(rows, _nobody))
        rays.master.add(staircases(rows.costs.shape[1], rows.reach))
        return rays

    def program(self, before: WorstProgram | None) -> WorstProgram:
        """Return the program of all rays, given that of those before."""
        table = np.empty((2 * self.equations, 0)) if before is None else before.table
        new = slice(table.shape[1], None)
        rays = np.exp(self.rows.epsilon * self.master.levels[new])
        losses = self.rows.costs[self.master.responses[new]] * rays
        more = np.hstack([self._fold(rays), self._fold(losses)]).T
        return WorstProgram(np.hstack([table, more]))

    def level(self, point: Point) -> float:
        """Return the level of a point: the worst loss of its mixture, once that keeps all sums."""
        return float(point.values[-self.equations - 1])

    def mixture(self, values: Floats) -> Floats:
        """Return the mechanism of the values of the last program, its columns with a sum of one."""
        matrix = self.master.matrix(values[: -self.equations - 1])
        columns: Floats = matrix / matrix.sum(axis=0)
        return columns

    def priced(self, point: Point, best: _Best) -> tuple[_Best, int]:
        """Return the best bound now, and how many rays were added that the program lacked."""
        rows, priced = self.rows, self.rows.num_priced
        prices, prior = np.split(point.prices, 2)
        prior = np.maximum(-prior, 0.0)
        of_truths, share = self._of_truths(prior / prior.sum()), self._of_truths(prices / prior.sum())
        num_new = 0
        for found in _priced(rows, of_truths, share):
            best = max(best, found, key=lambda each: each.bound)
            rays = np.exp(rows.epsilon * (found.levels - found.levels.max(axis=1, keepdims=True)))
            entries = rays * (rows.costs[:priced] * of_truths - share)
            missing = entries.sum(axis=1) < -_ROUNDING * np.abs(entries).sum(axis=1)
            num_new += self.master.give(np.flatnonzero(missing), found.levels[missing])
        return best, num_new

    @property
    def equations(self) -> int:
        """Number of totals: of all truths, or of the first half of them where mirrored."""
        truths = len(self.rows.costs[0])
        return (truths + 1) // 2 if self.rows.mirrored else truths

    def _fold(self, entries: Floats) -> Floats:
        if not self.rows.mirrored:
            return entries
        folded: Floats = (entries + entries[:, ::-1])[:, : self.equations] / 2
        return folded

    def _of_truths(self, values: Floats) -> Floats:
        """Return a value for each truth: one for two truths is worth half to each of them."""
        truths = self.rows.costs.shape[1]
        if not self.rows.mirrored:
            return values
        unfolded = np.empty(truths)
        unfolded[: self.equations] = unfolded[::-1][: self.equations] = values / 2
        if truths % 2:
            unfolded[self.equations - 1] = values[-1]
        return unfolded


def search_worst(rows: PrivateRows, options: SolveOptions) -> RayAnswer:
    """Return the best mixture of rays found for the worst truth; costs of the rows are losses.

    It takes the seconds of the options at most.
    """
    start, clock = time.perf_counter(), _Clock(options)
    rays, truths = _Rays.first(rows), rows.costs.shape[1]
    matrix = geometric_matrix(rows)
    loss = _worst_loss(rows, matrix)
    best = _priced(rows, np.full(truths, 1 / truths), np.zeros(truths))[0]
    program: WorstProgram | None = None
    goal, in_vain = _FIRST_GOAL, 0
    for _ in range(_MOST_ROUNDS):
        before = loss, best.bound
        program = rays.program(program)
        point = program.central(goal, clock.end)
        if goal <= _NEAR or clock.is_over:
            candidate = rays.mixture(program.kept(point.values))
            if (loss_of_candidate := _worst_loss(rows, candidate)) < loss:
                matrix, loss = candidate, loss_of_candidate
        best, num_new = rays.priced(point, best)
        reach(best=loss * rows.unit, bound=best.bound * rows.unit)
        in_vain = 0 if num_new or (loss, best.bound) != before else in_vain + 1
        if loss - best.bound <= _TARGET_GAP * loss or clock.is_over or in_vain >= _PATIENCE:
            break
        level = rays.level(point)
        goal = max(min(_FIRST_GOAL, _MORE_EXACTLY * abs(level - best.bound) / level), _LAST_GOAL)
    if clock.is_over and loss - best.bound > _GOOD_GAP * loss:
        best = _raised(rows, matrix, best)
    objective, bound = loss * rows.unit, best.bound * rows.unit
    none = np.empty(0)
    return RayAnswer(
        matrix=matrix,
        prices=best.prices * rows.unit,
        rows=replace(rows, costs=rows.costs * best.prior),
        ties=none.astype(np.int64),
        duals=none,
        levels=of_all_responses(rows, best.levels),
        objective=objective,
        bound=bound,
        solution=solution_of_search(
            method="central prices of rays",
            message=f"{len(rays.master.levels):,} rays",
            seconds=time.perf_counter() - start,
            objective=objective,
            bound=bound,
            good_gap=_GOOD_GAP,
            is_stopped=clock.is_over,
        ),
        prior=best.prior,
    )


def _priced(rows: PrivateRows, prior: Floats, prices: Floats) -> list[_Best]:
    """Return the bounds of prices, with rows measured at home, and at the tops of these cheapest rays."""
    under = replace(rows, costs=rows.costs * prior)
    found = []
    for _ in range(2):
        least, levels = under.cheapest(prices)
        found.append(_Best(lower_bound(under, prices, least), prior, prices, levels))
        home = under.home.copy()
        home[: rows.num_priced] = levels.argmax(axis=1)
        under = replace(under, home=home)
    return found


def _raised(rows: PrivateRows, matrix: Floats, best: _Best) -> _Best:
    """Return the best bound of prices that are the same at all truths, with a prior alike."""
    left, truths, rounds = seconds_left(), rows.costs.shape[1], count()
    trying = Deadline.after(None if left is None else left * _TO_RAISE)
    prior = np.full(truths, 1 / truths)

    def bound_of(price: float) -> float | None:
        nonlocal best
        if trying.is_up or next(rounds) >= _MOST_TRIED:
            return None
        found = _priced(rows, prior, np.full(truths, price))[0]
        best = max(best, found, key=lambda each: each.bound)
        return found.bound

    raise_bound(float((rows.costs * matrix).mean(axis=1).sum()) / truths, bound_of)
    return best


def _worst_loss(rows: PrivateRows, matrix: Floats) -> float:
    return float((rows.costs * matrix).sum(axis=0).max())


def _nobody(_: LinearModel) -> Solution:
    raise AssertionError  # central points need no solver
