"""The verifier finds what is wrong, and says where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.question.privacy import ApproximatePrivacy
from tests.each import each
from tests.screen import joined


@pytest.fixture(scope="module")
def table_4():
    return om.design(om.croft(om.count(5), "0.5", variant=2))


def changed(mechanism, matrix):
    return replace(mechanism, matrix=matrix / matrix.sum(axis=0), exact=None)


def failures(mechanism, problem, solution=None):
    return {check.name for check in om.verify(mechanism, problem, solution).failures}


def test_an_honest_design_holds(table_4):
    assert om.verify(table_4.mechanism, table_4.problem, table_4.solution)


def test_every_number_has_a_standing(table_4):
    report = om.verify(table_4.mechanism, table_4.problem, table_4.solution)
    assert {check.provenance for check in report.checks} == {"claimed", "recomputed"}
    assert "nothing" not in str(report)


@pytest.mark.parametrize("place", [(0, 0), (3, 2), (5, 5)])
def test_a_zero_in_the_matrix_is_never_called_private(table_4, place):
    matrix = table_4.mechanism.matrix.copy()
    matrix[place] = 0.0
    broken = changed(table_4.mechanism, matrix)
    report = om.verify(broken, table_4.problem)
    check = next(check for check in report.checks if check.name == "pure privacy")
    assert check.holds is False
    assert check.value == np.inf
    assert "the privacy loss is infinite" in check.text
    assert f"matrix[{place[0]}, {place[1]}] = 0.0" in check.text


def test_a_smaller_epsilon_is_not_claimed(table_4):
    stricter = om.croft(om.count(5), "0.499999", variant=2)
    assert failures(table_4.mechanism, stricter) == {"pure privacy"}


@pytest.mark.parametrize(
    ("matrix", "missed"),
    [
        ([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]], {"fair"}),
        ([[0.4, 0.3, 0.3], [0.35, 0.4, 0.3], [0.25, 0.3, 0.4]], {"symmetric"}),
        ([[0.4, 0.3, 0.35], [0.25, 0.4, 0.25], [0.35, 0.3, 0.4]], {"column-monotone", "row-monotone"}),
    ],
)
def test_each_property_is_held_against_the_matrix(matrix, missed):
    problem = om.croft(om.count(2), 3, variant=2)
    mechanism = om.MatrixMechanism(matrix=matrix, responses=(0, 1, 2), truths=(0, 1, 2))
    assert failures(mechanism, problem) == missed


def test_another_query_is_recognised(table_4):
    report = om.verify(table_4.mechanism, om.croft(om.count(4), "0.5"))
    assert not report
    assert "do not match count 0..4, which has 5 responses and 5 truths" in report.checks[0].text


def test_the_same_size_on_other_numbers_is_recognised(table_4):
    assert failures(table_4.mechanism, om.croft(om.count(6, smallest=1), "0.5")) == {"grid"}


def test_a_claim_about_another_mechanism_is_recognised(table_4):
    other = replace(table_4.solution, objective=table_4.solution.objective + 0.01)
    assert failures(table_4.mechanism, table_4.problem, other) == {"solver"}


def test_noise_that_is_not_modular_is_recognised():
    problem = om.kadam(om.residues(3, [1]), 5, "0.5")
    matrix = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.2], [0.1, 0.1, 0.7]])
    mechanism = om.MatrixMechanism(matrix=matrix, responses=(0, 1, 2), truths=(0, 1, 2))
    assert failures(mechanism, problem) == {"modular noise"}


def test_a_leak_above_delta_is_recognised():
    problem = om.kadam(om.residues(3, [1]), "0.1", "0.5")
    mechanism = om.MatrixMechanism(matrix=np.eye(3) * 0.7 + 0.1, responses=(0, 1, 2), truths=(0, 1, 2))
    assert failures(mechanism, problem) == {"probabilistic privacy"}


@pytest.mark.parametrize(
    ("noise", "missed"),
    [
        ({-1: 0.25, 0: 0.5, 1: 0.25}, set()),
        ({-1: 0.3, 0: 0.4, 1: 0.3}, {"accuracy"}),
        ({-1: 0.3, 0: 0.5, 1: 0.2}, {"zero bias", "symmetric noise"}),
    ],
)
def test_bounded_noise_is_held_to_its_three_properties(noise, missed):
    problem = om.sadeghi_symmetric(1, "0.5", 1, counts=(2, 4))
    query = problem.query
    matrix = [
        [noise.get(int(response.midpoint - truth), 0.0) for truth in query.truths]
        for response in query.responses
    ]
    mechanism = om.MatrixMechanism(
        matrix=matrix, responses=[response.midpoint for response in query.responses], truths=query.truths
    )
    assert failures(mechanism, problem) == missed


def test_noise_beyond_its_width_is_recognised():
    problem = om.sadeghi(1, "0.5", 1, counts=(2, 4))
    matrix = np.zeros((5, 3))
    matrix[[0, 1, 3], 0] = 0.125, 0.5, 0.375  # noise -1, 0 and 2 of truth 2
    matrix[[1, 2, 3], 1] = 0.25, 0.5, 0.25
    matrix[[2, 3, 4], 2] = 0.25, 0.5, 0.25
    mechanism = om.MatrixMechanism(matrix=matrix, responses=(1, 2, 3, 4, 5), truths=(2, 3, 4))
    assert failures(mechanism, problem) == {"support", "zero bias"}


def test_one_sided_neighbours_are_never_called_differentially_private():
    design = om.design(om.kadam(om.residues(9, [1, 2, 3], symmetric=False), "1.5"))
    report = om.verify(design.mechanism, design.problem)
    check = next(check for check in report.checks if check.name == "neighbours")
    assert "not differential privacy" in check.text
    # Kadam's Table 1, delta = 0: pure privacy both ways holds at 4.5 = (b + 1) epsilon only.
    assert check.value == pytest.approx(4.5)


def test_rules_of_one_name_are_one_row_with_the_place_missed_by_most():
    rules = [om.LinearRule("no far answer", {(3 * (1 - f), f): 1}, "<=", "0.2") for f in (0, 1)]
    problem = om.question(om.count(3), 2, rules=rules)
    matrix = np.full((4, 4), 0.2) + 0.2 * np.eye(4)[::-1]
    matrix[0, 1], matrix[2, 1] = 0.4, 0.2
    mechanism = om.MatrixMechanism(matrix=matrix, responses=range(4), truths=range(4))
    (check,) = (check for check in om.verify(mechanism, problem).checks if check.holds is False)
    assert check.name == 'rule "no far answer"'
    assert check.text == "P(3 | 0) <= 0.2, and 1 more: missed by at most 2.0e-01"
    assert check.value == pytest.approx(0.2)
    row = next(row for row in om.compare(problem).rows if not row.answers)
    assert row.lacks == ('rule "no far answer"',)


def test_a_delta_that_is_kept_is_not_cautioned_about_for_its_rounding():
    both = [ApproximatePrivacy(1, "0.001"), ApproximatePrivacy(2, "0.0001")]
    design = om.design(om.question(om.count(4), privacy=both))
    assert om.verify(design).caution is om.verify(design.mechanism, design.problem).caution is None
    doubles = om.MatrixMechanism(matrix=design.mechanism.matrix, responses=range(5), truths=range(5))
    assert om.verify(doubles, design.problem).caution is None


def test_a_cost_above_its_bound_is_recognised():
    problem = om.kadam_least_delta(om.residues(3, [1]), 1, at_most="0.1")
    mechanism = om.MatrixMechanism(matrix=np.eye(3) * 0.7 + 0.1, responses=(0, 1, 2), truths=(0, 1, 2))
    assert failures(mechanism, problem) == {"cost"}


@each(
    ("options", "missed"),
    [
        ({"delta": "0.05"}, {"(epsilon, delta)"}),
        ({"bounds": ["worst beyond 1 <= 0.1"]}, {"worst beyond 1 <= 0.1", "pure privacy"}),
        ({"properties": ["accuracy >= 0.6"]}, {"accuracy >= 0.6", "pure privacy"}),
        ({"properties": ["within 1"], "delta": "0.2"}, {"within 1"}),
        ({"properties": ["unbiased"], "delta": "0.9"}, {"unbiased"}),
    ],
)
def test_what_a_question_asks_further_is_held(options, missed):
    columns = [[0.5, 0.3, 0.1, 0.1], [0.4, 0.4, 0.1, 0.1], [0.1, 0.3, 0.3, 0.3], [0, 0.2, 0.3, 0.5]]
    matrix = np.array(columns).T
    mechanism = om.MatrixMechanism(matrix=matrix, responses=range(4), truths=range(4))
    assert failures(mechanism, om.question(om.count(3), 1, **options)) == missed


@pytest.mark.parametrize(
    "options",
    [
        {"delta": "1e-6"},
        {"worst_case": True, "delta": "1e-6"},
        {"properties": ["accuracy = 1/3", "column-honest"], "bounds": ["worst absolute <= 2"]},
        {"least": "delta", "bounds": ["mean zero-one <= 0.3"]},
    ],
)
def test_a_design_of_any_kind_holds(options):
    problem = om.question(om.count(4), 1, **options)
    design = om.design(problem)
    report = om.verify(design.mechanism, problem, design.solution)
    assert report, report
    assert ("worst loss" in str(report)) is options.get("worst_case", False)


def test_between_neighbours_of_weight_two_a_ratio_may_be_squared():
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    mechanism = om.MatrixMechanism(matrix=matrix, responses=(0, 1), truths=(0, 1))
    for weight, missed in ((1, {"pure privacy"}), (2, set())):
        query = om.Query(range(2), neighbours=[(0, 1, weight)])
        assert failures(mechanism, om.question(query, "ln 2")) == missed
    report = om.verify(mechanism, om.question(query, "ln 2"))
    check = next(check for check in report.checks if check.name == "pure privacy")
    assert check.value == pytest.approx(np.log(4) / 2)


def test_a_delta_of_zero_is_attained_nowhere():
    design = om.design(om.question(om.count(2), 1, least="delta"))
    (line,) = (
        line for line in str(om.verify(design.mechanism, design.problem)).splitlines() if "sought" in line
    )
    assert "delta 0 at epsilon 1 (sought) [" in line


def test_a_certified_distribution_is_not_lost_in_doubles():
    design = om.design(om.croft(om.count(1000), 1))  # e^-1000 is zero as a double
    for report in (om.verify(design), om.verify(design.mechanism, design.problem)):
        assert report, report
        assert "effective epsilon 1 is within 1" in str(report)


def test_printed_text_has_80_columns_and_says_what_its_lines_say():
    design = om.design(om.question(om.count(10), 1))
    certification = om.certify(np.eye(11) * 0.9 + 0.1 / 11, design.problem)
    for printed, lines in (
        (report := om.verify(design.mechanism, design.problem), report.lines),
        (report.checks[1], [report.checks[1].line]),
        (certification, certification.sentences()),
    ):
        assert max(map(len, str(printed).splitlines())) <= 80, printed
        assert joined(str(printed)) == joined("\n".join(lines))
