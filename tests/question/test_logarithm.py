"""A logarithm is kept exactly: as an epsilon it is typed, compared, printed and refused like any other."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, exact
from optmech.models.solvers import installed_solvers
from optmech.question.epsilon import exact_epsilon, exponential, one_epsilon
from optmech.question.privacy import PerOutcomePrivacy, ProbabilisticPrivacy, PurePrivacy
from tests.each import each

SOLVERS = [solver.name for solver in installed_solvers()]
LN_2 = Logarithm(Fraction(2))
# Two programs whose numbers differ in the last place: what a solver makes of that.
SOLVER_ROUNDING = 1e-7

positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6).filter(bool)


@each(
    ("typed", "of"),
    [
        ("ln 2", Fraction(2)),
        ("ln2", Fraction(2)),
        ("ln(2)", Fraction(2)),
        (" LN ( 2 ) ", Fraction(2)),
        ("Log 3/2", Fraction(3, 2)),
        ("log(3/2)", Fraction(3, 2)),
        ("ln 1.5", Fraction(3, 2)),
        ("log 10", Fraction(10)),
        ("ln 1e-3", Fraction(1, 1000)),
        (LN_2, Fraction(2)),
    ],
)
def test_a_logarithm_is_read_as_typed(typed, of):
    assert exact_epsilon(typed) == Logarithm(of)


@each("typed", ["0.5", "1/3", 1, 0.1, Fraction(22, 7), "1e-5"])
def test_what_is_no_logarithm_is_read_as_a_number(typed):
    assert exact_epsilon(typed) == exact(typed, "epsilon")


def test_the_logarithm_of_one_is_zero():
    assert exact_epsilon("ln 1") == exact_epsilon(Logarithm(Fraction(1))) == one_epsilon(None, 1) == 0
    assert isinstance(exact_epsilon("ln 1"), Fraction)
    assert Logarithm(Fraction(1)) == 0
    assert hash(Logarithm(Fraction(1))) == hash(0)
    assert float(Logarithm(Fraction(1))) == 0
    assert -1 < Logarithm(Fraction(1)) < 1
    assert PerOutcomePrivacy("ln 1") == PerOutcomePrivacy(0)


@each("typed", ["ln 0", "ln -2", "ln x", "ln", "ln()", "ln(2", "ln 2 3", "log(1/0)", "ln nan"])
def test_the_logarithm_of_no_positive_number_is_refused(typed):
    with pytest.raises(om.ProblemError) as refused:
        exact_epsilon(typed)
    assert str(refused.value) == (
        f"`epsilon` must be the logarithm of a positive number; got {typed!r}. "
        "Write ln 2, ln(3/2) or log 1.5: a decimal or a ratio above 1."
    )


@pytest.mark.parametrize("typed", ["log2", "log10", "log2(8)", "log10 5"])
def test_a_logarithm_that_may_have_another_base_is_refused(typed):
    with pytest.raises(
        om.ProblemError, match=r"must be a number or a natural logarithm; got 'log.* another base"
    ):
        exact_epsilon(typed)


@each("of", [Fraction(0), Fraction(-1), 1.5, "2", True])
def test_a_logarithm_is_of_a_positive_rational(of):
    with pytest.raises(om.ProblemError, match="must be one of a positive number; got"):
        Logarithm(of)


@pytest.mark.parametrize("privacy", [PurePrivacy, PerOutcomePrivacy, ProbabilisticPrivacy])
def test_a_privacy_keeps_its_logarithm(privacy):
    definition = privacy("ln 3/2")
    assert definition.epsilon == Logarithm(Fraction(3, 2))
    assert definition.factor == 1.5
    assert "epsilon = ln 3/2" in str(definition)
    assert definition == privacy("log(1.5)")
    assert hash(definition) == hash(privacy("log(1.5)"))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("ln 1", "`epsilon` must be positive; got 0. Small means private"),
        ("ln 0.5", "`epsilon` must be positive; got ln 1/2. Small means private"),
        ("ln 1e304", r"`epsilon` must be at most the logarithm of 2\^1009; got ln 1000"),
    ],
)
def test_a_logarithm_has_the_limits_of_any_epsilon(typed, sentence):
    with pytest.raises(om.ProblemError, match=sentence):
        PurePrivacy(typed)


def test_a_negative_logarithm_is_refused_where_zero_is_not():
    with pytest.raises(om.ProblemError, match=r"`epsilon` must be zero or more; got ln 1/2\."):
        PerOutcomePrivacy("ln 1/2")
    assert PurePrivacy("ln 1e303").factor == 1e303


@given(positive)
def test_text_of_a_logarithm_reads_back(of):
    assert exact_epsilon(as_text(Logarithm(of))) == Logarithm(of)


@given(positive)
def test_the_double_of_a_logarithm_is_the_nearest(of):
    with localcontext(prec=80):
        sure = Decimal(of.numerator).ln() - Decimal(of.denominator).ln()
    assert float(Logarithm(of)) == float(sure)


@pytest.mark.parametrize("tiny", [Fraction(1, 10**30), Fraction(-1, 10**30)])
def test_the_double_is_right_beside_one(tiny):
    assert float(Logarithm(1 + tiny)) == pytest.approx(float(tiny), rel=1e-15)
    assert (Logarithm(1 + tiny) > 0) is (tiny > 0)


@given(positive, st.fractions(min_value=-20, max_value=20))
def test_order_against_a_number_is_that_of_the_real_numbers(of, number):
    logarithm = Logarithm(of)
    gap = math.log(of) - float(number)
    if abs(gap) > 1e-9:
        assert (logarithm > number) is (gap > 0)
        assert (number < logarithm) is (logarithm >= number) is (gap > 0)
        assert (logarithm > float(number)) is (gap > 0)


def test_order_is_exact_where_doubles_are_equal():
    below = Fraction(math.log(2))
    with localcontext(prec=60):
        nearer = Fraction(Decimal(2).ln())
    assert below < LN_2
    assert below == float(LN_2)
    assert LN_2 not in (below, float(LN_2), nearer, np.float64(LN_2), "ln 2")
    assert abs(nearer - below) > Fraction(1, 10**58)
    step = Fraction(1, 10**58)
    assert nearer - step < LN_2 < nearer + step
    assert LN_2 < Logarithm(Fraction(2) + step) < math.inf
    assert -math.inf < LN_2


@pytest.mark.parametrize("other", [math.nan, "1", None, 1j])
def test_what_has_no_order_is_not_compared(other):
    with pytest.raises(TypeError):
        assert other > LN_2
    assert other != LN_2


def test_a_quotient_is_a_double():
    half, quotient = LN_2 / 2, Fraction(1, 2) / LN_2
    assert (half, quotient) == (math.log(2) / 2, 0.5 / math.log(2))


@given(positive)
def test_the_exponential_of_a_logarithm_is_the_rational_rounded_once(of):
    assert exponential(exact_epsilon(Logarithm(of))) == float(of)


def test_other_numbers_are_no_logarithms():
    with pytest.raises(om.ProblemError, match="`accuracy` must be a finite number; got 'ln 2'"):
        om.sadeghi_symmetric(1, "ln 2", 3)
    with pytest.raises(om.ProblemError, match="`exp_epsilon` must be a finite number; got 'ln 2'"):
        om.croft(om.count(2), exp_epsilon="ln 2")
    with pytest.raises(om.ProblemError, match="`delta` must be a finite number; got Logarithm"):
        om.kadam(om.residues(3, [1]), 1, LN_2)


ASK = {
    "croft": lambda *e, **x: om.croft(om.count(5), *e, **x),
    "croft, variant 2": lambda *e, **x: om.croft(om.extremum(0, 4), *e, variant=2, **x),
    "sadeghi": lambda *e, **x: om.sadeghi(*e, accuracy="0.4", half_width=2, counts=(1, 4), **x),
    "sadeghi-symmetric": lambda *e, **x: om.sadeghi_symmetric(*e, accuracy="0.4", half_width=3, **x),
    "kadam": lambda *e, **x: om.kadam(om.residues(5, [1, 2]), *e, delta="0.1", **x),
    "kadam-least-delta": lambda *e, **x: om.kadam_least_delta(om.residues(5, [1]), *e, at_most="0.4", **x),
}


@pytest.mark.slow
@each("name", ASK)
@each("solver", SOLVERS)
def test_a_design_at_a_logarithm_is_that_at_its_decimal(name, solver):
    exact_design = om.design(ASK[name]("ln 2"), solver=solver)
    decimal = om.design(ASK[name]("0.69314718055994530941723212145818"), solver=solver)
    assert exact_design.objective == pytest.approx(decimal.objective, abs=SOLVER_ROUNDING)
    report = om.verify(exact_design.mechanism, exact_design.problem)
    assert report
    assert "ln 2" in str(report)


@each("name", ASK)
def test_an_exponential_in_place_of_epsilon_asks_the_same(name):
    expected = ASK[name]("ln 3/2")
    for factor in ("1.5", "3/2", 1.5, Fraction(3, 2)):
        assert ASK[name](exp_epsilon=factor).privacy == expected.privacy
    assert ASK[name](exp_epsilon="1.5").name == expected.name


@each("name", ASK)
def test_exactly_one_of_epsilon_and_its_exponential_is_given(name):
    with pytest.raises(om.ProblemError, match=r"`epsilon` must be given, or `exp_epsilon`, .* in its place"):
        ASK[name]()
    with pytest.raises(
        om.ProblemError, match=r"`epsilon` and `exp_epsilon` must not both be given; got 1 and 2\."
    ):
        ASK[name]("1", exp_epsilon=2)
    with pytest.raises(om.ProblemError, match=r"`exp_epsilon` must be at least 1; got 0.5. It is e\^epsilon"):
        ASK[name](exp_epsilon="0.5")


def test_a_mechanism_is_measured_at_a_logarithm():
    """Odds of 3 to 1: at ln 2 the excess is 3/4 - 2/4, at ln 3 there is none, exactly."""
    query = om.count(1)
    mechanism = om.MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    for measure in (mechanism.hockey_stick_delta, mechanism.per_outcome_delta):
        assert measure(query, "ln 2") == 0.25
        assert measure(query, "log(3)") == measure(query, Logarithm(Fraction(3))) == 0
        assert measure(query, "ln 1e400") == 0
    assert mechanism.probabilistic_delta(query, "ln 2") == 0.75
    with pytest.raises(om.ProblemError, match=r"`epsilon` must be zero or more; got ln 1/2\."):
        mechanism.hockey_stick_delta(query, "ln 1/2")
