"""The summary of all rows."""

from __future__ import annotations

import math
from dataclasses import replace

from benchmarks.audit.solvers.table import (
    AuditRow,
    comparisons,
    first_infinities,
    rows_without_repair,
    tallies,
)

ROW = AuditRow(
    problem="count 0..5",
    family="count",
    size=5,
    epsilon="1",
    backend="highs simplex",
    ended="ANSWERED",
    status="OPTIMAL",
    message="Optimal",
    seconds=0.5,
    claimed=2.0,
    bound=1.0,
    rounding=1e-12,
    epsilon_before=1.0,
    exposed=0.0,
    epsilon_after=1.0,
    repaired=True,
    objective=2.0,
)
INFINITE = {"epsilon_before": math.inf, "exposed": 1e-9}


def test_a_claim_is_held_against_the_best_bound_of_anybody():
    other = replace(ROW, backend="cbc simplex", bound=2.1, claimed=2.2)
    rows = comparisons([ROW, other, replace(ROW, claimed=None)])
    assert [row.best_bound for row in rows] == [2.1, 2.1, 2.1]
    assert [row.below for row in rows] == [True, False, None]


def test_a_theorem_counts_as_a_bound_and_rounding_is_no_lie():
    assert comparisons([replace(ROW, theorem_bound=2.0 + 1e-13)])[0].below is False
    assert comparisons([replace(ROW, theorem_bound=2.0 + 1e-9)])[0].below is True


def test_without_bounds_nothing_is_said():
    assert comparisons([replace(ROW, bound=None)])[0].below is None


def test_infinity_begins_at_the_smallest_count():
    rows = [
        ROW,
        replace(ROW, size=50, **INFINITE),
        replace(ROW, size=20, **INFINITE),
        replace(ROW, size=100, epsilon_before=None, exposed=None),
        replace(ROW, backend="cbc ipm"),
        replace(ROW, family="extreme 0..9", **INFINITE),
        replace(ROW, backend="cbc simplex", epsilon_before=None),
    ]
    highs, cbc = first_infinities(rows)
    assert (highs.backend, highs.first, highs.exposed, highs.largest) == ("highs simplex", 20, 1e-9, 50)
    assert (cbc.backend, cbc.first, cbc.exposed, cbc.largest) == ("cbc ipm", None, None, 5)


def test_a_tally_counts_each_fate():
    fates = [
        ROW,
        replace(ROW, below=True, **INFINITE),
        replace(ROW, epsilon_before=1.1),
        replace(ROW, epsilon_before=1 + 1e-12),
        replace(ROW, epsilon_before=None, delta_before=0.1, repaired=False),
        replace(ROW, status="DIED", ended="DIED", epsilon_before=None, repaired=None, seconds=None),
        replace(ROW, status="TIMED OUT", ended="TIMED_OUT", epsilon_before=None, repaired=None, seconds=None),
    ]
    (tally,) = tallies(fates)
    assert (tally.answers, tally.optimal, tally.died, tally.timed_out) == (7, 5, 1, 1)
    assert (tally.infinite, tally.exceeding, tally.pure, tally.below) == (1, 2, 4, 1)
    assert (tally.matrices, tally.repaired, tally.seconds) == (5, 4, 2.5)


def test_only_what_is_called_optimal_must_be_repaired():
    failed = replace(ROW, repaired=False)
    assert rows_without_repair(
        [ROW, failed, replace(failed, status="LIMIT"), replace(failed, status="DIED")]
    ) == [failed]
