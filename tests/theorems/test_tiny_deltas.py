"""The theorem of chains has a value where delta is far below what doubles hold next to 1."""

from __future__ import annotations

import pytest

import optmech as om
from tests.each import each

ZERO_STAYS_ZERO = (
    (5, 1, "1e-100", "absolute"),
    (5, 1, "1e-300", "absolute"),
    (5, 20, "1e-100", "absolute"),
    (5, 25, "1e-50", "squared"),
    (20, 3, "1e-99", "absolute"),
    (9, 3, "1e-250", "squared"),
    (60, 25, "1e-33", "squared"),
    (5, 1, "1e-20", "absolute"),
    (3, 1, "1e-16", "absolute"),
)


@each("asked", ZERO_STAYS_ZERO, every=2)
def test_a_proved_optimum_is_the_one_of_the_theorem(asked):
    largest, epsilon, delta, loss = asked
    problem = om.question(om.count(largest), epsilon, delta=delta, loss=loss, properties="zero-stays-zero")
    design = om.design(problem)
    report = om.verify(design)
    assert report, str(report)
    assert [row.name for row in report.theorems] == ["chain"]
    assert design.certificate.relative_gap < 1e-3


@pytest.mark.slow
@each("asked", ((3000, 1, "1e-100"), (3000, 3, "1e-20")), every=3)
def test_of_many_truths_the_value_is_as_exact(asked):
    largest, epsilon, delta = asked
    problem = om.question(om.count(largest), epsilon, delta=delta, properties="zero-stays-zero")
    (row,) = om.verify(om.design(problem)).theorems
    assert (row.name, row.holds) == ("chain", True)
