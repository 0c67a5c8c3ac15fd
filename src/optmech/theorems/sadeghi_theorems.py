"""The theorems of Sadeghi et al. 2020 for a problem, and those that correct and extend them.

All concern the least delta for single outcomes, the paper's objective. The delta of differential privacy is
in `sadeghi_delta`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems import sadeghi
from optmech.theorems import sadeghi_question as question
from optmech.theorems.sadeghi_general import count_one_chain, count_one_floor
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.sadeghi_letters import ClosedForms

__all__ = ["THEOREMS"]


def _matrix(weights: ClosedForms) -> Callable[[Problem], NDArray[np.float64]]:
    def matrix(problem: Problem) -> NDArray[np.float64]:
        epsilon, accuracy, half_width = question.letters(problem)
        return question.noise_matrix(problem.query, accuracy, weights(epsilon, accuracy, half_width))

    return matrix


THEOREMS = (
    Theorem(
        name="sadeghi-lemma-1",
        source="Sadeghi et al. 2020, Lemma 1, (23)",
        says="Accuracy and half-width bound delta from below: noise near the truth cannot decay faster.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_symmetric,
        value=question.value_at_letters(sadeghi.type_one_bound),
        ball=question.ball_at_letters(sadeghi.type_one_bound),
    ),
    Theorem(
        name="sadeghi-lemma-2",
        source="Sadeghi et al. 2020, Lemma 2, (32)",
        says="Half-width alone bounds delta from below: noise must have fallen to it where its range ends.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_symmetric,
        value=question.value_at_letters(sadeghi.type_two_bound),
        ball=question.ball_at_letters(sadeghi.type_two_bound),
    ),
    Theorem(
        name="sadeghi-theorem-1",
        source="Sadeghi et al. 2020, Theorems 1 and 2",
        says="The largest of the bounds of Lemmas 1 and 2 is a lower bound on delta.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_symmetric,
        value=question.value_at_letters(sadeghi.least_delta_printed),
        ball=question.ball_at_letters(sadeghi.least_delta_printed),
    ),
    Theorem(
        name="sadeghi-theorem-3",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, for the rows of (9)",
        says="The largest of the bounds of Lemmas 1 and 2 is the least delta of symmetric noise.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        objection=question.objection_to_symmetric_with_all_rows,
        value=question.value_at_letters(sadeghi.least_delta_printed),
        ball=question.ball_at_letters(sadeghi.least_delta_printed),
        counter_example=(
            "epsilon 1, accuracy 0.01, half-width 4: Theorem 3 says 0.0105277721914. The outcome n + 1 under "
            "the truths n and n + 1, a row missing from (17)-(19), takes 0.301208662138 by Definition 2; "
            "the least delta is 0.0417447107918. False exactly where 2 eta / (1 - eta) < S_{D-1} / T_D."
        ),
    ),
    Theorem(
        name="sadeghi-theorem-3-printed-rows",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, for the rows (17)-(19)",
        says="Under the printed rows alone, the largest of the bounds of Lemmas 1 and 2 is the least delta.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=question.objection_to_printed_rows,
        value=question.value_at_letters(sadeghi.least_delta_printed),
        ball=question.ball_at_letters(sadeghi.least_delta_printed),
        matrix=_matrix(sadeghi.weights_printed),
    ),
    Theorem(
        name="sadeghi-theorem-3-accurate",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, where 2 eta / (1 - eta) >= S_{D-1} / T_D",
        says="For an accuracy that is not small, from 1/7 on at the latest, Theorem 3 holds under all rows.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=question.objection_to_small_accuracy,
        value=question.value_at_letters(sadeghi.least_delta_printed),
        ball=question.ball_at_letters(sadeghi.least_delta_printed),
        matrix=_matrix(sadeghi.weights_printed),
    ),
    Theorem(
        name="sadeghi-theorem-3-corrected",
        source="optmech.theorems.sadeghi, in place of Sadeghi et al. 2020, Theorem 3",
        says="With those of the missing rows, the largest bound is the least delta at any accuracy.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=question.objection_to_symmetric_with_all_rows,
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
        matrix=_matrix(sadeghi.weights),
    ),
    Theorem(
        name="sadeghi-symmetric-is-optimal",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Propositions 2 and 3",
        says="On a long range of counts, noise that may differ from count to count is no better.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=lambda problem: (
            question.objection_to_counts_from_half_width(problem)
            or question.objection_to_large_range(problem)
        ),
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
        matrix=_matrix(sadeghi.weights),
    ),
    Theorem(
        name="sadeghi-symmetric-is-allowed",
        source="Sadeghi et al. 2020, Proposition 3",
        says="Symmetric noise is zero-bias noise where no count is below the half-width.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=question.objection_to_counts_from_half_width,
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
        matrix=_matrix(sadeghi.weights),
    ),
    Theorem(
        name="sadeghi-small-counts-do-not-help",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="On a long range of counts that starts anywhere, delta is at least that of symmetric noise.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_large_range,
        value=question.value_at_letters(sadeghi.least_delta),
        ball=question.ball_at_letters(sadeghi.least_delta),
    ),
    Theorem(
        name="sadeghi-count-one-floor",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, its short range below bounds delta at any half-width.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_counts_from_one,
        value=question.value_at_range(count_one_floor),
        ball=question.ball_at_range(count_one_floor),
    ),
    Theorem(
        name="sadeghi-count-one-chain",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, 0 is reported for it with at least half the error.",
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=question.objection_to_long_chain,
        value=question.value_at_letters(count_one_chain),
        ball=question.ball_at_letters(count_one_chain),
    ),
)
