"""A question that leaves somebody unprotected gets a warning: on a terminal, in a report, in a card."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main

CHECKER = Path(__file__).resolve().parents[2] / "check_certificate.py"
AMBER, GREEN = "\x1b[33m", "\x1b[32m"


@pytest.fixture
def lonely(tmp_path):
    query = om.Query(range(8), neighbours=[(6, 7)], name="count 0..7")
    path = tmp_path / "m.certificate.json"
    om.write_certificate(om.design(om.croft(query, "0.5")).certificate, path)
    return path


def test_a_warning_is_amber_where_there_is_colour(lonely, monkeypatch, capsys):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["verify", str(lonely)]) == 0
    warned = [line for line in capsys.readouterr().out.splitlines() if "WARNING:" in line]
    assert len(warned) == 2
    assert all(line.startswith(AMBER) for line in warned)


def test_what_is_not_proved_or_not_differential_privacy_is_never_green(monkeypatch, capsys):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["design", "croft", "--query", "count", "--range", "0:3", "--epsilon", "1", "--raw"])
    assert "nothing is proved" in capsys.readouterr().out
    kadam = ["kadam", "--modulus", "8", "--distances", "3", "--one-sided"]
    main(["design", *kadam, "--epsilon", "1", "--delta", "0"])
    (line,) = re.findall(r"private  .*?(?=protected  )", capsys.readouterr().out, re.DOTALL)
    assert "not differential privacy" in " ".join(line.split())
    assert GREEN not in line


def test_no_check_mark_stands_beside_a_warning(lonely, tmp_path):
    page = tmp_path / "r.html"
    assert main(["report", str(lonely), "--out", str(page), "--no-compare", "--quiet"]) == 0
    text = page.read_text(encoding="utf-8")
    (seal,) = re.findall(r'class="verdict (\w+)"', text)
    assert seal == "care"
    assert "told by whoever" not in text


def test_a_report_says_once_that_one_direction_only_is_protected(tmp_path):
    query = om.residues(8, [3], symmetric=False)
    om.write_certificate(om.design(om.kadam(query, 1)).certificate, tmp_path / "m.certificate.json")
    page = tmp_path / "r.html"
    main(["report", str(tmp_path / "m.certificate.json"), "--out", str(page), "--no-compare", "--quiet"])
    verdict = page.read_text(encoding="utf-8").split('class="verdict care"')[1].split('class="figures"')[0]
    assert verdict.count("only one is protected against the other") == 1


def test_a_yes_to_differential_privacy_says_who_alone_is_protected(lonely, capsys):
    assert main(["card", str(lonely), "--explain"]) == 0
    assert "Yes, at these numbers. It protects neighbours from each other, and nothing else." in (
        capsys.readouterr().out
    )


LARGE = ["design", "croft", "--query", "count", "--range", "0:2000", "--epsilon", "1", "--out"]


def test_a_count_without_a_matrix_says_who_is_protected(tmp_path, capsys):
    path = tmp_path / "count.json"
    for words, title in ((LARGE, ""), (["verify"], ""), (["verify", "--explain"], "count 0..2000: ")):
        assert main([*words, str(path)]) == 0
        text = f"protected          {title}True answers at most 1 apart are neighbours."
        assert text in capsys.readouterr().out.splitlines()
    assert main(["verify", str(path), "--json"]) == 0
    protected = json.loads(capsys.readouterr().out)["certificate"]["protected"]
    assert (protected["kind"], protected["scope"], protected["directions"]) == (
        "count",
        "every table",
        "both",
    )


def test_the_checker_says_who_is_protected_by_a_count_without_a_matrix(tmp_path):
    path = tmp_path / "count.json"
    assert main([*LARGE, str(path)]) == 0
    checked = subprocess.run(
        [sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0
    assert "true answers at most 1 apart\nscope: every table; directions: both\n" in checked.stdout
