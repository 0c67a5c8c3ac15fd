"""Linear programs whose primal and dual answers are derived beside them.

A dual is the change of the objective for one more unit on the right-hand side: of a minimisation it is
positive at a lower side that binds and negative at an upper one.
"""

from __future__ import annotations

import numpy as np
import pytest

from optmech.models.linear_model import Block, LinearModel
from optmech.models.solution import Status
from tests.each import each
from tests.models.conformance.programs import INF, program

# Every number below is of order one: a thousand times the solvers' tolerance of 1e-9.
CLOSE = 1e-6

DERIVED = {
    # min x + 2y, x + y >= 1, x <= 1/4. y is dear, so x = 1/4 and y = 3/4.
    # One more unit to fill costs 2; one more unit of x saves 2 - 1.
    "inequalities": (
        program([1, 2], [([1, 1], 1, INF), ([1, 0], -INF, 0.25)]),
        [0.25, 0.75],
        [2, -1],
        1.75,
    ),
    # Wyndor Glass: max 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18, so y = 6 and x = 2.
    # The last row pays 3/3 = 1; the second (5 - 2)/2 = 1.5; the first has room.
    "maximisation": (
        program([-3, -5], [([1, 0], -INF, 4), ([0, 2], -INF, 12), ([3, 2], -INF, 18)]),
        [2, 6],
        [0, -1.5, -1],
        -36,
    ),
    # x + y = 3 and x - y = 1 leave (2, 1) only. With cost (1, 3): u + v = 1 and u - v = 3.
    "equations": (program([1, 3], [([1, 1], 3, 3), ([1, -1], 1, 1)]), [2, 1], [2, -1], 5),
    # max x + y/2, 1 <= x + y <= 3: all to x, at the upper side.
    "ranged row at its upper side": (program([-1, -0.5], [([1, 1], 1, 3)]), [3, 0], [-1], -3),
    # The same row when x and y cost something: the lower side.
    "ranged row at its lower side": (program([1, 2], [([1, 1], 1, 3)]), [1, 0], [1], 1),
    # min y over y >= x - 1 and y >= 1 - x, x and y free: they meet at (1, 0).
    # u + v = 1 for y and -u + v = 0 for x.
    "free columns": (
        program([0, 1], [([-1, 1], -1, INF), ([1, 1], 1, INF)], [(-INF, INF), (-INF, INF)]),
        [1, 0],
        [0.5, 0.5],
        0,
    ),
    # x from -3 to -1 and y fixed at 2, x + y >= 1/2: x = -3/2, and a unit more costs 1.
    "negative and fixed columns": (
        program([1, 1], [([1, 1], 0.5, INF)], [(-3, -1), (2, 2)]),
        [-1.5, 2],
        [1],
        0.5,
    ),
    # An upper bound without a lower one: max x - y, x <= -2, and 2x + y <= 0 has room.
    "column without lower bound": (
        program([-1, 1], [([2, 1], -INF, 0)], [(-INF, -2), (0, 1)]),
        [-2, 0],
        [0],
        2,
    ),
    # The offset belongs to the objective: min x + 5, x >= 1 by a row.
    "offset": (program([1], [([2], 2, INF)], offset=5), [1], [0.5], 6),
    # A row without bounds says nothing, nor does one without coefficients that holds.
    "idle rows": (
        program([1, 2], [([1, -1], -INF, INF), ([1, 1], 1, INF), ([0, 0], -1, 0)]),
        [1, 0],
        [0, 1, 0],
        1,
    ),
    # 1e18 x + y >= 1e18 is x >= 1 for all that 1 >= y/1e18; the dual is 1/1e18 for a cost of 1.
    "huge coefficient": (program([1, 1], [([1e18, 1], 1e18, INF)], [(0, 2), (0, 2)]), [1, 0], [1e-18], 1),
    # 1e-13 x >= 1e-13: less than any tolerance, and dropped by HiGHS as it stands. The dual is 1e13.
    "tiny coefficient": (program([1], [([1e-13], 1e-13, INF)], [(0, 2)]), [1], [1e13], 1),
}


@each("case", DERIVED, every=2)
@each("presolve", [True, False])
def test_values_and_duals_are_the_derived_ones(solve_linear, case, presolve):
    model, values, duals, objective = DERIVED[case]
    solution = solve_linear(model, presolve=presolve)
    assert solution.status is Status.OPTIMAL, solution.message
    assert solution.values == pytest.approx(values, abs=CLOSE)
    assert solution.row_duals == pytest.approx(duals, abs=CLOSE, rel=CLOSE)
    assert solution.objective == pytest.approx(objective, abs=CLOSE)
    assert solution.bound == pytest.approx(objective, abs=CLOSE)


@each("case", [case for case in DERIVED if "coefficient" not in case], every=2)
def test_a_dual_is_the_change_of_the_objective(solve_linear, case):
    # The definition itself: move both sides of a row by a little, and no vertex is left.
    model, *_ = DERIVED[case]
    before, step = solve_linear(model), 1e-3
    columns = list(zip(model.column_lower, model.column_upper, strict=True))
    for moved in range(model.num_rows):
        by = np.where(np.arange(model.num_rows) == moved, step, 0.0)
        rows = zip(model.matrix.toarray(), model.row_lower + by, model.row_upper + by, strict=True)
        after = solve_linear(program(model.cost, list(rows), columns, offset=model.offset))
        change = after.objective - before.objective
        assert change == pytest.approx(step * before.row_duals[moved], abs=CLOSE)


def test_degenerate_vertex_has_duals_that_prove_it(solve_linear):
    # max x + y, x <= 1, y <= 1, x + y <= 2: three rows meet in (1, 1), and any of the duals
    # (-1, -1, 0) ... (0, 0, -1) prove -2. The solver may choose any of them.
    model = program([-1, -1], [([1, 0], -INF, 1), ([0, 1], -INF, 1), ([1, 1], -INF, 2)], [(0, 5), (0, 5)])
    solution = solve_linear(model)
    assert solution.values == pytest.approx([1, 1], abs=CLOSE)
    assert (solution.row_duals <= CLOSE).all()
    assert model.dual_bound(solution.row_duals) == pytest.approx(-2, abs=CLOSE)


@each(
    "model",
    [
        program([1], [([1], 2, INF), ([1], -INF, 1)], [(0, 9)]),  # x >= 2 and x <= 1
        program([1, 1], [([1, 1], 5, INF)], [(0, 1), (0, 1)]),  # two columns up to 1 cannot reach 5
        program([0, 0], [([1, 1], 1, 1), ([1, 1], 2, 2)]),  # the same sum is 1 and 2
        program([1, 1], [([1, 1], 3, 3)], [(1, 1), (1, 1)]),  # 1 + 1 = 3
        program([1], [([0], 1, 1)]),  # 0 = 1
    ],
)
def test_an_infeasible_program_is_called_so_and_has_no_numbers(solve_linear, model):
    solution = solve_linear(model)
    assert solution.status is Status.INFEASIBLE, solution.message
    assert solution.values is None
    assert solution.row_duals is None
    assert solution.objective is None
    assert solution.bound is None


# max x, x - y <= 1: x and y grow together. The last has x in no row.
UNBOUNDED = {
    "ray": program([-1, 0], [([1, -1], -INF, 1)]),
    "free column": program([1, 0], [([1, -1], -INF, 1)], [(-INF, INF), (0, INF)]),
    "idle column": program([-1, 1], [([0, 1], 1, INF)]),
    "no rows": program([-1]),
}


@each("case", UNBOUNDED)
def test_an_unbounded_program_is_never_called_optimal_or_infeasible(solve_linear, case):
    solution = solve_linear(UNBOUNDED[case])
    # CBC's barrier says "optimal" at 1e19, which its own duals contradict.
    assert solution.status in (Status.UNBOUNDED, Status.UNDECIDED, Status.NUMERICAL), solution.message
    assert solution.values is None


def test_programs_without_rows_or_columns_have_answers(solve_linear):
    # Each column goes to its cheap end; one without a cost to the value nearest to zero.
    solution = solve_linear(program([1, -1, 0], columns=[(-1, 2), (-1, 2), (1, 2)], offset=4))
    assert solution.status is Status.OPTIMAL
    assert solution.values.tolist() == [-1, 2, 1]
    assert solution.objective == 1

    nothing = {"columns": (), "cost": [], "column_lower": [], "column_upper": [], "integer": []}
    holds, fails = (
        LinearModel(
            name="rows-only",
            rows=(Block(name="row", indices=[[]]),),
            offset=2.0,
            matrix=np.zeros((1, 0)),
            row_lower=[lower],
            row_upper=[3],
            **nothing,
        )
        for lower in (-1, 1)
    )
    assert solve_linear(holds).objective == 2
    assert solve_linear(fails).status is Status.INFEASIBLE


def test_objective_is_that_of_the_values(solve_linear):
    model, *_ = DERIVED["maximisation"]
    solution = solve_linear(model)
    assert solution.objective == pytest.approx(model.objective(solution.values), abs=CLOSE)
    assert model.violation(solution.values) <= CLOSE


def test_the_solution_names_solver_and_method(solve_linear):
    solution = solve_linear(DERIVED["inequalities"][0])
    name, version = solution.solver.split(" ", 1)
    assert name in ("highs", "cbc")
    assert version[0].isdigit() or version.startswith("devel")
    assert solution.method in ("simplex", "ipm", "hipo")
    assert solution.seconds > 0
    assert solution.message
