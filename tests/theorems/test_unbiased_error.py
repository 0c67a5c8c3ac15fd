"""No bias costs as much at each truth by itself: a bound that geometric noise attains for any prior."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

import optmech as om
from optmech.theorems.unbiased_error import THEOREMS
from tests.each import each

(THEOREM,) = THEOREMS
A = exp(-1)


def asked(query, **demands):
    return om.question(query, 1, properties=["unbiased"], **demands)


@each("demands", [{"prior": [0.1, 0.2, 0.3, 0.4]}, {"prior": [0, 0, 1, 0]}, {"worst_case": True}, {}])
def test_it_is_attained_on_a_path_for_any_prior(demands):
    problem = asked(om.Query(range(4), range(-5, 9)), **demands)
    assert THEOREM.objection(problem) is None
    value = 2 * A / (1 - A * A)
    assert THEOREM.value(problem) == pytest.approx(value, rel=1e-13)
    assert float(THEOREM.ball(problem, 30)) == pytest.approx(value, rel=1e-13)
    assert float(om.design(problem).objective) == pytest.approx(value, rel=1e-9)


@each(
    ("query", "demands"),
    [
        (om.Query([0, 1, 3], range(-12, 16), neighbours=[(0, 1), (1, 2)]), {"prior": [0, 1, 0]}),
        (om.Query([0, 1, 2], range(-8, 11), neighbours=[(0, 1), (1, 2), (0, 2)]), {"prior": [0.5, 0.5, 0]}),
        (om.Query([0, 1, 2], range(-8, 11), neighbours=[(0, 1, 2), (1, 2, 1)]), {"worst_case": True}),
        (om.Query([0, 2], [-9, Fraction(1, 2), 11], neighbours=1), {"prior": [0.5, 0.5]}),
        (om.Query([0, 1], range(-6, 8), neighbours=[(0, 1)], symmetric=False), {"prior": [0.5, 0.5]}),
    ],
)
def test_no_mechanism_is_below_it(query, demands):
    problem = asked(query, **demands)
    assert THEOREM.objection(problem) is None
    assert THEOREM.value(problem) <= float(om.design(problem).objective) * (1 + 1e-9)


def test_it_says_nothing_of_others():
    query = om.Query(range(4), range(-5, 9))
    assert "unbiased" in THEOREM.objection(om.question(query, 1))
    assert "absolute" in THEOREM.objection(asked(query, loss="squared"))
