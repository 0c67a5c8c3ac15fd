"""`optmech verify --checker` runs another checker beside ours, and says whether both agree."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from optmech.cli import main
from tests.each import each

VECTORS = Path(__file__).parents[1] / "vectors"
PROVED, FORGED = VECTORS / "accept" / "count.json", VECTORS / "refuse" / "claim-objective-more.json"
CHECKER = Path(__file__).parents[2] / "check_certificate.py"
CONTENT = json.loads(PROVED.read_text(encoding="utf-8"))
ANSWER = (
    f"proved: the matrix is a mechanism of the question; total expected loss {CONTENT['objective']}\n"
    f"bound: no mechanism of the question has less than {CONTENT['bound']}\n"
    "privacy 1: pure, epsilon ln 2, delta 0"
)


@pytest.fixture
def checker(tmp_path):
    def program(code, said=ANSWER, *, before=""):
        path, stream = tmp_path / "checker", "stderr" if code else "stdout"
        path.write_text(
            f"#!{sys.executable}\nimport subprocess, sys, time\n{before}\n"
            f"print({said!r}, file=sys.{stream}, flush=True)\nsys.exit({code})\n"
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
    assert verified(PROVED, "--checker", checker(1, "refused: a reason\nmore")) == 1
    out, err = capsys.readouterr()
    assert "refuses it, while optmech proves it: refused: a reason" in " ".join(out.split())
    assert "one of the two is wrong" in err


def test_what_it_does_not_cover_is_said_and_no_failure(checker, capsys):
    assert verified(PROVED, "--checker", checker(2, "not covered: a reason\nmore"), "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["checker"] == {
        "program": content["checker"]["program"],
        "verdict": "does not cover",
        "reason": "not covered: a reason",
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


def test_a_path_that_is_no_program_is_named_with_its_reason(checker, tmp_path, capsys):
    for name, reason in (
        (tmp_path / "none.py", "none.py: no such file or directory."),
        (tmp_path, f"{tmp_path}: a folder."),
        ("", "got nothing: "),
    ):
        assert verified(PROVED, "--checker", name) == 2
        err = capsys.readouterr().err
        assert "`--checker` must be a program that runs" in err
        assert reason in err
    for path, reason in ((tmp_path / "none.csv", "no such file or directory"), (tmp_path, "a folder")):
        assert verified(path, "--checker", checker(0)) == 2
        assert f"`{path}` must be a file that can be read; got {reason}." in capsys.readouterr().err


def test_the_checker_beside_the_package_agrees(capsys):
    assert verified(PROVED, "--checker", CHECKER) == 0
    assert "accepts it, so that both agree" in " ".join(capsys.readouterr().out.split())


@each(
    ("code", "said"),
    [
        (0, ""),
        (0, "all is well"),
        (0, "proved: nothing of it"),
        (0, ANSWER.replace("total expected loss", "")),
        (0, ANSWER.replace("epsilon", "")),
        (1, ""),
        (1, "Traceback (most recent call last):"),
        (2, "usage: checker"),
    ],
)
def test_a_code_alone_is_no_verdict(checker, code, said, capsys):
    assert verified(PROVED, "--checker", checker(code, said)) == 2
    assert "that is no verdict" in capsys.readouterr().err


@each(
    ("said", "reason"),
    [
        (ANSWER.replace(CONTENT["objective"], "3/4"), "objective 3/4, not "),
        (ANSWER.replace(CONTENT["objective"], "about 1.66"), "objective about 1.66, not "),
        (ANSWER.replace(f"less than {CONTENT['bound']}", "less than 1/9"), "bound 1/9, not "),
        (
            ANSWER.replace("bound: no mechanism", "bound: none is proved").replace("has less", ""),
            "bound none, not ",
        ),
        (ANSWER.replace("epsilon ln 2", "epsilon 2"), "epsilon 2, not ln 2"),
        (ANSWER.replace("epsilon ln 2", "epsilon about 0.694"), "epsilon about 0.694, not ln 2"),
    ],
)
def test_other_numbers_contradict_ours(checker, said, reason, capsys):
    assert verified(PROVED, "--checker", checker(0, said), "--json") == 1
    out, err = capsys.readouterr()
    told = json.loads(out)["checker"]
    assert told["verdict"] == "proves other numbers"
    assert told["reason"].startswith(reason)
    assert "one of the two is wrong" in err


def test_digits_behind_about_are_enough(checker):
    about = float(Fraction(CONTENT["objective"]))
    said = ANSWER.replace(CONTENT["objective"], f"about {about:.6g}").replace("ln 2", "about 0.693147")
    assert verified(PROVED, "--checker", checker(0, said)) == 0
