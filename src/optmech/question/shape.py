"""The shape of a question: facts that theorems and engines check before they accept it, computed once."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.distance_loss import losses_by_distance
from optmech.question.kinds.kind import reach_of
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.protection import num_groups
from optmech.question.step_weights import has_equal_steps, step_weights

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.grid import Grid
    from optmech.question.problem import Problem
    from optmech.question.step_weights import StepWeights


class Shape:
    """The shape of one question; each fact is computed when it is first asked for, and kept.

    Examples
    --------
    >>> import optmech as om
    >>> shape = Shape.of(om.question(om.mean(3, 2), 1))
    >>> shape.reach, shape.all_pairs, shape.steps, shape.one_pure_privacy
    (2, False, None, True)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._query = problem.query

    @staticmethod
    def of(problem: Problem) -> Shape:
        """Return the shape of a question, of the last few questions the same object again."""
        return _shape_of(problem)

    @cached_property
    def path(self) -> Grid | None:
        """The truths where they are evenly spaced, each the neighbour of the next, and the responses."""
        return self._query.path()

    @cached_property
    def equal_steps(self) -> bool:
        """Whether truths form a path with equal steps, protected in both directions."""
        return has_equal_steps(self._query)

    @cached_property
    def steps(self) -> tuple[StepWeights, ...] | None:
        """The weights of each step of a path, ``None`` where the neighbours form no path."""
        return step_weights(self._query)

    @cached_property
    def reach(self) -> int | None:
        """The reach where neighbours are all truths within it, in both directions, else ``None``."""
        return reach_of(self._query) if self.path is None else 1

    @cached_property
    def all_pairs(self) -> bool:
        """Whether every two truths are neighbours, both ways."""
        return self._query.all_are_neighbours

    @cached_property
    def own_responses(self) -> bool:
        """Whether truths and responses match one to one."""
        query = self._query
        if self.path is not None:
            return True
        return query.num_responses == query.num_truths and bool(
            (query.home == np.arange(len(query.home))).all()
        )

    @cached_property
    def connected(self) -> bool:
        """Whether the graph of neighbours, in both directions, connects all of two or more truths."""
        query = self._query
        return query.symmetric and query.num_truths > 1 and num_groups(query) == 1

    @cached_property
    def one_pure_privacy(self) -> bool:
        """Whether pure privacy, once, is the only condition between neighbours."""
        return self._problem.privacy.is_pure and not self._problem.further_privacy

    @cached_property
    def losses_by_distance(self) -> Floats | None:
        """The loss at distance 0, 1, … where the objective is an expected loss by distance."""
        objective = self._problem.objective
        return losses_by_distance(objective.loss) if isinstance(objective, ExpectedLoss) else None

    @cached_property
    def worst_loss(self) -> WorstLoss | None:
        """The loss of the worst truth where that is the objective."""
        objective = self._problem.objective
        return objective if isinstance(objective, WorstLoss) else None


@lru_cache(maxsize=8)  # a design reads one question, and a few relaxed ones
def _shape_of(problem: Problem) -> Shape:
    return Shape(problem)
