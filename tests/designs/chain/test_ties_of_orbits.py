"""Trade-offs whose orbit of 0 reaches 1 in a whole number of steps: thresholds stand on one orbit for two."""

from __future__ import annotations

from fractions import Fraction

import optmech as om
from tests.each import each

# e^epsilon and delta: 0, 1/10, 3/10, 7/10, 9/10, 1 are an orbit, and so on.
TIES = [
    (2, Fraction(1, 10)),
    (3, Fraction(1, 5)),
    (2, Fraction(1, 46)),
    (2, Fraction(1, 4)),
    (4, Fraction(1, 7)),
    (1, Fraction(1, 7)),
    (Fraction(3, 2), Fraction(1, 12)),
]
_PROVED = 1e-15


def _question(factor, delta, largest, **details):
    return om.question(om.count(largest), exp_epsilon=str(factor), delta=str(delta), **details)


@each("largest", (5, 12))
@each("tie", TIES)
def test_zero_stays_zero_costs_no_step_of_an_orbit(tie, largest):
    design = om.design(_question(*tie, largest, properties=["zero-stays-zero"]))
    assert design.certificate.relative_gap < _PROVED, largest
    assert design.engine == "chain", largest


def test_the_least_error_at_ties_is_that_of_the_program():
    """Means of |released - true|, in lowest terms, from a program in ratios of the definition alone."""
    known = {
        (2, Fraction(1, 10), 5): Fraction(11, 12),
        (2, Fraction(1, 10), 10): Fraction(19, 22),
        (3, Fraction(1, 5), 5): Fraction(13, 30),
        (3, Fraction(1, 5), 10): Fraction(23, 55),
    }
    for (factor, delta, largest), least in known.items():
        design = om.design(_question(factor, delta, largest, properties=["zero-stays-zero"]))
        assert 0 <= design.certificate.objective - least < _PROVED, (factor, delta, largest)


@each("tie", [*TIES[:3], (Fraction(5, 4), Fraction(4, 9))])
def test_ties_cost_nothing_where_zero_may_change_or_the_worst_truth_counts(tie):
    for details in ({}, {"worst_case": True}, {"loss": "squared"}):
        assert om.design(_question(*tie, 6, **details)).certificate.relative_gap < 1e-9, details
