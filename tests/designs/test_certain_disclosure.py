"""Demands that tell two neighbours apart for certain: delta is 1, proved, and the sentence names them."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.designs.certain_disclosure import certain_disclosure
from tests.each import each

NEVER = [om.LinearRule("never at b", {(0, 1): 1}, "=", 0), om.LinearRule("never at a", {(1, 0): 1}, "=", 0)]


def least(query, **further):
    return om.question(query, 1, least="delta", **further)


@each(
    ("problem", "names"),
    [
        (
            om.p_table(2, 1, positive_stays_positive=True, unbiased=True),
            'positive stays positive" and unbiased',
        ),
        (least(om.count(2), properties=["accuracy = 1"]), "with accuracy = 1; drop it"),
        (least(om.count(2), bounds=["worst squared <= 0"]), "with worst squared <= 0; drop it"),
        (least(om.categories(["a", "b"]), rules=NEVER), "at a is never released at b"),
        (least(om.count(1), definition="probabilistic", properties=["within 0"]), "with within 0; drop it"),
    ],
)
def test_the_least_delta_is_one_and_the_demands_are_named(problem, names):
    with pytest.raises(om.NoSolutionError) as error:
        om.design(problem)
    assert str(error.value).startswith("Delta is 1 for every such mechanism, proved")
    assert names in str(error.value)
    assert om.design(problem, raw=True).objective == pytest.approx(1, abs=1e-6)


@each(
    "problem",
    [
        om.p_table(2, 1, positive_stays_positive=True),
        om.p_table(2, 1, zero_stays_zero=True),
        least(om.count(2), properties=["accuracy >= 0.9"]),
        least(om.count(1), definition="per-outcome", properties=["within 0"]),
        least(om.count(1), properties=["accuracy = 0", "within 0"]),
        om.question(om.count(2), 1, rules=NEVER),
    ],
)
def test_nothing_is_said_where_a_response_may_be_of_both_or_no_mechanism_is_left(problem):
    assert certain_disclosure(problem) is None
