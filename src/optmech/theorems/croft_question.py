"""Recognise the question of the formulas of Croft et al. 2020, with its numbers as balls.

Theorem 3 is true for any loss that does not decrease with the distance.
"""

from __future__ import annotations

from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, cast

import numpy as np
from flint import arb

from optmech.base.logarithm import Logarithm
from optmech.question.epsilon import exact_epsilon
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy import PurePrivacy
from optmech.question.shape import Shape
from optmech.question.structures import FreeMatrix
from optmech.theorems.powers import rational

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.problem import Problem
    from optmech.question.properties import Property
    from optmech.question.query import Query


def theorem_3_objection(losses: ArrayLike) -> str | None:
    """Say why a smaller mechanism, Definition 7, may lose more (18); `losses` by increasing distance."""
    return "the loss decreases with the distance" if (np.diff(losses) < 0).any() else None


def responds_with_truths(query: Query) -> bool:
    """Whether each response stands for one truth and holds it: R = F."""
    midpoints = tuple(category.midpoint for category in query.responses)
    return midpoints == query.truths and query.home.tolist() == list(range(query.num_truths))


def objection_of_form(problem: Problem, properties: frozenset[Property]) -> str | None:
    """Say why this is not the program of section 3.4 with just these properties, or ``None``."""
    if not isinstance(problem.structure, FreeMatrix):
        return f"the matrix is not free but {problem.structure}"
    if not isinstance(problem.privacy, PurePrivacy):
        return "the privacy is not pure"
    if not isinstance(problem.objective, ExpectedLoss):
        return "the objective is not an expected loss"
    if problem.properties != properties:
        names_in_problem = ", ".join(sorted(problem.properties)) or "none"
        names_in_theorem = ", ".join(sorted(properties)) or "none"
        return f"the properties are {names_in_problem}, where the theorem needs {names_in_theorem}"
    return None


def all_pairs(problem: Problem) -> str | None:
    """Say that some pair of truths is not neighbours both ways, or return ``None``."""
    return None if Shape.of(problem).all_pairs else "not all pairs are neighbours, both ways"


def objection_to_losses(problem: Problem) -> str | None:
    """Say why the loss of some truth does not grow with the distance of the response, or ``None``."""
    query, loss = problem.query, cast("ExpectedLoss", problem.objective).loss
    if responds_with_truths(query) and uniform(query.truths) and objection_to_distances(problem) is None:
        return None  # the usual question, without sorting all distances
    midpoints = [category.midpoint for category in query.responses]
    scale = lcm(*(value.denominator for value in (*midpoints, *query.truths)))
    rows, columns = (np.array([float(v * scale) for v in values]) for values in (midpoints, query.truths))
    distance = np.abs(rows[:, None] - columns[None, :])
    order = np.argsort(distance, axis=0, kind="stable")
    farther, rise = (np.diff(np.take_along_axis(table, order, axis=0), axis=0) for table in (distance, loss))
    if (rise[farther == 0] != 0).any():
        return "the loss of a truth differs between two responses equally far"
    return "the loss of a truth decreases with the distance of the response" if (rise < 0).any() else None


def objection_to_distances(problem: Problem) -> str | None:
    """Say why the loss is no growing function of steps alone, the same for each truth, or ``None``."""
    objective = cast("ExpectedLoss", problem.objective)
    if (objective.weights != objective.weights[0]).any():
        return "the truths do not count alike"
    number = problem.query.num_truths
    if problem.query.num_responses != number:
        return "there is not one response for each truth"
    steps = np.arange(number)
    if (objective.loss != objective.loss[:, 0][np.abs(steps[:, None] - steps[None, :])]).any():
        return "the loss depends on more than the number of steps between response and truth"
    return theorem_3_objection(objective.loss[:, 0])


def losses_of(problem: Problem) -> list[float]:
    """Return the weighted loss at 0, 1, … steps of a problem without `objection_to_distances`."""
    objective = cast("ExpectedLoss", problem.objective)
    losses: list[float] = (objective.loss[:, 0] * objective.weights[0]).tolist()
    return losses


def ball_of(value: Number) -> arb:
    """Return `value` as a ball, read as everywhere here: a float stands for the decimal it prints as."""
    number = exact_epsilon(value, "value")
    if isinstance(number, Logarithm):
        return arb(rational(number.of)).log()
    return arb(rational(number))


def uniform(values: tuple[Fraction, ...]) -> bool:
    """Whether neighbouring values are equally far apart."""
    return len({high - low for low, high in pairwise(values)}) <= 1
