"""``optmech report`` reads what `design` wrote, writes one page whole, and refuses the rest in a sentence."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.question.problems.again import lines_again
from tests.each import each
from tests.question_file import question_file


@pytest.fixture
def files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "design croft --query count --range 0:5 --epsilon 0.5 --variant 2 --out mechanism.csv"
    assert main(text.split()) == 0
    capsys.readouterr()
    return tmp_path


def test_a_report_is_written_beside_its_files(files, capsys):
    assert main(["report", "mechanism.csv", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content == {
        "out": "report.html",
        "caution": None,
        "certified": True,
        "holds": True,
        "differential_privacy": True,
        "compared": True,
    }
    text = (files / "report.html").read_text()
    assert "python check_certificate.py mechanism.certificate.json mechanism.csv" in text
    output = "optmech design count --range 0:5 --epsilon 0.5 --property column-monotone --property fair"
    assert output in text.replace("<span>", "").replace("</span>", "")
    assert main(["report", "mechanism.certificate.json", "--out", "again.html"]) == 0
    assert (files / "again.html").read_text() == text


def test_a_changed_matrix_is_refused_and_nothing_is_written(files, capsys):
    matrix = files / "mechanism.csv"
    matrix.write_text(matrix.read_text().replace("0.3", "0.29", 1))
    assert main(["report", "mechanism.csv"]) != 0
    assert not (files / "report.html").exists()
    assert "Traceback" not in capsys.readouterr().err


def test_a_bare_matrix_needs_its_question(files, capsys):
    (files / "mechanism.certificate.json").unlink()
    assert main(["report", "mechanism.csv"]) == 2
    assert "must have its certificate beside it" in capsys.readouterr().err
    question_file(files, "count --range 0:5 --epsilon 0.5")
    assert main(["report", "mechanism.csv", "question.toml"]) == 0
    assert "Nothing is proved of this mechanism." in (files / "report.html").read_text()


def test_a_matrix_that_fails_ends_with_one_and_a_warning(files, capsys):
    (files / "broken.csv").write_text("response,0,1\n0,0.9,0\n1,0.1,1\n")
    question_file(files, "count --range 0:1 --epsilon 1")
    assert main(["report", "broken.csv", "question.toml"]) == 1
    assert "do not publish" in capsys.readouterr().err
    assert "Do not publish with this mechanism" in (files / "report.html").read_text()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("report mechanism.csv --out report.pdf", "`--out` must end in .html"),
        ("report mechanism.csv --out missing/report.html", "must be writable"),
        ("report missing.certificate.json", "must be a file that can be read"),
        ("report mechanism.certificate.json question.toml", "a question must be left out"),
    ],
)
def test_bad_input_is_a_sentence(files, capsys, typed, sentence):
    question_file(files, "count --range 0:5 --epsilon 0.5")
    assert main(typed.split()) == 2
    assert sentence in capsys.readouterr().err
    assert not list(files.glob("*.html"))


def test_a_distribution_has_a_report(files):
    assert main([*LARGE, "--out", "law.json"]) == 0
    assert main(["report", "law.json"]) == 0
    assert "A count from 0 to 2000" in (files / "report.html").read_text()


LARGE = ["design", "croft", "--query", "count", "--range", "0:2000", "--epsilon", "0.5"]
QUESTIONS = {
    "variant 1": om.croft(om.count(4), 1, prior="uniform"),
    "mean": om.croft(om.mean(3, 2), "ln 2"),
    "extremum": om.croft(om.extremum(1, 4), "0.3", loss="squared"),
    "categories": om.question(om.categories(["red", "green"]), 1, loss="zero-one"),
    "delta": om.question(om.count(4), 1, delta="1e-3", loss="beyond 2", worst_case=True),
    "properties": om.question(om.count(4), 1, properties=["fair", "accuracy >= 0.3"]),
    "residues": om.kadam(om.residues(5, [1, 2]), "1.5", "0.1"),
    "one-sided": om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1", cost="circular"),
    "vector": om.kadam(om.vector((2, 3), [(0, 1)]), 1, "0.1"),
    "zero-bias": om.sadeghi(1, "0.5", 2, (1, 3)),
    "listed": om.question(om.Query([0, 2, 5], [(0, 2), (2, 5)], [(0, 1)], name="a 'b'"), 1),
    "least": om.kadam_least_delta(om.residues(5, [1, 2]), "1.5", at_most="0.3"),
    "group": om.croft(om.count(5, records_per_person=2), 1),
    "total": om.question(om.total(3, -1, 2, adjacency="add-remove", records_per_person=2), 1),
    "several privacies": om.question(om.extremum(0, 4), privacy=[("0.5", "1e-3"), ("1", "1e-6")]),
}


@pytest.mark.slow
@each("name", QUESTIONS)
def test_the_command_of_a_report_asks_the_question_of_the_certificate(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = om.design(QUESTIONS[name]).certificate
    read = read_certificate_text(certificate_text(certificate), "it")
    lines = lines_again(read.problem)
    if "\n" in lines:  # of noise whose flags the paper prints, or the like
        _, *text, end, lines = lines.split("\n")
        assert end == "END"
        Path("question.toml").write_text("\n".join(text))
    assert main(shlex.split(lines)[1:]) == 0
    again = om.read_certificate("mechanism.certificate.json")
    assert float(again.objective) == pytest.approx(float(certificate.objective), rel=1e-9)


@pytest.mark.slow
def test_a_question_that_no_command_asks_is_a_file():
    problem = om.question(om.count(2), 1, loss=[[0, 1, 5], [2, 0, 1], [5, 1, 0]])
    lines = lines_again(problem)
    assert lines.startswith("cat > question.toml <<'END'\n[question]\n")
    assert lines.endswith("\nEND\noptmech design question.toml --out mechanism.csv")
    long = om.question(om.Query(range(0, 9000, 3), neighbours=[(0, 1), (1, 2)]), 1)
    assert lines_again(long) == ""
