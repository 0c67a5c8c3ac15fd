"""Where nothing costs less than an answer that ignores the data, that answer is handed out, exactly."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.question.losses import ExpectedLoss

MEAN = om.mean(10, 4)  # 0, 0.1, .., 4: whoever always says 2 is never off by more than 2


def check(problem):
    certificate = om.design(problem).certificate
    assert (certificate.objective, certificate.bound, certificate.relative_gap) == (0, 0, 0.0)
    assert (certificate.matrix.numerators == certificate.matrix.numerators[:, :1]).all()


@pytest.mark.parametrize(
    "more",
    [
        {"properties": ["symmetric"]},
        {"properties": ["row-monotone"]},
        pytest.param({"delta": "0.01", "properties": ["symmetric"]}, marks=pytest.mark.slow),
        {"prior": None, "properties": ["symmetric"]},
    ],
    ids=str,
)
def test_who_always_says_the_middle_costs_nothing_exactly(more):
    check(om.question(MEAN, "1", loss="beyond 2", **more))


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {"delta": "1e-6"},
        {"delta": "0.01"},
        {"properties": ["row-honest"]},
        pytest.param({"worst_case": True}, marks=pytest.mark.long),
        {"definition": "probabilistic", "delta": "0.01"},
        {"definition": "per-outcome", "delta": "0.01"},
    ],
    ids=str,
)
@pytest.mark.parametrize("epsilon", ["2"])
def test_a_solver_for_more_than_ratios_leaves_no_dust(more, epsilon):
    check(om.question(MEAN, epsilon, loss="beyond 2", **more))


def test_two_mirrored_answers_by_halves_cost_nothing_exactly():
    """For 0..5 an answer of 2 or 3 is off by at most 3; only both together are symmetric."""
    problem = om.question(om.count(5), "1", loss="beyond 3", properties=["symmetric"])
    certificate = om.design(problem).certificate
    assert (certificate.objective, certificate.bound) == (0, 0)
    assert om.verify(om.MatrixMechanism.certified(certificate), problem)


def test_where_next_to_nothing_may_be_told_the_middle_costs_what_it_costs_to_the_last_digit():
    """Always 2 of 0..4 is off by 2 at the ends; all that the data may change at this epsilon is less."""
    certificate = om.design(om.question(om.count(4), "1e-15", worst_case=True)).certificate
    assert certificate.objective == 2
    assert certificate.relative_gap < 1e-14


def test_a_mechanism_that_uses_the_data_is_kept_where_it_costs_less_or_spends_nothing_anyway():
    used = om.design(om.croft(om.count(5), "1")).certificate.matrix.numerators
    assert (used != used[:, :1]).any()
    free = om.design(
        om.question(om.count(5), "1", least="delta", bounds=["mean absolute <= 1.2"])
    ).certificate
    assert free.objective == 0
    assert (free.matrix.numerators != free.matrix.numerators[:, :1]).any()


def test_a_closed_form_weighs_no_whole_matrix_for_each_response(monkeypatch):
    """With thousands of responses that would take longer than all else."""
    weighed, value = [], ExpectedLoss.value
    monkeypatch.setattr(ExpectedLoss, "value", lambda loss, matrix: weighed.append(1) or value(loss, matrix))
    made = om.design(om.question(om.count(30), 1), engine="closed-form")
    assert made.certificate.relative_gap < 1e-9
    assert len(weighed) < 10
