"""A text from outside reaches a terminal with every character visible."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys

import pytest

import optmech as om
from benchmarks.papers.command import run as run_papers
from optmech.cli import main
from tests.each import each

# Clears the screen, moves the cursor, begins a line, turns the order of signs around, hides, is half a sign.
CONTROLS = [*"\x07\r\n\t\x9b\x7f\u202e\u2066\u200b\u2028\u2029\ufeff\xad", "\x1b[2J"]
NAME = f"mine{''.join(CONTROLS)}all proved, says the name"
UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
COUNT = "--query count --range 0:3 --epsilon 1"


def is_ours(text, *, lines=None):
    """Whether all of it can be seen, and where so asked how many lines it has."""
    return not UNSEEN.search(text) and (lines is None or text.count("\n") == lines)


def forged(text):
    """Whether a line begins as a verdict of the name's own would."""
    return any(line.startswith("all proved, says the name") for line in text.split("\n"))


@pytest.fixture(scope="module")
def design():
    return om.design(om.question(om.Query(range(4), name=NAME), 1))


@pytest.fixture
def here(design, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    om.write_certificate(design.certificate, tmp_path / "c.json")
    design.mechanism.to_csv(tmp_path / "m.csv")
    (tmp_path / "t.csv").write_text("count,place\n1,a\n2,b\n")
    return tmp_path


def test_objects_say_themselves_in_visible_text(design):
    certificate, problem = design.certificate, design.problem
    report = om.verify(design.mechanism, problem)
    for thing in (problem.query, problem, design, design.mechanism, certificate, report):
        assert is_ours(repr(thing), lines=0)
        assert is_ours(thing._repr_html_())
        assert is_ours(str(thing))
        assert not forged(str(thing))
    assert "\\x1b[2J" in str(problem)


def test_files_for_people_and_programs_hold_visible_text(design):
    card = om.card_of(design.certificate)
    for text in (
        om.reports.card_markdown(card),
        om.reports.card_json(card),
        om.release.to_c(design.certificate),
        om.release.to_rust(design.certificate),
    ):
        assert is_ours(text)
        assert not forged(text)


@each(
    "line",
    [
        "verify c.json",
        "card c.json",
        "card c.json --format json",
        "export c.json --format c",
        "export c.json --format rust",
        "compose c.json --uses 2 --delta 0.1",
        "apply c.json t.csv --column count --out o.csv",
        "report c.json --out r.html",
    ],
)
def test_a_name_writes_no_line_of_its_own(here, capsys, line):
    before = {path.name for path in here.iterdir()}
    assert main(line.split()) == 0
    out, err = capsys.readouterr()
    assert is_ours(out + err)
    assert not forged(out)
    for path in here.iterdir():
        if path.name not in before:
            assert is_ours(path.read_text().replace("\t", " "))


@pytest.mark.parametrize("part", ["repair", "raw", "made_by", "claimed_bounds"])
def test_an_edited_certificate_writes_no_line_of_its_own(here, capsys, part):
    content = json.loads((here / "c.json").read_text())
    content[part] = {NAME: NAME}
    text = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
    (here / "edited.json").write_text("{\n" + text + "\n}\n")
    for line in ("verify edited.json", "card edited.json", "report edited.json --out r.html"):
        assert main(line.split()) in (0, 2)
        out, err = capsys.readouterr()
        assert is_ours(out + err)
        assert not forged(out)


@pytest.mark.usefixtures("here")
@each("control", ["\x1b[2J", "\n", "\r", "\u202e", "\udc80"], every=2)
def test_a_path_or_column_or_option_is_quoted_in_visible_text(capsys, control):
    strange = f"s{control}all proved, says the name"
    lines = [
        ["design", "croft", *COUNT.split(), "--out", f"{strange}.csv", "--certificate", "x.json"],
        ["verify", f"{strange}.json"],
        ["verify", f"{strange}.csv"],
        ["card", "c.json", "--out", f"{strange}.md"],
        ["apply", "c.json", "t.csv", "--column", strange, "--out", "o.csv"],
        ["apply", "c.json", f"{strange}.csv", "--column", "count", "--out", "o.csv"],
        ["design", "croft", *COUNT.split(), "--solver", strange],
        ["design", "croft", *COUNT.split(), "--property", strange],
        ["design", "croft", *COUNT.split(), f"--{strange}"],
        ["design", "croft", "--query", "categories", "--of", f"{strange},b", "--epsilon", "1"],
        ["design", f"{strange}.toml"],
        [strange],
        ["sweep", f"{strange}.toml", "--out", "x.parquet"],
    ]
    for command, line in (*((main, line) for line in lines), (run_papers, [strange])):
        assert command(line) in (0, 2)
        out, err = capsys.readouterr()
        assert is_ours(out + err)
        assert not forged(out + err)


def test_a_file_text_is_quoted_in_visible_text(here, capsys):
    (here / "bad.csv").write_text(f'response,0,"{NAME}"\n0,1,1\n')
    (here / "bad.toml").write_text(
        f"[[instance]]\n[instance.question]\nquery = {{kind = {json.dumps(NAME)}}}\nprivacy = {{}}\n"
    )
    (here / "bad.t.csv").write_text(f'count,"{NAME}"\n"{NAME}",1\n')
    for line in (
        f"verify bad.csv {COUNT}",
        "design bad.toml",
        "apply c.json bad.t.csv --column count --out o.csv",
        "apply c.json bad.t.csv --column nobody --out o.csv",
    ):
        assert main(line.split()) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert is_ours(err, lines=1)


def test_an_error_of_ours_is_one_visible_line_and_stays_so_in_a_copy():
    for wrong in (lambda: om.question(om.count(2), NAME), lambda: om.read_certificate(NAME)):
        with pytest.raises(om.OptmechError) as refused:
            wrong()
        assert is_ours(str(refused.value), lines=0)
        assert str(copy.copy(refused.value)) == str(refused.value)


def test_half_a_character_is_a_sentence():
    for wrong in (
        lambda: om.Query(range(3), name="\ud800"),
        lambda: om.Query(range(2), labels=["\ud800", "b"]),
        lambda: om.categories(["\ud800", "b"]),
    ):
        with pytest.raises(om.ProblemError, match=r"\\ud800"):
            wrong()


@pytest.mark.slow
def test_a_name_in_bytes_that_are_no_text_is_no_traceback(here):
    name = os.fsdecode(b"\xff\xfe")
    command = [sys.executable, "-m", "optmech", "design", "croft", *COUNT.split(), "--out", f"{name}.csv"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=here)
    assert b"Traceback" not in done.stderr
    assert b"\\udcff" in done.stdout + done.stderr


@pytest.mark.slow
def test_a_terminal_without_our_letters_gets_escapes_and_no_traceback(here):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    line = [
        "design",
        "croft",
        "--query",
        "categories",
        "--of",
        "é,ü",
        "--epsilon",
        "1",
        "--loss",
        "zero-one",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "optmech", *line], capture_output=True, check=False, cwd=here, env=environment
    )
    assert done.returncode == 0
    assert b"\\xe9" in done.stdout
