"""A program solved again as it grows has the optimum of the program solved anew."""

from __future__ import annotations

import numpy as np
import pytest

from optmech.models.linear_model import Block, LinearModel
from optmech.models.solution import Status
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.options import SolveOptions
from optmech.models.solvers.warm import WarmHighs
from tests.each import each


def program(rng, rows, columns):
    """Cover each row at least once by columns of random coefficients, as cheaply as can be."""
    matrix = rng.uniform(0.1, 1, (rows, columns))
    return LinearModel(
        name="cover",
        columns=(Block(name="x", indices=np.arange(columns)[:, None]),),
        rows=(Block(name="row", indices=np.arange(rows)[:, None]),),
        cost=rng.uniform(1, 2, columns),
        offset=0.0,
        matrix=matrix,
        row_lower=np.ones(rows),
        row_upper=np.full(rows, np.inf),
        column_lower=np.zeros(columns),
        column_upper=np.full(columns, np.inf),
        integer=np.zeros(columns, dtype=bool),
    )


def part(model, rows, columns):
    return LinearModel(
        name=model.name,
        columns=(Block(name="x", indices=np.arange(columns)[:, None]),),
        rows=(Block(name="row", indices=np.arange(rows)[:, None]),),
        cost=model.cost[:columns],
        offset=0.0,
        matrix=model.matrix[:rows, :columns],
        row_lower=model.row_lower[:rows],
        row_upper=model.row_upper[:rows],
        column_lower=model.column_lower[:columns],
        column_upper=model.column_upper[:columns],
        integer=model.integer[:columns],
    )


@each("seed", range(6), every=3)
def test_each_step_has_the_optimum_of_the_program_solved_anew(seed):
    rng = np.random.default_rng(seed)
    whole = program(rng, 12, 40)
    growing = WarmHighs(SolveOptions())
    rows, columns = 3, 4
    for _ in range(12):
        model = part(whole, rows, columns)
        result, anew = growing.solve(model), Highs().solve(model, SolveOptions())
        assert result.status is anew.status is Status.OPTIMAL
        assert result.objective == pytest.approx(anew.objective, rel=1e-9)
        assert result.row_duals.sum() == pytest.approx(result.objective, rel=1e-9)
        assert (result.row_duals >= -1e-9).all()
        assert (model.matrix.T @ result.row_duals <= model.cost + 1e-7).all()
        rows, columns = min(12, rows + rng.integers(0, 3)), min(40, columns + rng.integers(0, 7))


def test_the_same_program_again_has_the_same_optimum():
    model = program(np.random.default_rng(1), 5, 9)
    growing = WarmHighs(SolveOptions())
    assert growing.solve(model).objective == pytest.approx(growing.solve(model).objective, rel=1e-12)


def test_a_time_limit_is_of_this_solve_and_not_of_all():
    model = program(np.random.default_rng(1), 60, 300)
    growing = WarmHighs(SolveOptions())
    for columns in (100, 200, 300):
        assert growing.solve(part(model, 60, columns), time_limit=20.0).status is Status.OPTIMAL
