"""A number of a question that can be asked for, and why the question grows easier as that number moves.

Each law says that a mechanism that is allowed at one value is allowed at every easier one. So one mechanism
answers for all easier values, and one proof that there is none for all harder ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.numbers import as_text
from optmech.question.limits import Within
from optmech.question.problems.sadeghi import noisy_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.question.losses import Loss
    from optmech.question.problem import Problem
    from optmech.question.query import Query

_EPSILON_LAW = "a mechanism that is private at a smaller epsilon is private at a larger one"
_WIDTH_LAW = "what stays within a smaller half-width stays within a larger one"
# The least delta is convex in the accuracy: mixing noise mixes both. So the accuracies that meet a delta
# are an interval, and one that does not, above one that does, lies above them all.
_ACCURACY_LAW = "the accuracies at which a delta can be met are an interval, for two mechanisms may be mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One number of a question on a grid, from the hardest value to the easiest.

    Its `law` says why an easier value allows all that a harder one does; `at` returns the question with
    another value. Nothing is asked at `hardest`, which is beside the first of `most` values, a `step` apart,
    negative where smaller is easier; `start` is where to begin. Where the law `is_convex`, it is of
    objectives that are convex in the value: those that meet a target are an interval, and values beyond both
    of its ends do not.
    """

    name: str
    law: str
    at: Callable[[Fraction], Problem]
    most: int
    start: int
    hardest: Fraction = Fraction(0)
    step: Fraction = Fraction(1)
    is_convex: bool = False

    def value(self, steps: int) -> Fraction:
        """Return the value that is this number of steps from the hardest."""
        return self.hardest + steps * self.step


def epsilon(problem: Problem, step: Fraction, highest: Fraction) -> Parameter:
    """Return epsilon, which allows more as it grows; the search begins at the problem's own."""
    most = int(highest / step)
    if most < 1:
        message = (
            f"`highest` must be at least the precision {as_text(2 * step)}; got {as_text(highest)}. "
            "It is the largest epsilon to try."
        )
        raise ProblemError(message)
    start = round(float(problem.privacy.epsilon) / float(step))
    return Parameter(
        name="epsilon",
        law=_EPSILON_LAW,
        at=lambda value: _epsilon_at(problem, value),
        step=step,
        most=most,
        start=min(max(start, 1), most),
    )


def half_width(problem: Problem, highest: int) -> Parameter:
    """Return the half-width of bounded noise, or the distance of a limit ``within``."""
    width = problem.structure.width or _reach(problem)
    if width is None:
        message = (
            "`problem` must have a half-width: symmetric or zero-bias noise, or a limit such as 'within 3'; "
            f"got {problem.structure}."
        )
        raise NotAcceptedError(message)
    return Parameter(
        name="half-width",
        law=_WIDTH_LAW,
        at=lambda value: _half_width_at(problem, int(value)),
        most=highest,
        start=min(max(int(width), 1), highest),
    )


def accuracy_of_noise(problem: Problem, step: Fraction) -> Parameter:
    """Return the accuracy of noise of bounded width, which is exact: a smaller one need not be easier."""
    noise = problem.structure
    own = noise.truth_probability or Fraction(1, 2)
    steps = int(1 / step)
    return Parameter(
        name="accuracy",
        law=_ACCURACY_LAW,
        at=lambda value: replace(problem, structure=noise.of_accuracy(value)),
        hardest=Fraction(1),
        step=-step,
        most=steps - 1,
        start=min(max(1, round((1 - own) / step)), steps - 1),
        is_convex=True,
    )


def _epsilon_at(problem: Problem, value: Fraction) -> Problem:
    """Return the problem at another epsilon."""
    return problem.with_privacy(problem.privacy.at(value))


def _delta_at(problem: Problem, value: Fraction) -> Problem:
    """Return the problem at another delta; refused if it has none that is given."""
    privacy = problem.privacy
    if privacy.stated_delta is None:
        message = (
            f"`problem` must have a delta that is given; got {privacy}. "
            "Ask for one, such as `question(query, 1, delta='1e-6')`; pure privacy is its end, delta 0."
        )
        raise NotAcceptedError(message)
    return problem.with_privacy(privacy.spending(value))


def _bound_at(problem: Problem, value: Fraction) -> Problem:
    """Return the problem with another number in its bound on a further loss, of which it must have one."""
    if len(problem.bounds) != 1:
        message = (
            f"`problem` must have exactly one bound on a further loss; got {len(problem.bounds)}. "
            "Ask for one, such as `bounds='worst beyond 2 <= 0.05'`."
        )
        raise NotAcceptedError(message)
    return replace(problem, bounds=(replace(problem.bounds[0], at_most=value),))


def _reach(problem: Problem) -> Fraction | None:
    return min((limit.reach for limit in problem.limits if limit.reach is not None), default=None)


def _half_width_at(problem: Problem, width: int) -> Problem:
    structure = problem.structure
    if structure.width is None:
        others = [limit for limit in problem.limits if limit.reach is None]
        return replace(problem, limits=frozenset([*others, Within(Fraction(width))]))
    noise = structure.of_width(width)
    smallest, largest = noise.counts_in(int(problem.query.truths[0]), int(problem.query.truths[-1]))
    query = noisy_counts(smallest, largest, width)
    if query.truths != problem.query.truths and _speaks_of_its_counts(problem):
        message = (
            f"`problem` must mean the same for other counts, since noise within {width} is asked of counts "
            f"{smallest}..{largest}; got a loss summed over counts, or responses left out. "
            "Ask for a uniform prior, and for noise of the counts from the largest half-width on."
        )
        raise NotAcceptedError(message)
    return problem.with_losses(partial(_on, query), query=query, structure=noise)


def _speaks_of_its_counts(problem: Problem) -> bool:
    """Whether the same noise is better or worse for other counts: their number or their values matter."""
    losses = (problem.loss, *(part.loss for part in problem.bounds))
    has_sum = any(loss is not None and loss.weights_name == "sum" for loss in losses)
    return has_sum or bool(problem.rules) or any(limit.of_responses for limit in problem.limits)


def _on(query: Query, loss: Loss) -> Loss:
    """Return a loss for the responses of another half-width; a matrix lacks the further entries."""
    if not loss.is_named:
        message = (
            "`problem` must have a loss and a prior with names, to be asked at another half-width; "
            "got numbers. Ask for absolute, squared, zero-one or beyond K, and a uniform prior."
        )
        raise NotAcceptedError(message)
    return loss.at(query)


OVER: dict[str, Callable[[Problem, Fraction], Problem]] = {
    "epsilon": _epsilon_at,
    "delta": _delta_at,
    "bound": _bound_at,
}
"""Parameters of a trade-off, and the question at each value: the larger, the easier."""
