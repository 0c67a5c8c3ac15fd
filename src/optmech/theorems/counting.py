"""Counts: neighbours are one apart, and the response is one of the truths 0..n.

Least expected loss, all truths weighted alike (Croft et al. 2020, Variant 1)
-----------------------------------------------------------------------------
With a = e^-epsilon, K[r,j] = a^|r-j| and l(d) a loss that does not decrease with the distance d:

    G[r,j] = w_r K[r,j],  w_0 = w_n = 1/(1+a),  otherwise w_r = (1-a)/(1+a)      truncated geometric
    rho(r) = argmin_i  sum_j K[r,j] l(|i-j|)                                    remap
    least  = sum_r w_r  min_i sum_j K[r,j] l(|i-j|)

Optimal for every such loss: Ghosh, Roughgarden, Sundararajan 2012, Croft et al.'s reference [24].
`dual_prices` prove it for a single instance, in exact rationals.
"""

from __future__ import annotations

from functools import reduce
from math import exp, tanh
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb
from numpy.lib.stride_tricks import sliding_window_view

from optmech.question.shape import Shape
from optmech.theorems import croft_question as ask
from optmech.theorems.powers import enclosure
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number
    from optmech.question.problem import Problem

    Numbers = NDArray[Any]


def geometric_weights(largest: int, epsilon: float) -> Floats:
    """Return the factor of a^|r-j| for each response r of the truncated geometric."""
    weights = np.full(largest + 1, tanh(epsilon / 2))  # (1-a)/(1+a)
    weights[[0, -1]] = 1 / (1 + exp(-epsilon))
    return weights


def truncated_geometric(largest: int, epsilon: float) -> Floats:
    """Return the truncated geometric mechanism on 0..`largest`, shape (largest + 1, largest + 1).

    Where ``epsilon * largest`` exceeds about 700, its smallest entries are no doubles any more and read 0.
    """
    steps = np.arange(largest + 1)
    powers = np.exp(-epsilon * steps)
    matrix: Floats = (
        geometric_weights(largest, epsilon)[:, None] * powers[np.abs(steps[:, None] - steps[None, :])]
    )
    return matrix


def least_loss_remap(epsilon: float, losses: ArrayLike) -> Integers:
    """Return the best answer for each draw; `losses` holds the loss at distance 0, …, n, not decreasing."""
    largest = np.size(losses) - 1
    table = _losses_of_answers(_powers(epsilon, largest), np.asarray(losses, dtype=float))
    return mirror(np.arange(largest // 2 + 1) + table.argmin(axis=0), largest)


def least_loss(epsilon: float, losses: ArrayLike) -> float:
    """Return the least ``sum_f sum_r losses[|r-f|] * matrix[r, f]`` of a private count.

    `losses`, shape (n + 1,), are those at distance 0, …, n: not negative, not decreasing.

    >>> round(least_loss(0.5, range(6)), 12)
    6.363223179087
    """
    largest = np.size(losses) - 1
    table = _losses_of_answers(_powers(epsilon, largest), np.asarray(losses, dtype=float))
    weights = 1 / (1 + exp(-epsilon)), tanh(epsilon / 2)
    return float(_sum_over_draws(weights, table.min(axis=0), largest))


def least_loss_matrix(epsilon: float, losses: ArrayLike) -> Floats:
    """Return the mechanism that attains `least_loss`: the truncated geometric, its draws remapped."""
    largest = np.size(losses) - 1
    matrix = np.zeros((largest + 1, largest + 1))
    np.add.at(matrix, least_loss_remap(epsilon, losses), truncated_geometric(largest, epsilon))
    return matrix


def least_loss_ball(epsilon: Number, losses: Sequence[Number], digits: int) -> arb:
    """Return a ball of at least `digits` digits around the value of `least_loss`."""

    def compute() -> arb:
        decay = (-ask.ball_of(epsilon)).exp()
        powers = np.array([decay**step for step in range(len(losses))], dtype=object)
        table = _losses_of_answers(powers, np.array([ask.ball_of(loss) for loss in losses], dtype=object))
        best = [reduce(arb.min, answers) for answers in table.T]
        weights = 1 / (1 + decay), (1 - decay) / (1 + decay)
        return arb(_sum_over_draws(weights, best, len(losses) - 1))

    return enclosure(compute, digits)


def dual_prices(decay: Fraction, losses: Sequence[Fraction]) -> tuple[Fraction, list[Fraction]]:
    """Return the least loss at ``e^-epsilon = decay`` and a price for each truth that proves it.

    The prices solve ``K u = b``, ``b_r = sum_j K[r,j] l(|rho(r)-j|)``; the inverse of the Kac-Murdock-Szego
    matrix K is tridiagonal. They sum to the loss of the mechanism, since w = K^-1 1.
    """
    largest = len(losses) - 1
    powers = np.array([decay**step for step in range(largest + 1)])
    half = _losses_of_answers(powers, np.array(losses)).min(axis=0).tolist()
    right = half + [half[largest - draw] for draw in range(len(half), largest + 1)]
    scale = 1 - decay**2
    prices = [
        ((1 + decay**2) * right[r] - decay * (right[r - 1] + right[r + 1])) / scale for r in range(1, largest)
    ]
    end = (right[0] - decay * right[1]) / scale  # both ends alike
    weights = 1 / (1 + decay), (1 - decay) / (1 + decay)
    return _sum_over_draws(weights, half, largest), [end, *prices, end]


def mirror(half: Integers, largest: int) -> Integers:
    """Return the answers for all draws from those of the lower half, by symmetry."""
    rest = largest + 1 - len(half)
    return np.concatenate([half, largest - half[:rest][::-1]])


def _powers(epsilon: float, largest: int) -> Floats:
    powers: Floats = np.exp(-epsilon * np.arange(largest + 1))
    return powers


def _losses_of_answers(powers: Numbers, loss: Numbers) -> Numbers:
    """Return ``sum_j a^|r-j| l(|r+s-j|)``, row s and column r, both up to n/2: the best answer lies inward.

    `powers` are ``a^d``, and `loss` is ``l(d)``, of any kind of number, for d = 0, ..., n.

    Answering i < r is no better than 2r-i, and i > n/2 no better than n-i, as the loss does not decrease.
    """
    largest = len(loss) - 1
    half = largest // 2
    losses = np.concatenate([loss[half:0:-1], loss])
    above = sliding_window_view(losses, largest + 1)[::-1]  # l(|s-d|), d = 0..n
    below = sliding_window_view(loss, half + 1)[: half + 1]  # l(s+d), d = 0..n/2
    common = largest - half  # the draws r <= n/2 have at least this many truths above them
    upward = np.cumsum(above[:, common:] * powers[common:], axis=1)
    upward += (above[:, :common] @ powers[:common])[:, None]
    downward = np.cumsum(below * powers[: half + 1], axis=1)
    table: Numbers = upward[:, ::-1] + downward
    table -= below[:, :1]  # the draw itself was counted on both sides
    return table


def _sum_over_draws(weights: tuple[Any, Any], best: Sequence[Any] | Numbers, largest: int) -> Any:  # noqa: ANN401 - as `best`
    """Return ``sum_r w_r best_r`` from the lower half of the draws; `weights` are w_0 and the others."""
    end, inner = weights
    total = 2 * (end * best[0] + inner * sum(best[1:]))
    return total - inner * best[-1] if largest % 2 == 0 else total  # the middle draw has no mirror image


def _neighbours_on_a_path(problem: Problem) -> str | None:
    reason = ask.objection_of_form(problem, frozenset())
    if reason is None and Shape.of(problem).reach != 1:
        return "neighbours are not just the truths next to each other, both ways"
    return reason


THEOREMS = (
    proved_optimum(
        name="croft-variant-1-count",
        source="Ghosh, Roughgarden, Sundararajan 2012, for Croft et al. 2020, Variant 1",
        says="The least loss of a private count is that of the truncated geometric, its draws remapped.",
        conditions=(_neighbours_on_a_path, ask.objection_to_distances),
        form=Form.at(least_loss, least_loss_ball, lambda problem: (ask.losses_of(problem),)),
        matrix=lambda problem: least_loss_matrix(float(problem.privacy.epsilon), ask.losses_of(problem)),
        most_truths_in_balls=300,
    ),
)
