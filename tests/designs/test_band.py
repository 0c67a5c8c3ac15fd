"""A band carries its answer and its proof outwards, or a wider one is taken."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs import band
from optmech.designs.attempts import solve
from optmech.designs.engines.program import solve_directly
from optmech.models.formulations.reduced import reduce_variant_2
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions

# Objectives of two solves of a few hundred rows.
SOLVER = 1e-8
ROWS = 1e-9
# In the full program far entries are noise, and its objective is off by their sum.
FULL = 1e-6


@pytest.fixture
def widths(monkeypatch):
    """The number of columns of each program that is solved."""
    sizes = []

    def counted(model, *settings, **options):
        sizes.append(model.num_columns)
        return solve(model, *settings, **options)

    monkeypatch.setattr(band, "solve", counted)
    return sizes


@pytest.mark.slow
@pytest.mark.parametrize("query", [om.count(60), om.mean(20, 3)], ids=lambda query: query.name)
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_a_band_is_enough_and_its_answer_is_that_of_the_whole_range(widths, query, loss):
    problem = om.croft(query, 1, 2, loss)
    formulation, solution = solve_directly(problem, "highs", SolveOptions())
    assert len(widths) == 1
    assert widths[0] < formulation.model.num_columns / 2
    full = om.models.assemble(problem).model
    whole = solve(full, "highs", SolveOptions())
    assert solution.objective == pytest.approx(whole.objective, rel=FULL)
    assert formulation.model.objective(solution.values) == pytest.approx(solution.objective, rel=SOLVER)
    assert full.violation(formulation.matrix(solution.values).ravel()) <= ROWS


def test_duals_carried_outwards_are_feasible_and_worth_the_optimum(widths):
    formulation, solution = solve_directly(om.croft(om.mean(20, 3), 1, 2), "highs", SolveOptions())
    assert len(widths) == 1
    model, duals = formulation.model, solution.row_duals
    assert (duals[np.isneginf(model.row_lower)] <= 0).all()
    left = model.cost - model.matrix.T @ duals
    assert left.min() >= -SOLVER * model.cost.max()
    sums = model.rows_of("total")
    assert duals[sums] @ model.row_upper[sums] == pytest.approx(solution.objective, rel=SOLVER)


@pytest.mark.slow
def test_where_far_answers_are_the_best_ones_the_band_widens(widths):
    """Far from the truth everything is free, so a far entry wants to be large, not small."""
    query = om.count(40)
    far = np.abs(np.arange(41)[:, None] - np.arange(41)[None, :]) > 20
    problem = om.croft(query, "0.5", 2, np.where(far, 0.0, 1.0))
    result = reduce_variant_2(problem)
    solution = band.solve_by_bands(result, 0.5, "highs", SolveOptions())
    assert len(widths) == 3
    assert widths[-1] == result.formulation.model.num_columns
    assert solution.objective == pytest.approx(
        solve(om.models.assemble(problem).model, "highs", SolveOptions()).objective, rel=SOLVER
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_loss_out_of_scale_goes_to_the_full_program(seed):
    """Random losses favour far answers, e^42 times as likely as the units of the reduced program expect."""
    loss = np.random.default_rng(seed).random((15, 15)) ** 3
    problem = om.croft(om.count(14), 3, 2, loss)
    formulation, solution = solve_directly(problem, "highs", SolveOptions())
    full = om.models.assemble(problem).model
    assert formulation.model.num_columns == full.num_columns
    assert solution.objective == pytest.approx(solve(full, "highs", SolveOptions()).objective, rel=SOLVER)


@pytest.mark.slow
def test_a_time_limit_ends_it(widths):
    solution = band.solve_by_bands(
        reduce_variant_2(om.croft(om.count(300), "0.02", 2)), 0.02, "highs", SolveOptions(time_limit=0.5)
    )
    assert solution.status is Status.LIMIT
    assert len(widths) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "epsilon"),
    [
        (om.count(150), "1"),
        (om.count(120), "10"),
        pytest.param(om.mean(40, 4), "1", marks=pytest.mark.slow),
        pytest.param(om.mean(10, 10), "0.2", marks=pytest.mark.slow),
    ],
    ids=lambda question: getattr(question, "name", question),
)
def test_long_ranges_are_proved_optimal(query, epsilon):
    design = om.design(om.croft(query, epsilon, variant=2))
    assert design.certificate.relative_gap <= 1e-6
    assert om.verify(design.mechanism, design.problem)
