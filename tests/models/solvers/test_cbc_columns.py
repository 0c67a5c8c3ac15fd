"""CBC takes some continuous columns for whole numbers; scaling them keeps it from that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.models.solvers import installed_solvers
from optmech.models.solvers.preparation import column_scale, with_scaled_columns
from tests.each import each

CBC = [solver for solver in installed_solvers() if solver.name == "cbc"]
if not CBC:
    pytest.skip("CBC is not installed", allow_module_level=True)


@pytest.mark.parametrize(
    ("modulus", "epsilon", "at_most", "cost", "least"),
    [
        (8, "1", "0.3", "error-rate", 0.2575156088200096),
        (9, "0.75", "0.6101", "squared", 0.31076994391833845),
        (9, "0.1", "0.6101", "squared", 0.47211885563868194),
    ],
)
def test_a_delta_between_zero_and_one_is_no_whole_number(modulus, epsilon, at_most, cost, least):
    query = om.residues(modulus, [1], symmetric=False)
    model = om.models.assemble(om.kadam_least_delta(query, epsilon, at_most=at_most, cost=cost)).model
    solution = CBC[0].solve(model, om.SolveOptions())
    assert solution.objective == pytest.approx(least, abs=1e-7)
    assert solution.bound == pytest.approx(least, abs=1e-6)


def test_only_continuous_columns_with_cost_and_whole_bounds_are_scaled():
    model = om.models.assemble(om.kadam_least_delta(om.residues(4, [1]), 1, at_most="0.4")).model
    scale = column_scale(model)
    assert scale[-1] == 2.0  # delta between 0 and 1 becomes a column between 0 and 1/2
    assert (scale[:-1] == 1.0).all()
    linear = replace(model, integer=np.zeros(model.num_columns, bool))
    assert (column_scale(linear) == 1.0).all()


@each(
    ("lower", "upper", "scale"),
    [(0, 1, 2), (0, 12, 8), (-3, np.inf, 2), (0, np.inf, 1), (-np.inf, np.inf, 1), (0, 0.5, 1), (-4, 0, 8)],
)
def test_a_scaled_bound_is_half_a_whole_number(lower, upper, scale):
    model = om.models.assemble(om.kadam_least_delta(om.residues(4, [1]), 1, at_most="0.4")).model
    low, high = model.column_lower.copy(), model.column_upper.copy()
    low[-1], high[-1] = lower, upper
    assert column_scale(replace(model, column_lower=low, column_upper=high))[-1] == scale


def test_a_scaled_model_is_the_same_model_in_other_units():
    model = om.models.assemble(om.kadam_least_delta(om.residues(4, [1]), 1, at_most="0.4")).model
    scale = np.exp2(np.arange(model.num_columns) % 5 - 2.0)
    point = np.random.default_rng(1).uniform(size=model.num_columns)
    scaled = with_scaled_columns(replace(model, integer=np.zeros(model.num_columns, bool)), scale)
    assert scaled.objective(point / scale) == pytest.approx(model.objective(point), rel=1e-15)
    assert np.array_equal(scaled.matrix @ (point / scale), model.matrix @ point)
