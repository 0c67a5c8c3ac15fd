"""The largest accuracy: against closed forms, and where two mechanisms may be mixed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.analysis.inversion import largest_accuracy
from optmech.analysis.inversion.threshold import Outcome
from optmech.question.problems.sadeghi import noisy_counts
from optmech.theorems.sadeghi import least_delta
from tests.each import each

# The two accuracies are moved outwards by 1e-12, the proofs lie within that of each other.
PROVED = 1e-10


def circle(modulus, epsilon):
    """The truth and what lies d(z) steps from it: the most private noise puts e^(-eps d) on each."""
    return 1 / sum(math.exp(-epsilon * min(z, modulus - z)) for z in range(modulus))


@each("epsilon", ["0.3", "1", "ln 3"])
@each("modulus", [5, 8])
def test_on_a_circle_the_truth_is_told_as_often_as_geometric_noise_tells_it(modulus, epsilon):
    problem = om.question(om.residues(modulus, [1]), epsilon, structure=om.ModularNoise(), loss="error-rate")
    threshold = largest_accuracy(problem)
    value = circle(modulus, float(problem.privacy.epsilon))
    assert threshold.outcome is Outcome.PROVED
    assert float(threshold.value) == pytest.approx(value, abs=PROVED)
    assert 0 < threshold.beyond - threshold.value < PROVED


def test_on_a_long_line_the_knee_is_reached():
    """Sadeghi et al. 2020: the truth can be told with probability tanh(eps / 2), and no more for nothing.

    The ends of a range can be told apart from one side only, so that a count 0..n has a little more; it
    falls to the knee as n grows.
    """
    knee = math.tanh(0.5)
    results = [largest_accuracy(om.question(om.count(n), 1)).value for n in (2, 5, 10, 20)]
    assert results == sorted(results, reverse=True)
    above = [float(value) - knee for value in results]
    assert above[-1] < 1e-4
    assert above[3] / above[2] == pytest.approx(math.exp(-5), rel=0.01)  # e^(-eps n / 2), n from 10 to 20


@each(("epsilon", "width"), [("1", 4), ("2.18", 6)], every=3)
@each("start", ["0.01", "0.5", "0.99"])
def test_the_largest_accuracy_of_symmetric_noise_inverts_its_closed_form(epsilon, width, start):
    threshold = largest_accuracy(om.sadeghi_symmetric(epsilon, start, width), "0.02")
    assert threshold.outcome is Outcome.PROVED
    assert threshold.beyond - threshold.value <= Fraction(1, 1000)
    assert least_delta(epsilon, str(threshold.value), width) <= 0.02
    assert least_delta(epsilon, str(threshold.beyond), width) > 0.02
    assert (
        max(a / 100 for a in range(1, 100) if least_delta(epsilon, f"{a}/100", width) <= 0.02)
        <= threshold.value
    )


@pytest.mark.slow
def test_a_delta_that_no_accuracy_meets_is_met_nowhere_and_nothing_is_said_beyond():
    least = min(least_delta("0.5", f"{a}/1000", 2) for a in range(1, 1000))
    threshold = largest_accuracy(om.sadeghi_symmetric("0.5", "0.9", 2), str(round(least * 0.9, 6)))
    assert threshold.outcome is Outcome.NOWHERE
    assert (threshold.value, threshold.beyond) == (None, None)
    assert float(threshold.refuted.bound) == pytest.approx(least, rel=1e-3)
    assert "and so beyond" not in str(threshold)
    threshold = largest_accuracy(om.sadeghi_symmetric("0.5", "0.9", 2), str(round(least * 1.02, 6)))
    assert threshold.outcome is Outcome.PROVED


def test_the_objective_may_be_held_to_a_target():
    prior = np.array([0.94, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01])
    problem = om.question(om.count(6), "0.5", prior=prior)
    free, threshold = largest_accuracy(problem), largest_accuracy(problem, "0.3")
    assert threshold.outcome is Outcome.PROVED
    assert threshold.value < free.value / 2
    matrix, errors = threshold.design.mechanism.matrix, np.abs(np.arange(7)[:, None] - np.arange(7))
    assert (matrix * errors).sum(axis=0) @ prior <= 0.3 + PROVED
    assert np.diag(matrix).min() >= float(threshold.value) - PROVED


def test_a_limit_on_the_accuracy_does_not_count():
    plain = largest_accuracy(om.question(om.count(4), 1))
    limited = largest_accuracy(om.question(om.count(4), 1, properties="accuracy = 0.1"))
    assert plain.value == limited.value


def test_a_delta_may_be_the_target_of_a_free_matrix():
    threshold = largest_accuracy(om.question(om.count(4), 1, least="delta"), "0.05")
    plain = largest_accuracy(om.question(om.count(4), 1, delta="0.05"))
    assert threshold.value == plain.value
    assert threshold.value > largest_accuracy(om.question(om.count(4), 1)).value


def test_promises_that_nothing_keeps_are_refuted_whatever_the_accuracy():
    threshold = largest_accuracy(om.question(om.count(6), "0.1", bounds="mean absolute <= 0.1"))
    assert (threshold.outcome, threshold.value, threshold.beyond) == (Outcome.NOWHERE, None, 0)
    assert threshold.refuted.is_of_delta
    assert threshold.refuted.bound > 0


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (
            lambda: largest_accuracy(om.sadeghi_symmetric(1, "0.5", 2)),
            "`target` must be given where delta is",
        ),
        (
            lambda: largest_accuracy(
                om.question(noisy_counts(2, 4, 2), 1, delta="0.1", structure=om.SymmetricNoise(2, "0.4"))
            ),
            "`target` must be given for noise of bounded width",
        ),
        (
            lambda: largest_accuracy(
                om.question(om.Query([0, 2], [0, 1], neighbours=[(0, 1)]), 1), precision="0.1"
            ),
            "the accuracy needs every truth inside a response",
        ),
        (
            lambda: largest_accuracy(om.question(om.count(2), 1), precision="0.9"),
            "`precision` must be positive and at most 0.5; got 0.9.",
        ),
    ],
)
def test_what_is_wrong_is_said(search, text):
    with pytest.raises(om.ProblemError) as refusal:
        search()
    assert str(refusal.value).startswith(text)
