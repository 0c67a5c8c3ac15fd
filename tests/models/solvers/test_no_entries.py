from __future__ import annotations

import pytest

from optmech.models.solution import Status
from optmech.models.solvers.preparation import has_entries, solve_without_entries
from tests.models.conformance.programs import INF, program


@pytest.mark.parametrize(
    ("rows", "answer"),
    [([], False), ([([0], 0, 1)], False), ([([1], -INF, INF)], False), ([([1], 0, 1)], True)],
    ids=["none", "zero", "unbounded", "one"],
)
def test_entries_count_in_rows_that_have_a_bound(rows, answer):
    assert has_entries(program([1], rows)) is answer


def test_each_column_stands_at_its_cheap_end_and_an_idle_one_next_to_zero():
    columns = [(-1, 2), (-1, 2), (1, 2), (-3, -2), (-INF, INF), (5, 5)]
    solution = solve_without_entries(program([1, -1, 0, 0, 0, 0], columns=columns), "highs 1")
    assert solution.values.tolist() == [-1, 2, 1, -2, 0, 5]
    assert solution.objective == solution.bound == -3
    assert solution.solver == "highs 1"


@pytest.mark.parametrize(
    ("model", "status"),
    [
        (program([1], columns=[(-INF, 0)]), Status.UNBOUNDED),
        (program([1], [([0], 1, 2)]), Status.INFEASIBLE),
        (program([-1], [([0], 1, 2)]), Status.INFEASIBLE),  # infeasible comes before unbounded
        (program([1], columns=[(0.2, 0.8)], integer=[True]), Status.INFEASIBLE),
    ],
)
def test_there_may_be_no_answer(model, status):
    solution = solve_without_entries(model, "cbc 2")
    assert solution.status is status
    assert solution.values is None
    assert solution.objective is None
