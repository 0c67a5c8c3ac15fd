"""Claims of optimality that the model contradicts are not believed; those within tolerance are."""

from __future__ import annotations

import numpy as np
import pytest

from optmech.models.solvers.claims import dual_objective, is_point, objection
from tests.each import each
from tests.models.conformance.programs import INF, program

# min x + 2y, x + y >= 1, x <= 1/4: values (1/4, 3/4), duals (2, -1).
MODEL = program([1, 2], [([1, 1], 1, INF), ([1, 0], -INF, 0.25)])
VALUES, DUALS = np.array([0.25, 0.75]), np.array([2.0, -1.0])
BELOW_TOLERANCE = 1e-9


def test_a_proved_optimum_meets_no_objection():
    assert objection(MODEL, VALUES, DUALS) is None
    assert objection(MODEL, VALUES - BELOW_TOLERANCE, DUALS + BELOW_TOLERANCE) is None


@each(
    ("values", "duals", "words"),
    [
        ([0.25, np.nan], DUALS, "the values are not finite"),
        ([0.25, np.inf], DUALS, "the values are not finite"),
        ([0.25, 0.7], DUALS, "the values break the model by 0.05"),
        ([-0.1, 1.1], DUALS, "the values break the model by 0.1"),
        (VALUES, [2, np.inf], "there are no duals"),
        ([0.0, 1.0], DUALS, "the duals leave a gap of 0.25"),
        (VALUES, [1, 0], "the duals leave a gap of 0.75"),
        (VALUES, [3, -1], "the duals leave a gap of inf"),
    ],
)
def test_what_contradicts_a_claim_is_said(values, duals, words):
    assert objection(MODEL, np.array(values), np.array(duals)) == words


def test_an_optimum_has_values_and_of_a_linear_program_duals():
    assert objection(MODEL, None, None) == "there are no values"
    assert objection(MODEL, VALUES, None) == "there are no duals"
    whole = program([1], [([2], 1, INF)], integer=[True])
    assert objection(whole, np.array([1.0]), None) is None


def test_the_best_point_after_a_limit_must_meet_the_rows_and_need_not_be_optimal():
    assert is_point(MODEL, np.array([0.0, 1.0]))
    assert not is_point(MODEL, np.array([0.0, 0.9]))
    assert not is_point(MODEL, np.array([0.0, np.nan]))
    assert not is_point(MODEL, None)


def test_a_fraction_where_a_whole_number_belongs_is_a_violation():
    model = program([1], [([2], 1, INF)], integer=[True])
    assert model.violation([0.75], relative=True) == 0.25


def test_violations_count_next_to_the_size_of_the_terms_above_one():
    # 1e16 x = 1e16: doubles near 1e16 are 2 apart, so a miss of 2 is rounding.
    model = program([1], [([1e16], 1e16, 1e16)])
    point = np.array([1 + 2.3e-16])
    assert model.violation(point) == 2
    assert model.violation(point, relative=True) < BELOW_TOLERANCE
    assert MODEL.violation(VALUES - 0.125, relative=True) == pytest.approx(MODEL.violation(VALUES - 0.125))


def test_rounding_in_the_reduced_cost_of_a_free_column_is_forgiven_here_and_not_in_a_bound():
    model = program([1, 1], [([1, 1], 1, INF)], [(-INF, INF), (-INF, INF)])
    duals = np.array([1 + BELOW_TOLERANCE])
    assert dual_objective(model, duals) == pytest.approx(1)
    assert model.dual_bound(duals) == -INF
