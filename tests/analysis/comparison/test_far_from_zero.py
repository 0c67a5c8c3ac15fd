"""Answers beyond 2**53, which doubles do not tell apart, are compared as those near zero are."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.analysis.frontiers.in_use import baseline_curves
from tests.each import each

FAR = (
    (om.count(smallest=2**53, largest=2**53 + 9), om.count(9)),
    (om.count(smallest=2**70, largest=2**70 + 5), om.count(5)),
    (om.extremum(2**60, 2**60 + 4), om.extremum(0, 4)),
    (om.total(4, 2**60, 2**60 + 1), om.total(4, 0, 1)),
    (om.mean(3, 2**70, 2**70 + 2), om.mean(3, 0, 2)),
)


@each("queries", FAR, every=2)
def test_every_mechanism_costs_what_it_does_near_zero(queries):
    far, near = (om.compare(om.question(query, 1)) for query in queries)
    assert om.verify(far.design), str(om.verify(far.design))
    assert [row.key for row in far.rows] == [row.key for row in near.rows]
    for row, other in zip(far.rows, near.rows, strict=True):
        assert row.objective == pytest.approx(other.objective)
        assert (row.private, row.answers) == (other.private, other.answers)


def test_a_frontier_has_its_baselines():
    far = om.analysis.frontier(om.question(om.count(smallest=2**60, largest=2**60 + 5), 1), at=[1, 2])
    assert baseline_curves(far)
