"""Column generation: master and pricing in turn, until no ray is missing.

Bound: for any prices u, let v[r] <= 0 be what the cheapest ray of response r lacks, as a multiple of its
entry at home. A mechanism's row is a mixture of rays, and its entry at home is at most one, so

    cost(M)  >=  sum_f u[f] + sum over truths f of the least v[r] of the responses at home there.

The law of `coupling` makes it a bound with ties as well, for any duals: those of inequalities are not
positive, those of fairness sum to nothing. Ties that a mixture breaks are added once the gap is small.

The prices of a master program with few rays swing from one to the next. So pricing is done at a point
between those of the best bound so far and the master's, and at the master's own where that finds no ray.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.reached import reach
from optmech.base.time_left import seconds_left
from optmech.designs import attempts
from optmech.designs.attempts import Deadline
from optmech.designs.rays.early import geometric_matrix, raise_bound
from optmech.designs.rays.master import Master
from optmech.designs.rays.within_reach import staircases
from optmech.models.solution import Status
from optmech.models.solvers import installed_solvers
from optmech.models.solvers.warm import WarmHighs

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.rays.master import Mixture
    from optmech.designs.rays.private_rows import PrivateRows
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions

# The target of the relative gap; the resolution of doubles is about a hundredth of it.
_TARGET_GAP = 1e-10
# A ray that costs less than nothing by less, relatively to what it is made of, is rounding.
_ROUNDING = 1e-13
# From this gap on broken ties are sought: with other ones missing there is no need to close it.
_GAP_FOR_TIES = 1e-2
# Pricing is first done this far from the best prices towards the master's.
_TOWARDS = 0.4
# Prices alike for all truths, in units of a usual cost, whose cheapest rays have plateaus of several widths.
_PLATEAUS = 2.0 ** np.arange(-3, 7)
# The search stops after this many rounds without a better mixture or bound.
_PATIENCE = 60
# Prices that are the same at all truths are tried for this share of the time that is left, so often at most.
_TO_RAISE, _MOST_TRIED = 0.3, 24
# A search that stalls at a wider gap than this is lost in rounding.
_GOOD_GAP = 1e-6


class WeightedRays(NamedTuple):
    """Rays with their responses and weights; where the question is mirrored half is of the images."""

    responses: Integers
    levels: Integers
    weights: Floats


class RayAnswer(NamedTuple):
    """The best matrix and prices of a search. All numbers are of doubles."""

    matrix: Floats
    prices: Floats  # of truths, with the best bound
    rows: PrivateRows  # the question, with what ties add to its costs at these prices
    ties: Integers  # as in `coupling`
    duals: Floats  # what each tie is worth
    levels: Integers  # of each response's cheapest ray at these prices
    objective: float
    bound: float
    solution: Solution  # the last master program's, its status and seconds those of the whole search
    prior: Floats | None = None  # of truths, where the loss of the worst one is least
    mixture: WeightedRays | None = None  # the rays of the matrix, where it is made of them


class _Programs:
    """Solves master programs: HiGHS from its last basis, from scratch after errors, then other solvers."""

    def __init__(self, solver: str | Solver, options: SolveOptions) -> None:
        self._solver, self._options = solver, options
        self.deadline = Deadline.after(options.time_limit)
        grows = solver in ("auto", "highs") and "highs" in {backend.name for backend in installed_solvers()}
        self._growing = WarmHighs(options) if grows else None
        self._other = self.deadline.within_deadline(self._solve)

    def master(self, model: LinearModel) -> Solution:
        if self._growing is not None:
            solution = self._growing.solve(model, self.deadline.seconds_left)
            if solution.status in (Status.OPTIMAL, Status.LIMIT):
                return replace(solution, backend="highs")
            self._growing = WarmHighs(self._options)
        return self._other(model)

    def _solve(self, model: LinearModel) -> Solution:
        return attempts.solve(model, self._solver, self.deadline.within(self._options))


@dataclass(slots=True)
class _Best:
    """The best bound so far, and the prices, duals and rays that gave it."""

    bound: float
    prices: Floats
    duals: Floats
    levels: Integers


def search(rows: PrivateRows, solver: str | Solver, options: SolveOptions) -> RayAnswer:
    """Return the best mixture of rays found, or one that ignores the truth if no solver gave any.

    All programs together take the seconds of the options at most.
    """
    start = time.perf_counter()
    programs = _Programs(solver, options)
    master = Master(rows, programs.master)
    truths = rows.costs.shape[1]
    master.add(staircases(truths, rows.reach))
    if rows.order is not None:  # few staircases keep to an order
        for level in _PLATEAUS:
            master.add(of_all_responses(rows, rows.cheapest(np.full(truths, level))[1]))
    if rows.coupling is not None:  # all responses alike keep all ties
        master.give(np.arange(rows.num_priced), np.zeros((rows.num_priced, truths), dtype=np.int64))
    prices, duals = np.zeros(truths), np.zeros(0)
    least, levels = rows.cheapest(prices)
    best = _Best(lower_bound(rows, prices, least), prices, duals, levels)
    mixture: Mixture | None = None
    status, rounds_in_vain = Status.LIMIT, 0
    while mixture is None or (rounds_in_vain < _PATIENCE and not programs.deadline.is_up):
        next_mixture = master.solve()
        if next_mixture.solution.status is not Status.OPTIMAL:
            # Flat rays solve every master program, so another claim is a numerical error.
            status = Status.LIMIT if next_mixture.solution.status is Status.LIMIT else Status.NUMERICAL
            mixture = mixture or (
                next_mixture if next_mixture.weights.any() else master.constant(next_mixture.solution)
            )
            break
        before = best.bound, np.inf if mixture is None else _cost(mixture)
        num_new = _add_priced_rays(master, next_mixture, best, first=mixture is None)
        mixture = next_mixture
        cost = _cost(next_mixture)
        reach(best=cost * rows.unit, bound=best.bound * rows.unit)
        gap = (cost - best.bound) / abs(cost) if cost else 0.0
        is_closed = num_new == 0 or gap <= _TARGET_GAP
        if (is_closed or gap <= _GAP_FOR_TIES) and master.tie(master.matrix(next_mixture.weights)):
            best.duals = np.append(best.duals, np.zeros(len(master.ties.pairs) - len(best.duals)))
            rounds_in_vain = 0
            continue
        if is_closed:
            status = Status.OPTIMAL
            break
        least_gain = _TARGET_GAP * abs(cost)
        is_better = best.bound > before[0] + least_gain or cost < before[1] - least_gain
        rounds_in_vain = 0 if is_better else rounds_in_vain + 1
    # A ray that is missing may not have been found.
    if status is not Status.LIMIT or rounds_in_vain >= _PATIENCE:
        is_good = _cost(mixture) - best.bound <= _GOOD_GAP * abs(_cost(mixture))
        status = status if is_good else Status.NUMERICAL
    weights = master.polish(mixture.weights)
    matrix = master.matrix(weights)
    rays: WeightedRays | None = WeightedRays(master.responses, master.levels, weights)
    if status is Status.LIMIT and rows.has_plain_rows:
        matrix, rays = min(
            (matrix, rays), (geometric_matrix(rows), None), key=lambda each: _loss(rows, each[0])
        )
        _raise_bound(rows, best, _loss(rows, matrix))
    objective, bound = _loss(rows, matrix) * rows.unit, best.bound * rows.unit
    return RayAnswer(
        matrix=matrix,
        prices=best.prices * rows.unit,
        rows=master.with_charges(best.duals),
        ties=master.ties.pairs[: len(best.duals)],
        duals=best.duals * master.ties.scale[: len(best.duals)] * rows.unit,
        levels=of_all_responses(rows, best.levels),
        objective=objective,
        bound=bound,
        solution=replace(
            mixture.solution,
            status=status,
            seconds=time.perf_counter() - start,
            values=None,
            row_duals=None,
            objective=objective,
            bound=bound,
        ),
        mixture=rays,
    )


def _raise_bound(rows: PrivateRows, best: _Best, cost: float) -> None:
    """Improve the best bound in place by prices that are the same at all truths, while there is time."""
    trying = Deadline.after(None if (left := seconds_left()) is None else left * _TO_RAISE)
    truths, rounds = rows.costs.shape[1], count()

    def bound_of(price: float) -> float | None:
        if trying.is_up or next(rounds) >= _MOST_TRIED or best.bound >= cost * (1 - _GAP_FOR_TIES):
            return None
        prices = np.full(truths, price)
        least, levels = rows.cheapest(prices)
        bound = lower_bound(rows, prices, least)
        if bound > best.bound:
            best.bound, best.prices, best.duals, best.levels = bound, prices, 0 * best.duals, levels
        return bound

    raise_bound(cost / truths, bound_of)


def _loss(rows: PrivateRows, matrix: Floats) -> float:
    return float((rows.costs * matrix).sum())


def _cost(mixture: Mixture) -> float:
    return float(mixture.solution.objective or 0.0)


def _add_priced_rays(master: Master, mixture: Mixture, best: _Best, *, first: bool) -> int:
    """Improve the best bound in place, and return how many rays were added that the master program lacked."""
    rows_of_mixture = master.with_charges(mixture.duals)
    for step in (1.0,) if first else (_TOWARDS, 1.0):
        prices = best.prices + step * (mixture.prices - best.prices)
        duals = best.duals + step * (mixture.duals - best.duals)
        rows = master.with_charges(duals)
        least, levels = rows.cheapest(prices)
        bound = lower_bound(rows, prices, least)
        if bound > best.bound:
            best.bound, best.prices, best.duals, best.levels = bound, prices, duals, levels
        rays = np.exp(rows.epsilon * (levels - levels.max(axis=1, keepdims=True)))
        entries = rays * (rows_of_mixture.costs[: rows.num_priced] - mixture.prices)
        missing = entries.sum(axis=1) < -_ROUNDING * np.abs(entries).sum(axis=1)
        num_new = master.add(levels[missing], rows_of_mixture.costs) if missing.any() else 0
        if rows.coupling is not None and missing.any():
            num_new += master.give(np.flatnonzero(missing), levels[missing])
        if num_new:
            return num_new
    return 0


def lower_bound(rows: PrivateRows, prices: Floats, least: Floats) -> float:
    """Return the sum of prices and, over truths, of what the responses at home there lack."""
    lacks = np.zeros(rows.costs.shape[1])
    np.minimum.at(lacks, rows.home[: rows.num_priced], least)
    if rows.mirrored:
        np.minimum(lacks, lacks[::-1].copy(), out=lacks)
    return float(prices.sum() + lacks.sum())


def of_all_responses(rows: PrivateRows, levels: Integers) -> Integers:
    """Return the levels of every response, from those of the priced ones."""
    if not rows.mirrored:
        return levels
    others = levels[: len(rows.costs) - rows.num_priced]
    return np.concatenate([levels, others[::-1, ::-1]])
