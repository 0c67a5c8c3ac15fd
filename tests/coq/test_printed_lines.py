"""The proved checker prints lines of 80 columns, and whole numbers in them."""

from __future__ import annotations

import json
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from tests.coq.proved_checker import PROVED, REFUSED, run
from tests.each import each

ACCEPT = Path(__file__).parents[1] / "vectors" / "accept"

FULL = Path("/dev/full")
NAMES = [
    "noise-all-tails-absolute.json",
    "noise-all-tails-of-100001.json",
    "levels-by-hand.json",
    "extremum.json",
]


@each("name", NAMES)
def test_lines_are_of_80_columns_and_only_a_long_number_stands_out(proved_checker, name):
    done = run(proved_checker, ACCEPT / name)
    assert done.returncode == PROVED
    for line in done.stdout.splitlines():
        assert len(line) <= 80 or re.fullmatch(r"  [0-9/]+,", line), line
    joined = done.stdout.replace("\n  ", " ")
    content = json.loads((ACCEPT / name).read_text(encoding="utf-8"))
    for number in (content["objective"], content["bound"]):
        assert f" {Fraction(number)}" in joined
        about = re.escape(f" {Fraction(number)}, about {float(Fraction(number)):.6g}")
        is_long = len(str(Fraction(number))) > 20
        assert (re.search(f"{about}(?: or less)?\n", joined) is not None) == is_long


def test_words_that_begin_with_a_dash_are_no_files(proved_checker):
    done = run(proved_checker, "--help")
    assert (done.returncode, done.stderr) == (PROVED, "")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    for options in (
        ["--version"],
        ["--question"],
        ["--question", "--help"],
        ["-x", ACCEPT / "extremum.json"],
    ):
        done = run(proved_checker, *options)
        assert (done.returncode, done.stdout) == (REFUSED, "")
        assert "give a certificate: optmech-check [--question | --json]" in done.stderr


def test_a_folder_is_refused_by_its_name(proved_checker, tmp_path):
    assert f"{tmp_path}: Is a directory" in run(proved_checker, tmp_path).stderr


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full must exist")
def test_a_full_disk_is_no_verdict(proved_checker):
    with FULL.open("w") as full:
        for word in ("--help", ACCEPT / "extremum.json"):
            command = [proved_checker, word]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            assert (done.returncode, done.stderr) == (3, "cannot print: No space left on device\n")
        command = [proved_checker, ACCEPT]
        assert subprocess.run(command, stdout=subprocess.PIPE, stderr=full, check=False).returncode == REFUSED
