"""Mixed-integer programs small enough to be solved by counting."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from optmech.models.solution import Status
from tests.each import each
from tests.models.conformance.programs import INF, program

# Integers come back within the tolerance of 1e-9, objectives within the gap of 1e-7.
CLOSE = 1e-6


def assert_optimal(solution, values, objective):
    assert solution.status is Status.OPTIMAL, solution.message
    assert solution.values == pytest.approx(values, abs=CLOSE)
    assert solution.objective == pytest.approx(objective, abs=CLOSE)
    assert solution.bound == pytest.approx(objective, abs=CLOSE)
    assert solution.bound <= solution.objective + CLOSE
    assert solution.row_duals is None
    assert solution.method in ("branch-and-bound", "inspection")


@pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "plain"])
def test_knapsack(solve_integer, presolve):
    # max 10a + 13b + 7c, 3a + 4b + 2c <= 6. Sets that fit: a, b, c, ac (17), bc (20); ab weighs 7.
    # The relaxation has 20.25 (c, a and a quarter of b), so rounding does not give it.
    model = program([-10, -13, -7], [([3, 4, 2], -INF, 6)], [(0, 1)] * 3, integer=[True] * 3)
    assert_optimal(solve_integer(model, presolve=presolve), [0, 1, 1], -20)


def test_general_integers(solve_integer):
    # max 5x + 4y, 6x + 4y <= 24, x + 2y <= 6. The relaxation ends at (3, 1.5) with 21. Whole points with
    # x = 4, 3, 2, 1, 0 reach y = 0, 1, 2, 2, 3: 20, 19, 18, 13, 12.
    model = program([-5, -4], [([6, 4], -INF, 24), ([1, 2], -INF, 6)], integer=[True, True])
    assert_optimal(solve_integer(model), [4, 0], -20)


def test_negative_integers(solve_integer):
    # min x, 2x >= -7: -3.5 rounds up to -3.
    assert_optimal(solve_integer(program([1], [([2], -7, INF)], [(-5, 5)], integer=[True])), [-3], -3)


def test_integer_and_continuous_columns_together(solve_integer):
    # min 3n + y, n + y >= 2.5, y <= 1, n whole: n = 2 leaves y = 1/2.
    model = program([3, 1], [([1, 1], 2.5, INF)], [(0, INF), (0, 1)], integer=[True, False])
    assert_optimal(solve_integer(model), [2, 0.5], 6.5)


def test_offset_is_in_objective_and_bound(solve_integer):
    # 1 + min n, 2n >= 3.
    assert_optimal(solve_integer(program([1], [([2], 3, INF)], integer=[True], offset=1)), [2], 3)


def test_integers_without_rows(solve_integer):
    # The cheapest whole numbers within -1.5..2.5 and back.
    model = program([1, -1], columns=[(-1.5, 2.5)] * 2, integer=[True, True])
    assert_optimal(solve_integer(model), [-1, 2], -3)


def test_the_better_of_two_that_differ_by_a_ten_millionth_is_found(solve_integer):
    # max 1.0e-6 a + 1.1e-6 b, at most one of them. CBC's default increment of 1e-5 and HiGHS' default
    # absolute gap of 1e-6 would both be content with a.
    model = program([-1.0e-6, -1.1e-6], [([1, 1], -INF, 1)], [(0, 1)] * 2, integer=[True] * 2)
    solution = solve_integer(model)
    assert solution.values == pytest.approx([0, 1], abs=CLOSE)


@each(
    "model",
    [
        program([1, 0], [([2, 2], 3, 3)], [(0, 5)] * 2, integer=[True] * 2),  # even = odd
        program([1], [([1], 0.2, 0.8)], [(0, 1)], integer=[True]),  # nothing whole in between
        program([1, 1], [([1, 1], 5, INF)], [(0, 1)] * 2, integer=[True] * 2),  # not even in fractions
        program([1], columns=[(0.2, 0.8)], integer=[True]),
    ],
)
def test_an_infeasible_program_is_called_so_and_has_no_numbers(solve_integer, model):
    solution = solve_integer(model)
    assert solution.status is Status.INFEASIBLE, solution.message
    assert solution.values is None
    assert solution.objective is None
    assert solution.bound is None


@pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "plain"])
def test_an_unbounded_program_is_never_called_optimal_or_infeasible(solve_integer, presolve):
    # max n, n - m <= 1.
    solution = solve_integer(program([-1, 0], [([1, -1], -INF, 1)], integer=[True] * 2), presolve=presolve)
    assert solution.status in (Status.UNBOUNDED, Status.UNDECIDED)
    assert solution.values is None


@each("seed", range(5))
def test_optimum_is_that_of_counting_all_points(solve_integer, seed):
    # Twelve binaries, three rows: 4,096 points.
    numbers = np.random.default_rng(seed)
    matrix, cost = numbers.integers(0, 9, (3, 12)), numbers.integers(-9, 5, 12)
    room = matrix.sum(axis=1) // 2
    points = np.array(list(itertools.product((0, 1), repeat=12)))
    allowed = (points @ matrix.T <= room).all(axis=1)
    best = (points @ cost)[allowed].min()
    rows = [(row, -INF, limit) for row, limit in zip(matrix, room, strict=True)]
    solution = solve_integer(program(cost, rows, [(0, 1)] * 12, integer=[True] * 12))
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(best, abs=CLOSE)
