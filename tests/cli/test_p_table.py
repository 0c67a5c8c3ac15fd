"""Perturbation tables from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import optmech as om
from optmech.cli import main
from tests.each import each
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
        ("--within 5 --epsilon 1 --delta 0.001 --unbiased", 1, "no mechanism for count 0..7"),
    ],
)
def test_a_question_that_has_no_table_gets_a_sentence(capsys, words, code, sentence):
    result, _, err = run(capsys, f"design p-table {words}")
    assert result == code
    assert sentence in err
    assert "Traceback" not in err
