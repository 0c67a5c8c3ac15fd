"""A person who moves the smallest answer is revealed where there is no bias: a bound that tables attain."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.question.query import Query
from optmech.theorems.unbiased import THEOREMS
from tests.each import each

(THEOREM,) = THEOREMS
BOUND = ["worst squared <= 2"]


@each(("within", "variance", "epsilon"), [(5, 3, 1), (4, 1, "ln 2"), (4, "1/2", 0)])
def test_a_table_of_some_width_attains_it(within, variance, epsilon):
    problem = om.p_table(within, epsilon, variance=variance, unbiased=True)
    assert THEOREM.objection(problem) is None
    proof = om.design(problem).certificate
    assert THEOREM.value(problem) == pytest.approx(1 / (1 + Fraction(variance)), abs=1e-15)
    assert THEOREM.value(problem) <= proof.objective + Fraction(1, 10**15)
    assert float(THEOREM.ball(problem, 30)) == pytest.approx(THEOREM.value(problem), abs=1e-15)


def test_verify_and_design_have_a_row_of_it():
    design = om.design(om.p_table(5, 1, variance=3, unbiased=True))
    (row,) = om.verify(design.mechanism, design.problem, certificate=design.certificate).theorems
    assert (row.name, row.holds) == ("approximate-unbiased-least-delta", True)


def test_a_larger_step_reveals_more_and_other_demands_leave_it_true():
    query = Query([0, 2, 4, 6], range(9), neighbours=[(0, 1), (1, 2), (2, 3)])
    problem = om.question(query, 1, least="delta", properties=["unbiased", "without 1"], bounds=BOUND)
    assert THEOREM.objection(problem) is None
    assert THEOREM.value(problem) == pytest.approx(4 / 6)
    assert THEOREM.value(problem) <= om.design(problem).certificate.objective


@each(
    ("ask", "reason"),
    [
        (lambda: om.question(om.count(4), 1, delta="0.1", properties=["unbiased"]), "the least delta"),
        (
            lambda: om.question(om.count(4), 1, least="delta", bounds=BOUND),
            "unbiased mechanisms with a bound",
        ),
        (lambda: om.question(om.count(4), 1, least="delta", properties=["unbiased"]), "with a bound"),
        (lambda: unbiased(om.count(4), bounds=["mean squared <= 2"]), "the squared loss of the worst truth"),
        (lambda: unbiased(om.count(4), definition="per-outcome"), "(epsilon, delta)-differential privacy"),
        (lambda: unbiased(Query([1, 2], range(4), neighbours=1)), "the smallest response is not"),
        (lambda: unbiased(Query([0, 1], [0, (1, 2)], neighbours=1)), "a response is no single number"),
        (lambda: unbiased(Query([0, 1], neighbours=[(0, 1)], symmetric=False)), "has no neighbour"),
    ],
)
def test_it_says_nothing_of_other_questions(ask, reason):
    assert reason in THEOREM.objection(ask())


def unbiased(query, **options):
    return om.question(query, 1, least="delta", properties=["unbiased"], **{"bounds": BOUND, **options})
