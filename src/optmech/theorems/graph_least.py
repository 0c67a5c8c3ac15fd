"""Any graph, any loss: the least expected loss from some epsilon on (Croft et al. 2020, Variant 1).

With K and w of `similarity`, the weighted loss L[r,f], ``b_r = sum_f K[r,f] L[r,f]`` and the solution u of
``K u = b``: if no weight is negative and ``u_f <= L[r,f]`` for all r other than f,

    least = sum u = sum_r w_r b_r

and the similarity mechanism attains it. Means of several values are such graphs: every pair of truths that
one record can turn into each other are neighbours. Sufficient, not necessary: the mechanism stays optimal for
some smaller epsilon, and no closed form is known below. Counts and extremes have theorems for every epsilon.

Proof. Along a shortest way ``M[r,f] >= K[r,f] M[r,r]``. So in each row

    sum_f (L[r,f] - u_f) M[r,f] >= M[r,r] sum_f K[r,f] (L[r,f] - u_f) = M[r,r] (b_r - (K u)_r) = 0 ,

and the sum over all rows is ``sum L M >= sum_f u_f sum_r M[r,f] = sum u``. The similarity mechanism has
``sum_r w_r b_r = sum_f u_f sum_r w_r K[r,f] = sum u``. We know of no print of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from flint import arb, arb_mat

from optmech.question.graphs import path_lengths
from optmech.theorems import counting, extremum_least
from optmech.theorems import croft_question as ask
from optmech.theorems.powers import enclosure
from optmech.theorems.similarity import (
    MOST_TRUTHS_IN_BALLS,
    objection_to_graph,
    objection_to_signs,
    similarity_in_balls,
    similarity_mechanism,
    similarity_of,
    solve,
)
from optmech.theorems.theorem import Form, LossPrices, proved_optimum

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem


def least_loss(epsilon: float, steps: Floats, losses: Floats) -> float:
    """Return the loss of the similarity mechanism, from weighted losses, rows being responses.

    The mean of ten records from 0 to 4, where one record moves the mean by up to four steps:

    >>> from optmech.question.queries import mean
    >>> query = mean(10, 4)
    >>> truths = query.truth_values
    >>> round(least_loss(3.0, path_lengths(query), np.abs(truths[:, None] - truths)), 12)
    3.041082431327
    """
    return float((similarity_mechanism(steps, epsilon) * losses).sum())


def least_loss_ball(epsilon: Number, steps: Floats, losses: Floats, digits: int) -> arb:
    """Return a ball of at least `digits` digits around `least_loss`."""

    def compute() -> arb:
        matrix = similarity_in_balls(steps, epsilon)
        weights = matrix.transpose().solve(arb_mat([[1]] * len(steps)))
        loss_of_column = (
            weights[r, 0] * matrix[r, f] * ask.ball_of(losses[r, f].item()) for r, f in np.argwhere(losses)
        )
        return sum(loss_of_column, arb(0))

    return enclosure(compute, digits)


def _losses(problem: Problem) -> Floats:
    objective = cast("ExpectedLoss", problem.objective)
    losses: Floats = objective.loss * objective.weights
    return losses


def _any_loss(problem: Problem) -> str | None:
    return ask.objection_of_form(problem, frozenset()) or objection_to_graph(problem)


def _no_other_theorem(problem: Problem) -> str | None:
    """Say which theorem gives the optimum at every epsilon, or return ``None``."""
    others = (*counting.THEOREMS, *extremum_least.THEOREMS)
    speaking = (theorem.name for theorem in others if theorem.objection(problem) is None)
    return next((f"{name} gives the optimum at every epsilon" for name in speaking), None)


def _charges(problem: Problem, matrix: Floats) -> Floats:
    """Return ``L[r,f] - u_f``."""
    losses = _losses(problem)
    charges: Floats = losses - solve(matrix, (matrix * losses).sum(axis=1))
    return charges


def _large_epsilon(problem: Problem) -> str | None:
    """Say that epsilon is too small for a graph and a loss, or return ``None``."""
    matrix = similarity_of(problem)
    weights = solve(matrix.T, np.ones(len(matrix)))
    reason = objection_to_signs([("weights of the similarity mechanism", weights)])
    if reason is not None:
        return reason
    others = ~np.eye(len(matrix), dtype=bool)
    return objection_to_signs([("losses less the prices of their truths", _charges(problem, matrix)[others])])


THEOREMS = (
    proved_optimum(
        name="croft-variant-1-graph",
        source="graph_least, for Croft et al. 2020, Variant 1",
        says=(
            "From some epsilon on, for any neighbours and any loss, the similarity "
            "mechanism has the least loss."
        ),
        conditions=(_any_loss, _no_other_theorem, _large_epsilon),
        form=Form.at(
            least_loss, least_loss_ball, lambda problem: (path_lengths(problem.query), _losses(problem))
        ),
        matrix=lambda problem: similarity_mechanism(
            path_lengths(problem.query), float(problem.privacy.epsilon)
        ),
        prices=lambda problem: LossPrices(_charges(problem, similarity_of(problem))),
        most_truths_in_balls=MOST_TRUTHS_IN_BALLS,
    ),
)
