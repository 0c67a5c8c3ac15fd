"""Two solvers that share no code agree, and their duals prove what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from optmech.models import solvers
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from tests.models.conformance.programs import INF, program
from tests.search import search

# Objectives here are at most a few hundred, tolerances 1e-9.
RELATIVE = 1e-7

whole = st.integers(-4, 4)
# Thirds and tenths, so that no arithmetic is exact by luck.
coefficients = st.one_of(
    st.just(0.0), whole.map(float), whole.map(lambda n: n / 3), whole.map(lambda n: n / 10)
)
sides = st.one_of(
    st.tuples(whole, st.just(INF)),
    st.tuples(st.just(-INF), whole),
    whole.map(lambda n: (n, n)),
    st.tuples(whole, st.integers(0, 5)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    st.just((-INF, INF)),
)
# Bounded columns: no program is unbounded, and every set of duals gives a finite bound.
intervals = st.tuples(whole, st.integers(0, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@st.composite
def programs(draw, *, integer=False):
    num_columns = draw(st.integers(1, 6))
    row = st.tuples(st.lists(coefficients, min_size=num_columns, max_size=num_columns), sides)
    rows = [(numbers, *side) for numbers, side in draw(st.lists(row, max_size=6))]
    columns = draw(st.lists(intervals, min_size=num_columns, max_size=num_columns))
    cost = draw(st.lists(coefficients, min_size=num_columns, max_size=num_columns))
    marks = draw(st.lists(st.booleans(), min_size=num_columns, max_size=num_columns)) if integer else None
    return program(cost, rows, columns, integer=marks, offset=draw(coefficients))


def both(model):
    result = solvers.installed_solvers()
    if len(result) < 2:
        pytest.skip("only one solver is installed")
    return [solver.solve(model, SolveOptions()) for solver in result]


@search(150, programs())
def test_linear_programs_have_one_status_and_one_optimum_that_the_duals_prove(model):
    first, second = both(model)
    assert first.status is second.status
    assert first.status in (Status.OPTIMAL, Status.INFEASIBLE)
    if first.status is Status.OPTIMAL:
        assert first.objective == pytest.approx(second.objective, rel=RELATIVE, abs=RELATIVE)
        for solution in (first, second):
            assert model.violation(solution.values) < RELATIVE
            proved = model.dual_bound(solution.row_duals)
            assert proved == pytest.approx(solution.objective, rel=RELATIVE, abs=RELATIVE)


@search(100, programs(integer=True))
def test_mixed_integer_programs_have_one_status_and_one_optimum(model):
    first, second = both(model)
    assert first.status is second.status
    assert first.status in (Status.OPTIMAL, Status.INFEASIBLE)
    if first.status is Status.OPTIMAL:
        assert first.objective == pytest.approx(second.objective, rel=RELATIVE, abs=RELATIVE)
        assert np.maximum(first.bound, second.bound) <= first.objective + RELATIVE * max(
            1, abs(first.objective)
        )
