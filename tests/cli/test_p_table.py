"""Perturbation tables from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.p_tables import SMALL, ons_text, ptable_text
from tests.readers import CHECKER

TYPED = (
    "design p-table --within 5 --variance 3 --without 1,2 --zero-stays-zero --unbiased --same-noise-from 8 "
    "--epsilon 1 --least delta"
)


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_table_is_designed_written_and_proved_without_the_package(capsys, tmp_path):
    code, out, _ = run(capsys, f"{TYPED} --out {tmp_path}/table.csv --json")
    content = json.loads(out)
    assert code == 0
    assert abs(content["objective"] - 0.252956884315) < 1e-9
    proof, matrix = tmp_path / "table.certificate.json", tmp_path / "table.csv"
    done = subprocess.run(
        [sys.executable, CHECKER, proof, matrix], capture_output=True, text=True, check=True
    )
    assert 'custom rule "same noise from 8 on"' in done.stdout
    assert om.read_certificate(proof).problem.query.num_truths == 10


@each(
    ("words", "code", "sentence"),
    [
        ("--within 5", 2, "`epsilon` must be given for p-table"),
        ("--within x --epsilon 1", 2, "`--within` must be a whole number; got 'x'"),
        ("--within 5 --epsilon 1 --without 1;2", 2, "`--without` must be whole numbers with commas"),
        ("--within 5 --epsilon 1 --least loss", 2, "`delta` must be given for the least loss"),
        ("--within 5 --epsilon 1 --property fair,symmetric", 2, "each count by itself: accuracy"),
        (
            "--within 5 --epsilon 1 --unbiased --zero-stays-zero --property accuracy=0.5",
            1,
            "Accuracy = 0.5 and",
        ),
        (
            "--within 5 --epsilon 1 --zero-stays-zero --positive-stays-positive",
            1,
            "Delta is 1 for every such",
        ),
        ("--within 5 --epsilon 1 --delta 0.001 --unbiased", 1, "no mechanism for count 0..7"),
    ],
)
def test_a_question_that_has_no_table_gets_a_sentence(capsys, words, code, sentence):
    result, _, err = run(capsys, f"design p-table {words}")
    assert result == code
    assert sentence in err
    assert "Traceback" not in err


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keys.csv").write_text(ons_text(SMALL))
    (tmp_path / "argus.csv").write_text(ptable_text(SMALL))
    return tmp_path


@pytest.mark.usefixtures("files")
def test_verify_says_what_a_table_promises_in_lines_in_json_and_where_nothing_is_to_be_said(capsys):
    revealed = "a person alone in a cell is revealed with probability 0.5"
    code, out, err = run(capsys, "verify keys.csv --p-table")
    assert (code, err) == (0, "")
    assert revealed in out
    assert "delta              0.5 at epsilon 0.5, at best 0.5   proved" in out
    assert len(out.splitlines()) <= 16
    code, out, err = run(capsys, "verify --p-table argus.csv --json")
    assert code == 0
    assert json.loads(out)["certain"]["meaning"] == revealed
    assert revealed in err
    assert run(capsys, "verify keys.csv --p-table --quiet") == (0, "", f"optmech: warning: {revealed}\n")


@pytest.mark.usefixtures("files")
@each(
    ("words", "sentence"),
    [
        ("none.csv --p-table", "`none.csv` must be a file that can be read"),
        (
            "keys.csv argus.csv --p-table",
            "`--p-table` must stand beside one file, the table, and no question",
        ),
        ("count --range 0:5 --epsilon 1 keys.csv --p-table", "`--p-table` must stand beside one file"),
        ("table.csv --p-table", "`table.csv` must begin with the names of its columns"),
    ],
)
def test_what_is_no_table_gets_a_sentence(capsys, files, words, sentence):
    (files / "table.csv").write_text("response,0\n0,1\n")
    code, out, err = run(capsys, f"verify {words}")
    assert (code, out) == (2, "")
    assert sentence in err
