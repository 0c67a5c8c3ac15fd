"""The sentence on a wrong argument names it, its rule and its value."""

from __future__ import annotations

import re

import pytest

import optmech as om
from optmech.question.properties import FAIR
from tests.each import each

PROBLEM = om.croft(om.count(2), 1)
DESIGN = om.design(PROBLEM)
RAW = om.design(PROBLEM, raw=True)
MECHANISM = DESIGN.mechanism


@each(
    ("call", "says"),
    [
        (lambda: om.design(om.count(5)), "`problem` must be a Problem or a TableProblem; got <Query"),
        (lambda: om.question("count", 1), "`query` must be a Query; got 'count'. Make one, such as"),
        (lambda: om.design(PROBLEM, method="magic"), "`method` must be one of auto, "),
        (
            lambda: om.verify(PROBLEM, PROBLEM),
            "`mechanism` must be a design, a certificate or a mechanism; got",
        ),
        (
            lambda: om.count(1, 2, 3),
            "`count` must be given the largest value, or",
        ),
        (
            lambda: om.mean(28),
            "`mean` must be given the largest value, or",
        ),
        (lambda: om.extremum(1, 2, smallest=1), "`extremum` must be given the largest value"),
        (lambda: om.count(range(5)), "`largest` must be a whole number; got range(0, 5)"),
        (lambda: om.write_certificate(RAW, "x"), "got a RawDesign, of which nothing is. Design it without"),
        (lambda: om.compose([DESIGN, RAW, MECHANISM]), "a Mechanism with its Query; got <MatrixMechanism"),
        (lambda: om.card_of(DESIGN, PROBLEM), "`problem` must be left out with a certificate or a design"),
        (lambda: om.verify(MECHANISM), "`problem` must be given with a mechanism"),
        (lambda: om.count(FAIR), "`largest` must be a whole number; got 'fair'."),
        (lambda: om.Query(range(3), name="\ud800"), "`name` must be text that a file can hold"),
    ],
)
def test_the_sentence_names_argument_rule_and_value(call, says):
    with pytest.raises(om.ProblemError, match=re.escape(says)):
        call()


def test_a_constant_is_shown_as_the_text_that_it_is():
    assert repr(om.SolveOptions()).startswith("SolveOptions(method='auto', ")
