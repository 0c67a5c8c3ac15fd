"""Notions describe themselves: gaps by their definition, JSON and back, losses changed, words."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.content import problem_of, question_of
from optmech.question.limits import Accuracy, Within, Without
from optmech.question.losses import ExpectedLoss, LeastDelta, WorstLoss
from optmech.question.privacy import (
    PRIVACIES,
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
    privacy_of,
)
from optmech.question.properties import PROPERTIES
from optmech.question.structures import (
    STRUCTURES,
    FreeMatrix,
    ModularNoise,
    SymmetricNoise,
    ZeroBiasNoise,
    structure_of,
)
from tests.each import each

MATRIX = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])
QUERY = om.count(2)


def test_every_property_is_sent_to_another_process():
    again = pickle.loads(pickle.dumps(PROPERTIES))  # noqa: S301 - its own
    assert again == PROPERTIES
    assert list(map(type, again)) == list(map(type, PROPERTIES))


@each(
    ("limit", "gap"),
    [
        (Accuracy("0.65"), 0.05),
        (Accuracy("0.5"), 0.0),
        (Accuracy("0.65", exactly=True), 0.05),
        (Accuracy("0.6", exactly=True), 0.1),
        (Within("1"), 0.1),
        (Within("2"), 0.0),
        (Within("0"), 0.2),
        (Without(("1",)), 0.6),
        (Without(("0", "2")), 0.7),
        (Without(()), 0.0),
    ],
)
def test_a_limit_is_missed_by_what_its_definition_says(limit, gap):
    assert limit.gap(MATRIX, QUERY) == pytest.approx(gap, abs=1e-15)


def test_a_limit_of_a_response_that_is_none_is_refused():
    with pytest.raises(om.ProblemError, match="7 is none of"):
        Without(("7",)).gap(MATRIX, QUERY)


PRIVACY = [
    PurePrivacy("0.5"),
    ApproximatePrivacy("ln 2", "0.1"),
    ApproximatePrivacy(0),
    PerOutcomePrivacy(1, 0),
    PerOutcomePrivacy(1, "0.2", "paper"),
    ProbabilisticPrivacy(1, "0.1"),
    ProbabilisticPrivacy(1, "0.1", "printed"),
    om.as_private_as("discrete-gaussian", sigma="2/3"),
    om.as_private_as("weights", weights=[1, 2, 1], epsilon="ln 2"),
]
STRUCTURE = [
    FreeMatrix(),
    ModularNoise(),
    ModularNoise((2, 3)),
    SymmetricNoise(3, "1/3"),
    ZeroBiasNoise(1, "0.4"),
]


@each("privacy", PRIVACY)
def test_a_privacy_is_read_as_it_is_written(privacy):
    assert privacy_of(privacy.content) == privacy


@each("structure", STRUCTURE)
def test_a_structure_is_read_as_it_is_written(structure):
    assert structure_of(structure.content) == structure


def test_every_notion_was_read():
    assert {type(each) for each in PRIVACY} == set(PRIVACIES)
    assert {type(each) for each in STRUCTURE} == set(STRUCTURES)


@each(
    ("privacy", "spent"),
    # Columns 0 and 1 at e^epsilon = 2: excesses 0.7 - 2 x 0.2 = 0.3 in response 0, 0.6 - 2 x 0.2 = 0.2 in 1.
    [
        (PurePrivacy("ln 2"), 0.3),
        (ApproximatePrivacy("ln 2"), 0.3),
        (PerOutcomePrivacy("ln 2"), 0.3),
        (ProbabilisticPrivacy("ln 2"), 0.7),
        (ProbabilisticPrivacy("ln 2", 0), 0.3),
    ],
)
def test_a_privacy_measures_by_its_definition(privacy, spent):
    worst = privacy.measure(MATRIX, QUERY.pairs, QUERY.weights)
    assert worst.value == pytest.approx(spent)
    assert (worst.truth, worst.neighbour) in ((0, 1), (2, 1))


def test_what_is_spent_over_sets_adds_up_where_single_answers_do_not():
    matrix = np.array([[0.5, 0.1], [0.5, 0.1], [0.0, 0.8]])
    pairs, weights = np.array([[0, 1]]), np.ones(1, dtype=np.int64)
    assert PerOutcomePrivacy("ln 2").measure(matrix, pairs, weights).value == pytest.approx(0.3)
    assert ApproximatePrivacy("ln 2").measure(matrix, pairs, weights).value == pytest.approx(0.6)


def test_losses_are_changed_where_they_stand():
    wider = QUERY.variant(responses=range(-1, 4))
    problem = om.question(QUERY, 1, loss="squared", bounds=["worst beyond 1 <= 0.5"])
    changed = problem.with_losses(lambda loss: loss.at(wider), query=wider)
    assert changed.objective.loss.shape == (5, 3)
    assert changed.objective.loss[0].tolist() == [1, 4, 9]
    assert changed.bounds[0].loss.loss[0].tolist() == [0, 1, 1]
    assert question_of(changed)["objective"]["loss"] == "squared"


def test_a_least_delta_changes_its_cost_and_nothing_else():
    cost = ExpectedLoss(MATRIX, np.array([1.0, 0.0, 0.0]))
    objective = LeastDelta(cost, Fraction(1, 2))
    averaged = objective.with_losses(lambda loss: loss.with_mean_weights())
    assert averaged.cost.weights.tolist() == pytest.approx([1 / 3] * 3)
    assert averaged.at_most == Fraction(1, 2)
    assert objective.bounds_at(Fraction(1)) == objective.demands == ((cost, Fraction(1, 2)),)
    assert LeastDelta().with_losses(lambda loss: loss.with_mean_weights()).cost is None


def test_a_loss_that_is_held_to_a_target_is_bounded_by_it():
    loss = WorstLoss(MATRIX)
    assert loss.bounds_at(Fraction(1, 3)) == ((loss, Fraction(1, 3)),)
    assert loss.demands == ()
    assert loss.value(np.eye(3)) == pytest.approx(0.7)
    assert loss.with_mean_weights() is loss


RULES = [
    om.LinearRule("rarely", {(2, 0): 1, (0, 2): "1/2"}, "<=", "0.1"),
    om.LinearRule("exactly", {(1, 1): 2}, "=", "1.2"),
]
SEVERAL = om.question(
    QUERY, privacy=[ApproximatePrivacy("0.5", "0.25"), PurePrivacy(2)], rules=RULES, loss="zero-one"
)


def test_rules_and_several_privacies_are_read_as_they_are_written():
    content = question_of(SEVERAL)
    assert content["rules"][0] == {
        "name": "rarely",
        "sense": "<=",
        "right": "0.1",
        "entries": [[0, 2, "0.5"], [2, 0, "1"]],
    }
    assert content["privacy"][1] == {"kind": "pure", "printed": False, "epsilon": "2", "delta": "0"}
    again = problem_of(content)
    assert again.rules == SEVERAL.rules
    assert again.further_privacy == SEVERAL.further_privacy
    plain = question_of(om.question(QUERY, 1))
    assert (plain["rules"], len(plain["privacy"])) == ([], 1)


def test_rules_and_several_privacies_are_in_the_words():
    words = om.words_of(SEVERAL)
    where = "where P(r | t) is the probability to release r if t is true."
    assert words.properties == (
        f'Custom rule "rarely": 0.5 P(0 | 2) + P(2 | 0) <= 0.1, {where}',
        f'Custom rule "exactly": 2 P(1 | 1) = 1.2, {where}',
    )
    assert (
        words.definition
        == "approximate differential privacy, (ε, δ); also pure differential privacy at ε = 2"
    )
    assert " Also: The probability of any result is at most 7.39" in words.guarantee


@each(
    ("changes", "failing"),
    [
        ({"rules": (), "further_privacy": ()}, []),
        ({"rules": RULES[1:], "further_privacy": ()}, []),
        ({"rules": RULES[:1], "further_privacy": ()}, ['rule "rarely"']),
        (
            {"rules": (om.LinearRule("exactly", {(1, 1): 2}, "=", 1),), "further_privacy": ()},
            ['rule "exactly"'],
        ),
        ({"rules": (), "further_privacy": (PurePrivacy("1.3"),)}, []),
        ({"rules": (), "further_privacy": (PurePrivacy("1.2"),)}, ["pure privacy"]),
        ({"rules": (), "further_privacy": (PerOutcomePrivacy("0.5", "0.3"),)}, ["per-outcome privacy"]),
    ],
)
def test_verify_holds_a_matrix_to_rules_and_to_each_privacy(changes, failing):
    # Spent at epsilon 0.5: 0.7 - e^0.5 0.2 = 0.37; the pure epsilon is log(0.7 / 0.2) = 1.2528.
    asked = replace(SEVERAL, privacy=ApproximatePrivacy("0.5", "0.4"))
    problem = replace(asked, **{name: tuple(value) for name, value in changes.items()})
    report = om.verify(MatrixMechanism(matrix=MATRIX, responses=(0, 1, 2), truths=(0, 1, 2)), problem)
    assert [check.name for check in report.failures] == failing
