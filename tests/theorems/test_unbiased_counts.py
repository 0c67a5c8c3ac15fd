"""Noise with gathered tails is the best without bias: the optimum of a program, proved for both readers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.question.query import Query
from optmech.theorems.unbiased_counts import THEOREMS
from tests.each import each
from tests.readers import by_checker, by_package

(THEOREM,) = THEOREMS
# Responses just far enough, far beyond, with gaps, between the truths, and further on one side.
RESPONSES = [
    [-1, 0, 1, 2, 3, 4],
    range(-3, 9),
    [-9, 0, 1, 2, 3, 5],
    [-2, Fraction(-1, 3), 0, Fraction(1, 2), 1, 2, 3, 7],
    [-50, -1, 0, 1, 2, 3, 4, Fraction(13, 3)],
]


def unbiased(query, epsilon=1, **choices):
    return om.question(query, epsilon, **{"properties": ["unbiased"], **choices})


def on(responses, size=4):
    return Query(range(size), responses, neighbours=1)


UNEVEN = {"prior": ["1/2", "1/4", "1/8", "1/8"]}


@each("choices", [{}, {"prior": None}, {"worst_case": True}, UNEVEN, {"prior": [0, 0, 1, 0]}])
@each("epsilon", ["ln 2", "0.9", "2", "ln 2.718281828"])
@each("responses", RESPONSES, every=2)
def test_the_value_is_the_optimum_of_the_program_and_is_proved(responses, epsilon, choices):
    problem = unbiased(on(responses), epsilon, **choices)
    assert THEOREM.objection(problem) is None
    value, design = THEOREM.value(problem), om.design(problem)
    assert design.engine == "closed-form"
    assert design.objective == pytest.approx(value, rel=1e-13)
    assert design.certificate.relative_gap < 1e-12
    assert float(THEOREM.ball(problem, 30)) == pytest.approx(value, rel=1e-15)
    assert om.design(problem, raw=True).objective == pytest.approx(value, rel=1e-7)
    assert THEOREM.matrix(problem) == pytest.approx(design.mechanism.matrix, abs=1e-12)


@each(
    ("query", "epsilon"),
    [(om.count(1), "1"), (om.count(2), "0.05"), (om.mean(4, 0, 1), "1"), (om.count(9), "6")],
)
def test_any_step_any_size_and_any_epsilon(query, epsilon):
    problem = unbiased(query.variant(responses=[-30, -1, *query.truths, 12, 40]), epsilon)
    certificate = om.design(problem).certificate
    assert certificate.relative_gap < 1e-11
    assert float(certificate.objective) == pytest.approx(THEOREM.value(problem), rel=1e-12)


def test_a_hundred_counts_are_geometric_noise_and_both_readers_agree():
    problem = unbiased(om.count(100).variant(responses=range(-20, 121)))
    design = om.design(problem)
    assert design.certificate.relative_gap < 1e-12
    noise = np.tanh(0.5) * np.exp(-abs(np.subtract.outer(np.arange(-18, 119), np.arange(101))))
    assert design.mechanism.matrix[2:-2] == pytest.approx(noise, abs=1e-15)
    text = certificate_text(design.certificate)
    assert (by_package(text), by_checker(text)) == (None, None)


def test_multipliers_of_each_truth_are_exact_at_any_epsilon_and_prior():
    query, prior = on([-200, *range(-1, 5), 200]), ["0.999997", "1e-6", "1e-6", "1e-6"]
    for epsilon in ("0.01", "12", "30"):
        problem = unbiased(query, epsilon, prior=prior)
        assert om.design(problem).certificate.relative_gap < 1e-14


def test_exact_powers_need_no_room():
    design = om.design(unbiased(on(range(-1, 5)), "ln 2"))
    assert design.certificate.objective == Fraction(4, 3)
    assert design.certificate.matrix.denominator.bit_length() < 8


@each(
    ("ask", "reason"),
    [
        (lambda: unbiased(on(RESPONSES[0]), loss="squared"), "the absolute loss"),
        (lambda: unbiased(on(RESPONSES[0]), "0.5"), "do not reach as far"),
        (lambda: unbiased(on(RESPONSES[0]), "ln 1.999"), "do not reach as far"),
        (lambda: unbiased(on(RESPONSES[0]), delta="0.1"), "under pure privacy"),
        (lambda: unbiased(on(RESPONSES[0]), properties=["unbiased", "fair"]), "without other properties"),
        (lambda: unbiased(Query([0, 1, 3], range(-12, 16))), "as far from one to the next"),
        (lambda: unbiased(on([-1, 0, 2, 3, 4])), "a truth is no response"),
        (lambda: unbiased(on([-1, 0, 1, 2, 3, (4, 5)])), "no single number"),
        (lambda: unbiased(Query(range(4), range(-1, 5), neighbours=2)), "next to each other"),
        (lambda: unbiased(om.count(1500).variant(responses=range(-5, 1506)), 20), "too many digits"),
    ],
)
def test_it_says_nothing_of_other_questions(ask, reason):
    assert reason in THEOREM.objection(ask())
