"""The committed page is what its own command writes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from optmech.cli import main

ROOT = Path(__file__).parents[3]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "defaults.toml", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_committed_page_is_what_its_command_writes_now(clone, capsys):
    committed = (ROOT / "docs" / "defaults.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"This page is written by `optmech ([^`]+)`", committed)
    assert command in (ROOT / "examples" / "defaults.toml").read_text(encoding="utf-8")
    assert main(command.split()) == 0
    assert "written to docs/defaults.md" in capsys.readouterr().out
    assert (clone / "docs" / "defaults.md").read_text(encoding="utf-8") == committed


def test_each_table_is_whole_and_starts_with_the_optimum():
    committed = (ROOT / "docs" / "defaults.md").read_text(encoding="utf-8")
    _, *questions, libraries = re.split(r"^## .*$", committed, flags=re.MULTILINE)[1:]
    assert len(questions) == 8
    for part in (*questions, libraries):
        rows = [line for line in part.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) == 1
    assert all("|\n| **the optimum**, proved |" in part for part in questions)
