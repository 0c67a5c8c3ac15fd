"""What the README and the page on questions show, runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS, FURTHER = (
    re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    for page in ("README.md", "docs/questions.md")
)
SHELL_LINES = [line for kind, block in BLOCKS + FURTHER if kind == "sh" for line in block.splitlines()]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Copy what a clone has, so that what the commands write stays out of this one."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("formulations", "examples", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "check_certificate.py", folder)
    return folder


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """Put this interpreter's `python` and an `optmech` first on the path, installed or not."""
    folder = tmp_path_factory.mktemp("bin")
    for name, call in (("python", ""), ("optmech", " -m optmech")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{call} "$@"\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def run(line, clone, commands):
    return subprocess.run(
        line, shell=True, cwd=clone, env=commands, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("line", SHELL_LINES)
def test_every_shell_line_runs(line, clone, commands):
    if "pytest" in line:
        pytest.skip("this very run, or its slow half")
    line = re.sub(r"^pip install \S+ && ", "", line)  # the environment of this run has it installed
    done = run(line, clone, commands)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_every_python_block_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in (block for kind, block in BLOCKS if kind == "python"):
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - the README is ours
    assert names["report"]
    assert "holds" in capsys.readouterr().out
    assert (tmp_path / "mechanism.csv").exists()
    assert names["law"].relative_gap < 1e-9


def test_every_python_block_on_questions_runs(capsys):
    names = {}
    for block in (block for kind, block in FURTHER if kind == "python"):
        exec(compile(block, "questions.md", "exec"), names)  # noqa: S102 - the page is ours
    assert names["settled"].symmetric
    assert "accuracy >= 0.6 is impossible with epsilon = 1" in capsys.readouterr().out


def test_the_table_shown_is_the_table_printed(clone, commands):
    (shown,) = [block for kind, block in BLOCKS if kind == "text"]
    line = SHELL_LINES[0].split(" && ")[1]
    printed = run(line, clone, commands)
    assert printed.returncode == 0, printed.stderr
    assert shown in printed.stdout


def test_the_first_screen_has_the_two_commands():
    first_screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:32])
    assert "pip install . && optmech design" in first_screen
    assert 'pip install ".[test]" && pytest' in first_screen
