"""A matrix from anywhere is proved: as it is where it keeps all exactly, else repaired, and that is said."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.question_file import question_file

ROOT = Path(__file__).parents[2]
PROBLEM = om.croft(om.count(6), 1, prior="uniform")
DESIGN = om.design(PROBLEM)
QUESTION = ["count", "--range", "0:1", "--epsilon", "1", "--prior", "uniform"]


def solved():
    formulation = om.models.assemble(PROBLEM)
    values = om.design(PROBLEM, engine="program", raw=True).solution.values
    return formulation.model.column_names(), values


def test_what_keeps_all_exactly_is_certified_digit_by_digit():
    thirds = [["2/3", Fraction(1, 3)], ["1/3", "2/3"]]
    certification = om.certify(thirds, om.croft(om.count(1), 1))
    assert certification.as_given
    assert certification.moved == 0
    exact = certification.certificate.matrix
    assert [Fraction(entry, exact.denominator) for entry in exact.numerators[0]] == [
        Fraction(2, 3),
        Fraction(1, 3),
    ]
    assert certification.certificate.objective == Fraction(2, 3)


@pytest.mark.parametrize("definition", ["approximate", "probabilistic"])
def test_the_nearest_mixture_is_certified_where_no_repair_is_near(definition):
    problem = om.question(om.count(1), 1, delta=1e-3, definition=definition)
    certification = om.certify([[0.9, 0.1], [0.1, 0.9]], problem)
    right = (math.e + 1e-3) / (math.e + 1) if definition == "approximate" else math.e / (math.e + 1)
    assert certification.mechanism.matrix[0, 0] == pytest.approx(right, abs=1e-6)
    assert certification.moved == pytest.approx(0.9 - right, abs=1e-6)
    assert not certification.as_given
    assert om.verify(certification.mechanism, problem)


def test_a_matrix_far_from_private_says_how_far_it_was_moved():
    problem = om.question(om.count(2), 0.01, delta=1e-3, properties="accuracy >= 0.33")
    certification = om.certify([[1, 0, 0], [0, 1, 0], [0, 0, 1]], problem)
    assert 0.6 < certification.moved < 0.67
    assert "moves a column by at most 0.6" in str(certification)
    assert om.verify(certification.mechanism, problem)


def test_decimals_stand_for_what_is_printed():
    assert om.certify([[0.7, 0.3], [0.3, 0.7]], om.croft(om.count(1), 1)).as_given


def test_doubles_of_an_optimum_are_optimal_up_to_their_rounding():
    certification = om.certify(DESIGN.mechanism.matrix, PROBLEM)
    assert not certification.as_given
    assert certification.moved < 1e-12
    assert "Up to the rounding of its digits" in str(certification)
    assert certification.excess == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("of", ["solution", "values", "names"])
def test_a_solution_of_the_exported_model_comes_back(of):
    names, values = solved()
    matrix = {
        "solution": om.design(PROBLEM, engine="program", raw=True).solution,
        "values": values,
        "names": {name: value for name, value in zip(names, values.tolist(), strict=True) if value},
    }[of]
    certification = om.certify(matrix, PROBLEM)
    assert certification.moved < 1e-9
    assert certification.excess == pytest.approx(0, abs=1e-9)


def test_what_is_less_private_is_repaired_and_what_is_more_so_is_not_optimal():
    loose = om.certify(om.design(om.croft(om.count(6), "1.1", prior="uniform")), PROBLEM)
    assert "effective epsilon 1.1 exceeds 1: matrix[" in loose.violation
    assert 0.01 < loose.moved < 0.2
    assert loose.mechanism.effective_epsilon(PROBLEM.query) <= 1
    tight = om.certify(om.design(om.croft(om.count(6), "0.9", prior="uniform")), PROBLEM)
    assert tight.as_given
    assert tight.excess == pytest.approx(float(tight.certificate.objective / DESIGN.certificate.bound) - 1)
    assert tight.excess > 0.05


def test_a_matrix_of_doubles_is_told_the_demand_that_it_breaks_and_not_its_rounding():
    doubles = om.design(om.croft(om.count(6), "1.1", prior="uniform")).mechanism.matrix
    assert any(sum(map(Fraction, map(repr, column))) != 1 for column in doubles.T.tolist())
    assert "pure privacy: effective epsilon 1.1 exceeds 1: matrix[" in om.certify(doubles, PROBLEM).violation
    fair = om.croft(om.count(6), "0.5", properties=["fair"], prior="uniform")
    with pytest.raises(
        om.VerificationError, match=r"pure privacy: effective epsilon 1\.1 exceeds 0\.5: matrix\["
    ):
        om.certify(doubles, fair)


def test_how_far_it_moved_is_the_largest_distance_of_columns():
    matrix = np.array([[0.9, 0.2], [0.1, 0.8]])
    certification = om.certify(matrix, om.croft(om.count(1), 1))
    assert certification.moved == pytest.approx(
        np.abs(certification.mechanism.matrix - matrix).sum(axis=0).max() / 2
    )


def test_a_certification_is_taken_like_a_design():
    certification = om.certify(DESIGN, PROBLEM)
    assert om.card_of(certification).certified
    assert om.verify(certification)
    assert om.compose(certification, 2).provenance == "proved"
    assert "certified as it is" in certification._repr_html_()


@each(
    ("given", "says"),
    [
        (np.eye(3), r"shape \(7, 7\) to match count 0\.\.6; got \(3, 3\)"),
        (2 * np.eye(7), "must sum to one; got 2 in column 0"),
        (-np.eye(7), r"must hold probabilities; got -1 at \[0, 0\]"),
        (np.full((7, 7), np.nan), "must be a finite number; got nan"),
        ([["x"] * 7] * 7, "must be a finite number; got 'x'"),
        ([[1, 2], [3]], "`matrix` must be"),
        (np.zeros(5), r"must have shape \(49,\); got \(5,\)"),
        ({"N[0,0]": 1}, r"must name columns of the exported model, such as M\[0,0\]; got 'N\[0,0\]'"),
        (None, "must be a table, a CSV file, a mechanism or a solution; got None"),
        (om.design(om.croft(om.count(5), 1)), r"the 7 responses and 7 truths of count 0\.\.6; got 6"),
    ],
)
def test_what_is_no_matrix_of_the_question_is_refused(given, says):
    with pytest.raises(om.ProblemError, match=says):
        om.certify(given, PROBLEM)


def test_a_distribution_has_no_matrix_to_certify():
    with pytest.raises(om.NotAcceptedError, match="Certify a smaller range"):
        om.certify(np.eye(2), om.croft(om.count(5000), 1))


def test_the_command_writes_what_both_checkers_prove(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("response,0,1\n0,2/3,1/3\n1,1/3,2/3\n")
    assert main(["certify", *QUESTION, "m.csv", "--out", "c.csv"]) == 0
    assert "certified as it is" in capsys.readouterr().out
    checker = [sys.executable, ROOT / "check_certificate.py", "c.certificate.json", "c.csv"]
    assert subprocess.run(checker, capture_output=True, check=False).returncode == 0
    assert main(["verify", "c.certificate.json", "c.csv"]) == 0
    Path("m.csv").write_text("response,0,1\n0,0.9,0.1\n1,0.1,0.9\n")
    capsys.readouterr()
    assert main(["certify", *QUESTION, "m.csv", "--json"]) == 0
    output = capsys.readouterr()
    assert not json.loads(output.out)["as_given"]
    assert "what is certified is the repaired matrix" in output.err


@each(
    "words",
    [
        ["certify", "question.toml", "m.csv"],
        ["certify", "m.csv", "question.toml", "--json"],
        ["certify", "m.csv", "question.toml"],
        ["-q", "certify", "question.toml", "m.csv"],
    ],
)
def test_the_question_may_stand_in_a_file(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    question_file(tmp_path, " ".join(QUESTION))
    Path("m.csv").write_text("response,0,1\n0,2/3,1/3\n1,1/3,2/3\n")
    assert main(words) == 0, capsys.readouterr().err


def test_a_matrix_that_comes_before_its_question_is_told_where_to_stand(capsys):
    assert main(["certify", "m.csv", "--query", "count", "--range", "0:1", "--epsilon", "1"]) == 2
    assert "The question comes first: optmech certify count" in capsys.readouterr().err


@each(
    "words",
    [
        ["m.csv"],
        [*QUESTION],
        [*QUESTION, "none.csv"],
        [*QUESTION, "m.csv", "--out", "m.csv"],
        [*QUESTION, "m.csv", "--out", "c.txt"],
        ["m.csv", "--query", "count", "--range", "0:2", "--epsilon", "1"],
        ["count", "--range", "0:2", "--epsilon", "1", "m.csv"],
        [*QUESTION, "m.csv", "--engine", "magic"],
        [*QUESTION, "m.csv", "q.toml"],
        ["none.toml", "m.csv"],
        ["m.csv", "none.toml"],
        ["m.csv", "--instance", "first"],
    ],
)
def test_bad_input_is_a_sentence_and_nothing_is_written(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("response,0,1\n0,2/3,1/3\n1,1/3,2/3\n")
    assert main(["certify", *words]) == 2
    assert capsys.readouterr().err.startswith("optmech: ")
    assert [path.name for path in tmp_path.iterdir()] == ["m.csv"]


def test_where_a_theorem_designs_a_distribution_the_bound_is_that_of_a_program():
    problem = om.question(om.count(6), 1, delta="1e-3")
    design = om.design(problem)
    assert design.engine == "chain"
    certification = om.certify(design, problem)
    assert certification.as_given
    assert certification.excess == pytest.approx(0, abs=1e-9)
    assert om.certify(np.round(design.mechanism.matrix, 4), problem).moved < 1e-2


@pytest.fixture(scope="module")
def tails():
    """Noise of a count whose smallest probabilities are no doubles."""
    design = om.design(om.question(om.count(1000), 2))
    assert design.certificate.exact is None
    return design


def test_noise_without_a_matrix_answers_its_question_as_it_is_however_that_was_asked(tails, tmp_path):
    again = om.question(om.count(1000), 2)
    file = tmp_path / "noise.json"
    om.write_certificate(tails, file)
    for given, problem in ((tails, again), (om.read_certificate(file), tails.problem)):
        certification = om.certify(given, problem)
        assert certification.as_given
        assert certification.moved == 0
        assert certification.excess < 1e-30


def test_noise_without_a_matrix_answers_a_question_that_asks_for_less(tails):
    certification = om.certify(tails, om.question(om.count(1000), "2.5"))
    assert certification.as_given
    assert certification.certificate.problem == certification.problem
    assert certification.certificate.objective == tails.certificate.objective
    assert certification.excess == pytest.approx(0.668, abs=0.001)
    assert certification.bound == certification.optimum.certificate.bound


def test_noise_on_other_answers_is_refused_before_anything_is_designed(tails):
    with pytest.raises(om.ProblemError, match="must have the 501 responses and 501 truths"):
        om.certify(tails, om.question(om.count(500), 2), designer=lambda problem: pytest.fail(str(problem)))
