"""A question on a path of truths as whole numbers: weights, and losses by distance; no matrix is formed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import exact
from optmech.question.costs import over_one_unit, whole_weights
from optmech.question.distance_loss import losses_by_distance
from optmech.question.loss import beyond
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy import PurePrivacy
from optmech.question.structures import FreeMatrix

if TYPE_CHECKING:
    from optmech.question.problem import Problem

_LEAST_EPSILON = Fraction(1, 10**100)
_LARGEST_LOSS = 10**300
# Entries of a listed loss times truths: beyond, minutes pass.
_MOST_WORK = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PathQuestion:
    """Least expected loss on truths 0..largest, each the neighbour of the next, under pure privacy.

    `growth` is 1 for the absolute loss and 2 for the squared one, 0 for a listed loss; `steps` are the
    increases of a listed loss from each distance to the next, from the loss at 0 on, and empty for others.
    `weights` are the prior. Objective and costs in whole numbers are multiples of ``1 / unit``.
    """

    largest: int
    growth: int
    steps: tuple[int, ...]
    weights: tuple[int, ...]
    unit: int

    @classmethod
    def of(cls, problem: Problem) -> PathQuestion:
        """Return the whole numbers of a problem, refused if it is no such question.

        >>> import optmech as om
        >>> question = PathQuestion.of(om.croft(om.count(3), 1, loss=[0, 0.5, 2], prior="uniform"))
        >>> question.steps, question.weights, question.unit, question.cost(3, 0)
        ((0, 1, 3), (1, 1, 1, 1), 8, 4)
        """
        trouble = no_path_question(problem)
        if trouble is not None:
            message = f"`problem` must be one of a path of truths; got {problem}, but {trouble}."
            raise NotAcceptedError(message)
        assert isinstance(problem.objective, ExpectedLoss)  # noqa: S101 - `no_path_question` has looked
        return cls.of_loss(problem.objective, problem.query.num_truths - 1)

    @classmethod
    def of_loss(cls, objective: ExpectedLoss, largest: int) -> PathQuestion:
        """Return the whole numbers of a loss by distance and its weights."""
        losses = listed_losses(objective) or []
        growth = 0 if losses else 1 if objective.loss_name == "absolute" else 2
        steps, loss_unit = over_one_unit(np.diff(np.array([Fraction(0), *losses])).tolist())
        weights, weight_unit = whole_weights(objective, largest + 1)
        return cls(
            largest=largest,
            growth=growth,
            steps=tuple(steps),
            weights=tuple(weights),
            unit=weight_unit * loss_unit,
        )

    def loss_at(self, distance: int) -> int:
        """Return the loss at a distance of zero or more, in the whole numbers of `unit`."""
        return sum(self.steps[: distance + 1]) if self.steps else distance**self.growth

    def cost(self, response: int, truth: int) -> int:
        """Return the weighted loss of a response at a truth, in the whole numbers of `unit`."""
        return self.weights[truth] * self.loss_at(abs(response - truth))

    @property
    def largest_cost(self) -> Fraction:
        """The most that a response can add to the objective at one truth."""
        return Fraction(max(self.weights) * self.loss_at(self.largest), self.unit)

    def reflection(self) -> PathQuestion:
        """Return the question with each truth f as n - f."""
        return replace(self, weights=self.weights[::-1])

    def smooth(self, bits: int) -> PathQuestion:
        """Return the question with each weight larger by ``2**-bits`` of its unit.

        Between truths that weigh nothing, and far from those that do, one answer is better than another by
        less than fixed point shows. Here each truth weighs enough to be seen by itself.
        """
        weights = tuple((weight << bits) + 1 for weight in self.weights)
        return replace(self, weights=weights, unit=self.unit << bits)


def no_path_question(problem: Problem) -> str | None:
    """Return why a problem is none of a path of truths under pure privacy, ``None`` where it is one."""
    query, objective, privacy = problem.query, problem.objective, problem.privacy
    if not query.is_run:
        return (
            "its true answers are not whole numbers in a row, each the neighbour of the next alone, both "
            "ways and one epsilon apart"
        )
    # The very classes: what anybody adds may ask for something else.
    if type(privacy) is not PurePrivacy or privacy.epsilon < _LEAST_EPSILON:
        return "its privacy is not pure, with an epsilon of at least 1e-100"
    has_demands = problem.properties or not problem.is_plain
    if has_demands or type(problem.structure) is not FreeMatrix:
        return "more than privacy is asked of the mechanism"
    if not isinstance(objective, ExpectedLoss):
        return "its objective is not the expected loss"
    if objective.loss_name in ("absolute", "squared"):
        return None
    return _no_rising_loss(listed_losses(objective), query.num_truths)


def _no_rising_loss(losses: list[Fraction] | None, number: int) -> str | None:
    if losses is None or any(losses[place] > losses[place + 1] for place in range(len(losses) - 1)):
        return "its loss is not one of the distance alone that nowhere decreases"
    if losses[-1] >= _LARGEST_LOSS:
        return "its losses are not below 1e300"
    if len(losses) * number > _MOST_WORK:
        most = _MOST_WORK // number
        return f"its loss still grows beyond distance {most}: that would take minutes; cut it off before"
    return None


def listed_losses(objective: ExpectedLoss, step: Fraction = Fraction(1)) -> list[Fraction] | None:
    """Return the loss at 0, 1, … steps, up to where it stops to change; ``None`` where there is no list."""
    if objective.loss_name in ("absolute", "squared"):
        return None
    if objective.loss_name == "zero-one":
        return [Fraction(0), Fraction(1)]
    limit = beyond(objective.loss_name)
    if limit is not None:
        free = floor(limit / step) + 1
        return [Fraction(0)] * free + [Fraction(1)] if free < len(objective.loss) else [Fraction(0)]
    losses = losses_by_distance(objective.loss)
    if losses is None:
        return None
    changes = np.flatnonzero(np.diff(losses))
    return [exact(loss, "loss") for loss in losses[: changes[-1] + 2 if len(changes) else 1].tolist()]
