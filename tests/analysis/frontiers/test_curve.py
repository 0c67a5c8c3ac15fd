"""A frontier: certified at its points, and true between them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.analysis.frontiers import frontier
from optmech.analysis.frontiers.curve import values_between
from optmech.analysis.inversion.evidence import Verdict
from optmech.theorems.registry import THEOREMS
from tests.each import each

COUNT = next(theorem for theorem in THEOREMS if theorem.name == "croft-variant-1-count")
# Two doubles that agree.
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def over_epsilon():
    return frontier(om.croft(om.count(8), 1, prior="uniform"), low="0.1", high=2, points=6)


@pytest.fixture(scope="module")
def over_delta():
    return frontier(om.question(om.count(3), 1, delta="0.1"), "delta", low=0, high="0.8", points=5)


@pytest.fixture(scope="module")
def over_bound():
    problem = om.question(om.count(4), 1, bounds="worst beyond 1 <= 0.1")
    return frontier(problem, "bound", at=["0.05", "0.13", "0.2", "0.3"])


def optimum(result, value):
    """The optimum at any value, of a design made there."""
    problem, privacy = result.problem, result.problem.privacy
    if result.over == "bound":
        problem = replace(problem, bounds=(replace(problem.bounds[0], at_most=value),))
    else:
        problem = replace(problem, privacy=replace(privacy, **{result.over: value}))
    return om.design(problem).objective


def test_points_over_epsilon_are_those_of_the_closed_form(over_epsilon):
    for point in over_epsilon.points:
        value = COUNT.value(om.croft(om.count(8), point.value, prior="uniform"))
        assert point.bound <= point.objective
        assert float(point.bound) <= value * (1 + ROUNDING)
        assert float(point.objective) == pytest.approx(value, rel=ROUNDING)


@given(share=st.fractions(0, 1, max_denominator=10**6))
def test_no_optimum_between_points_crosses_the_stairs(over_epsilon, share):
    first, last = over_epsilon.points[0].value, over_epsilon.points[-1].value
    value = first + share * (last - first)
    truth = COUNT.value(om.croft(om.count(8), value, prior="uniform"))
    assert float(over_epsilon.lower(value)) <= truth * (1 + ROUNDING)
    assert float(over_epsilon.upper(value)) >= truth * (1 - ROUNDING)


@pytest.mark.parametrize("name", ["over_delta", "over_bound"])
def test_mixing_proves_more_than_stairs_and_crosses_no_optimum(request, name):
    result = request.getfixturevalue(name)
    met = [point for point in result.points if point.verdict is Verdict.MET]
    assert len(met) > 2
    closer = 0
    for left, right in pairwise(met):
        for share in (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)):
            value = left.value + share * (right.value - left.value)
            truth = optimum(result, value)
            lower, upper = float(result.lower(value)), float(result.upper(value))
            assert lower - ROUNDING <= truth <= upper + ROUNDING
            assert right.bound <= result.lower(value)
            assert result.upper(value) <= left.objective
            closer += lower > right.bound or upper < left.objective
    assert closer > 0


def test_a_chord_over_epsilon_would_cross_the_optimum():
    """Why stairs: the counterexample of the module, one of two answers with prior 9/10, 1/10."""
    problem = om.question(om.Query([0, 1], [0, 1], neighbours=1), 1, loss="zero-one", prior=[0.9, 0.1])
    curve = frontier(problem, at=[1, 3])
    assert not curve.chords
    kink = Fraction(219, 100)  # a little below ln 9
    share = (kink - 1) / 2
    chord = float((1 - share) * curve.points[0].objective + share * curve.points[1].objective)
    assert optimum(curve, kink) == pytest.approx(0.1)
    assert chord < 0.09
    assert float(curve.upper(kink)) == pytest.approx(0.1)


def test_probabilistic_privacy_is_not_mixed():
    curve = frontier(om.kadam(om.residues(5, [1]), 1, "0.1"), "delta", at=["0.1", "0.2", "0.3"])
    assert not curve.chords
    assert curve.lower(Fraction("0.15")) == curve.points[1].bound
    assert curve.upper(Fraction("0.15")) == curve.points[0].objective


def test_where_nothing_is_possible_the_bound_is_infinite():
    problem = om.question(om.count(4), 1, bounds="worst beyond 1 <= 0.1")
    curve = frontier(problem, "bound", at=["0.01", "0.2"])
    assert curve.points[0].verdict is Verdict.REFUTED
    assert curve.lower(Fraction(1, 200)) == curve.lower(Fraction(1, 100)) == math.inf
    assert curve.upper(Fraction(1, 100)) is None
    assert curve.lower(Fraction(1, 10)) == curve.points[1].bound
    assert curve.lower(Fraction(1, 2)) is None
    assert "no mechanism meets it: with all else kept, delta is at least" in str(curve)


def test_delta_of_bounded_noise_is_a_frontier_over_epsilon():
    curve = frontier(om.sadeghi_symmetric(1, "0.5", 3), at=["0.2", 1, 2])
    deltas = [point.objective for point in curve.points]
    assert deltas == sorted(deltas, reverse=True)
    assert deltas[0] > deltas[-1]


@settings(max_examples=40)
@given(
    st.fractions(0, 5, max_denominator=1000),
    st.fractions("1/1000", 5, max_denominator=1000),
    st.integers(2, 60),
)
def test_values_are_even_but_for_a_fiftieth_and_in_order(low, apart, points):
    values = values_between(low, low + apart, points)
    assert len(values) == points
    assert (values[0], values[-1]) == (low, low + apart)
    step = apart / (points - 1)
    assert all(abs(value - (low + place * step)) <= step / 50 for place, value in enumerate(values))


@each(
    ("settings", "text"),
    [
        ({"over": "eta"}, "`over` must be one of epsilon, delta, bound; got 'eta'."),
        ({"low": 1}, "`low` and `high` must be given, or `at` in their place"),
        ({"low": 2, "high": 1}, "`low` must be below `high`; got 2 and 1."),
        ({"low": 1, "high": 2, "points": 1}, "`points` must be a whole number from 2 to 10000; got 1."),
        ({"at": [1], "low": 1}, "`at` must be given alone, or `low` and `high` in its place; got both."),
        ({"at": []}, "`at` must hold at least one value; got none."),
        ({"at": 1}, "`at` must be a list of values; got 1."),
        ({"at": [0]}, "`epsilon` must be positive; got 0."),
        ({"over": "delta", "at": [0]}, "`problem` must have a delta that is given; got epsilon = 1."),
        ({"over": "bound", "at": [1]}, "`problem` must have exactly one bound on a further loss; got 0."),
    ],
)
def test_what_is_wrong_is_said(settings, text):
    with pytest.raises(om.OptmechError) as refusal:
        frontier(om.croft(om.count(3), 1), **settings)
    assert str(refusal.value).startswith(text)
