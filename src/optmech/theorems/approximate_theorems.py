"""Statements on the truth under (epsilon, delta)-differential privacy: see `approximate` for the proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems import approximate_question as ask
from optmech.theorems.approximate import (
    centre_counts,
    fair_on_a_path,
    least_delta,
    least_error_rate,
    noise_on_a_circle,
    steps_to,
)
from optmech.theorems.kadam_powers import in_balls, in_doubles
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.kadam_powers import Powers

__all__ = ["THEOREMS"]

Amount = TypeVar("Amount", float, "arb")


def _rate(powers: Powers[Amount], problem: Problem) -> Amount:
    rate = least_error_rate(powers, centre_counts(steps_to(problem.query)), ask.delta(problem))
    return powers.number(ask.error_cost(problem)) * rate


def _delta(powers: Powers[Amount], problem: Problem) -> Amount:
    accuracy = 1 - ask.bounded_error_rate(problem)
    return least_delta(powers, centre_counts(steps_to(problem.query)), accuracy)


_least_delta = in_doubles(_delta)


def _rate_matrix(problem: Problem) -> NDArray[np.float64]:
    return _matrix(problem, float(ask.delta(problem)))


def _delta_matrix(problem: Problem) -> NDArray[np.float64]:
    return _matrix(problem, _least_delta(problem))


def _matrix(problem: Problem, delta: float) -> NDArray[np.float64]:
    epsilon = float(problem.privacy.epsilon)
    if ask.is_circle(problem):
        return noise_on_a_circle(steps_to(problem.query), epsilon, delta)
    return fair_on_a_path(problem.query.num_truths, epsilon, delta)


def _form(problem: Problem) -> str | None:
    """Say why no mechanism is known that attains the bound, or return ``None``."""
    if ask.is_circle(problem) or (ask.worst_only(problem) and ask.is_path(problem)):
        return None
    return "neighbours must look the same from every truth, or lie in a row with the worst truth counting."


def _worst(problem: Problem) -> str | None:
    counts = ask.worst_only(problem)
    return None if counts else "an average is asked for; the bound speaks of the worst truth."


THEOREMS = (
    Theorem(
        name="approximate-error-rate",
        source="approximate, on (epsilon, delta)-differential privacy; Cormode et al. 2018 for a path",
        says=(
            "Telling the truth with probability delta, else using the best pure mechanism, has the least "
            "error rate where neighbours look the same from every truth, and at the worst count."
        ),
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=lambda problem: ask.error_rate_objection(problem) or _form(problem),
        value=in_doubles(_rate),
        ball=in_balls(_rate),
        matrix=_rate_matrix,
    ),
    Theorem(
        name="approximate-least-delta",
        source="approximate, on (epsilon, delta)-differential privacy, turned round like Kadam (15)",
        says="At a bounded error rate no mechanism has a smaller delta than that mixture.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=lambda problem: ask.least_delta_objection(problem) or _form(problem),
        value=_least_delta,
        ball=in_balls(_delta),
        matrix=_delta_matrix,
        reads_bounds=True,
    ),
    Theorem(
        name="approximate-error-rate-bound",
        source="approximate, on (epsilon, delta)-differential privacy",
        says="Whoever is whose neighbour, the truth that most others are near is told no more often than so.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=lambda problem: ask.error_rate_objection(problem) or _worst(problem),
        value=in_doubles(_rate),
        ball=in_balls(_rate),
    ),
    Theorem(
        name="approximate-least-delta-bound",
        source="approximate, on (epsilon, delta)-differential privacy",
        says="Whoever is whose neighbour, a bounded error rate at every truth needs at least so much delta.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=lambda problem: ask.least_delta_objection(problem) or _worst(problem),
        value=_least_delta,
        ball=in_balls(_delta),
        reads_bounds=True,
    ),
)
