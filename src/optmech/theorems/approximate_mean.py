"""Mean probability of the truth under (epsilon, delta)-differential privacy: any graph, any prior.

With K, w and d of `similarity`, a prior pi and the solution u of ``K u = pi``: if neither u nor w has a
negative number in it,

    least mean error rate = (1 - delta) (1 - sum u) = (1 - delta) sum_r ((K - 1) u)_r

and it is attained by telling the truth with probability delta, else by the similarity mechanism.

Proof. For each truth c fix for every other truth one first step of a shortest way to c. Write E for
e^epsilon, and h(r,f,g) for ``max(0, M[r,f] - E M[r,g])``; over r they sum to delta at most. Along the way of
r to c, ``M[r,g] >= (M[r,f] - h(r,f,g)) / E``, so

    M[r,c] >= K[r,c] M[r,r] - sum over the steps (f,g) of the way of h(r,f,g) K[f,c] .

Multiply by u_c, which is not negative, and add up over r and c. On the left columns sum to one. On the right
``sum_c u_c K[r,c] = pi_r``, and a truth f has one step for each c but itself, that costs ``u_c K[f,c]`` times
delta at most:

    sum u >= sum_r pi_r M[r,r] - delta sum_f (pi_f - u_f) = sum_r pi_r M[r,r] - delta (1 - sum u) .

The mixture has ``sum_r pi_r (delta + (1 - delta) w_r)``, and ``sum_r pi_r w_r = sum_c u_c sum_r K[r,c] w_r =
sum u``: equality.

For counts 0..n, all alike, the error rate is ``(1 - delta) 2 n a / ((1 + a) (n + 1))`` with a = e^-epsilon.
We know of no print of it. For delta = 0, which is pure privacy, `graph_least` has the theorem, for any loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from flint import arb, arb_mat

from optmech.question.graphs import path_lengths
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.structures import FreeMatrix
from optmech.theorems.croft_question import ball_of
from optmech.theorems.powers import enclosure, rational
from optmech.theorems.similarity import (
    MOST_TRUTHS_IN_BALLS,
    objection_to_graph,
    objection_to_signs,
    similarity,
    similarity_in_balls,
    similarity_mechanism,
    similarity_of,
    solve,
)
from optmech.theorems.theorem import Form, LossPrices, proved_optimum

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.problem import Problem


def least_error_rate(epsilon: float, steps: Floats, prior: Floats, delta: Fraction) -> float:
    """Return the least mean error rate, where no weight is negative; `prior` is what errors at a truth cost.

    >>> from fractions import Fraction
    >>> from optmech.question.queries import count
    >>> round(least_error_rate(1.0, path_lengths(count(4)), np.full(5, 0.2), Fraction(1, 10)), 9)
    0.387275647
    """
    matrix = similarity(steps, epsilon)
    shares = np.linalg.solve(matrix, prior)
    np.fill_diagonal(matrix, 0.0)
    return float(1 - delta) * float((matrix @ shares).sum())  # of positive terms, so that nothing cancels


def least_error_rate_ball(epsilon: Number, steps: Floats, prior: Floats, delta: Fraction, digits: int) -> arb:
    """Return a ball of at least `digits` digits around `least_error_rate`."""

    def compute() -> arb:
        weights = [ball_of(weight) for weight in prior.tolist()]
        shares = similarity_in_balls(steps, epsilon).solve(arb_mat([[weight] for weight in weights]))
        return arb(rational(1 - delta)) * (sum(weights, arb(0)) - sum(shares.entries(), arb(0)))

    return enclosure(compute, digits)


def _mixture(problem: Problem) -> Floats:
    """Return the truth with probability delta, else the similarity mechanism."""
    steps, _, delta = _letters(problem)
    mechanism = similarity_mechanism(steps, float(problem.privacy.epsilon))
    matrix: Floats = float(delta) * np.eye(len(steps)) + float(1 - delta) * mechanism
    return matrix


def _prior(problem: Problem) -> Floats:
    objective = cast("ExpectedLoss", problem.objective)
    prior: Floats = objective.weights * objective.loss.max()
    return prior


def _letters(problem: Problem) -> tuple[Floats, Floats, Fraction]:
    return path_lengths(problem.query), _prior(problem), cast("Fraction", problem.privacy.delta)


def _mean_error_rate(problem: Problem) -> str | None:
    """Say why this is not a problem of least mean error rate under a given delta, or return ``None``."""
    objective = problem.objective
    if not isinstance(problem.structure, FreeMatrix) or not isinstance(problem.privacy, ApproximatePrivacy):
        return (
            f"this applies to any matrix under (epsilon, delta); got {problem.structure}, {problem.privacy}"
        )
    if not isinstance(objective, ExpectedLoss) or problem.properties:
        return "this applies to an average over the truths, and to no further property"
    objection = objection_to_graph(problem)
    if objection is not None:
        return objection
    errors = objective.loss.max() * (1 - np.eye(problem.query.num_truths))
    alike = objective.loss.max() > 0 and (objective.loss == errors).all()
    return None if alike else "the loss does not count all errors alike"


def _truths_alike_enough(problem: Problem) -> str | None:
    """Say which of the conditions on signs fails, or return ``None``."""
    matrix = similarity_of(problem)
    return objection_to_signs(
        (
            ("weights of the similarity mechanism", solve(matrix.T, np.ones(len(matrix)))),
            ("shares of the prior that similarity leaves to each truth", solve(matrix, _prior(problem))),
        )
    )


def _prices(problem: Problem) -> LossPrices:
    shares = solve(similarity_of(problem), _prior(problem))
    return LossPrices(np.broadcast_to(shares, (len(shares),) * 2))


THEOREMS = (
    proved_optimum(
        name="approximate-mean-error-rate",
        source="approximate_mean, on (epsilon, delta)-differential privacy",
        says=(
            "Telling the truth with probability delta, else using the similarity mechanism, has the least "
            "mean error rate, where neither prior nor neighbours differ too much from truth to truth."
        ),
        conditions=(_mean_error_rate, _truths_alike_enough),
        form=Form.at(least_error_rate, least_error_rate_ball, _letters),
        matrix=_mixture,
        prices=_prices,
        most_truths_in_balls=MOST_TRUTHS_IN_BALLS,
    ),
)
