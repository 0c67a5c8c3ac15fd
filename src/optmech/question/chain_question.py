"""A question on truths in a row, in integers, for each step of the responses, without a matrix.

Model
-----
    s_f(j) = l_f(r_(j+1)) - l_f(r_j),   c_f(j) = w_f s_f(j)
    const = sum_f w_f l_f(r_0) + sum_(f >= k_j) c_f(j)

with weights w and losses l; k_j is the first truth from which on no c_f(j) is positive. The condition on
signs says that none before it is negative: where it breaks, the sum over steps is not even a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import floor, lcm
from operator import add, mul
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import exact
from optmech.question.costs import exact_losses, exact_weights, over_one_unit, whole_weights
from optmech.question.distance_loss import losses_by_distance
from optmech.question.loss import beyond
from optmech.question.losses import ExpectedLoss
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.logarithm import Logarithm
    from optmech.question.grid import Grid
    from optmech.question.problem import Problem
    from optmech.question.query import Query

_LARGEST_LOSS = 10**300
_MOST_LOSSES = 4_000_000
# Work on a table of losses that is not one by distance, in quarters of a nanosecond or so.
_TABLE_WORK, _WORK_OF_AN_ENTRY, _WORK_OF_A_BIT = 2**32, 2**14, 2**6
# The power of the answers' denominator in a loss; of the entries' denominator in a table.
_TIMES = {"absolute": 1, "squared": 2, None: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainQuestion:
    """Losses of neighbouring responses, weighted, in whole numbers: multiples of ``1 / unit``.

    Truths are 0..num_truths-1; there is one step less than responses. Where losses are by distance, `heights`
    are l at the distances 0 to `num_truths`, and `rises` ``l(|d+1|) - l(|d|)`` for d from ``-num_truths`` on;
    elsewhere `table` holds c_f(j), a row for each step. `is_even`: losses are by distance and all truths
    weigh the same, so that c_f(j) is a matter of j - f.

    `signs` are k_j of each step. `const` is a lower bound on the loss of every mechanism, at any privacy.
    `variation` is the sum of all ``abs(c_f(j))``, and `largest` the largest of them, or a number above it.
    `num_listed` is the number of weights and entries of `table` that were given as a list. `keeps_zero`: the
    first truth must give the first response. `has_one_decay`: losses are by distance and one pure privacy
    holds, so that one noise with a single decay is optimal.
    """

    num_truths: int
    num_steps: int
    weights: tuple[int, ...] = ()
    heights: tuple[int, ...] = ()
    rises: tuple[int, ...] = ()
    table: tuple[tuple[int, ...], ...] = ()
    signs: tuple[int, ...]
    const: int
    variation: int
    largest: int
    unit: int
    num_listed: int
    is_even: bool = False
    keeps_zero: bool = False
    has_one_decay: bool = False

    @classmethod
    def of(cls, problem: Problem, *, any_steps: bool = False) -> ChainQuestion:
        """Return the integers of a problem; refuse one to which the theorem does not apply.

        With `any_steps` the steps between truths may differ, and so may the two directions of a step.

        >>> import optmech as om
        >>> question = ChainQuestion.of(om.question(om.count(3), 1, delta="0.01", loss="squared"))
        >>> question.column(1, 0, 4), question.signs, question.unit
        ((3, 1, -1, -3), (1, 2, 3), 4)
        """
        question = _read(problem, any_steps and not Shape.of(problem).equal_steps)
        if isinstance(question, str):
            message = f"`problem` must be one of a chain; got {problem}, but {question}."
            raise NotAcceptedError(message)
        return question

    def column(self, step: int, start: int, stop: int) -> Sequence[int]:
        """Return c_f(j) of the truths ``start`` to ``stop - 1``."""
        if self.table:
            return self.table[step][start:stop]
        first = self.num_truths + step - start
        rises = self.rises[first : first - (stop - start) : -1]
        if self.is_even and self.weights[0] == 1:
            return rises
        return [*map(mul, self.weights[start:stop], rises)]

    def total(self, step: int, start: int, stop: int) -> int:
        """Return the sum of ``abs(c_f(j))``, f from `start` to ``stop - 1``, all before k_j or none."""
        if start >= stop:
            return 0
        if not self.is_even:
            return sum(map(abs, self.column(step, start, stop)))
        near, far = sorted((abs(step + 1 - start), abs(step + 1 - stop)))
        return self.weights[0] * (self.heights[far] - self.heights[near])


def trade_offs(problem: Problem) -> list[tuple[Fraction | Logarithm, Fraction]]:
    """Return epsilon and delta of each privacy that bounds the probabilities of all sets by them alone."""
    return [privacy.trade_off for privacy in problem.privacies if privacy.trade_off is not None]


def no_chain_question(problem: Problem, *, any_steps: bool = False) -> str | None:
    """Return why the theorem of chains does not apply to a problem, ``None`` where it does.

    Without `any_steps` every step must be the same, as for a noise that is shifted from truth to truth.
    """
    question = _read(problem, any_steps and not Shape.of(problem).equal_steps)
    return question if isinstance(question, str) else None


# A design reads one problem many times. Problems compare by identity here.
@lru_cache(maxsize=4)
def _read(problem: Problem, any_steps: bool) -> ChainQuestion | str:  # noqa: FBT001 - the cache's key
    """Return the integers of a problem, or why the theorem does not apply to it."""
    question = _no_row(problem, any_steps=any_steps) or _compile(problem)
    if isinstance(question, str):
        return question
    keeps_zero = ZERO_STAYS_ZERO in problem.properties
    has_one_decay = Shape.of(problem).one_pure_privacy and bool(question.heights) and not keeps_zero
    return replace(question, keeps_zero=keeps_zero, has_one_decay=has_one_decay)


def _no_row(problem: Problem, *, any_steps: bool) -> str | None:
    query, objective = problem.query, problem.objective
    strange = None if Shape.of(problem).equal_steps else _no_steps(problem, any_steps=any_steps)
    if strange is not None:
        return strange
    if any(privacy.trade_off is None and privacy.curve is None for privacy in problem.privacies):
        return "its privacy is no bound on the probabilities of all sets of responses"
    demands = problem.limits or problem.bounds or problem.rules or problem.properties - {ZERO_STAYS_ZERO}
    if demands or not problem.structure.is_free or problem.structure.moduli:
        return "more than privacy is asked of the mechanism"
    if not isinstance(objective, ExpectedLoss):
        return "its objective is not the expected loss"
    if problem.properties and (
        query.truths[0] != 0 or not query.responses[0].lower == query.responses[0].upper == 0
    ):
        return "an empty group is no true answer and response of it"
    return None


def _no_steps(problem: Problem, *, any_steps: bool) -> str | None:
    """Return why a chain with unequal steps is refused."""
    if Shape.of(problem).steps is None:
        return "its true answers do not stand in a row, each the neighbour of the next alone"
    if not any_steps:
        return "one noise is as private at every step from true answer to true answer, and here steps differ"
    if problem.privacy.curve is not None:
        return "the curve of a noise is that of every step and both ways, and here steps differ"
    if ZERO_STAYS_ZERO in problem.properties and any(privacy.delta == 0 for privacy in problem.privacies):
        return "without a delta no orbit of one way begins where the answer 0 is certain"
    return None


def _compile(problem: Problem) -> ChainQuestion | str:
    query, objective = problem.query, problem.objective
    assert isinstance(objective, ExpectedLoss)  # noqa: S101 - asked before
    shape = Shape.of(problem)
    path = shape.path
    if path is not None and (objective.loss_name or shape.losses_by_distance is not None):
        return _by_distance(objective, path)
    if query.num_truths * query.num_responses > _MOST_LOSSES:
        return "its losses are not of the distance alone, and too many to be listed"
    return _by_table(query, objective)


def _by_distance(objective: ExpectedLoss, grid: Grid) -> ChainQuestion | str:
    number = grid.number
    weights, weight_unit = whole_weights(objective, number)
    losses, loss_unit = _losses_at_distances(objective, grid)
    losses += losses[-1:] * (number + 1 - len(losses))
    rises = [after - before for before, after in pairwise(losses)]
    if min(rises) < 0:
        return "the loss falls with the distance: the condition on signs of the theorem of chains is broken"
    if losses[-1] >= _LARGEST_LOSS * loss_unit:
        return "its losses are not below 1e300"
    return ChainQuestion(
        num_truths=number,
        num_steps=number - 1,
        weights=tuple(weights),
        heights=tuple(losses),
        # d = -number, ..., -1 falls towards the truth, d = 0, 1, ... rises again.
        rises=(*(-rise for rise in reversed(rises)), *rises),
        signs=tuple(range(1, number)),
        const=losses[0] * sum(weights),
        variation=sum(map(mul, weights, map(add, losses, losses[-2::-1]))) - 2 * losses[0] * sum(weights),
        largest=max(weights) * max(rises),
        unit=weight_unit * loss_unit,
        num_listed=0 if objective.weights_name else number,
        is_even=len(set(weights)) == 1,
    )


def _losses_at_distances(objective: ExpectedLoss, grid: Grid) -> tuple[list[int], int]:
    """Return the loss at distance 0, 1, ... in integers over one unit; the last holds for all larger ones."""
    if objective.loss_name in ("absolute", "squared"):
        power = 1 if objective.loss_name == "absolute" else 2
        one, unit = (grid.step**power).as_integer_ratio()
        return [distance**power * one for distance in range(grid.number + 1)], unit
    return over_one_unit(listed_losses(objective, grid.step) or [Fraction(0)])


def _is_large_table(query: Query, objective: ExpectedLoss, points: list[Fraction]) -> bool:
    """Whether the entries of a table of losses are too many for the bits of their denominators.

    More may be if they are written out.
    """
    entries, name = query.num_truths * query.num_responses, objective.loss_name
    numbers = [*query.truths, *points]
    if name is None:
        numbers = [exact(cost, "cost") for cost in np.unique(objective.loss).tolist()]
    bits = over_one_unit(numbers)[1].bit_length() * _TIMES.get(name, 0)
    bits += whole_weights(objective, query.num_truths)[1].bit_length()
    allowed = 4 * _WORK_OF_AN_ENTRY if name is None else 0
    return entries * (_WORK_OF_AN_ENTRY + _WORK_OF_A_BIT * bits) > _TABLE_WORK + entries * allowed


def _by_table(query: Query, objective: ExpectedLoss) -> ChainQuestion | str:
    points = [response.midpoint for response in query.responses]
    if len(points) == 1:
        return "there is a single response, and nothing to choose"
    if any(after <= before for before, after in pairwise(points)):
        return "its responses do not stand in order"
    if _is_large_table(query, objective, points):
        return "its truths times its responses are too many for losses that do not follow from a distance"
    losses, weights = exact_losses(objective, query), exact_weights(objective, query)
    charged = losses * weights[None, :]
    unit = lcm(*{Fraction(cost).denominator for cost in charged.ravel().tolist()})
    whole = charged * unit
    steps = [[int(cost) for cost in row] for row in np.diff(whole, axis=0).tolist()]
    signs = []
    for step in steps:
        first = next((f for f in range(len(step), 0, -1) if step[f - 1] > 0), 0)
        if min(step[:first], default=0) < 0:
            return (
                "of two responses in a row the higher one is better for a truth below one that it is worse "
                "for: the condition on signs of the theorem of chains is broken"
            )
        signs.append(first)
    const = sum(map(int, whole[0].tolist()))
    const += sum(sum(step[first:]) for step, first in zip(steps, signs, strict=True))
    return ChainQuestion(
        num_truths=query.num_truths,
        num_steps=query.num_responses - 1,
        table=tuple(map(tuple, steps)),
        signs=tuple(signs),
        const=const,
        variation=sum(sum(map(abs, step)) for step in steps),
        largest=max(max(map(abs, step)) for step in steps),
        unit=unit,
        num_listed=losses.size,
    )


def listed_losses(objective: ExpectedLoss, step: Fraction = Fraction(1)) -> list[Fraction] | None:
    """Return the loss at distance 0, 1, … until it is constant; ``None`` where there is no list."""
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
