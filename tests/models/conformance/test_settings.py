"""Limits, seeds and threads do what they say."""

from __future__ import annotations

import pytest

from optmech.base.errors import SolverMissingError
from optmech.models import solvers
from optmech.models.solution import Status
from optmech.models.solvers.options import Method, SolveOptions
from tests.each import each
from tests.models.conformance.programs import INF, market_split, program

LIMIT = 0.4
# Starting a process, reading a file and stopping on a busy machine.
LATE = 5.0
# Nobody finds a market split that misses nothing: the least miss is a whole number.
LEAST_MISS = 1
ROUNDING = 1e-6


@pytest.mark.slow
def test_a_time_limit_ends_the_search_with_a_point_and_a_bound_that_enclose_the_optimum(solve_integer):
    model = market_split()
    solution = solve_integer(model, time_limit=LIMIT)
    assert solution.status is Status.LIMIT, solution.message
    assert solution.seconds < LIMIT + LATE
    assert model.violation(solution.values) < ROUNDING
    assert solution.objective == pytest.approx(model.objective(solution.values))
    assert solution.objective > LEAST_MISS - ROUNDING
    assert solution.bound <= solution.objective
    assert solution.bound >= -ROUNDING


def test_no_point_is_handed_out_after_a_limit_that_is_not_one(solve_integer):
    # No time to find a point, or just enough: either none, or one that holds. (Later builds of CBC call the
    # relaxation optimal now and then, which the fractions in it contradict.)
    model = market_split()
    solution = solve_integer(model, time_limit=1e-3)
    assert solution.status in (Status.LIMIT, Status.NUMERICAL)
    assert solution.values is None or model.violation(solution.values) < ROUNDING


def test_the_same_seed_gives_the_same_values(solve_integer):
    model = program(
        [-1] * 8, [([3, 5, 7, 4, 6, 5, 4, 3], -INF, 17)], [(0, 1)] * 8, integer=[True] * 8
    )  # many best sets
    once, again = (solve_integer(model, seed=7, threads=1) for _ in range(2))
    assert once.values.tolist() == again.values.tolist()


@each("seed", [0, 1, 2**31 - 1])
def test_every_seed_is_accepted(solve_integer, seed):
    model = program([1], [([2], 3, INF)], integer=[True])
    assert solve_integer(model, seed=seed).objective == pytest.approx(2)


@each("threads", [1, 2, None])
def test_any_number_of_threads_gives_the_optimum_one_after_the_other(solve_integer, threads):
    # HiGHS fixes the number of threads at the first solve of a thread; each of ours has its own.
    model = program([-5, -4], [([6, 4], -INF, 24), ([1, 2], -INF, 6)], integer=[True, True])
    assert solve_integer(model, threads=threads).objective == pytest.approx(-20)


@each("tolerance", [1e-12, 1e-9, 1e-6])
def test_every_tolerance_is_accepted(solve_linear, tolerance):
    model = program([1, 2], [([1, 1], 1, INF)])
    settings = {"feasibility_tolerance": tolerance, "optimality_tolerance": tolerance}
    assert solve_linear(model, **settings).objective == pytest.approx(1)


@pytest.mark.parametrize("solver", solvers.installed_solvers(), ids=lambda solver: solver.name)
def test_a_method_that_is_not_here_is_refused_with_those_that_are(solver):
    missing = [method for method in Method if method not in solver.methods]
    if not missing:
        pytest.skip(f"{solver.name} has every method here")
    with pytest.raises(SolverMissingError, match=f"method '{missing[0]}' is not available in {solver.name}"):
        solver.solve(program([1], [([1], 1, INF)]), SolveOptions(method=missing[0]))


def test_a_solver_prints_nothing(solve_linear, capfd):
    solve_linear(program([1, 2], [([1, 1], 1, INF)]))
    assert capfd.readouterr() == ("", "")
