"""Questions that no relabelling changes: every two answers are neighbours, and all errors cost the same."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import exact
from optmech.question.kinds import Categories
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.problem import Problem

_OVER = {"sum", "uniform"}


def no_two_costs(problem: Problem) -> str | None:
    """Return why a question is none of two costs under pure privacy, ``None`` where it is.

    >>> import optmech as om
    >>> colours = om.categories(["red", "green", "blue"])
    >>> no_two_costs(om.question(colours, 1)) is None
    True
    >>> no_two_costs(om.question(colours, 1, delta="0.1"))
    'more is asked than pure privacy and the least loss'
    """
    shape, objective = Shape.of(problem), problem.objective
    if not problem.asks <= {"objective"} or not isinstance(objective, (ExpectedLoss, WorstLoss)):
        return "more is asked than pure privacy and the least loss"
    if problem.query.kind != Categories.word:
        return "its true answers are no categories"
    if not shape.all_pairs or problem.query.num_truths < 2:  # noqa: PLR2004 - two neighbours
        return "not every two true answers are neighbours"
    if not shape.own_responses:
        return "truths and responses differ"
    if isinstance(objective, ExpectedLoss) and objective.weights_name not in _OVER:
        return "the true answers have weights of their own"
    return None if cost_elsewhere(problem) is not None else "errors cost differently"


def cost_elsewhere(problem: Problem) -> Fraction | None:
    """Return the cost of every error where all cost the same, and the truth nothing, else ``None``."""
    objective = problem.objective
    if not isinstance(objective, (ExpectedLoss, WorstLoss)):
        return None
    if objective.loss_name == "zero-one":
        return Fraction(1)
    loss = objective.loss
    if objective.loss_name is not None or not _has_two_costs(loss):
        return None
    return exact(float(loss[0, 1]), "cost")


def _has_two_costs(loss: Floats) -> bool:
    size = len(loss)
    if loss.shape != (size, size) or size == 1 or loss[0, 1] <= 0 or np.diagonal(loss).any():
        return False
    return int(np.count_nonzero(loss == loss[0, 1])) == size * (size - 1)


def over_truths(problem: Problem) -> str:
    """Return over which truths the losses count: ``"sum"``, ``"uniform"`` or ``"worst"``."""
    objective = problem.objective
    return str(objective.weights_name) if isinstance(objective, ExpectedLoss) else "worst"
