"""The checker, `read_certificate` and `optmech verify` accept the same files, and refuse the same files.

Each vector of tests/vectors is named by what it tries; the folder says what all three must do with it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.readers import CHECKER, checker

ROOT = Path(__file__).parents[2]
VECTORS = sorted((ROOT / "tests" / "vectors").glob("*/*.json"))

each_vector = each("path", VECTORS, every=8)
other_vectors = each("path", VECTORS, every=8, slow_every=3)  # what the checker decides of all


def files_of(path):
    table = path.with_suffix(".csv")
    return [str(path), str(table)] if table.exists() else [str(path)]


def accepted(path):
    return path.parent.name == "accept"


def test_there_are_vectors_of_either_sort():
    assert len(VECTORS) > 400
    assert sum(map(accepted, VECTORS)) > 40


@each_vector
def test_the_checker_accepts_and_refuses_what_the_folder_says(path, capsys):
    assert checker.main(files_of(path)) == (0 if accepted(path) else 1)
    out, err = capsys.readouterr()
    assert out.startswith("proved: " if accepted(path) else "") == err.startswith(
        "" if accepted(path) else "refused: "
    )
    assert err.count("\n") == (0 if accepted(path) else 1)
    assert (out == "") is not accepted(path)


@other_vectors
def test_the_library_accepts_and_refuses_what_the_folder_says(path):
    if accepted(path) or path.name.startswith("csv-"):
        om.read_certificate(path)
    else:
        with pytest.raises(om.OptmechError):
            om.read_certificate(path)


@each("path", VECTORS, every=24, slow_every=4)
def test_the_command_line_accepts_and_refuses_what_the_folder_says(path, capsys):
    code = main(["verify", *map(str, files_of(path))])
    out, err = capsys.readouterr()
    assert (code == 0) is accepted(path), err
    assert accepted(path) or (code in (1, 2) and out == "" and "Traceback" not in err)


@pytest.mark.parametrize("name", ["accept/count", "refuse/weights-of-1e8", "refuse/json-byte-order-mark"])
def test_the_checker_says_the_same_as_a_program_of_its_own(name):
    path = ROOT / "tests" / "vectors" / f"{name}.json"
    command = [sys.executable, "-I", str(CHECKER), *map(str, files_of(path))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == (0 if accepted(path) else 1)
    assert (done.stdout if accepted(path) else done.stderr).startswith(
        "proved: " if accepted(path) else "refused: "
    )
    assert "Traceback" not in done.stderr
