"""``optmech card``, as it is typed."""

from __future__ import annotations

import json

import jsonschema
import pytest

import optmech as om
from optmech.cli import main
from optmech.reports.card import card_json, card_of, schema
from tests.each import each
from tests.question_file import question_file


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        main(["design", "croft", "--query", "count", "--range", "0:2", "--epsilon", "1", "--out", "m.csv"])
        == 0
    )
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_matrix_beside_its_certificate_and_the_certificate_give_one_card(capsys):
    capsys.readouterr()
    assert main(["card", "m.csv", "--json"]) == 0
    first = capsys.readouterr().out
    assert main(["card", "m.certificate.json", "--format", "json"]) == 0
    assert capsys.readouterr().out == first == card_json(card_of(om.read_certificate("m.certificate.json")))
    jsonschema.Draft202012Validator(schema()).validate(json.loads(first))


@pytest.mark.parametrize(("name", "begins"), [("card.json", "{"), ("card.md", "# Mechanism card")])
def test_the_ending_says_how_it_is_written(folder, name, begins, capsys):
    capsys.readouterr()
    assert main(["card", "m.csv", "--out", name]) == 0
    assert capsys.readouterr().out == f"written to {name}\n"
    assert (folder / name).read_text().startswith(begins)


@pytest.mark.usefixtures("folder")
def test_with_json_stdout_is_one_object_whatever_is_written(capsys):
    capsys.readouterr()
    assert main(["card", "m.csv", "--out", "card.md", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content == {"out": "card.md", "format": "markdown", "certified": True, "holds": True}


def test_a_changed_certificate_has_no_card(folder, capsys):
    text = (folder / "m.certificate.json").read_text()
    for old, new in (('"epsilon": "1"', '"epsilon": "0.9"'), ('"objective": "', '"objective": "1')):
        assert old in text
        (folder / "m.certificate.json").write_text(text.replace(old, new))
        assert main(["card", "m.csv", "--out", "card.md"]) == 1
        assert "Do not use its mechanism." in capsys.readouterr().err
    assert not (folder / "card.md").exists()


def test_a_changed_matrix_beside_its_certificate_has_no_card(folder, capsys):
    lines = (folder / "m.csv").read_text().splitlines()
    cells = lines[-1].split(",")
    cells[1] = repr(float(cells[1]) + 1e-12)
    (folder / "m.csv").write_text("\n".join([*lines[:-1], ",".join(cells)]))
    assert main(["card", "m.csv"]) == 1
    assert "must hold the doubles nearest to the certified numbers" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_question_may_be_typed_or_in_a_file_before_or_behind(capsys):
    question_file(".", "croft --query count --range 0:2 --epsilon 1 --prior uniform")
    capsys.readouterr()
    lines = ("question.toml m.csv", "m.csv question.toml", "count --range 0:2 --epsilon 1 m.csv")
    cards = {main(["card", *line.split(), "--json"]) or capsys.readouterr().out for line in lines}
    (card,) = cards
    assert json.loads(card)["question"]["objective"] == {"loss": "absolute"}
    assert not json.loads(card)["certified"]


@pytest.mark.usefixtures("folder")
def test_a_matrix_with_the_file_of_its_question_is_recomputed(capsys):
    typed = ["card", "m.csv", "question.toml", "--explain"]
    question_file(".", "croft --query count --range 0:2 --epsilon 1")
    assert main(typed) == 0
    assert "**Nothing is proved of this mechanism.**" in capsys.readouterr().out
    question_file(".", "croft --query count --range 0:2 --epsilon 0.5")
    assert main(typed) == 1
    output = capsys.readouterr()
    assert "**It violates the required privacy.**" in output.out
    assert "violates a requirement" in output.err


def test_a_distribution_has_a_card(tmp_path, capsys):
    path = tmp_path / "law.json"
    om.write_certificate(om.design(om.croft(om.count(10_000), 1)).certificate, path)
    assert main(["card", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mechanism"]["truths"] == 10_001


def test_what_is_not_differential_privacy_warns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    om.write_certificate(om.design(om.sadeghi(1, "0.5", 2, counts=(1, 3))).certificate, "s.json")
    assert main(["card", "s.json", "--out", "s.md", "--quiet"]) == 0
    output = capsys.readouterr()
    assert not output.out
    assert "s.json is not differential privacy at its epsilon and delta" in output.err


@each(
    ("arguments", "sentence"),
    [
        (["m.csv", "--out", "card.txt"], "`--out` must end in .json or .md, or `--format` be given"),
        (["m.csv", "--out", "m.json", "--format", "markdown"], "`--out` must end as its format does"),
        (["m.csv", "--json", "--format", "markdown"], "`--format` must be json with `--json`"),
        (["m.certificate.json", "--out", "m.certificate.json"], "must be another file than"),
        (["m.certificate.json", "--instance", "a"], "`--instance` must be an option of optmech card;"),
        (["none.csv"], "must be a file that can be read"),
        (["none.json"], "must be a file that can be read"),
        (["m.csv", "--out", "no/card.md"], "Choose another path."),
    ],
)
def test_bad_input_is_a_sentence(folder, arguments, sentence, capsys):
    before = (folder / "m.certificate.json").read_bytes()
    assert main(["card", *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert (folder / "m.certificate.json").read_bytes() == before
