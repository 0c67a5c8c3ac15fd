"""What was wanted of a mechanism besides privacy, in sentences: structure, properties, limits, objective."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import numpy as np

from optmech.base.numbers import as_text
from optmech.base.spelled import exactly
from optmech.question.loss import beyond, noise_cost
from optmech.question.objective import ExpectedLoss, LeastDelta, WorstLoss
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from optmech.question.problem import Problem
    from optmech.question.structures import Structure

__all__ = ["loss_words", "objective_words", "property_words", "structure_words"]

_LOSSES = {
    "absolute": "distance between released and true answer",
    "squared": "squared distance between released and true answer",
    "zero-one": "probability of releasing another answer than the true one",
}

_NOISE_COSTS = {
    "error-rate": "probability of releasing another answer than the true one",
    "squared": "squared noise, counted from 0 to the modulus less 1",
    "circular": "squared distance on the circle between released and true answer",
    "wrapped": "squared error over true answers that are all as likely, noise that wraps around included",
}


def structure_words(structure: Structure) -> str:
    """Return which mechanisms were allowed."""
    return structure.sentence


def property_words(problem: Problem) -> tuple[str, ...]:
    """Return a sentence for each property, limit and bound."""
    return (
        *(wanted.sentence for wanted in sorted(problem.properties)),
        *(limit.sentence for limit in sorted(problem.limits, key=str)),
        *(
            f"The {_loss(bound.loss, problem, bound.name)}, is at most {exactly(bound.at_most)}."
            for bound in problem.bounds
        ),
    )


def loss_words(name: str | None) -> str:
    """Return what a loss measures.

    Examples
    --------
    >>> loss_words("beyond 2"), loss_words(None)
    ('probability of an error of more than 2', 'loss, given for each answer and true answer')
    """
    if name in _LOSSES:
        return _LOSSES[name]
    limit = None if name is None else beyond(name)
    if limit is not None:
        return f"probability of an error of more than {as_text(limit)}"
    return f"loss, {'given for each answer and true answer' if name is None else name}"


def objective_words(problem: Problem) -> str:
    """Return what was made least.

    Examples
    --------
    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> objective_words(question(count(5), 1, loss="beyond 2", worst_case=True))
    'The mechanism of least probability of an error of more than 2, at the true answer where it is largest.'
    """
    objective = problem.objective
    match objective:
        case ExpectedLoss() | WorstLoss():
            return f"The mechanism of least {_loss(objective, problem)}."
        case LeastDelta(cost=cost, at_most=most) if cost is not None and most is not None:
            return f"The mechanism of least delta whose {_loss(cost, problem)}, is at most {exactly(most)}."
        case LeastDelta():
            return "The mechanism of least delta."
    assert_never(objective)


def _loss(loss: ExpectedLoss | WorstLoss, problem: Problem, name: str | None = None) -> str:
    """Return what a loss measures, and over which true answers."""
    noise = _noise_cost(loss, problem)
    if noise is not None:
        return f"{noise}, whatever the true answer"
    return f"{loss_words(loss.loss_name or name)}, {_over(loss)}"


def _noise_cost(loss: ExpectedLoss | WorstLoss, problem: Problem) -> str | None:
    """Return what a cost of modular noise measures, the same at every truth; ``None`` for other losses."""
    structure, weights = problem.structure, getattr(loss, "weights", np.ones(1))
    if not isinstance(structure, ModularNoise) or not np.isclose(weights.sum(), 1.0):
        return None
    size = problem.query.num_truths
    if not np.array_equal(loss.loss[:, 0][structure.noise(size)], loss.loss):
        return None
    moduli = structure.moduli or size
    for name, told in _NOISE_COSTS.items():
        if np.array_equal(noise_cost(name, moduli), loss.loss[:, 0]):
            return told
    return "cost of the noise, given for each of its values"


def _over(loss: ExpectedLoss | WorstLoss) -> str:
    """Return over which true answers a loss is taken."""
    if isinstance(loss, WorstLoss):
        return "at the true answer where it is largest"
    if loss.weights_name == "sum":
        return "summed over the true answers"
    if loss.weights_name == "uniform":
        return "averaged over all true answers alike"
    return "averaged over the true answers with given weights"
