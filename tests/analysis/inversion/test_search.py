"""The search for a value: both ends stand beside each other, whatever is decided on the way."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optmech.analysis.inversion.evidence import Evidence, Verdict
from optmech.analysis.inversion.search import search
from optmech.designs.attempts import Deadline
from tests.each import each

NO_LIMIT = Deadline.after(None)


def told(steps, verdict, objective=None, target=None):
    """Evidence as of a design whose objective is its bound."""
    certificate = SimpleNamespace(objective=objective, bound=objective)
    result = None if objective is None else SimpleNamespace(certificate=certificate)
    return Evidence(value=Fraction(steps), verdict=verdict, target=target, design=result)


def falling(objective, target):
    """Evidence of a curve that is known exactly."""

    def look(steps):
        height = Fraction(objective(steps))
        return told(steps, Verdict.MET if height <= target else Verdict.REFUTED, height, Fraction(target))

    return look


@given(st.data())
def test_both_ends_stand_beside_each_other(data):
    most = data.draw(st.integers(1, 5000))
    first = data.draw(st.integers(1, most + 1))
    start = data.draw(st.integers(1, most))
    result = search(
        lambda steps: told(steps, Verdict.MET if steps >= first else Verdict.REFUTED), most, start, NO_LIMIT
    )
    assert (result.last_refuted, result.first_met) == (first - 1, first)
    assert not result.is_late
    assert result.open_values == []


@given(st.data())
def test_what_cannot_be_decided_is_closed_in_from_both_sides(data):
    most = data.draw(st.integers(3, 3000))
    first = data.draw(st.integers(1, most))
    last = data.draw(st.integers(first, most))
    start = data.draw(st.integers(1, most))

    def look(steps):
        verdict = Verdict.REFUTED if steps < first else Verdict.MET if steps > last else Verdict.OPEN
        return told(steps, verdict)

    result = search(look, most, start, NO_LIMIT)
    assert (result.last_refuted, result.first_met) == (first - 1, last + 1)
    assert result.open_values[0] == first
    assert result.open_values[-1] == last


@each("rate", [1e-4, 1e-3, 3e-3])
@each("start", [1, 700, 60_000])
def test_a_smooth_curve_takes_fewer_looks_than_halving(rate, start):
    looks = []
    look = falling(lambda steps: Fraction((1 - rate) ** steps), Fraction(1, 20))
    result = search(lambda steps: looks.append(steps) or look(steps), 60_000, start, NO_LIMIT)
    assert result.first_met - result.last_refuted == 1
    assert (1 - rate) ** result.first_met <= 0.05 < (1 - rate) ** result.last_refuted
    assert len(looks) == len(set(looks)) <= 12  # halving takes 16 once both ends are known


@given(st.integers(2, 400), st.integers(1, 400), st.integers(0, 60), st.integers(1, 400))
def test_the_hard_end_of_an_interval_is_found_where_objectives_are_convex(most, centre, width, start):
    """Met from centre - width to centre + width only: easier values are not met again."""
    centre, start = min(centre, most), min(start, most)
    look = falling(lambda steps: (steps - centre) ** 2, width**2)
    result = search(look, most, start, NO_LIMIT, is_convex=True)
    assert result.first_met == max(1, centre - width)
    assert result.last_refuted == result.first_met - 1


def test_no_value_of_a_convex_objective_meets_a_target_below_its_least():
    result = search(
        falling(lambda steps: (steps - 31) ** 2 + 1, Fraction(1, 2)), 1999, 1000, NO_LIMIT, is_convex=True
    )
    assert result.first_met == 2000
    assert 31 in result.at


def test_the_time_is_up_before_the_first_look():
    result = search(lambda _: pytest.fail("it looked"), 10, 1, Deadline.after(0.0))
    assert (result.last_refuted, result.first_met, result.is_late, result.at) == (0, 11, True, {})
