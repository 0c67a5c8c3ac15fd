"""Exact arithmetic says how private a proved mechanism is, however small its probabilities are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from tests.each import each

# n epsilon is above 745, or a ratio of neighbours above every double: e^-745 is zero as a double.
LONG = (
    (10, 150, 0),
    (5, 150, 0),
    (3, 300, 0),
    (3, 700, 0),
    (1, 700, 0),
    (20, "ln 1e30", 0),
    (20, 40, 0),
    (100, 8, 0),
    (30, 30, "1e-6"),
    (8, 100, "1e-200"),
)


def privacy_check(design):
    criteria = {privacy.criterion for privacy in design.problem.privacies}
    return [check for check in om.verify(design).checks if check.name in criteria]


@each("asked", LONG, every=3)
def test_a_proved_mechanism_is_never_called_infinitely_leaky(asked):
    largest, epsilon, delta = asked
    problem = om.question(om.count(largest), epsilon, delta=delta)
    design = om.design(problem)
    assert om.verify(design), str(om.verify(design))
    (check,) = privacy_check(design)
    assert (check.holds, check.provenance) == (True, "proved")
    if not delta:
        loss = design.mechanism.effective_epsilon(problem.query)
        assert 0 < loss <= float(problem.privacy.epsilon) * (1 + 1e-9)
        assert om.card_of(design).privacy.effective_epsilon.value == loss


@each("asked", [(10, 150), (20, 50), (3, 700)])
def test_a_proved_optimum_answers_its_question_in_a_comparison(asked):
    largest, epsilon = asked
    optimum = om.compare(om.question(om.count(largest), epsilon)).optimum
    assert optimum.answers
    assert optimum.spent_epsilon == pytest.approx(epsilon)


def test_whole_numbers_are_measured_without_a_certificate_too():
    design = om.design(om.question(om.count(5), 150))
    assert om.verify(design.mechanism, design.problem)
    stricter = om.verify(design.mechanism, om.question(om.count(5), "149.9"))
    assert [check.name for check in stricter.failures] == ["pure privacy"]
    assert stricter.failures[0].value == pytest.approx(150)


def test_a_zero_is_infinite_in_whole_numbers_as_well():
    mechanism = om.design(om.question(om.count(2), 1)).mechanism
    whole = mechanism.exact.numerators.copy()
    whole[1, 0] += whole[2, 0]
    whole[2, 0] = 0
    exact = type(mechanism.exact)(numerators=whole, denominator=mechanism.exact.denominator)
    broken = om.MatrixMechanism(matrix=exact.nearest(), responses=(0, 1, 2), truths=(0, 1, 2), exact=exact)
    assert broken.effective_epsilon(om.count(2)) == math.inf
    report = om.verify(broken, om.question(om.count(2), 1))
    assert [check.value for check in report.failures] == [math.inf]


def test_weights_of_neighbours_divide_the_loss_everywhere():
    query = om.graph([("a", "b", 1), ("b", "c", 2)])
    design = om.design(om.question(query, 3, loss="zero-one"))
    assert om.verify(design)
    loss = design.mechanism.effective_epsilon(query)
    assert loss == pytest.approx(3)  # and 6 between "b" and "c"
    assert om.card_of(design).privacy.effective_epsilon.value == loss


def test_each_delta_of_several_privacies_is_that_of_whole_numbers():
    for largest in (30, 3000):
        problem = om.question(om.count(largest), privacy=[(1, "1e-6"), ("0.5", "0.01")])
        design = om.design(problem)
        checks = privacy_check(design)
        assert [check.value for check in checks] == [float(delta) for delta in design.certificate.deltas]
        pairs = zip(design.certificate.deltas, problem.privacies, strict=True)
        assert all(0 < delta <= Fraction(privacy.delta) for delta, privacy in pairs)
        assert {check.provenance for check in checks} == {"proved"}


def test_a_matrix_of_doubles_is_recomputed():
    design = om.design(om.question(om.count(3), 1))
    doubles = om.MatrixMechanism(
        matrix=np.array(design.mechanism.matrix), responses=range(4), truths=range(4)
    )
    report = om.verify(doubles, design.problem)
    assert {check.provenance for check in report.checks} == {"recomputed"}
