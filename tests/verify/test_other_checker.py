"""`optmech verify --checker` runs another checker beside ours, and says whether both agree."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from optmech.cli import main
from optmech.cli.checker_answer import MOST_BYTES
from tests.each import each

VECTORS = Path(__file__).parents[1] / "vectors"
PROVED, FORGED = VECTORS / "accept" / "count.json", VECTORS / "refuse" / "claim-objective-more.json"
CHECKER = Path(__file__).parents[2] / "check_certificate.py"
CONTENT = json.loads(PROVED.read_text(encoding="utf-8"))
ANSWER = {
    "verdict": "proved",
    "objective": CONTENT["objective"],
    "bound": CONTENT["bound"],
    "epsilon": "ln 2",
    "delta": "0",
    "told": [],
}
REFUSED = {"verdict": "refused", "reason": "the objective must be that of the matrix"}
NOT_COVERED = {"verdict": "not covered", "reason": "privacy as a noise has it"}


@pytest.fixture
def checker(tmp_path):
    def program(code, answer=ANSWER, *, before=""):
        path = tmp_path / "checker"
        printed = answer if isinstance(answer, bytes) else json.dumps(answer).encode() + b"\n"
        path.write_text(
            f"#!{sys.executable}\nimport subprocess, sys, time\n{before}\n"
            "assert sys.argv[1] == '--json' and open(sys.argv[2]) and len(sys.argv) == 3\n"
            f"sys.stdout.buffer.write({printed!r})\nsys.stdout.flush()\nsys.exit({code})\n"
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


def test_a_refusal_is_an_answer_of_no_and_said_once(checker, capsys):
    program = checker(1, REFUSED)
    assert verified(PROVED, "--checker", program) == 1
    out, err = capsys.readouterr()
    said = f"refuses it, while optmech proves it: {REFUSED['reason']}; one of the two is wrong"
    assert " ".join(out.split()).count(f"{program} {said}") == 1
    assert err == ""
    for option in ("--json", "--quiet"):
        assert verified(PROVED, "--checker", program, option) == 1
        out, err = capsys.readouterr()
        assert f"{program} {said}\n" in err
        assert said not in out


def test_what_it_does_not_cover_is_said_and_no_failure(checker, capsys):
    assert verified(PROVED, "--checker", checker(2, NOT_COVERED), "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["checker"] == {
        "program": content["checker"]["program"],
        "verdict": "does not cover",
        "reason": "privacy as a noise has it",
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
    assert "ended with code 3" in capsys.readouterr().err
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


@pytest.mark.parametrize("program", ["true", "echo", "false"])
def test_another_program_gives_no_verdict(program, capsys):
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"`{program}` must be installed; it is not")
    assert verified(PROVED, "--checker", path) == 2
    assert "that is no verdict" in capsys.readouterr().err


def test_a_program_that_prints_no_answer_is_named_with_what_it_printed(checker, capsys):
    assert verified(PROVED, "--checker", checker(0, b"all is well\n")) == 2
    assert "printed no JSON object but `all is well`: that is no verdict" in capsys.readouterr().err
    old = "print('refused: give a certificate', file=sys.stderr)"
    assert verified(PROVED, "--checker", checker(1, b"", before=old)) == 2
    assert "printed nothing (on standard error: refused: give a certificate)" in capsys.readouterr().err
    assert verified(PROVED, "--checker", checker(0, b" " * (MOST_BYTES + 2**20))) == 2
    assert "printed more than 4,194,304 bytes" in capsys.readouterr().err


@each(
    ("part", "reason"),
    [
        ({"objective": "3/4"}, f"its objective is 3/4, that of the certificate {CONTENT['objective']}"),
        ({"bound": "1/9"}, f"its bound is 1/9, that of the certificate {CONTENT['bound']}"),
        ({"bound": None}, f"its bound is none, that of the certificate {CONTENT['bound']}"),
        ({"epsilon": "2"}, "its epsilon is 2, that of the certificate ln 2"),
        ({"epsilon": "0.693147"}, "its epsilon is 0.693147, that of the certificate ln 2"),
        ({"epsilon": "ln 2001/1000"}, "its epsilon is ln 2001/1000, that of the certificate ln 2"),
        ({"delta": "0.1"}, "its delta is 0.1, that of the certificate 0"),
        ({"delta": None}, "its delta is none, that of the certificate 0"),
        (
            {"epsilon": "1", "delta": "0.1"},
            "its epsilon is 1, that of the certificate ln 2; its delta is 0.1, that of the certificate 0",
        ),
    ],
)
def test_other_numbers_contradict_ours(checker, part, reason, capsys):
    assert verified(PROVED, "--checker", checker(0, {**ANSWER, **part}), "--json") == 1
    out, err = capsys.readouterr()
    told = json.loads(out)["checker"]
    assert (told["verdict"], told["reason"]) == ("proves other numbers", reason)
    assert f"proves other numbers: {reason}; one of the two is wrong" in err


def test_a_number_that_differs_in_its_last_digit_is_another(checker, capsys):
    top, bottom = CONTENT["objective"].split("/")
    almost = {**ANSWER, "objective": f"{int(top) - 2}/{bottom}"}
    assert verified(PROVED, "--checker", checker(0, almost)) == 1
    said = "".join(capsys.readouterr().out.split())
    assert f"itsobjectiveis{almost['objective']},thatofthecertificate{CONTENT['objective']}" in said


def test_equal_numbers_agree_however_they_are_written(checker):
    top, bottom = map(int, CONTENT["objective"].split("/"))
    answer = {**ANSWER, "objective": f"{7 * top}/{7 * bottom}", "delta": "-0.0", "epsilon": "ln 2.0"}
    assert verified(PROVED, "--checker", checker(0, {**answer, "further": 1})) == 0


def test_a_file_that_begins_with_a_dash_is_no_option(checker, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(PROVED, "-dash.certificate.json")
    assert main(["verify", "--checker", checker(0), "--", "-dash.certificate.json"]) == 0


@each(
    ("words", "said"),
    [
        (
            [PROVED, "--checker-time-limit", "5"],
            "must stand beside `--checker`; got 5 seconds and no checker. Add `--checker PROGRAM`",
        ),
        (["table.csv", "--p-table", "--checker", "x"], "must be left out with `--p-table`"),
        (["table.csv", "--p-table", "--checker-time-limit", "5"], "must be left out with `--p-table`"),
        ([PROVED, "--checker", "x", "--checker-time-limit", "nan"], "must be positive seconds; got nan"),
    ],
)
def test_an_option_that_would_be_passed_over_is_refused(words, said, capsys):
    assert verified(*words) == 2
    assert said in capsys.readouterr().err


def test_a_limit_may_be_endless(checker):
    assert verified(PROVED, "--checker", checker(0), "--checker-time-limit", "inf") == 0
