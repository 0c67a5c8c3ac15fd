"""With --json check_certificate.py prints one JSON object in one line, also where it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readers import CHECKER, checker

VECTORS = Path(__file__).parents[1] / "vectors"
COUNT = VECTORS / "accept" / "count.json"
FULL = Path("/dev/full")


def answer(capsys, *words):
    """Return the code and the object that it prints, which is all that it prints."""
    code = checker.main(["--json", *map(str, words)])
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    assert out.endswith("}\n")
    assert out.isascii()
    return code, json.loads(out)


def test_it_tells_exact_numbers_and_the_lines_that_it_prints(capsys):
    for path in sorted((VECTORS / "accept").glob("*.json"))[::5]:
        text = path.read_text(encoding="utf-8")
        file = json.loads(text)
        first = file["question"]["privacy"][0]
        assert answer(capsys, path) == (
            0,
            {
                "verdict": "proved",
                "objective": file["objective"],
                "bound": file["bound"],
                "epsilon": first["epsilon"],
                "delta": first["delta"],
                "told": checker.check(text).split("\n"),
            },
        )


def test_the_option_may_stand_behind_the_file(capsys):
    assert checker.main([str(COUNT), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == answer(capsys, COUNT)[1]


def test_a_refusal_is_data_too(capsys, tmp_path):
    files = [path for path in (VECTORS / "refuse").glob("*.json") if not path.name.startswith("csv-")]
    for path in sorted(files)[::10]:
        code, content = answer(capsys, path)
        assert checker.main([str(path)]) == code == 1
        assert content["verdict"] == "refused"
        assert capsys.readouterr().err == f"refused: {content['reason']}\n"
    other = tmp_path / "other.csv"
    other.write_text("response,0\n0,1\n")
    assert "the CSV must hold" in answer(capsys, COUNT, other)[1]["reason"]
    name = 'no "such"\n\x1b[2J file.json'
    code, content = answer(capsys, name)
    assert (code, content["verdict"]) == (1, "refused")
    assert content["reason"].startswith('"no \\"such\\"\\x0a\\x1b[2J file.json" must be a file')
    for words in ([], [COUNT, COUNT, COUNT]):
        code, content = answer(capsys, *words)
        assert (code, content["verdict"]) == (1, "refused")
        assert content["reason"].startswith("give a certificate, and its CSV if there is one: python ")


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full must exist")
def test_an_answer_that_cannot_be_printed_is_none():
    for path in (COUNT, VECTORS / "refuse" / "claim-objective-more.json"):
        with FULL.open("w") as full:
            command = [sys.executable, CHECKER, "--json", path]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (3, "cannot print: No space left on device\n")
