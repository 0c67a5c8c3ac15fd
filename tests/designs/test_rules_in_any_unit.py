"""Linear rules mean the same in any unit, and beside the mechanism that says nothing of the data."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from tests.each import each

_PROVED = 1e-9


def _objective(query, epsilon, *rules, **details):
    """Return the proved objective under rules of entries, sense and right side."""
    stated = [om.LinearRule("own", entries, sense, right) for entries, sense, right in rules]
    certificate = om.design(om.question(query, epsilon, rules=stated, **details)).certificate
    assert certificate.relative_gap < _PROVED
    return float(certificate.objective)


@each("unit", [Fraction(10) ** power for power in (-12, -6, -3, 0, 1, 3, 6, 12)], every=2)
def test_a_rule_of_coefficients_far_apart_is_the_same_in_any_unit(unit):
    """Uniform answers meet it exactly, which rounding may take for room."""
    rule = {(0, 0): 1000 * unit, (1, 0): -2 * unit}, "<=", Fraction(998, 3) * unit
    objective = _objective(om.count(2), 2, rule, delta="1e-3", worst_case=True)
    assert objective == pytest.approx(0.6719767640, abs=1e-9)


@each("unit", [Fraction(1, 10**9), 1, 10**9], every=2)
def test_rules_that_uniform_answers_meet_exactly_are_designed(unit):
    """The optima are those of HiGHS by the definition, with SciPy alone."""
    first = {(0, 3): -2 * unit, (3, 2): -unit}, "<=", Fraction(-3, 5) * unit
    second = {(2, 2): unit}, "=", Fraction(1, 5) * unit
    known = (((first,), 1.27175955959), ((second,), 1.26351911918), ((first, second), 1.28763933938))
    for rules, least in known:
        assert _objective(om.count(4), "0.1", *rules) == pytest.approx(least, abs=1e-9)
