"""The theorems of Sadeghi et al. 2020 for a problem, and those that correct and extend them.

The paper's objective is the least delta for single outcomes. `ALL_SETS` hold the same noise to the delta of
differential privacy, over all sets of outcomes. A set of one outcome is a set, so every bound of single
outcomes from below bounds all sets.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.theorems import sadeghi, sadeghi_delta
from optmech.theorems import sadeghi_question as ask
from optmech.theorems.powers import rational
from optmech.theorems.sadeghi_general import count_one_chain, count_one_floor
from optmech.theorems.sadeghi_letters import law_of
from optmech.theorems.sadeghi_question import at_letters, at_range, matrix_of
from optmech.theorems.theorem import (
    ExactOptimum,
    Relation,
    Theorem,
    Truth,
    proved_lower_bound,
    proved_optimum,
    proved_upper_bound,
)

if TYPE_CHECKING:
    from flint import fmpq
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.sadeghi_letters import ClosedForm, Law

_SYMMETRIC = (ask.symmetric, ask.single_outcomes, ask.from_half_width)
_ZERO_BIAS = (ask.zero_bias, ask.single_outcomes, ask.all_rows)
_SYMMETRIC_SETS = (ask.symmetric, ask.all_sets, ask.from_half_width)
_ZERO_BIAS_SETS = (ask.zero_bias, ask.all_sets)


def _exact(problem: Problem, growth: Fraction) -> ExactOptimum:
    law = law_of(rational(growth), *ask.letters(problem)[1:])
    # For the first two counts n, n + 1, which stand for all: s_i is outcome n - i, and u_i is n + i.
    outcomes = [*range(0, -law.D - 1, -1), *range(1, law.D + 1)]
    first = _place_of(problem, 0)
    value = sadeghi_delta.least_true_multipliers.formula(law)
    return ExactOptimum(
        _exact_matrix(problem, law, sadeghi_delta.least_true_weights),
        {(first + outcome, 0, 1): _fraction(y) for outcome, y in zip(outcomes, value, strict=True) if y != 0},
    )


def _exact_single(problem: Problem, growth: Fraction) -> ExactOptimum:
    law = law_of(rational(growth), *ask.letters(problem)[1:])
    rows = sadeghi.outcomes_followed(sadeghi.regime.formula(law), law.D)
    total = 2 * sum(growth**power for *_, power in rows)
    middle = sadeghi.counts_followed.formula(law)
    multipliers: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for (*row, power), side in product(rows, (1, -1)):
        outcome, truth, other = (middle + side * place for place in row)
        outcome, truth, other = problem.structure.representative(outcome, truth, other)
        multipliers[_place_of(problem, outcome), truth, other] += growth**power / total
    return ExactOptimum(_exact_matrix(problem, law, sadeghi.weights), multipliers)


def _exact_matrix(problem: Problem, law: Law[fmpq], weights: ClosedForm) -> NDArray[Any]:
    masses = (_fraction(law.half_error * weight) for weight in weights.formula(law))
    return ask.noise_matrix(problem.query, [ask.letters(problem)[1], *masses, Fraction(0)])


def _place_of(problem: Problem, outcome: int) -> int:
    """Return the position of a response that is so much above the first truth."""
    query = problem.query
    return int(np.flatnonzero(query.response_values == query.truth_values[0] + outcome)[0])


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


SINGLE_OUTCOMES = (
    proved_lower_bound(
        name="sadeghi-lemma-1",
        source="Sadeghi et al. 2020, Lemma 1, (23)",
        says="Accuracy and half-width bound delta from below: noise near the truth cannot decay faster.",
        conditions=_SYMMETRIC,
        form=at_letters(sadeghi.type_one_bound),
    ),
    proved_lower_bound(
        name="sadeghi-lemma-2",
        source="Sadeghi et al. 2020, Lemma 2, (32)",
        says="Half-width alone bounds delta from below: noise must have fallen to it where its range ends.",
        conditions=_SYMMETRIC,
        form=at_letters(sadeghi.type_two_bound),
    ),
    proved_lower_bound(
        name="sadeghi-theorem-1",
        source="Sadeghi et al. 2020, Theorems 1 and 2",
        says="The largest of the bounds of Lemmas 1 and 2 is a lower bound on delta.",
        conditions=_SYMMETRIC,
        form=at_letters(sadeghi.least_delta_printed),
    ),
    Theorem(
        name="sadeghi-theorem-3",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, for the rows of (9)",
        says="The largest of the bounds of Lemmas 1 and 2 is the least delta of symmetric noise.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        conditions=(*_SYMMETRIC, ask.all_rows),
        form=at_letters(sadeghi.least_delta_printed),
        counter_example=(
            "epsilon 1, accuracy 0.01, half-width 4: Theorem 3 says 0.0105277721914. The outcome n + 1 under "
            "the truths n and n + 1, a row missing from (17)-(19), takes 0.301208662138 by Definition 2; "
            "the least delta is 0.0417447107918. False exactly where 2 eta / (1 - eta) < S_{D-1} / T_D."
        ),
    ),
    proved_optimum(
        name="sadeghi-theorem-3-printed-rows",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, for the rows (17)-(19)",
        says="Under the printed rows alone, the largest of the bounds of Lemmas 1 and 2 is the least delta.",
        conditions=(*_SYMMETRIC, ask.printed_rows),
        form=at_letters(sadeghi.least_delta_printed),
        matrix=matrix_of(sadeghi.weights_printed),
    ),
    proved_optimum(
        name="sadeghi-theorem-3-accurate",
        source="Sadeghi et al. 2020, Theorem 3 and Definition 2, where 2 eta / (1 - eta) >= S_{D-1} / T_D",
        says="For an accuracy that is not small, from 1/7 on at the latest, Theorem 3 holds under all rows.",
        conditions=(*_SYMMETRIC, ask.all_rows, ask.is_accurate),
        form=at_letters(sadeghi.least_delta_printed),
        matrix=matrix_of(sadeghi.weights_printed),
    ),
    proved_optimum(
        name="sadeghi-theorem-3-corrected",
        source="optmech.theorems.sadeghi, in place of Sadeghi et al. 2020, Theorem 3",
        says="With those of the missing rows, the largest bound is the least delta at any accuracy.",
        conditions=(*_SYMMETRIC, ask.all_rows),
        form=at_letters(sadeghi.least_delta),
        matrix=matrix_of(sadeghi.weights),
        exact=_exact_single,
    ),
    proved_optimum(
        name="sadeghi-symmetric-is-optimal",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Propositions 2 and 3",
        says="On a long range of counts, noise that may differ from count to count is no better.",
        conditions=(*_ZERO_BIAS, ask.from_half_width, ask.long_range),
        form=at_letters(sadeghi.least_delta),
        matrix=matrix_of(sadeghi.weights),
        exact=_exact_single,
    ),
    proved_upper_bound(
        name="sadeghi-symmetric-is-allowed",
        source="Sadeghi et al. 2020, Proposition 3",
        says="Symmetric noise is zero-bias noise where no count is below the half-width.",
        conditions=(*_ZERO_BIAS, ask.from_half_width),
        form=at_letters(sadeghi.least_delta),
        matrix=matrix_of(sadeghi.weights),
    ),
    proved_lower_bound(
        name="sadeghi-small-counts-do-not-help",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="On a long range of counts that starts anywhere, delta is at least that of symmetric noise.",
        conditions=(*_ZERO_BIAS, ask.long_range),
        form=at_letters(sadeghi.least_delta),
    ),
    proved_lower_bound(
        name="sadeghi-count-one-floor",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, its short range below bounds delta at any half-width.",
        conditions=(*_ZERO_BIAS, ask.from_one),
        form=at_range(count_one_floor),
    ),
    proved_lower_bound(
        name="sadeghi-count-one-chain",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, 0 is reported for it with at least half the error.",
        conditions=(*_ZERO_BIAS, ask.from_one, ask.past_half_width),
        form=at_letters(count_one_chain),
    ),
)

ALL_SETS = (
    proved_optimum(
        name="sadeghi-true-least-delta",
        source="optmech.theorems.sadeghi_delta, on the noise of Sadeghi et al. 2020, Proposition 3",
        says="Among symmetric noise truncated geometric noise has the least delta, at no small accuracy.",
        conditions=_SYMMETRIC_SETS,
        form=at_letters(sadeghi_delta.least_true_delta),
        matrix=matrix_of(sadeghi_delta.least_true_weights),
        exact=_exact,
    ),
    proved_upper_bound(
        name="sadeghi-true-symmetric-is-allowed",
        source="Sadeghi et al. 2020, Proposition 3, with optmech.theorems.sadeghi_delta",
        says="Symmetric noise is zero-bias noise where no count is below the half-width.",
        conditions=(*_ZERO_BIAS_SETS, ask.from_half_width),
        form=at_letters(sadeghi_delta.least_true_delta),
        matrix=matrix_of(sadeghi_delta.least_true_weights),
    ),
    proved_lower_bound(
        name="sadeghi-true-above-single-outcomes",
        source="Sadeghi et al. 2020, (7) and (8), with optmech.theorems.sadeghi",
        says="No symmetric noise has a delta below the least for single outcomes.",
        conditions=_SYMMETRIC_SETS,
        form=at_letters(sadeghi.least_delta),
    ),
    proved_lower_bound(
        name="sadeghi-true-small-counts-do-not-help",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="On a long range of counts, delta is at least that of symmetric noise for single outcomes.",
        conditions=(*_ZERO_BIAS_SETS, ask.long_range),
        form=at_letters(sadeghi.least_delta),
    ),
    proved_lower_bound(
        name="sadeghi-true-count-one-floor",
        source="optmech.theorems.sadeghi_general, on Sadeghi et al. 2020, Proposition 2",
        says="Where a count of 1 is possible, its short range below bounds delta at any half-width.",
        conditions=(*_ZERO_BIAS_SETS, ask.from_one),
        form=at_range(count_one_floor),
    ),
    proved_upper_bound(
        name="sadeghi-true-outcomes-in-pairs",
        source="optmech.theorems.sadeghi_delta, in place of Sadeghi et al. 2020, Remark 2",
        says="Half-width plus one times the least delta for single outcomes is enough for all sets.",
        conditions=_SYMMETRIC_SETS,
        form=at_letters(sadeghi_delta.true_delta_bound),
    ),
    Theorem(
        name="sadeghi-remark-2",
        source="Sadeghi et al. 2020, Remark 2 with Theorem 3",
        says="Symmetric noise has a delta of 2D + 1 times what Theorem 3 gives for single outcomes, or less.",
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        conditions=_SYMMETRIC_SETS,
        form=at_letters(sadeghi_delta.claimed_true_delta),
        counter_example=(
            "epsilon 1, accuracy 0.01, half-width 4: Remark 2 promises 0.0947499497, and no symmetric noise "
            "has less than 0.105943185294. Theorem 3 is too small there."
        ),
    ),
)
"""Theorems for all sets of outcomes."""
