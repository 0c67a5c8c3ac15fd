"""The search: predictor and corrector steps to an optimum, with a bound at every point.

Bound
-----
For any prices v >= 0 of budgets, any prior, and any multipliers ``0 <= z <= v`` of ratios, let

    u_f = min over r of (cost[r,f] + sum of z over pairs from f - sum of E^w z over pairs to f).

Every mechanism of the question loses at least ``sum u - delta sum v``. A further demand ``a x <= b`` of a
price w >= 0, any w where it is an equation, adds ``w a`` to the costs and ``-w b`` to the bound. Steps:
Mehrotra 1992, with the further correctors of Gondzio 1996.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.reached import reach
from optmech.designs.interior.couplings import Couplings
from optmech.designs.interior.mixture import matrix_of, with_ratios_kept, with_room
from optmech.designs.interior.newton import Newton
from optmech.designs.interior.point import PARTNERS, Equations, summed

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats
    from optmech.designs.interior.point import Values
    from optmech.designs.interior.row_program import RowProgram

TARGET_GAP = 1e-9
_MOST_STEPS = 80
_MOST_REFINED, _MOST_CORRECTORS = 4, 2
# The search ends after so many steps that together make the gap hardly narrower.
_PATIENCE, _NARROWER = 4, 0.9
# From this gap on private matrices cost next to nothing. They leave out responses released less often.
_NEAR, _NEVER = 1e-3, (1e-6, 1e-8, 1e-11)
# Further demands that are broken by more are not kept.
_BROKEN = 1e-8
_ABOVE_ALL = 1.001
# Shares of the way to the nearest bound, at first and later.
_CAUTIOUS, _USUAL, _NUM_CAUTIOUS = 0.95, 0.995, 4
_LEAST_CENTRE, _MOST_CENTRE = 1e-3, 0.9
_LONG, _FURTHER, _GAIN = 0.9, 0.3, 0.02
_LOW, _HIGH = 0.1, 10.0
_KEPT_PRODUCT, _KEPT_RATIO, _KEPT_TOTAL = 1e-4, 1e-3, 1e-13


class Proof(NamedTuple):
    """Multipliers of a bound, of the rows and classes of a program."""

    ratios: Floats
    budgets: Floats
    prior: Floats
    orders: Floats
    sums: Floats
    totals: Floats
    bound: float


class InteriorAnswer(NamedTuple):
    """The best private matrix and the best proof, in the units of the program.

    Before a matrix keeps the further demands the objective is infinite.
    """

    matrix: Floats
    proof: Proof
    objective: float
    steps: int
    seconds: float


def search(program: RowProgram, is_up: Callable[[], bool], *, target: float = TARGET_GAP) -> InteriorAnswer:
    """Return a private matrix near the optimum, and the multipliers of the best bound on the way.

    `is_up` is asked before each step. The search ends as well where the gap, relative to the objective, is
    the `target`, where steps no longer narrow it, or where doubles hold no further step.
    """
    start = time.perf_counter()
    equations, couplings = Equations(program), Couplings(program)
    p: Values | None = equations.first()
    best: _Best | None = None
    # A bound above every loss says that further demands clash.
    most = float(program.costs.max(initial=0.0)) * (1 if program.has_level else len(program.order))
    in_vain = steps = 0
    widest = np.inf
    with np.errstate(all="ignore"):  # a step that is no number ends the search
        while p is not None:
            best = _better(equations, p, best)
            gap = best.objective - best.proof.bound
            objective = best.objective * program.unit
            reach(best=objective if np.isfinite(gap) else None, bound=best.proof.bound * program.unit)
            size = abs(best.objective) if np.isfinite(gap) else 0.0
            if gap < _NARROWER * widest or gap > _NEAR * size:
                widest, in_vain = gap, 0
            else:
                in_vain += 1
            if best.proof.bound > _ABOVE_ALL * most or gap <= target * size or in_vain > _PATIENCE:
                break
            if steps == _MOST_STEPS or is_up():
                break
            p, steps = _following(equations, couplings, p, steps), steps + 1
    assert best is not None  # noqa: S101 - there is a first point
    return InteriorAnswer(best.matrix, best.proof, best.objective, steps, time.perf_counter() - start)


class _Best(NamedTuple):
    """The best private matrix, its objective, and the best proof so far."""

    matrix: Floats
    objective: float
    proof: Proof


def _better(equations: Equations, p: Values, best: _Best | None) -> _Best:
    """Return the best of a point and of those before."""
    program, proof = equations.program, bound_of(equations, p)
    if best is None:
        matrix = matrix_of(program, p["x"], never=0.0)
        loss = loss_of(program, matrix) if program.demands.are_none else np.inf
        return _Best(matrix, loss, proof)
    matrix, objective = best.matrix, best.objective
    proof = proof if proof.bound > best.proof.bound else best.proof
    claim = _objective(equations, p)
    if claim - proof.bound > _NEAR * abs(claim):
        if program.demands.are_none:  # a share of another matrix may break them
            kept = with_ratios_kept(program, matrix_of(program, p["x"], never=0.0))
            candidate = with_room(program, kept)
            loss = loss_of(program, candidate)
            if loss < objective:
                matrix, objective = candidate, loss
    else:
        # A response that is left out may break further demands.
        for never in _NEVER if program.demands.are_none else (0.0,):
            candidate = with_room(program, matrix_of(program, p["x"], never=never))
            if program.demands.violation(program.folded(candidate)) > _BROKEN:
                continue
            # Columns that were divided by their sums may break ratios a little, and seem better than any.
            loss = max(loss_of(program, candidate), claim)
            if loss < objective:
                matrix, objective = candidate, loss
    return _Best(matrix, objective, proof)


def _following(equations: Equations, couplings: Couplings, p: Values, number: int) -> Values | None:
    """Return the next point, ``None`` where doubles hold none."""
    lacks = equations.lacks(p)
    newton = Newton.of(equations, p, lacks["ratio"], couplings)
    if newton is None or not newton.is_factored:
        return None
    following = _next(newton, p, lacks, number)
    return following if all(np.isfinite(values).all() for values in following.values()) else None


def loss_of(program: RowProgram, matrix: Floats) -> float:
    """Return the objective of a matrix, of all responses, in the units of the program."""
    of_truths = (program.costs * (matrix[: len(program.rows), program.order].T * program.rows)).sum(axis=1)
    if not program.has_level:
        return float(of_truths.sum())
    return float(summed(of_truths * program.truths.share, program.truths).max())


def bound_of(equations: Equations, p: Values) -> Proof:
    """Return the multipliers of a point, cut to what rules allow, and the bound that they prove."""
    program = equations.program
    budgets = np.maximum(p["v"], 0.0)
    ratios = np.maximum(p["z"], 0.0)
    ratios[program.spending] = np.minimum(ratios[program.spending], equations.charged(budgets))
    prior = np.maximum(p["pi"], 0.0)
    prior = prior / prior.sum() if program.has_level else prior
    orders, limits, sums = (np.maximum(p[name], 0.0) for name in ("so", "sm", "w"))
    demands = program.demands
    sums = np.where(demands.sums.is_equation, p["w"], sums)
    costs = equations.costs + equations.weighed(prior) + equations.demanded(orders, limits, sums)
    each = (costs + equations.back(ratios)) / equations.shares
    prices = np.where(equations.zeros, np.inf, each).min(axis=1)
    least = np.full(program.truths.number, np.inf)
    np.minimum.at(least, program.truths.of, prices)
    bound = float(least.sum() - program.deltas @ budgets)
    bound -= float(demands.limits.most @ limits + demands.sums.right @ sums)
    return Proof(ratios, budgets, prior, orders, sums, least, bound)


def _objective(equations: Equations, p: Values) -> float:
    return float(p["T"][0]) if equations.program.has_level else float((equations.costs * p["x"]).sum())


def _next(newton: Newton, p: Values, lacks: Values, number: int) -> Values:
    """Return the next point."""
    size = sum(p[name].size for name in PARTNERS)
    mu = sum(float((p[a] * p[b]).sum()) for a, b in PARTNERS.items()) / size
    affine = _direction(newton, lacks | {f"c{a}": -p[a] * p[b] for a, b in PARTNERS.items()}, mu)
    primal, dual = _lengths(p, affine)
    reached = sum(
        float(((p[a] + primal * affine[a]) * (p[b] + dual * affine[b])).sum()) for a, b in PARTNERS.items()
    )
    centre = mu * min(max((reached / size / mu) ** 3, _LEAST_CENTRE), _MOST_CENTRE)
    aims = {f"c{a}": centre - p[a] * p[b] - affine[a] * affine[b] for a, b in PARTNERS.items()}
    step = _direction(newton, lacks | aims, mu)
    primal, dual = _lengths(p, step)
    nothing = {name: np.zeros_like(lack) for name, lack in lacks.items()}
    for _ in range(_MOST_CORRECTORS):
        if min(primal, dual) > _LONG:
            break
        far, far_dual = min(1.0, primal + _FURTHER), min(1.0, dual + _FURTHER)
        corrections = {
            f"c{a}": _towards(
                (p[a] + far * step[a]) * (p[b] + far_dual * step[b]), _LOW * centre, _HIGH * centre
            )
            for a, b in PARTNERS.items()
        }
        more = newton.step(nothing | corrections)
        other = {name: step[name] + more[name] for name in step}
        other_primal, other_dual = _lengths(p, other)
        if other_primal + other_dual <= primal + dual + _GAIN:
            break
        step, primal, dual = other, other_primal, other_dual
    share = _CAUTIOUS if number < _NUM_CAUTIOUS else _USUAL
    primal, dual = min(1.0, share * primal), min(1.0, share * dual)
    return {name: p[name] + (primal if name in {*PARTNERS, "T"} else dual) * step[name] for name in p}


def _direction(newton: Newton, lacks: Values, mu: float) -> Values:
    """Return a step, refined while it leaves too much."""
    step = newton.step(lacks)
    program = newton.equations.program
    small = float(program.deltas.min(initial=np.inf)) / program.num_responses if len(program.deltas) else mu
    for _ in range(_MOST_REFINED):
        rest = newton.rest(lacks, step)
        products = max(float(np.abs(rest["cx"]).max()), float(np.abs(rest["ct"]).max()))
        if (
            products < _KEPT_PRODUCT * mu
            and max(np.abs(rest[name]).max(initial=0.0) for name in ("order", "limit")) < _KEPT_RATIO * mu
            and np.abs(rest["sum"]).max(initial=0.0) < _KEPT_TOTAL
            and np.abs(rest["ratio"]).max() < _KEPT_RATIO * small
            and np.abs(rest["total"]).max() < _KEPT_TOTAL
        ):
            break
        more = newton.step(rest)
        step = {name: step[name] + more[name] for name in step}
    return step


def _lengths(p: Values, step: Values) -> tuple[float, float]:
    """Return how far the unknowns, and their partners, can go until one is zero, at most 1."""

    def far(name: str) -> float:
        falls = step[name] < 0
        return float(np.min(-p[name][falls] / step[name][falls], initial=1.0))

    return min(map(far, PARTNERS)), min(map(far, PARTNERS.values()))


def _towards(products: Floats, low: float, high: float) -> Floats:
    """Return what takes products into a range, at most by its upper end."""
    above: Floats = np.where(products > high, np.maximum(high - products, -high), 0.0)
    return np.where(products < low, low - products, above)
