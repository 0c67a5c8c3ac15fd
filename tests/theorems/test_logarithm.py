"""Every theorem at the logarithm of a rational: as at its decimal, and exact where numbers are equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import optmech as om
from benchmarks.papers import counting_proof
from benchmarks.papers.sadeghi_closed_forms import singular_bounds
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text
from optmech.theorems import counting, extremum_fair, sadeghi
from optmech.theorems.croft_question import ball_of
from optmech.theorems.kadam_single import single_required_delta
from optmech.theorems.powers import Exact, at_most, larger, smaller
from optmech.theorems.registry import THEOREMS
from tests.each import each

# A decimal of 40 digits beside the logarithm, and formulas in doubles.
ROUNDING = 1e-12
LOGARITHMS = {
    "ln 2": "0.6931471805599453094172321214581765680755",
    "ln 3/2": "0.4054651081081643819780131154643491365720",
}
ONE_SIDED = om.residues(6, [1, 2], symmetric=False)
ASK = {
    "count": lambda e: om.croft(om.count(5), e),
    "even count, squared": lambda e: om.croft(om.count(6), e, loss="squared", prior="uniform"),
    "extremum": lambda e: om.croft(om.extremum(0, 4), e),
    "extremum, variant 2": lambda e: om.croft(om.extremum(0, 4), e, variant=2),
    "symmetric": lambda e: om.sadeghi_symmetric(e, "0.3", 4),
    "symmetric, inaccurate": lambda e: om.sadeghi_symmetric(e, "0.01", 4),
    "printed rows": lambda e: om.sadeghi_symmetric(e, "0.1", 4, rows="paper"),
    "zero bias": lambda e: om.sadeghi(e, "0.3", 2, counts=(1, 8)),
    "modular": lambda e: om.kadam(ONE_SIDED, e, "0.1"),
    "modular, pure": lambda e: om.kadam(ONE_SIDED, e),
    "modular, printed": lambda e: om.kadam(ONE_SIDED, e, "0.1", reading="printed"),
    "one distance": lambda e: om.kadam(om.residues(6, [1], symmetric=False), e, "0.1"),
    "one distance, both ways": lambda e: om.kadam(om.residues(6, [1]), e, "0.1"),
    "least delta": lambda e: om.kadam_least_delta(ONE_SIDED, e, at_most="0.41"),
}


@each("name", ASK, every=2)
@each(("logarithm", "decimal"), LOGARITHMS.items())
def test_every_theorem_says_at_a_logarithm_what_it_says_at_its_decimal(name, logarithm, decimal):
    problem, beside = ASK[name](logarithm), ASK[name](decimal)
    speaking = [theorem for theorem in THEOREMS if theorem.objection(problem) is None]
    assert speaking == [theorem for theorem in THEOREMS if theorem.objection(beside) is None] != []
    for theorem in speaking:
        value = theorem.value(problem)
        assert value == pytest.approx(theorem.value(beside), abs=ROUNDING), theorem.name
        if theorem.form.ball is not None:
            ball = theorem.ball(problem, 30)
            assert float(ball) == pytest.approx(value, abs=ROUNDING), theorem.name
            assert abs(ball - theorem.ball(beside, 30)) < 1e-25, theorem.name
        if theorem.matrix is not None:
            assert np.abs(theorem.matrix(problem) - theorem.matrix(beside)).max() < ROUNDING, theorem.name


def test_a_count_at_ln_2_has_a_rational_loss():
    """At decay 1/2; the prices prove it without a solver."""
    problem = om.croft(om.count(5), "ln 2")
    least, prices = counting.dual_prices(Fraction(1, 2), [Fraction(step) for step in range(6)])
    assert least == sum(prices) == Fraction(43, 8)
    assert counting.least_loss_ball(problem.privacy.epsilon, range(6), 40).contains(fmpq(43, 8))
    low, high = counting_proof.certified_interval("ln 2", [Fraction(step) for step in range(6)])
    assert low <= Fraction(43, 8) <= high
    assert om.design(problem).objective == pytest.approx(43 / 8, abs=1e-9)


def test_the_ball_of_a_logarithm_holds_it():
    assert ball_of(Logarithm(Fraction(2))).overlaps(arb(2).log())
    assert ball_of(Logarithm(Fraction(2))).exp().contains(2)
    assert extremum_fair.fair_loss_ball(Logarithm(Fraction(2)), range(5), 20).rel_accuracy_bits() > 60


def test_bounded_noise_at_a_logarithm_is_computed_in_rationals():
    """By hand, E = C = 2: type I at k = 2 is (3 C - E^2) / (1 + 2 E) = 2/5, a quarter of which is delta."""
    ball = sadeghi.least_delta.ball("ln 2", "0.5", 2, digits=40)
    with ctx.workprec(500):
        assert ball.contains(fmpq(1, 10))
    assert ball.rel_accuracy_bits() > 130
    assert sadeghi.least_delta("ln 2", "0.5", 2) == 0.1
    assert singular_bounds("ln 2", "0.5", 2)[0] == 0  # k = 1: C - E, a difference no ball settles


def test_a_tie_of_rationals_is_decided():
    """At e^epsilon = 2 two masses give the truth exactly 2/3; a hair above it, the delta needed doubles."""
    powers, third = Exact(Logarithm(Fraction(2))), Fraction(1, 3)
    hair = Fraction(1, 10**30)
    assert single_required_delta(powers, 6, 1 - third) == fmpq(1, 3)
    assert single_required_delta(powers, 6, 1 - third + hair) > fmpq(2, 3)
    problem = om.kadam_least_delta(om.residues(6, [1], symmetric=False), "ln 2", at_most=as_text(third))
    results = [theorem for theorem in THEOREMS if theorem.objection(problem) is None]
    for theorem in results:
        if theorem.relation.name == "EQUAL" and theorem.truth.name == "PROVED":
            with ctx.workprec(500):
                assert theorem.ball(problem, 40).contains(fmpq(1, 3)), theorem.name
            assert theorem.value(problem) == 1 / 3, theorem.name


def test_powers_of_a_rational_are_exact():
    powers = Exact(Logarithm(Fraction(3, 2)))
    assert powers.number(Fraction(1, 7)) == fmpq(1, 7)
    assert powers.power(2) == fmpq(4, 9)
    assert powers.terms(0) == 0
    assert powers.terms(3) == powers.total((1, 1, 1)) == fmpq(19, 9)
    assert powers.complement() == fmpq(1, 3)
    assert powers.grow(Fraction(4, 9), 2) == 1
    assert powers.share(Fraction(1), (0, 3)) == fmpq(1, 2)
    assert smaller(fmpq(1, 2), fmpq(1, 3)) == fmpq(1, 3)
    assert larger(fmpq(1, 2), fmpq(1, 3)) == fmpq(1, 2)
    assert at_most(fmpq(1, 3), fmpq(1, 3))
