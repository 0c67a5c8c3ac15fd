"""Files of CBC, as CBC 2.10.3 and a later build wrote them."""

from __future__ import annotations

import numpy as np
import pytest

from optmech.models.solution import Status
from optmech.models.solvers.cbc_process import STATUSES, claimed_bound, read_point, status_of
from tests.each import each


@each(
    ("line", "status"),
    [
        ("Optimal - objective value 1.75000000", Status.OPTIMAL),
        ("Optimal (within gap tolerance) - objective value -0.00013811", Status.OPTIMAL),
        ("Infeasible - objective value 5.00000000", Status.INFEASIBLE),
        ("Integer infeasible - objective value 0.00000000", Status.INFEASIBLE),
        ("Unbounded - objective value -1.00000000", Status.UNBOUNDED),
        ("Stopped on time - objective value 10.00000000", Status.LIMIT),
        ("Stopped on time (no integer solution - continuous used) - objective value 0.0", Status.LIMIT),
        ("Stopped on iterations - objective value -1046.78963391", Status.LIMIT),
        ("Stopped on difficulties - objective value -3.00000000", Status.NUMERICAL),
        ("Status unknown - objective value 0.00000000", Status.FAILED),
        ("Something new - objective value 1.0", Status.FAILED),
        ("Optimality - objective value 1.0", Status.FAILED),
        ("", Status.FAILED),
    ],
)
def test_the_first_words_are_the_status(line, status):
    assert status_of(line) is status


def test_only_optimal_means_optimal():
    assert [words for words, status in STATUSES.items() if status is Status.OPTIMAL] == ["Optimal"]


def written(path, rows=2, columns=3):
    head = np.array([rows, columns], np.int32).tobytes()
    path.write_bytes(head + np.arange(1 + 2 * rows + 2 * columns, dtype=np.float64).tobytes())
    return path


def test_the_binary_file_is_objective_activities_duals_values_reduced_costs(tmp_path):
    point = read_point(written(tmp_path / "point"), 2, 3)
    assert point.objective == 0
    assert point.row_duals.tolist() == [3, 4]
    assert point.values.tolist() == [5, 6, 7]


def test_a_file_that_is_missing_short_or_of_another_model_holds_no_point(tmp_path):
    path = tmp_path / "point"
    assert read_point(path, 2, 3) is None
    whole = written(path).read_bytes()
    for data in (b"", whole[:7], whole[:-1], whole + b"x"):
        path.write_bytes(data)
        assert read_point(path, 2, 3) is None
    written(path, rows=3, columns=2)
    assert read_point(path, 2, 3) is None


LOG = """
Cbc0010I After 1000 nodes, 10 on tree, -0.00013582448 best solution, best possible -0.00014143146 (1.4 s)
Cbc0005I Partial search - best objective -0.00013582448 (best possible -0.00014140000), took 143835 iterations
Result - Stopped on time limit
Objective value:                -0.00013582
Lower bound:                    -0.000
"""
NO_POINT = """
Cbc0005I Partial search - best objective 1e+50 (best possible -18.333319), took 0 iterations and 0 nodes
No feasible solution found
Lower bound:                    -18.333
"""
WITHIN_GAP = """
Cbc0011I Exiting as integer gap of 3.3239924e-06 less than 1e-12 or 3%
Cbc0001I Search completed - best objective -0.0001381074632648082, took 438942 iterations and 57759 nodes
"""
LATER = """
Result - Stopped on time limit
Objective value:                -0.000137282193848
Lower bound:                    -0.000141609
"""


@each(
    ("log", "objective", "printed", "rounding"),
    [
        (LOG, -0.000135824482, -0.0001414, 1e-10),
        (NO_POINT, None, -18.333319, 1e-5),
        (WITHIN_GAP, -0.0001381074632648082, -0.0001381074632648082 - 3.3239924e-06, 1e-12),
        (LATER, -0.000137282193848, -0.000141609, 1e-8),
        ("Lower bound:                    0.000", 3.0, 0.0, 2e-3),
    ],
)
def test_a_bound_is_read_from_the_log_and_never_rounded_up(log, objective, printed, rounding):
    bound = claimed_bound(log, objective)
    assert printed - rounding <= bound < printed


@pytest.mark.parametrize("log", ["", "best possible -1e+50 (", "Lower bound:     -1e+50"])
def test_a_log_without_a_bound_claims_none(log):
    assert claimed_bound(log, 1.0) is None
