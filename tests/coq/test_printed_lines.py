"""The proved checker prints lines of 80 columns, and whole numbers in them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

from optmech.cli import main
from tests.coq.proved_checker import PROVED, run
from tests.each import each

ACCEPT = Path(__file__).parents[1] / "vectors" / "accept"


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
        about = f", about {float(Fraction(number)):.6g}"
        assert (f" {Fraction(number)}{about}\n" in joined) == (len(str(Fraction(number))) > 20)


def test_the_package_reads_lines_that_are_continued(proved_checker, capsys):
    for name in NAMES:
        assert main(["verify", str(ACCEPT / name), "--checker", str(proved_checker)]) == 0
        assert "accepts it, so that both agree" in " ".join(capsys.readouterr().out.split())
