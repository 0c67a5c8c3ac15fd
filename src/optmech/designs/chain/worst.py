"""The least favourable prior of a chain: the best mechanism for it is the best at the worst truth.

Model
-----
    minimise  t   over  p_j(l) >= 0,  sum_l p_j(l) = 1,   p_j(l) the share of mixtures whose threshold j is l
    l_f(r_0) + sum_j sum_l p_j(l) s_f(j) (1 - F(l - period f)) <= t      for each truth f

by column generation: the multipliers of the truths are a prior, whose best thresholds are the columns worth
most; those beside them are taken too. Where no column helps, the prior is least favourable, and proves t.
Mixtures of thresholds that rise with j are private; p_j then rise in stochastic order. Equally good p need
not all do so: where some cross, the program is solved again with the rows

    sum_(k<=l) p_(j+1)(k) <= sum_(k<=l) p_j(k)

that are broken, which cost nothing, as mixtures of best thresholds meet them all.

Source: `docs/theory/chain.md`, corollary 5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import VerificationError
from optmech.base.reached import reach
from optmech.designs.attempts import Deadline
from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status
from optmech.models.solvers import solver
from optmech.models.solvers.options import Method

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.designs.chain.step_orbits import StepOrbits
    from optmech.designs.chain.thresholds import NoiseOrbits
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import SolveOptions
    from optmech.question.chain_question import ChainQuestion

    Orbits = NoiseOrbits | StepOrbits


PRIOR_BITS = 48
_MOST_ROUNDS, _ENOUGH = 60, 1e-9
# Solvers drop smaller coefficients.
_NEGLIGIBLE = 1e-12
# Smaller errors are repaired in integers, with a smaller effect on the objective.
_CROSSING = 1e-9
_NO_ORDER = np.empty((0, 2), dtype=np.int64)


def least_favourable(
    question: ChainQuestion, loss: Floats, orbits: Orbits, options: SolveOptions
) -> tuple[list[int], ChainQuestion, list[int], Whole, int]:
    """Return the least favourable prior of a question whose weights are all 1, and a matrix of losses.

    It is in whole numbers that sum to ``2**PRIOR_BITS``. With it come the question of the expected loss under
    it, the thresholds that are best under it, and a mixture that is nearly as good for every truth as for the
    prior, as numerators, shape (num_responses, num_truths), and a denominator. A VerificationError says that
    no solver helps, or that thresholds cross, as they may where losses are not convex.
    """
    deadline = Deadline.after(options.time_limit)
    number = question.num_truths
    steps = np.array([question.column(step, 0, number) for step in range(question.num_steps)], dtype=object)
    prior = best = np.full(number, 1.0 / number)
    lowest, best_thresholds = -np.inf, list[int]()
    columns, shares = np.empty((0, 2), dtype=np.int64), np.empty(0)
    for _ in range(_MOST_ROUNDS):
        levels = orbits.best(_under(question, steps, _whole(prior)))
        value = float(prior @ (loss[0] + _charges(loss, orbits, _pairs(levels)).sum(axis=0)))
        if value > lowest:
            best, best_thresholds, lowest = prior, levels, value
        more = np.unique(np.concatenate([columns, orbits.near(levels)]), axis=0)
        solution = _solved(_program(loss, orbits, more), options, deadline)
        if solution.status is not Status.OPTIMAL or solution.values is None or solution.row_duals is None:
            break
        columns, highest = more, float(solution.values[-1])
        reach(best=highest, bound=lowest)
        shares = np.maximum(solution.values[:-1], 0.0)
        prior = np.maximum(-np.array(solution.row_duals[:number]), 0.0)
        if highest - lowest <= _ENOUGH * max(highest, _ENOUGH) or deadline.is_up or not prior.sum():
            break
        prior /= prior.sum()
    if not len(shares) and solution.status is Status.LIMIT:  # thresholds alone are private, and in order
        columns, shares = _pairs(best_thresholds), np.ones(len(best_thresholds))
    if not len(shares):
        message = "the least favourable prior must come from a program; no solver gave one"
        raise VerificationError(message)
    shares = _in_order(loss, orbits, (columns, shares), options, deadline)
    numerators = _mixture(orbits, columns, shares, loss.shape)
    if numerators.min() < 0:
        message = "the thresholds of a mixture must rise from step to step; of this loss they cross"
        raise VerificationError(message)
    whole = _whole(best)
    return whole, _under(question, steps, whole), best_thresholds, numerators, orbits.one << PRIOR_BITS


def _solved(model: LinearModel, options: SolveOptions, deadline: Deadline) -> Solution:
    """Return a solution, by interior points where the simplex method gives up for the spread of numbers."""
    simplex = solver("highs").solve(model, deadline.within(options))
    if simplex.status in (Status.OPTIMAL, Status.LIMIT) or options.method != Method.AUTO:
        return simplex
    return solver("highs").solve(model, deadline.within(replace(options, method=Method.IPM)))


def _in_order(
    loss: Floats,
    orbits: Orbits,
    mixture: tuple[Integers, Floats],
    options: SolveOptions,
    deadline: Deadline,
) -> Floats:
    """Return shares that are as good and rise from step to step, or the last ones of too many rounds."""
    columns, shares = mixture
    thresholds, levels = np.unique(columns[:, 1], return_inverse=True)
    below = np.zeros((len(loss) - 1, len(thresholds)))
    order = np.empty((0, 2), dtype=np.int64)
    for _ in range(_MOST_ROUNDS):
        below[:] = 0.0
        np.add.at(below, (columns[:, 0], levels), shares)
        crossing = np.argwhere(np.diff(below.cumsum(axis=1), axis=0) > _CROSSING)
        if not len(crossing) or deadline.is_up:
            break
        order = np.unique(np.concatenate([order, crossing]), axis=0)
        solution = _solved(_program(loss, orbits, columns, order), options, deadline)
        if solution.status is not Status.OPTIMAL or solution.values is None:
            break
        shares = np.maximum(solution.values[:-1], 0.0)
    return shares


def _pairs(levels: list[int]) -> Integers:
    return np.column_stack([np.arange(len(levels)), np.array(levels)])


def _charges(loss: Floats, orbits: Orbits, columns: Integers) -> Floats:
    """Return the contribution of each threshold to the loss of each truth, in doubles."""
    charges: Floats = np.diff(loss, axis=0)[columns[:, 0]] * (1 - orbits.below(columns[:, 1]))
    return charges


def _mixture(orbits: Orbits, columns: Integers, shares: Floats, shape: tuple[int, ...]) -> Whole:
    """Return the matrix of the mixture over ``2**(bits + PRIOR_BITS)``.

    A wrong order left by rounding is mended: no threshold stands below the one before it more often.
    """
    responses, number = shape
    levels, where = np.unique(columns[:, 1], return_inverse=True)
    below = np.zeros((responses + 1, number), dtype=object)
    below[-1] = orbits.one << PRIOR_BITS
    values = orbits.matrix(levels.tolist()).cumsum(axis=0)[:-1]
    least = np.full(len(levels), 1 << PRIOR_BITS, dtype=object)
    for step in range(responses - 1):
        of_step = np.flatnonzero(columns[:, 0] == step)
        share = np.zeros(len(levels), dtype=object)
        share[where[of_step]] = _whole(shares[of_step])
        least = np.minimum(least, share.cumsum())
        own = np.diff(least, prepend=0)
        held = np.flatnonzero(own)  # few of the levels: whole numbers take long to multiply
        below[step + 1] = own[held] @ values[held]
    return np.diff(below, axis=0)


def _whole(shares: Floats) -> list[int]:
    """Return shares as whole numbers that sum to ``2**PRIOR_BITS``."""
    one = 1 << PRIOR_BITS
    whole = [int(float(share) * one) for share in shares / shares.sum()]
    whole[int(np.argmax(shares))] += one - sum(whole)
    return whole


def _under(question: ChainQuestion, steps: Whole, prior: list[int]) -> ChainQuestion:
    weighted_steps = steps * np.array(prior, dtype=object)[None, :]
    table = tuple(map(tuple, weighted_steps.tolist()))
    return replace(question, table=table, unit=question.unit << PRIOR_BITS, is_even=False)


def _program(loss: Floats, orbits: Orbits, columns: Integers, order: Integers = _NO_ORDER) -> LinearModel:
    """Return the program of the mixture; `order` lists the steps and levels whose shares must not cross."""
    responses, truths = loss.shape
    number = len(columns)
    charges = _charges(loss, orbits, columns).T
    table = np.hstack([np.where(np.abs(charges) < _NEGLIGIBLE, 0.0, charges), np.full((truths, 1), -1.0)])
    steps, levels = columns[:, 0], np.unique(columns[:, 1], return_inverse=True)[1]
    totals = sparse.csc_array(
        (np.ones(number), (steps, np.arange(number))), shape=(responses - 1, number + 1)
    )
    inside = levels <= order[:, 1:]
    after, before = steps == order[:, :1] + 1, steps == order[:, :1]
    crossing = np.hstack([1.0 * (inside & after) - (inside & before), np.zeros((len(order), 1))])
    fixed = np.ones(responses - 1)
    lower = np.concatenate([np.full(truths, -np.inf), fixed, np.full(len(order), -np.inf)])
    return unnamed_program(
        "least favourable prior",
        np.append(np.zeros(number), 1.0),
        sparse.vstack([sparse.csc_array(table), totals, sparse.csc_array(crossing)]),
        rows=(lower, np.concatenate([-loss[0], fixed, np.zeros(len(order))])),
        columns=(np.append(np.zeros(number), -np.inf), np.inf),
    )
