"""Statements on cut columns, for Kadam et al. 2024, Definition 2: a bound, and where it is the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_bounded import lemma_4
from optmech.theorems.kadam_columns import MOST_CUTS, column_staircases, exact_levels, number_of_cuts
from optmech.theorems.kadam_powers import Doubles, in_balls, in_doubles
from optmech.theorems.kadam_staircase import circulant, least_error_rate, least_required_delta, noise_masses
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.kadam_powers import Powers

__all__ = ["THEOREMS"]

Amount = TypeVar("Amount", float, "arb")


def _few_cuts(problem: Problem) -> str | None:
    number = number_of_cuts(*ask.bounded_size(problem))
    return None if number <= MOST_CUTS else f"there are {number} choices of cuts to try."


def _columns_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or ask.bounded_objection(problem) or _few_cuts(problem)


def _columns_least_objection(problem: Problem) -> str | None:
    return ask.least_delta_objection(problem) or ask.bounded_objection(problem) or _few_cuts(problem)


def _columns_exact_objection(problem: Problem) -> str | None:
    if objection := _columns_objection(problem):
        return objection
    if not ask.is_definition(problem):
        return "all distances share their indicators; this speaks of Definition 2."
    if exact_levels(*ask.bounded_size(problem), problem.privacy.epsilon, ask.delta(problem)) is None:
        return "no order of the columns was found in which the smaller distances leak no more."
    return None


def _columns(powers: Powers[Amount], problem: Problem) -> Amount:
    return least_error_rate(powers, column_staircases(*ask.bounded_size(problem)), ask.delta(problem))


def _columns_least(powers: Powers[Amount], problem: Problem) -> Amount:
    return least_required_delta(powers, column_staircases(*ask.bounded_size(problem)), ask.accuracy(problem))


def _columns_matrix(problem: Problem) -> NDArray[np.float64]:
    delta = ask.delta(problem)
    found = exact_levels(*ask.bounded_size(problem), problem.privacy.epsilon, delta)
    levels, stairs = found or ((0,), lemma_4(*ask.bounded_size(problem)))
    return circulant(noise_masses(Doubles(problem.privacy.epsilon), levels, stairs.leaking, delta))


THEOREMS = (
    Theorem(
        name="kadam-columns-bound",
        source="kadam_columns, for Kadam et al. 2024, Definition 2",
        says="No noise has a smaller error rate than the best cut of the columns, in either reading.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=_columns_objection,
        value=in_doubles(_columns),
        ball=in_balls(_columns),
    ),
    Theorem(
        name="kadam-columns-exact",
        source="kadam_columns, for Kadam et al. 2024, Definition 2",
        says=(
            "Where the smaller distances leak no more than the largest, the best cut of the "
            "columns is optimal."
        ),
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_columns_exact_objection,
        value=in_doubles(_columns),
        ball=in_balls(_columns),
        matrix=_columns_matrix,
    ),
    Theorem(
        name="kadam-columns-least-delta",
        source="kadam_columns, for Kadam et al. 2024, (15)",
        says=(
            "No noise of a wanted error rate leaks less than the best cut of the columns, in either reading."
        ),
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=_columns_least_objection,
        value=in_doubles(_columns_least),
        ball=in_balls(_columns_least),
    ),
)
"""What is known of cut columns."""
