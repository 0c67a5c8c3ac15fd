"""A theorem is contradicted by a bracket of the optimum, or it is not: both relations, both ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import optmech as om
from optmech.theorems import consistency
from optmech.theorems.consistency import Bracket, theorem_row
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth
from tests.each import each

# The least loss of a count 0..1 at ln 3 is 1/2: each truth is missed with probability 1/4.
PROBLEM = om.croft(om.count(1), "ln 3")
(COUNT,) = (theorem for theorem in THEOREMS if theorem.name == "croft-variant-1-count")
HALF, OFF = Fraction(1, 2), Fraction(1, 10**9)


def verdict(relation, upper, lower, truth=Truth.PROVED, **further):
    theorem = replace(COUNT, relation=relation, truth=truth)
    return theorem_row(theorem, PROBLEM, Bracket(upper=upper, lower=lower, **further))


@each(
    ("relation", "upper", "lower", "holds"),
    [
        (Relation.EQUAL, HALF, HALF, True),
        (Relation.EQUAL, HALF + OFF, HALF - OFF, True),
        (Relation.EQUAL, HALF - OFF, HALF - 2 * OFF, False),
        (Relation.EQUAL, HALF - OFF, None, False),
        (Relation.EQUAL, HALF + 2 * OFF, HALF + OFF, False),
        (Relation.EQUAL, 2 * HALF, None, None),
        (Relation.EQUAL, 2 * HALF, HALF, True),
        (Relation.AT_MOST, HALF - OFF, HALF - OFF, False),
        (Relation.AT_MOST, 2 * HALF, None, True),
        (Relation.AT_MOST, 2 * HALF, 2 * HALF, True),
        (Relation.AT_LEAST, 2 * HALF, HALF + OFF, False),
        (Relation.AT_LEAST, HALF / 2, HALF / 2, True),
        (Relation.AT_LEAST, HALF / 2, None, True),
        (Relation.AT_LEAST, 2 * HALF, None, None),
    ],
)
def test_the_relation_decides_which_end_of_the_bracket_contradicts(relation, upper, lower, holds):
    row = verdict(relation, upper, lower)
    assert row.holds is holds
    assert row.fails is (holds is False)
    assert row.difference == pytest.approx(float(upper - HALF), abs=1e-17)


def test_a_proved_bracket_leaves_no_room_and_a_recomputed_one_its_rounding():
    """A billionth below is a contradiction of what is proved, and none of what is a double."""
    assert verdict(Relation.EQUAL, HALF - OFF, None).verdict == "FAILS"
    assert verdict(Relation.EQUAL, HALF - OFF, None, rounding=2 * OFF).verdict == "holds"


def test_a_false_theorem_never_fails_and_says_nothing_of_a_mechanism():
    contradicted = verdict(Relation.EQUAL, 2 * HALF, 2 * HALF, truth=Truth.FALSE)
    assert (contradicted.holds, contradicted.fails) == (False, False)
    assert contradicted.verdict == "false as printed"
    above = verdict(Relation.EQUAL, 2 * HALF, None, truth=Truth.FALSE)
    assert (above.holds, above.verdict) == (None, "note")
    assert "not optimal" not in above.text
    assert "false as printed elsewhere" in verdict(Relation.EQUAL, HALF, HALF, truth=Truth.FALSE).text


def test_nothing_follows_from_a_matrix_that_fails():
    row = verdict(Relation.EQUAL, HALF / 2, None, reason="nothing follows")
    assert (row.holds, row.difference) == (None, -0.25)


def test_a_formula_that_ends_in_an_exception_fails():
    def broken(*_):
        raise KeyError("x")

    theorem = replace(COUNT, form=COUNT.form._replace(ball=broken))
    row = theorem_row(theorem, PROBLEM, Bracket(upper=HALF))
    assert row.fails
    assert "KeyError" in row.text


def test_balls_that_cannot_decide_leave_it_to_doubles():
    def undecided(*_):
        raise ArithmeticError

    row = theorem_row(replace(COUNT, form=COUNT.form._replace(ball=undecided)), PROBLEM, Bracket(upper=HALF))
    assert (row.holds, row.arithmetic, row.value) == (True, "doubles", "0.5")


def test_many_truths_are_left_to_doubles_which_take_no_time():
    problem = om.croft(om.extremum(0, 60), "0.5")
    design = om.design(problem)
    report = om.verify(design.mechanism, problem, certificate=design.certificate)
    (row,) = report.theorems
    assert (row.holds, row.arithmetic) == (True, "doubles")


@pytest.mark.parametrize("certified", [True, False])
def test_a_contradicted_theorem_makes_a_report_fail(certified, monkeypatch):
    """The matrix is private, and below the optimum that the theorem states."""
    ball = COUNT.ball
    form = COUNT.form._replace(ball=lambda problem, digits: ball(problem, digits) + 1)
    spoiled = replace(COUNT, form=form)
    monkeypatch.setattr(consistency, "THEOREMS", (spoiled,))
    design = om.design(om.croft(om.count(5), "0.5"))
    certificate = design.certificate if certified else None
    report = om.verify(design.mechanism, design.problem, certificate=certificate)
    assert not report
    assert [failure.name for failure in report.failures] == ["croft-variant-1-count"]
    assert all(check.holds is not False for check in report.checks)
    assert "FAILS" in str(report)
    assert "the objective is 1 below it" in report.failures[0].text
