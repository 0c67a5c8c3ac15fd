"""`optmech verify --checker` runs another checker beside ours, and says whether both agree."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from optmech.cli import main

VECTORS = Path(__file__).parents[1] / "vectors"
PROVED, FORGED = VECTORS / "accept" / "count.json", VECTORS / "refuse" / "claim-objective-more.json"


@pytest.fixture
def checker(tmp_path):
    def program(code, stream="stdout", said="a reason\nmore"):
        path = tmp_path / "checker"
        path.write_text(
            f"#!{sys.executable}\nimport sys\nprint({said!r}, file=sys.{stream})\nsys.exit({code})\n"
        )
        path.chmod(0o755)
        return str(path)

    return program


def verified(*arguments):
    return main(["verify", *map(str, arguments)])


def test_both_agree(checker, capsys):
    assert verified(PROVED, "--checker", checker(0)) == 0
    out, err = capsys.readouterr()
    assert "accepts it, so that both agree" in " ".join(out.split())
    assert err == ""


def test_a_refusal_is_an_answer_of_no(checker, capsys):
    assert verified(PROVED, "--checker", checker(1, "stderr")) == 1
    out, err = capsys.readouterr()
    assert "refuses it, while optmech proves it: a reason" in " ".join(out.split())
    assert "one of the two is wrong" in err


def test_what_it_does_not_cover_is_said_and_no_failure(checker, capsys):
    assert verified(PROVED, "--checker", checker(2, "stderr"), "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["checker"] == {
        "program": content["checker"]["program"],
        "verdict": "does not cover",
        "reason": "a reason",
    }


def test_a_certificate_that_only_the_other_accepts_stays_refused(checker, capsys):
    assert verified(FORGED, "--checker", checker(0)) == 1
    err = capsys.readouterr().err
    assert "which optmech refuses: one of the two is wrong" in err
    assert "another objective" in err


def test_a_program_that_does_not_run_or_gives_no_verdict_is_bad_input(checker, tmp_path, capsys):
    assert verified(PROVED, "--checker", tmp_path / "nowhere") == 2
    assert "`--checker` must be a program that runs" in capsys.readouterr().err
    assert verified(PROVED, "--checker", checker(3)) == 2
    assert "ended with 3" in capsys.readouterr().err
    matrix = tmp_path / "alone.csv"
    matrix.write_text("response,0,1\n0,0.5,0.5\n1,0.5,0.5\n")
    assert verified("count", "--range", "0:1", "--epsilon", "1", matrix, "--checker", checker(0)) == 2
    assert "must be left out" in capsys.readouterr().err
