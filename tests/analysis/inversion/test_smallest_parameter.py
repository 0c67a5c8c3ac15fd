"""The least epsilon and half-width: against closed forms, brute force, and the checker that trusts nobody."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import optmech as om
from optmech.analysis.inversion import evidence as proving
from optmech.analysis.inversion import least_epsilon, least_half_width
from optmech.analysis.inversion.threshold import Outcome
from optmech.base.logarithm import Logarithm
from optmech.designs import design as designing
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.matrix_csv import matrix_text
from optmech.question.problems.sadeghi import noisy_counts
from optmech.theorems.registry import THEOREMS
from optmech.theorems.sadeghi import least_delta
from optmech.theorems.sadeghi_delta import least_true_delta
from tests.each import each
from tests.readers import checker

THEOREM = {theorem.name: theorem for theorem in THEOREMS}
# Both proofs of an optimum lie closer together.
PROVED = 1e-9


def theorem_at(name, problem, epsilon):
    return THEOREM[name].value(replace(problem, privacy=replace(problem.privacy, epsilon=epsilon)))


def least_worst_loss(largest, epsilon, beyond):
    """The least probability, at the worst truth, of an error of more than `beyond`, from the definition."""
    size, factor = largest + 1, math.exp(epsilon)
    place = np.arange(size * size).reshape(size, size)
    rows, bounds = [], []
    for truth in range(size):
        for other in (truth - 1, truth + 1):
            for response in range(size) if 0 <= other < size else ():
                row = np.zeros(size * size + 1)
                row[place[response, truth]], row[place[response, other]] = 1, -factor
                rows.append(row)
                bounds.append(0)
        row = np.zeros(size * size + 1)
        row[place[np.abs(np.arange(size) - truth) > beyond, truth]], row[-1] = 1, -1
        rows.append(row)
        bounds.append(0)
    sums = np.zeros((size, size * size + 1))
    for truth in range(size):
        sums[truth, place[:, truth]] = 1
    cost = np.zeros(size * size + 1)
    cost[-1] = 1
    return linprog(cost, np.array(rows), bounds, sums, np.ones(size), method="highs").fun


def assert_proved(result, target):
    """Hold what is said to be proved to the certificates themselves."""
    assert result.outcome is Outcome.PROVED
    assert abs(result.value - result.beyond) <= result.precision
    met, refuted = result.met.design.certificate, result.refuted.design.certificate
    assert result.design is result.met.design
    assert met.objective <= target < refuted.bound
    assert str(met.problem.privacy.epsilon) == str(result.value)
    assert str(refuted.problem.privacy.epsilon) == str(result.beyond)


@pytest.mark.slow
@each("target", ["0.3", "1", "2.5"])
@each("start", ["0.01", "1", "7"])
def test_a_count_inverts_the_closed_form(target, start):
    problem = om.croft(om.count(30), start, prior="uniform")
    threshold = least_epsilon(problem, target, precision="1e-4")
    assert_proved(threshold, Fraction(target))
    value = theorem_at("croft-variant-1-count", problem, threshold.value)
    beyond = theorem_at("croft-variant-1-count", problem, threshold.beyond)
    assert value <= float(target) * (1 + PROVED)
    assert beyond > float(target)


@pytest.mark.parametrize(
    ("modulus", "target"), [(3, Fraction(1, 5)), (5, Fraction(2, 5)), (7, Fraction(1, 10))]
)
def test_answers_that_are_all_neighbours_need_the_logarithm_of_their_odds(modulus, target):
    """Kadam et al. 2024: the truth is told E times as often as each other answer, wrong (N-1)/(E+N-1)."""
    problem = om.kadam(om.residues(modulus, range(1, modulus // 2 + 1)), 1)
    threshold = least_epsilon(problem, target)
    assert_proved(threshold, target)
    odds = Logarithm((modulus - 1) * (1 - target) / target)
    assert threshold.beyond < odds <= threshold.value


def test_the_noise_of_sadeghi_inverts_its_closed_form():
    threshold = least_epsilon(om.sadeghi_symmetric("1", "0.5", 4), "0.01")
    assert_proved(threshold, Fraction("0.01"))
    deltas = [least_delta(str(epsilon), "0.5", 4) for epsilon in (threshold.value, threshold.beyond)]
    assert deltas[0] <= 0.01 < deltas[1]


@pytest.mark.slow
def test_the_smallest_epsilon_for_an_accuracy_is_that_of_a_brute_force_grid():
    threshold = least_epsilon(om.question(om.count(12), 1, loss="beyond 2", worst_case=True), "0.05")
    assert_proved(threshold, Fraction("0.05"))
    grid = [step / 50 for step in range(10, 100)]
    enough = [epsilon for epsilon in grid if least_worst_loss(12, epsilon, 2) <= 0.05]
    assert enough[0] - 0.02 <= threshold.value <= enough[0]
    assert (
        least_worst_loss(12, float(threshold.value), 2)
        <= 0.05
        < least_worst_loss(12, float(threshold.beyond), 2)
    )


@pytest.mark.long
def test_within_two_of_a_count_to_fifty_nineteen_times_in_twenty():
    problem = om.question(om.count(50), 1, loss="beyond 2", worst_case=True)
    threshold = least_epsilon(problem, "0.05")
    assert_proved(threshold, Fraction("0.05"))
    for step in range(-3, 4):
        epsilon = threshold.value + step * Fraction(1, 1000)
        at = replace(problem, privacy=replace(problem.privacy, epsilon=epsilon))
        claimed = designing.design(at, raw=True).objective
        assert (claimed <= 0.05) == (step >= 0)


@pytest.mark.parametrize(
    ("question", "target"),
    [
        (om.croft(om.count(6), 1, variant=2), "3"),
        (om.croft(om.mean(3, 2), 1, prior="uniform"), "0.2"),
        (om.sadeghi(1, "0.5", 2, counts=(1, 3)), "0.05"),
        (om.kadam(om.residues(5, [1]), 1, "0.1"), "0.3"),
    ],
    ids=["fair count", "mean", "bounded noise", "modular noise"],
)
def test_both_proofs_hold_for_the_checker(question, target):
    threshold = least_epsilon(question, target, precision="0.01")
    assert_proved(threshold, Fraction(target))
    for design in (threshold.met.design, threshold.refuted.design):
        mechanism = design.mechanism
        text = matrix_text(mechanism.responses, mechanism.truths, mechanism.matrix, [])
        assert checker.check(certificate_text(design.certificate), text).startswith("proved")


@pytest.mark.slow
def test_two_bounds_that_cannot_be_kept_together_are_refuted_by_the_least_delta():
    bounds = ["worst beyond 1 <= 0.05", "mean absolute <= 0.4"]
    threshold = least_epsilon(om.question(om.count(6), 1, bounds=bounds), precision="0.01")
    assert threshold.outcome is Outcome.PROVED
    assert threshold.refuted.is_of_delta
    refuting = threshold.refuted.design.certificate
    assert refuting.bound > 0
    assert str(refuting.problem.privacy) == f"epsilon = {float(threshold.beyond):g}, least delta"
    assert [str(part) for part in refuting.problem.bounds] == [
        str(p) for p in threshold.design.problem.bounds
    ]
    assert "with all else kept, delta is at least" in str(threshold)
    matrix = threshold.design.mechanism.matrix
    apart = np.abs(np.arange(7)[:, None] - np.arange(7))
    assert (matrix * (apart > 1)).sum(axis=0).max() <= 0.05 + PROVED
    assert (matrix * apart).sum() / 7 <= 0.4 + PROVED


@pytest.mark.slow
def test_an_accuracy_needs_the_epsilon_of_the_largest_accuracy():
    """A circle of N answers, one step apart: the truth has 1 / sum_z e^(-eps d(z)) at most."""
    problem = om.question(
        om.residues(7, [1]), 1, structure=om.ModularNoise(), loss="error-rate", properties="accuracy >= 1/2"
    )
    threshold = least_epsilon(problem)
    assert threshold.outcome is Outcome.PROVED

    def largest(epsilon):
        return 1 / sum(math.exp(-float(epsilon) * min(z, 7 - z)) for z in range(7))

    assert largest(threshold.beyond) < 0.5 <= largest(threshold.value)


def test_a_loss_that_needs_no_look_at_the_answer_is_met_at_every_epsilon():
    threshold = least_epsilon(om.croft(om.count(10), 1, prior="uniform"), 3, precision="0.01")
    assert threshold.outcome is Outcome.EVERYWHERE
    assert (threshold.value, threshold.beyond) == (Fraction(1, 200), None)
    assert "met at every value" in str(threshold)


def test_a_loss_that_no_epsilon_reaches_is_met_nowhere():
    threshold = least_epsilon(om.croft(om.count(10), 1, prior="uniform"), "0.01", highest=2)
    assert threshold.outcome is Outcome.NOWHERE
    assert (threshold.value, threshold.beyond, threshold.design) == (None, 2, None)
    assert threshold.refuted.bound > Fraction(1, 100)


def test_a_gap_wider_than_the_distance_to_the_target_is_said_to_be_undecided(monkeypatch):
    """A proof that is a tenth worse than the optimum decides nothing near the target."""

    def loosely(problem, value, target, settings):
        result = exactly(problem, value, target, settings)
        loose = result.bound * Fraction(9, 10)
        return replace(
            result,
            verdict=result.verdict if result.objective <= target or loose > target else proving.Verdict.OPEN,
        )

    exactly = proving.evidence
    monkeypatch.setattr("optmech.analysis.inversion.threshold.evidence", loosely)
    problem = om.croft(om.count(10), 1, prior="uniform")
    result = least_epsilon(problem, 1, precision="0.01")
    assert result.outcome is Outcome.UNDECIDED
    assert theorem_at("croft-variant-1-count", problem, result.beyond) * 0.9 > 1
    assert theorem_at("croft-variant-1-count", problem, result.beyond + result.precision) * 0.9 <= 1
    assert theorem_at("croft-variant-1-count", problem, result.value) <= 1
    assert result.undecided
    assert "not decided: the least objective is in" in str(result)


@pytest.mark.parametrize("target", ["0.02", "0.005", "0.001"])
def test_the_least_half_width_of_symmetric_noise_is_that_of_the_closed_form(target):
    threshold = least_half_width(om.sadeghi_symmetric("2.18", "0.7", 1), target)
    deltas = [least_delta("2.18", "0.7", width) for width in range(1, 30)]
    assert threshold.value == next(width for width, delta in enumerate(deltas, 1) if delta <= float(target))
    assert threshold.beyond == threshold.value - 1
    assert threshold.refuted is None or threshold.refuted.bound > Fraction(target)


def test_the_least_half_width_under_true_delta_is_that_of_the_closed_form():
    noise = om.SymmetricNoise(2, "0.4")
    problem = om.question(noisy_counts(2, 4, 2), 1, structure=noise, least="delta")
    threshold = least_half_width(problem, "0.003")
    deltas = {width: least_true_delta("1", "0.4", width) for width in range(1, 12)}
    assert deltas[threshold.value] <= 0.003 < deltas[threshold.beyond]


@pytest.mark.slow
def test_the_distance_of_a_limit_is_a_half_width_too():
    problem = om.question(om.count(8), 1, delta="0.01", properties="within 1")
    threshold = least_half_width(problem)
    assert threshold.outcome is Outcome.PROVED
    assert threshold.value == threshold.beyond + 1
    matrix = threshold.design.mechanism.matrix
    assert (matrix[np.abs(np.arange(9)[:, None] - np.arange(9)) > threshold.value] == 0).all()
    assert threshold.refuted.bound > Fraction(1, 100)


@each(
    ("search", "text"),
    [
        (lambda: least_epsilon(om.croft(om.count(3), 1), -1), "`target` must be zero or more; got -1."),
        (lambda: least_epsilon(om.croft(om.count(3), 1), "x"), "`target` must be a finite number; got 'x'."),
        (lambda: least_epsilon(om.croft(om.count(3), 1), 1, precision=0), "`precision` must be positive and"),
        (lambda: least_epsilon(om.croft(om.count(3), 1), 1, highest=0), "`highest` must be at least the"),
        (lambda: least_epsilon(om.croft(om.count(3), 1), 1, solver="x"), "solver 'x'"),
        (lambda: least_epsilon(om.croft(om.count(3), 1), 1, time_limit=0), "`time_limit` must be positive"),
        (lambda: least_half_width(om.croft(om.count(3), 1)), "`problem` must have a half-width: symmetric"),
        (
            lambda: least_half_width(om.sadeghi_symmetric(1, "0.5", 2), 1, highest=0),
            "`highest` must be a whole",
        ),
    ],
)
def test_what_is_wrong_is_said(search, text):
    with pytest.raises(om.OptmechError) as refusal:
        search()
    assert str(refusal.value).startswith(text)


def test_the_printed_reading_grows_no_easier_with_epsilon_and_is_not_searched():
    """At ln 2 one noise exceeds all others twice over; at ln 2.2 it must exceed them by more or by less."""
    query = om.residues(5, [1, 2])
    questions = [
        om.kadam(query, epsilon, "0.4", reading="printed", cost=[0, 0, 1, 1, 0])
        for epsilon in ("ln 2", "ln 2.2")
    ]
    easy, hard = (om.design(problem, raw=True).objective for problem in questions)
    assert easy < 0.21 < hard
    for search in (
        lambda: least_epsilon(questions[1], "0.21"),
        lambda: om.analysis.frontier(questions[1], at=["0.7", "0.8"]),
    ):
        with pytest.raises(om.ProblemError, match="must be definition where anything is proved"):
            search()
    assert least_epsilon(om.kadam(query, 1, reading="printed"), "0.6").outcome is Outcome.PROVED  # pure


@pytest.mark.parametrize("more", [{"prior": None}, {"properties": ["without 0"]}])
def test_what_speaks_of_its_counts_cannot_be_asked_of_others(more):
    """Noise within 4 is asked of counts from 4 on, five of them: four lose less, and none is 0 then."""
    query = noisy_counts(3, 6, 3)
    problem = om.question(query, 1, delta="0.3", structure=om.SymmetricNoise(3, "0.4"), **more)
    with pytest.raises(om.NotAcceptedError, match="must mean the same for other counts"):
        least_half_width(problem, "0.1")


def test_a_matrix_of_losses_cannot_be_asked_at_another_half_width():
    query = noisy_counts(2, 4, 2)
    problem = om.question(
        query, 1, delta="0.1", structure=om.SymmetricNoise(2, "0.4"), loss=np.ones((query.num_responses, 3))
    )
    with pytest.raises(om.NotAcceptedError, match="must have a loss and a prior with names"):
        least_half_width(problem, 1)
