"""Least absolute error without bias, at each truth by itself: any graph, prior and responses.

Let truth f have a neighbour g, d away. Let p be e^(-w epsilon), w how many times epsilon lie between the two
where the column of f is bounded by that of g, and 0 where it is not; q is the same the other way round. Where
the mean of each column is its truth,

    mean absolute error at f  >=  2 d q / (1 - p q)         for counts 2 a / (1 - a^2), a = e^-epsilon

Proof. Let X be the response less f, g = f + d, and x the mean of X^+ at f, which is that of X^- without bias.
At g the mean of X is d, so that there ``E X^+ = d + E X^-``. Privacy gives ``x >= q E X^+ = q (d + E X^-) >=
q (d + p x)``, and the error is 2 x. Where g = f - d the same holds of -X. Further demands leave it true.

`unbiased_counts` attains it on a path. We know of no print of it; docs/theory/related.md has what is near.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.question.costs import exact_weights
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.privacy import PurePrivacy
from optmech.question.properties import UNBIASED
from optmech.theorems.powers import Doubles
from optmech.theorems.theorem import Form, proved_lower_bound

if TYPE_CHECKING:
    from optmech.question.problem import Problem
    from optmech.theorems.powers import Powers

# Pairs are looked at one by one.
_MOST_PAIRS = 100_000


class _Step(NamedTuple):
    """A truth and a neighbour."""

    distance: Fraction
    """Between the two, times the weight of the truth."""
    there: int
    """Times epsilon by which the column of the neighbour is bounded by that of the truth."""
    back: int
    """The same the other way round; 0 where it is not bounded."""


def least_error(powers: Powers[Any], step: _Step) -> Any:  # noqa: ANN401 - of the kind of the powers
    """Return the error that no bias costs the truth, times its weight.

    >>> round(least_error(Doubles(Fraction(1)), _Step(Fraction(1), 1, 1)), 12)
    0.850918128239
    """
    error = powers.number(2 * step.distance) * powers.power(step.there)
    return error / (powers.complement() * powers.terms(step.there + step.back)) if step.back else error


def _sum(powers: Powers[Any], steps: list[_Step]) -> Any:  # noqa: ANN401 - of the kind of the powers
    return sum((least_error(powers, step) for step in steps), powers.number(0))


def _steps(problem: Problem) -> list[_Step]:
    """Return for each truth with a neighbour the dearest step; at the worst truth the dearest of all."""
    query, objective, powers = problem.query, problem.objective, Doubles(problem.privacy.epsilon)
    is_mean = isinstance(objective, ExpectedLoss)
    alike = [Fraction(1)] * query.num_truths
    weights = exact_weights(objective, query) if isinstance(objective, ExpectedLoss) else alike
    times = {
        (f, g): weight for (f, g), weight in zip(query.pairs.tolist(), query.weights.tolist(), strict=True)
    }
    dearest: dict[int, _Step] = {}
    for (neighbour, truth), there in times.items():
        distance = weights[truth] * abs(query.truths[neighbour] - query.truths[truth])
        step = _Step(distance, there, times.get((truth, neighbour), 0))
        dearest[truth] = max(dearest.get(truth, step), step, key=lambda one: least_error(powers, one))
    steps = list(dearest.values())
    return steps if is_mean else [max(steps, key=lambda one: least_error(powers, one))]


def _absolute_error_without_bias(problem: Problem) -> str | None:
    """Say why this is not a problem of least absolute error without bias, or return ``None``."""
    if not isinstance(problem.privacy, PurePrivacy) or UNBIASED not in problem.properties:
        return "this applies to unbiased mechanisms under pure privacy"
    objective = problem.objective
    if not isinstance(objective, ExpectedLoss | WorstLoss) or objective.loss_name != "absolute":
        return "this applies to the absolute loss"
    return None


def _too_many(problem: Problem) -> str | None:
    number = len(problem.query.pairs)
    return f"it has {number:,} pairs of neighbours to look at" if number > _MOST_PAIRS else None


THEOREMS = (
    proved_lower_bound(
        name="unbiased-error-at-each-truth",
        source="unbiased_error, on pure differential privacy",
        says=(
            "Without bias the mean absolute error at a truth is at least 2 d a / (1 - a^2), d the distance "
            "of a neighbour and a = e^-epsilon, for any prior, any responses and any other neighbours."
        ),
        conditions=(_absolute_error_without_bias,),
        form=Form.of(_sum, _steps),
        reads=frozenset({"limits", "bounds", "rules", "properties", "weights", "further_privacy"}),
        too_long=_too_many,
    ),
)
