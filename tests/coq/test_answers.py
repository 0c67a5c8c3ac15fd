"""With --json the proved checker prints its answer as one JSON object in one line, its numbers exact."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from optmech.cli import main
from optmech.cli.checker_answer import numbers_of, read_answer
from optmech.mechanisms.certificates.certificate_text import read_certificate_text
from tests.coq.proved_checker import NOT_COVERED, PROVED, REFUSED, run
from tests.each import each
from tests.readers import checker

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = sorted(path for path in VECTORS.glob("*/*.json") if not path.name.startswith("csv-"))
ACCEPT = VECTORS / "accept"
FULL = Path("/dev/full")


def answer(program, *words):
    """Return the code and the object that it prints, which is all that it prints."""
    done = run(program, "--json", *words)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    assert done.stdout.endswith("}\n")
    assert done.stdout.isascii()
    return done.returncode, json.loads(done.stdout)


@each("path", FILES, every=6)
def test_an_answer_has_the_numbers_of_the_file_or_the_reason(proved_checker, path):
    code, content = answer(proved_checker, path)
    words = run(proved_checker, path)
    assert code == words.returncode
    if code != PROVED:
        verdict = "refused" if code == REFUSED else "not covered"
        assert words.stderr == f"{verdict}: {content['reason']}\n"
        assert content == {"verdict": verdict, "reason": content["reason"]}
        return
    file = json.loads(path.read_text(encoding="utf-8"))
    first = file["question"]["privacy"][0]
    told = content.pop("told")
    assert content == {
        "verdict": "proved",
        "objective": file["objective"],
        "bound": file["bound"],
        "epsilon": first["epsilon"],
        "delta": first["delta"],
    }
    assert "\n".join(told) == words.stdout.replace("\n  ", " ").rstrip()


@each("path", [path for path in FILES if path.parent.name == "accept"], every=6)
def test_all_three_readers_prove_the_same_numbers(proved_checker, path):
    text = path.read_text(encoding="utf-8")
    ours = numbers_of(read_certificate_text(text))
    line = checker.json_line(checker.prove(text))
    assert read_answer(line.encode(), 0).numbers == ours
    done = run(proved_checker, "--json", path)
    if done.returncode != NOT_COVERED:
        assert read_answer(done.stdout.encode(), done.returncode).numbers == ours


def test_the_package_takes_the_answer(proved_checker, capsys):
    for name in ("noise-all-tails-absolute", "levels-by-hand", "count-least-delta", "custom-lonely"):
        assert main(["verify", str(ACCEPT / f"{name}.json"), "--checker", str(proved_checker)]) == 0
        assert "accepts it, so that both agree" in " ".join(capsys.readouterr().out.split())
    path = str(ACCEPT / "noise-as-private-as-discrete-gaussian.json")
    assert main(["verify", path, "--checker", str(proved_checker)]) == 0
    said = "does not cover it, while optmech proves it: privacy as a noise has it"
    assert said in " ".join(capsys.readouterr().out.split())


def test_an_option_may_stand_behind_the_file(proved_checker):
    path = ACCEPT / "count.json"
    for option in ("--json", "--question"):
        assert run(proved_checker, path, option).stdout == run(proved_checker, option, path).stdout != ""


def test_wrong_words_are_refused_as_data_too(proved_checker):
    for words in ([], ["--help"], ["--question", ACCEPT / "count.json"], ["a.json", "b.json"]):
        code, content = answer(proved_checker, *words)
        assert (code, content["verdict"]) == (REFUSED, "refused")
        assert content["reason"].startswith("give a certificate: optmech-check [--question | --json]")


def test_any_path_stands_in_the_reason(proved_checker):
    for name in (b"\xff\xfe.json", "ü\u2028.json".encode(), b'a "b" \\ \x1b[2J\n\x7f.json'):
        path = os.fsdecode(name)
        code, content = answer(proved_checker, path)
        assert code == REFUSED
        shown = "\\xff\\xfe.json" if name.startswith(b"\xff") else path
        assert (
            content["reason"] == f"the file must be one that can be read: {shown}: No such file or directory"
        )


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full must exist")
def test_an_answer_that_cannot_be_printed_is_none(proved_checker):
    for name in ("accept/extremum.json", "refuse/claim-objective-more.json", "none.json"):
        with FULL.open("w") as full:
            command = [proved_checker, "--json", VECTORS / name]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (3, "cannot print: No space left on device\n")
