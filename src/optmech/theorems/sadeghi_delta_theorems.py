"""The least delta of differential privacy itself for bounded noise: theorems on all sets of outcomes.

For the noise of Sadeghi et al. 2020, which the paper holds to delta one outcome at a time. A set of one
outcome is a set, so whatever bounds single outcomes from below bounds all sets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from optmech.theorems import sadeghi, sadeghi_delta
from optmech.theorems import sadeghi_question as question
from optmech.theorems.sadeghi_general import count_one_floor
from optmech.theorems.sadeghi_letters import Law
from optmech.theorems.theorem import ExactOptimum, Relation, Theorem, Truth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.problem import Problem

__all__ = ["THEOREMS"]


def _matrix(problem: Problem) -> NDArray[np.float64]:
    letters = question.letters(problem)
    return question.noise_matrix(problem.query, letters[1], sadeghi_delta.least_true_weights(*letters))


def _exact(problem: Problem, growth: Fraction) -> ExactOptimum:
    query, (_, accuracy, width) = problem.query, question.letters(problem)
    factor, odds, half_error = (
        fmpq(number.numerator, number.denominator)
        for number in (growth, 2 * accuracy / (1 - accuracy), (1 - accuracy) / 2)
    )
    law = Law(factor, odds, width, half_error)
    weights = sadeghi_delta.least_true_weights.formula(law)
    noise = [accuracy, *(_fraction(half_error * weight) for weight in weights), Fraction(0)]
    shift = (query.response_values[:, None] - query.truth_values[None, :]).astype(int)
    matrix = np.array(noise, dtype=object)[np.minimum(np.abs(shift), width + 1)]
    # Of the first two counts n, n + 1, which stand for all: s_i is outcome n - i, and u_i is n + i.
    outcomes = [*range(0, -width - 1, -1), *range(1, width + 1)]
    places = [(int(np.flatnonzero(shift[:, 0] == outcome)[0]), 0, 1) for outcome in outcomes]
    worth = sadeghi_delta.least_true_multipliers.formula(law)
    return ExactOptimum(
        matrix, {place: _fraction(y) for place, y in zip(places, worth, strict=True) if y != 0}
    )


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


THEOREMS = (
    Theorem(
        name="sadeghi-true-least-delta",
        source="optmech.theorems.sadeghi_delta, on the noise of Sadeghi et al. 2020, Proposition 3",
        says="Of symmetric noise truncated geometric noise has the least delta, at no small accuracy.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=question.objection_to_true_symmetric,
        value=question.value_at_letters(sadeghi_delta.least_true_delta),
        ball=question.ball_at_letters(sadeghi_delta.least_true_delta),
        matrix=_matrix,
        exact=_exact,
    ),
    Theorem(
        name="sadeghi-true-symmetric-is-allowed",
        source="Sadeghi et al. 2020, Proposition 3, with optmech.theorems.sadeghi_delta",
        says="Symmetric noise is zero-bias noise where no count is below the half-width.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=question.objection_to_true_counts_from_half_width,
        value=question.value_at_letters(sadeghi_delta.least_true_delta),
        ball=question.ball_at_letters(sadeghi_delta.least_true_delta),
        matrix=_matrix,
    ),
    Theorem(
        name="sadeghi-true-above-single-outcomes",
        source="Sadeghi et al. 2020, (7) and (8), with optmech.theorems.sadeghi",
        says="No symmetric noise has a delta below the least for single outcomes.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_true_symmetric,
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
    ),
    Theorem(
        name="sadeghi-true-small-counts-do-not-help",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="On a long range of counts, delta is at least that of symmetric noise for single outcomes.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_true_large_range,
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
    ),
    Theorem(
        name="sadeghi-true-count-one-floor",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, its short range below bounds delta at any half-width.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_true_counts_from_one,
        value=question.value_at_range(count_one_floor),
        ball=question.ball_at_range(count_one_floor),
    ),
    Theorem(
        name="sadeghi-true-outcomes-in-pairs",
        source="optmech.theorems.sadeghi_delta, in place of Sadeghi et al. 2020, Remark 2",
        says="Half-width plus one times the least delta for single outcomes is enough for all sets.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=question.objection_to_true_symmetric,
        value=question.value_at_letters(sadeghi_delta.true_delta_bound),
        ball=question.ball_at_letters(sadeghi_delta.true_delta_bound),
    ),
    Theorem(
        name="sadeghi-remark-2",
        source="Sadeghi et al. 2020, Remark 2 with Theorem 3",
        says="Symmetric noise has a delta of 2D + 1 times what Theorem 3 gives for single outcomes, or less.",
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        objection=question.objection_to_true_symmetric,
        value=question.value_at_letters(sadeghi_delta.claimed_true_delta),
        ball=question.ball_at_letters(sadeghi_delta.claimed_true_delta),
        counter_example=(
            "epsilon 1, accuracy 0.01, half-width 4: Remark 2 promises 0.0947499497, and no symmetric noise "
            "has less than 0.105943185294. Theorem 3 is too small there."
        ),
    ),
)
"""What is known of all sets of outcomes."""
