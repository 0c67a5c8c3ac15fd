"""Progress is shown to a person at a terminal, and to nobody else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from optmech.cli.progress import time_left

WAITING = "import time; from optmech.cli.progress import waiting\nwith waiting({}): time.sleep(0.25)"
COUNTING = (
    "import time; from optmech.cli.progress import watch\n"
    "for word in watch(['first', 'second', 'third', 'fourth'], str): time.sleep(0.15)"
)
FRONTIER = "frontier croft --query mean --records 12 --range 0:4 --from 0.2 --to 1 --points 5"


def seen(words, **environment):
    """Return what a terminal gets on stderr, and what goes down a pipe as stdout."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", **environment}
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=theirs, env=environment, text=True
    ) as process:
        os.close(theirs)
        progress = b""
        try:
            while part := os.read(ours, 4096):
                progress += part
        except OSError:  # Linux says so when the other end is closed
            pass
        out = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0, progress
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", progress.decode()), out


def test_a_limit_is_time_left_and_no_limit_is_no_estimate():
    progress, out = seen(["-c", WAITING.format("'designing', 60")])
    assert re.search(r"designing 0:00:\d\d solving ends within (1:00|0:\d\d)", progress)
    assert out == ""
    progress, _ = seen(["-c", WAITING.format("'composing'")])
    assert re.search(r"composing 0:00:\d\d no estimate", progress)
    progress, _ = seen(["-c", WAITING.format("'designing', 0.2")])
    assert "past its time limit: proving" in progress


@pytest.mark.slow
def test_counted_works_have_a_time_left_from_their_average():
    progress, _ = seen(["-c", COUNTING])
    assert "0/4" in progress
    assert "no estimate yet" in progress
    assert "3/4" in progress
    assert re.search(r"about 0:\d\d left", progress)
    assert "third" in progress


def test_a_pipe_sees_nothing_of_it_whatever_colours_are_asked_for():
    done = subprocess.run(
        [sys.executable, "-c", WAITING.format("'designing', 60") + "\n" + COUNTING],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FORCE_COLOR": "1"},
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_quiet_shows_nothing_at_a_terminal_either():
    line = "-m optmech design croft --query count --range 0:5 --epsilon 1 --quiet"
    assert seen(line.split()) == ("", "")


def test_a_design_says_what_it_does():
    line = "-m optmech design croft --query count --range 0:9 --epsilon 1 --engine program --time-limit 30"
    progress, out = seen(line.split())
    assert "designing count 0..9" in progress
    assert re.search(r"solving ends within 0:[23]\d", progress)
    assert "proved" in out


@pytest.mark.slow
def test_a_frontier_counts_its_points():
    progress, out = seen(["-m", "optmech", *FRONTIER.split()])
    assert "0/5" in progress
    assert re.search(r"[1-4]/5 .* about \d+:\d\d left epsilon 0\.\d", progress)
    assert "epsilon" in out


def test_hours_are_told_as_hours():
    assert time_left(0.0, 7325.0) == "solving ends within 2:02:05"
