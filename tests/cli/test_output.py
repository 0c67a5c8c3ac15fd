"""Colours for people, none for programs."""

from __future__ import annotations

import copy
import os
import pickle
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import optmech as om
from optmech.base.notes import Failure, Note, NoteKind, TextLine
from optmech.base.provenance import Provenance
from optmech.cli import main
from optmech.cli.output import has_colour, manners, paint, warn
from tests.each import each

WORDS = ["design", "croft", "--query", "count", "--range", "0:3", "--epsilon", "1"]
LINE = [sys.executable, "-m", "optmech", *WORDS]
GREEN, RED, AMBER = "\x1b[32m", "\x1b[31m", "\x1b[33m"


class Terminal:
    @staticmethod
    def isatty():
        return True


@each(
    ("environment", "expected"),
    [
        ({}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_a_terminal_has_colours_unless_somebody_says_no(environment, expected):
    assert has_colour(Terminal, environment) is expected


def environment_of(**more):
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return {**variables, "TERM": "xterm", **more}


@pytest.fixture
def printed(capsys, monkeypatch):
    """Return a function that runs a line whose output nobody sees at a terminal, and returns the output."""

    def output(*words, **variables):
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert main([*WORDS, *words]) == 0
        return capsys.readouterr().out

    return output


@pytest.mark.parametrize(("options", "green"), [({}, False), ({"FORCE_COLOR": "1"}, True)])
def test_a_pipe_has_none_unless_somebody_asks(printed, options, green):
    text = printed(**options)
    assert (f"{GREEN}proved" in text) is green
    assert ("\x1b" in text) is green


@pytest.mark.slow
@pytest.mark.parametrize(("options", "green"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_at_a_terminal_what_is_proved_is_green(options, green):
    ours, theirs = pty.openpty()
    subprocess.run(LINE, stdout=theirs, stderr=subprocess.DEVNULL, check=True, env=environment_of(**options))
    os.close(theirs)
    output = os.read(ours, 65536).decode()
    os.close(ours)
    assert (f"{GREEN}proved" in output) is green
    assert ("\x1b" in output) is green


def test_json_has_no_colours_even_where_they_are_asked_for(printed):
    assert "\x1b" not in printed("--json", FORCE_COLOR="1")


def test_words_of_a_text_have_no_colour():
    text = "proved, claimed, FAILS, WARNING: Caution: private, not differential privacy"
    assert paint(text) == paint(TextLine(text)) == text
    assert paint(TextLine("privacy ", Failure.FAILS, " at 3")) == f"privacy {RED}FAILS\x1b[0m at 3"
    assert paint(TextLine("2   ", Provenance.PROVED, ": FAILS")) == f"2   {GREEN}proved\x1b[0m: FAILS"
    assert paint(TextLine(Provenance.RECOMPUTED)) == "recomputed"


@each("kind", NoteKind)
def test_the_colour_and_the_loudness_of_a_note_follow_from_its_kind(kind, capsys):
    note = Note(kind, "whatever it says, proved")
    loud = kind in (NoteKind.PRIVACY, NoteKind.CAUTION)
    assert paint(note) == (f"{AMBER}{note}\x1b[0m" if loud else note)
    with manners(quiet=True, json=False):
        warn(note)
    assert bool(capsys.readouterr().err) is loud


def test_a_note_and_a_line_survive_being_sent_to_another_process():
    for text in (Note(NoteKind.CAUTION, "with care"), TextLine("2 ", Provenance.PROVED)):
        for again in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - our own
            assert again == text
            assert paint(again) == paint(text) != text


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_full_disk_behind_stdout_is_a_sentence(more):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*LINE, *more], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "optmech: the system refuses: no space left on device.\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [[], ["--help"], ["design", "--help"], ["design", "count", "--help"]])
def test_help_on_a_full_disk_is_a_sentence(words, unbuffered):
    line = [sys.executable, "-m", "optmech", *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            line, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
    assert done.returncode == 2
    assert re.fullmatch(r"optmech: .*: no space left on device\.\n", done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "1>/dev/null 2>&-"])
def test_what_is_closed_is_no_error(closed):
    done = subprocess.run(f"{' '.join(LINE)} {closed}", shell=True, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""


def test_what_fails_is_red_and_nothing_else_of_its_line():
    design = om.design(om.croft(om.count(3), 1))
    report = om.verify(design.mechanism, design.problem, certificate=design.certificate)
    for row in (report.checks[0], report.theorems[0]):
        failing = replace(row, holds=False)
        assert paint(failing.line) == failing.line.replace("FAILS", f"{RED}FAILS\x1b[0m", 1)
        assert str(failing).startswith("FAILS ")
        assert RED not in paint(row.line)
