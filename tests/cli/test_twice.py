"""Each word of a command line counts: a second file is looked at, a second value is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from optmech.cli import main
from tests.each import each
from tests.question_file import question_file


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def _two(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, epsilon in (("first", 1), ("second", 2)):
        assert run(capsys, f"design count --range 0:2 --epsilon {epsilon} --out {name}.csv")[0] == 0
    return tmp_path


@pytest.mark.usefixtures("_two")
def test_verify_looks_at_the_second_file(capsys):
    for line, expected in (
        ("first.csv second.csv", 1),
        ("first.certificate.json second.csv", 1),
        ("second.csv first.certificate.json", 1),
        ("first.csv nothing.csv", 2),
        ("first.certificate.json second.certificate.json", 2),
        ("first.csv first.csv", 0),
        ("first.certificate.json first.csv", 0),
        ("first.csv first.certificate.json", 0),
    ):
        code, _, err = run(capsys, f"verify {line}")
        assert code == expected, (line, err)
        if expected:
            assert "second" in err or "nothing" in err, (line, err)


@pytest.mark.usefixtures("_two")
def test_verify_says_which_files_hold_what_is_proved(capsys):
    Path("copy.csv").write_bytes(Path("first.csv").read_bytes())
    code, out, _ = run(capsys, "verify first.csv copy.csv --json")
    assert code == 0
    assert json.loads(out)["matrices"] == ["first.csv", "copy.csv"]
    Path("first.certificate.json").rename("other.json")
    assert run(capsys, "verify first.csv other.json")[0] == 0
    assert run(capsys, "verify second.csv other.json")[0] == 1


@pytest.mark.usefixtures("_two")
def test_a_matrix_held_to_a_question_stands_alone(capsys):
    question = question_file(Path(), "count --range 0:2 --epsilon 1")
    assert run(capsys, f"verify first.csv {question}")[0] == 0
    code, _, err = run(capsys, f"verify first.csv second.csv {question}")
    assert code == 2
    assert "must be given once with a question" in err


@each(
    "line",
    [
        "design count --range 0:5 --epsilon 1 --epsilon 2",
        "design count --range 0:5 --epsilon=1 --epsilon=1",
        "design count --range 0:5 --range=0:4 --epsilon 1",
        "design count --range 0:5 --epsilon 1 --out a.csv --out b.csv",
        "design croft --query count --range 0:5 --epsilon 1 --epsilon 2",
        "compare croft --query count --range 0:5 --epsilon 1 --beyond 1 --beyond 2",
        "prices count --range 0:5 --epsilon 1 --epsilon 2",
        "find epsilon count --range 0:5 --target 1 --target 2",
        "frontier count --range 0:5 --epsilon 1 --from 1 --from 2",
        "export-model count --range 0:5 --epsilon 1 --format lp --format mps",
        "apply m.json t.csv --column a --column b",
        "tabulate t.csv --person a --out c.csv --out d.csv",
        "ledger logs --budget 1 --budget 2",
        "card m.json --out a --out b",
        "report m.json --out a --out b",
        "certify count --epsilon 1 m.csv --range 0:1 --range 0:2",
        "export m.json --format c --format rust",
        "verify m.toml m.csv --instance a --instance b",
        "sweep s.toml --out a --out b",
    ],
)
def test_an_option_given_twice_is_refused(line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert "must be given once; got" in err, err
    assert not list(tmp_path.iterdir())


@each(
    "line",
    [
        "design count --range 0:3 --epsilon 1 --property fair --property row-monotone",
        "design count --range 0:3 --epsilon 1 --json --json",
        "--json design count --range 0:3 --epsilon 1 --json",
    ],
)
def test_what_may_be_repeated_may_be(line, capsys):
    assert run(capsys, line)[0] == 0


def test_a_program_is_written_in_the_format_of_its_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    question = "export-model count --range 0:2 --epsilon 1"
    for options, name, begins in (
        ("", "x.lp", "\\"),
        ("", "x.LP", "\\"),
        ("", "x.mps", "NAME"),
        ("", "x.txt", "NAME"),
        ("--format lp", "y.lp", "\\"),
        ("--format lp", "y.txt", "\\"),
    ):
        assert run(capsys, f"{question} {options} --out {name}")[0] == 0
        text = Path(name).read_text()
        assert text.startswith("NAME") == (begins == "NAME"), (options, name, text[:40])
    for options, name in (("--format mps", "z.lp"), ("--format lp", "z.mps")):
        code, _, err = run(capsys, f"{question} {options} --out {name}")
        assert (code, Path(name).exists()) == (2, False)
        assert "`--out`" in err
