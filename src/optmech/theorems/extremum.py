"""Maximum, minimum, median: where the closed forms of `extremum_least` and `extremum_fair` apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from optmech.question.properties import VARIANT_2
from optmech.theorems.croft_question import (
    epsilon_of,
    losses_of,
    objection_of_form,
    objection_to_distances,
    objection_to_losses,
    responds_with_truths,
    uniform,
)
from optmech.theorems.extremum_fair import fair_loss, fair_loss_ball, fair_matrix
from optmech.theorems.extremum_least import least_loss, least_loss_ball, least_loss_matrix
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem
    from optmech.question.properties import Property
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["THEOREMS"]


def _costs(problem: Problem) -> tuple[Floats, Floats, Floats]:
    """Return weighted loss, truths and responses of a problem, as `representatives` takes them."""
    objective = cast("ExpectedLoss", problem.objective)
    query = problem.query
    return objective.loss * objective.weights, query.truth_values, _places(query)


def _places(query: Query) -> Floats:
    """Return where the responses lie; the middle of a point needs no arithmetic with fractions."""
    return np.array([float(low if low == high else (low + high) / 2) for low, high in query.responses])


def _least_loss(problem: Problem) -> float:
    """Return `least_loss`, with one weight for all truths taken out: a table of costs is slow to form."""
    objective, query = cast("ExpectedLoss", problem.objective), problem.query
    weight, epsilon = float(objective.weights[0]), float(epsilon_of(problem))
    if (objective.weights == weight).all():
        return weight * least_loss(epsilon, objective.loss, query.truth_values, _places(query))
    return least_loss(epsilon, *_costs(problem))


def _objection(problem: Problem) -> str | None:
    return _objection_to_neighbours(problem, frozenset()) or objection_to_losses(problem)


def _objection_to_fair(problem: Problem) -> str | None:
    if not responds_with_truths(problem.query) or not uniform(problem.query.truths):
        return "truths and responses are not one uniform grid"
    return _objection_to_neighbours(problem, VARIANT_2) or objection_to_distances(problem)


def _objection_to_neighbours(problem: Problem, properties: frozenset[Property]) -> str | None:
    number = problem.query.num_truths
    if len(problem.query.pairs) != number * (number - 1):
        return "not all pairs are neighbours, both ways"
    return objection_of_form(problem, properties)


THEOREMS = (
    Theorem(
        name="croft-variant-1-extremum",
        source="for Croft et al. 2020, Variant 1, with all pairs adjacent; proof in extremum_least",
        says="Where all pairs are neighbours, randomized response among a few answers has the least loss.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_objection,
        value=_least_loss,
        ball=lambda problem, digits: least_loss_ball(epsilon_of(problem), *_costs(problem), digits),
        matrix=lambda problem: least_loss_matrix(float(epsilon_of(problem)), *_costs(problem)),
        most_truths_in_balls=40,  # each truth costs a sum over all pairs of answers
    ),
    Theorem(
        name="croft-variant-2-extremum",
        source="for Croft et al. 2020, Variant 2, with all pairs adjacent; proof in extremum_fair",
        says="With the four properties, the answers nearest to a truth are best as likely as the truth.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_objection_to_fair,
        value=lambda problem: fair_loss(float(epsilon_of(problem)), losses_of(problem)),
        ball=lambda problem, digits: fair_loss_ball(epsilon_of(problem), losses_of(problem), digits),
        matrix=lambda problem: fair_matrix(float(epsilon_of(problem)), losses_of(problem)),
    ),
)
