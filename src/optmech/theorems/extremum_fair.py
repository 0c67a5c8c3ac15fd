"""Maximum, minimum, median: the least loss with the four properties (Croft et al. 2020, Variant 2).

All pairs are neighbours, and truths and responses are one uniform grid of N:

    least = min over t = 1..N of  [ sum_ij l + (E-1) sum_j G_j(t) ] / (N + (E-1) t)

with E = e^epsilon and l(d) the loss at distance d. G_j(t) sums the t smallest losses of column j. Proof:
privacy against the fair diagonal y keeps each entry at y/E or above, row monotony at y or below; filling
columns nearest first is a lower bound, linear-fractional between whole t, and `fair_matrix` attains it.
Below, all is scaled by a = 1/E: E can be beyond doubles.
"""

from __future__ import annotations

from functools import reduce
from math import exp, expm1
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from optmech.question.properties import VARIANT_2
from optmech.theorems import croft_question as ask
from optmech.theorems.powers import enclosure
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.problem import Problem


def fair_fill(epsilon: float, losses: ArrayLike) -> int:
    """Return t: how many entries of each column of the best fair mechanism are as likely as the truth."""
    return int(_ratios_in_doubles(epsilon, losses).argmin()) + 1


def fair_loss(epsilon: float, losses: ArrayLike) -> float:
    """Return the least expected loss with all four properties, summed over truths.

    `losses`, shape (N,), are those at distance 0, …, N - 1: not negative, not decreasing.

    >>> fair_fill(1.0, range(5)), round(fair_loss(1.0, range(5)), 12)
    (2, 5.759620992423)
    """
    return float(_ratios_in_doubles(epsilon, losses).min())


def fair_loss_ball(epsilon: Number, losses: Sequence[Number], digits: int) -> arb:
    """Return a ball of at least `digits` digits around `fair_loss`."""

    def compute() -> arb:
        decay = (-ask.ball_of(epsilon)).exp()
        loss = np.array([ask.ball_of(value) for value in losses], dtype=object)
        ratios: list[arb] = _ratios(decay, 1 - decay, loss).tolist()
        return reduce(arb.min, ratios)

    return enclosure(compute, digits)


def fair_matrix(epsilon: float, losses: ArrayLike) -> Floats:
    """Return a mechanism that attains `fair_loss`: columns filled nearest first, ties split evenly.

    The optimum is often not unique: the matrix printed as Table 2 of Croft et al. is another.
    """
    size, fill = np.size(losses), fair_fill(epsilon, losses)
    distance = np.abs(np.arange(size)[:, None] - np.arange(size))
    edge = np.minimum(np.arange(size), np.arange(size)[::-1])
    nearer = np.where(distance <= edge, np.maximum(2 * distance - 1, 0), distance + edge)
    counts = np.where((distance <= edge) & (distance > 0), 2, 1)
    share = np.clip((fill - nearer) / counts, 0, 1)
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    matrix: Floats = (decay + stay * share) / (size * decay + stay * fill)
    return matrix


def _ratios_in_doubles(epsilon: float, losses: ArrayLike) -> Floats:
    return _ratios(exp(-epsilon), -expm1(-epsilon), np.asarray(losses, dtype=float))


def _ratios(decay: Any, stay: Any, loss: NDArray[Any]) -> NDArray[Any]:  # noqa: ANN401 - any kind of number
    """Return the ratio for each t = 1..N, with `stay` the rest of one."""
    place, size = np.arange(len(loss)), len(loss)
    sums = np.concatenate([[0 * loss[0]], np.cumsum(loss)])
    # Nearest first, a column holds the distances 0, 1, 1, 2, 2, …, and from its edge on each once.
    pairs = (place + 1) // 2
    sums_by_fill = np.cumsum(
        (size - 2 * pairs) * loss[pairs] + 2 * (sums[place + 1] - sums[place + 1 - pairs])
    )
    ratios: NDArray[Any] = (decay * sums_by_fill[-1] + stay * sums_by_fill) / (
        size * decay + stay * (place + 1)
    )
    return ratios


def _objection(problem: Problem) -> str | None:
    query, reason = problem.query, ask.all_pairs(problem) or ask.objection_of_form(problem, VARIANT_2)
    if reason is None and not (ask.responds_with_truths(query) and ask.uniform(query.truths)):
        return "truths and responses are not one uniform grid"
    return reason


THEOREMS = (
    proved_optimum(
        name="croft-variant-2-extremum",
        source="for Croft et al. 2020, Variant 2, with all pairs adjacent; proof in extremum_fair",
        says="With the four properties, the answers nearest to a truth are best as likely as the truth.",
        conditions=(_objection, ask.objection_to_distances),
        form=Form.at(fair_loss, fair_loss_ball, lambda problem: (ask.losses_of(problem),)),
        matrix=lambda problem: fair_matrix(float(problem.privacy.epsilon), ask.losses_of(problem)),
    ),
)
