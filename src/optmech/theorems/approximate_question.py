"""Recognise questions about the probability of the truth, for the theorems on them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.losses import ExpectedLoss, LeastDelta, WorstLoss
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
from optmech.question.shape import Shape
from optmech.theorems.theorem import other_structure

if TYPE_CHECKING:
    from optmech.question.losses import Loss
    from optmech.question.problem import Problem

# Weights that are typed as decimals are equal only so closely.
_WEIGHT_ROUNDING = 1e-9
# Shortest ways between this many truths take a second, which is as long as a theorem may think.
_MOST_TRUTHS = 1000


def given_delta(problem: Problem) -> Fraction:
    """Return the given delta, 0 for pure privacy."""
    return (problem.privacy.delta if isinstance(problem.privacy, ApproximatePrivacy) else None) or Fraction(0)


def error_cost(problem: Problem) -> Fraction:
    """Return the cost of an error rate of one in a problem that `error_rate` accepts."""
    return _error_cost(problem, problem.objective.as_loss)


def bounded_error_rate(problem: Problem) -> Fraction:
    """Return the error rate that a problem allows, if `least_delta_bounded` accepts it."""
    ((_, at_most),) = _bounds(problem)
    return at_most / bounded_error_cost(problem)


def bounded_error_cost(problem: Problem) -> Fraction:
    """Return the cost of an error rate of one in the loss that such a problem bounds."""
    ((loss, _),) = _bounds(problem)
    return _error_cost(problem, loss)


def worst_only(problem: Problem) -> bool:
    """Whether the worst truth counts, rather than the average of all."""
    return any(isinstance(loss, WorstLoss) for loss in (problem.objective, *dict(_bounds(problem))))


def is_circle(problem: Problem) -> bool:
    """Whether neighbours look the same from every truth: their distances modulo the number of truths."""
    size, pairs = problem.query.num_truths, problem.query.pairs
    _, members = np.unique((pairs[:, 0] - pairs[:, 1]) % size, return_counts=True)
    return bool(len(pairs)) and bool((members == size).all())


def error_rate(problem: Problem) -> str | None:
    """Say why this is not a problem of least error rate, or return ``None``."""
    if _bounds(problem):
        return "a further loss is bounded; this applies to the least error rate alone."
    if isinstance(problem.privacy, PurePrivacy) and not isinstance(problem.objective, WorstLoss):
        return "older theorems apply to pure privacy and an average."
    if _error_cost(problem, problem.objective.as_loss) == 0:
        return "the objective does not count all errors alike."
    return _objection(problem)


def least_delta_bounded(problem: Problem) -> str | None:
    """Say why this is not a problem of least delta at a bounded error rate, or return ``None``."""
    if not isinstance(problem.objective, LeastDelta):
        return f"the objective is {problem.objective}; this applies to the least delta."
    bounds = _bounds(problem)
    if len(bounds) != 1:
        return f"there are {len(bounds)} bounds on losses; this applies to one."
    if _error_cost(problem, bounds[0][0]) == 0:
        return "the bounded loss does not count all errors alike."
    if bounds[0][1] < 0:
        return "the error rate may not exceed a negative number; no mechanism meets that."
    return _objection(problem)


def has_mechanism(problem: Problem) -> str | None:
    """Say why no mechanism is known that attains the bound, or return ``None``."""
    if is_circle(problem) or (worst_only(problem) and Shape.of(problem).reach is not None):
        return None
    return (
        "neighbours must look the same from every truth, or be all within one reach on a path, with the "
        "worst truth counting."
    )


def worst(problem: Problem) -> str | None:
    """Say that an average is asked for, or return ``None`` where the worst truth counts."""
    counts = worst_only(problem)
    return None if counts else "an average is asked for; the bound applies to the worst truth."


def _bounds(problem: Problem) -> list[tuple[Loss, Fraction]]:
    """Return all bounded losses: those of bounds, and that of an objective of Kadam's."""
    return [*((bound.loss, bound.at_most) for bound in problem.bounds), *problem.objective.demands]


def _error_cost(problem: Problem, loss: Loss | None) -> Fraction:
    """Return the loss at an error rate of one, zero where some errors cost more than others.

    Modular noise has one law for all truths, so that only the cost of each noise counts.
    """
    size = problem.query.num_truths
    if loss is None or loss.loss.shape != (size, size):
        return Fraction(0)
    weight, costs = Fraction(1), loss.loss
    if isinstance(loss, ExpectedLoss):
        weights = {"sum": Fraction(size), "uniform": Fraction(1)}
        weight = weights.get(loss.weights_name or "", Fraction(float(loss.weights.sum())))
        costs = costs * loss.weights * (size / float(weight))
        costs = problem.structure.averaged(costs)
    cost = float(costs.max())
    alike = np.abs(costs - cost * (1 - np.eye(size))).max() <= _WEIGHT_ROUNDING * cost
    return Fraction(cost) * weight if alike else Fraction(0)


def _objection(problem: Problem) -> str | None:
    query = problem.query
    if (
        strange := other_structure(problem, {"free", "modular"}, "any matrix and of modular noise")
    ) is not None:
        return strange
    if not isinstance(problem.privacy, (PurePrivacy, ApproximatePrivacy)):
        return f"the privacy is {problem.privacy}; this applies to sets of responses."
    if problem.properties:
        return f"{', '.join(sorted(problem.properties))} is asked for; this applies to privacy alone."
    if query.num_truths > _MOST_TRUTHS:
        return f"there are {query.num_truths} truths; shortest ways are sought for up to {_MOST_TRUTHS}."
    if query.num_responses != query.num_truths or (query.home != np.arange(query.num_truths)).any():
        return "each truth must have a separate response, and no other be allowed."
    return None if len(query.pairs) else "no two answers are neighbours; there is nothing to protect."
