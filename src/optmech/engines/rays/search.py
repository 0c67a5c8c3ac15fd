"""Column generation: master and pricing in turn, until no ray is missing.

Bound: for any prices u, let v[r] <= 0 be what the cheapest ray of response r lacks, as a multiple of its
entry at home. A mechanism's row is a mixture of rays, and its entry at home is at most one, so

    cost(M)  >=  sum_f u[f] + sum over truths f of the least v[r] of the responses at home there.

The prices of a master program with few rays swing from one to the next. So pricing is done at a point
between those of the best bound so far and the master's, and at the master's own where that finds no ray.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.engines import program
from optmech.engines.rays.first_rays import staircases
from optmech.engines.rays.master import Master
from optmech.solution import Status
from optmech.solvers import installed
from optmech.solvers.growing import GrowingHighs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.engines.rays.master import Mixture
    from optmech.engines.rays.private_rows import PrivateRows
    from optmech.model import LinearModel
    from optmech.solution import Solution
    from optmech.solvers.options import SolveOptions

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["RayAnswer", "search"]

# Wanted is a gap of so much, relatively; what doubles can tell apart is about a hundredth of it.
_WANTED = 1e-10
# A ray that costs less than nothing by less, relatively to what it is made of, is rounding.
_ROUNDING = 1e-13
# How far from the best prices towards the master's pricing is done first.
_TOWARDS = 0.4
# After so many rounds without a better mixture or bound nothing more will come.
_PATIENCE = 60
# What a program gets where the time is up: enough for a solver to say so.
_LEAST_TIME = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RayAnswer:
    """What was found. All numbers are of doubles.

    Attributes
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
    prices : ndarray, shape (num_truths,)
        With the best bound.
    levels : ndarray of int, shape (num_responses, num_truths)
        Of each response's cheapest ray at these prices.
    objective, bound : float
        Of the matrix, and below every mechanism.
    solution : Solution
        The last master program's, its status and seconds those of the whole search.
    rays, rounds : int
    """

    matrix: Floats
    prices: Floats
    levels: Integers
    objective: float
    bound: float
    solution: Solution
    rays: int
    rounds: int


class _Programs:
    """Solves master programs: HiGHS from its last basis, anew after trouble, then whoever else there is."""

    def __init__(self, solver: str, options: SolveOptions) -> None:
        self._solver, self._options = solver, options
        self._end = None if options.time_limit is None else time.perf_counter() + options.time_limit
        grows = solver in ("auto", "highs") and "highs" in {backend.name for backend in installed()}
        self._growing = GrowingHighs(options) if grows else None

    def master(self, model: LinearModel) -> Solution:
        if self._growing is not None:
            solution = self._growing.solve(model, self._left())
            if solution.status in (Status.OPTIMAL, Status.LIMIT):
                return solution
            self._growing = GrowingHighs(self._options)
        return self.other(model)

    def other(self, model: LinearModel) -> Solution:
        return program.solve(model, self._solver, replace(self._options, time_limit=self._left()))

    def time_is_up(self) -> bool:
        return self._end is not None and time.perf_counter() >= self._end

    def _left(self) -> float | None:
        return None if self._end is None else max(self._end - time.perf_counter(), _LEAST_TIME)


@dataclass(slots=True)
class _Best:
    """The best bound so far, and the prices and rays that gave it."""

    bound: float
    prices: Floats
    levels: Integers


def search(
    rows: PrivateRows, solver: str, options: SolveOptions, wanted: float = _WANTED
) -> RayAnswer | None:
    """Return the best mixture of rays, or ``None`` where no solver gave one.

    Parameters
    ----------
    rows : PrivateRows
        The question.
    solver : {"auto", "highs", "cbc"}
    options : SolveOptions
        With the seconds that all may take together; when they are up the best so far is returned.
    wanted : float
        The relative gap at which to stop.
    """
    start = time.perf_counter()
    programs = _Programs(solver, options)
    master = Master(rows, programs.master)
    truths = rows.costs.shape[1]
    master.add(staircases(truths, rows.reach) if rows.reach else np.zeros((1, truths), dtype=np.int64))
    prices = np.zeros(truths)
    least, levels = rows.cheapest(prices, programs.other)
    best = _Best(_bound(rows, prices, least), prices, levels)
    mixture: Mixture | None = None
    ended, stalled, rounds = Status.LIMIT, 0, 0
    while stalled < _PATIENCE and not (mixture and programs.time_is_up()):
        found = master.solve()
        if found.solution.status is not Status.OPTIMAL:
            ended = found.solution.status
            mixture = mixture or (found if found.weights.any() else None)
            break
        before = best.bound, np.inf if mixture is None else _cost(mixture)
        mixture, rounds = found, rounds + 1
        added = _priced(rows, master, programs, found, best, first=rounds == 1)
        cost = _cost(found)
        if added == 0 or cost - best.bound <= wanted * abs(cost):
            ended = Status.OPTIMAL
            break
        moved = best.bound > before[0] + wanted * abs(cost) or cost < before[1] - wanted * abs(cost)
        stalled = 0 if moved else stalled + 1
    if mixture is None:
        return None
    matrix = master.matrix(master.polished(mixture.weights))
    objective, bound = float((rows.costs * matrix).sum()) * rows.unit, best.bound * rows.unit
    return RayAnswer(
        matrix=matrix,
        prices=best.prices * rows.unit,
        levels=_of_all_responses(rows, best.levels),
        objective=objective,
        bound=bound,
        solution=replace(
            mixture.solution,
            status=ended,
            seconds=time.perf_counter() - start,
            values=None,
            row_duals=None,
            objective=objective,
            bound=bound,
        ),
        rays=len(master.responses),
        rounds=rounds,
    )


def _cost(mixture: Mixture) -> float:
    return float(mixture.solution.objective or 0.0)


def _priced(
    rows: PrivateRows, master: Master, programs: _Programs, mixture: Mixture, best: _Best, *, first: bool
) -> int:
    """Improve the best bound in place, and return how many rays were added that the master program lacked."""
    for step in (1.0,) if first else (_TOWARDS, 1.0):
        prices = best.prices + step * (mixture.prices - best.prices)
        least, levels = rows.cheapest(prices, programs.other)
        bound = _bound(rows, prices, least)
        if bound > best.bound:
            best.bound, best.prices, best.levels = bound, prices, levels
        rays = np.exp(rows.epsilon * (levels - levels.max(axis=1, keepdims=True)))
        entries = rays * (rows.costs[: rows.priced] - mixture.prices)
        missing = entries.sum(axis=1) < -_ROUNDING * np.abs(entries).sum(axis=1)
        added = master.add(levels[missing]) if missing.any() else 0
        if added:
            return added
    return 0


def _bound(rows: PrivateRows, prices: Floats, least: Floats) -> float:
    """Return the sum of prices and, over truths, of what the responses at home there lack."""
    lacks = np.zeros(rows.costs.shape[1])
    np.minimum.at(lacks, rows.home[: rows.priced], least)
    if rows.mirrored:
        np.minimum(lacks, lacks[::-1].copy(), out=lacks)
    return float(prices.sum() + lacks.sum())


def _of_all_responses(rows: PrivateRows, levels: Integers) -> Integers:
    if not rows.mirrored:
        return levels
    others = levels[: len(rows.costs) - rows.priced]
    return np.concatenate([levels, others[::-1, ::-1]])
