"""The errata are what the code computes, and the command line draws and lists."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.papers.command import run
from benchmarks.papers.figures import figure_files
from benchmarks.papers.item import Line, Verdict, Weight
from benchmarks.papers.registry import ITEMS
from optmech.base.errors import ModelError
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Truth
from tests.computed import computed

DOCUMENT = Path(__file__).parents[2] / "docs" / "errata.md"


def test_names_of_items_are_unique_and_listed(capsys):
    assert run(["list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [item.name for item in ITEMS]
    assert len(set(listed)) == len(listed)


def test_every_false_theorem_is_in_the_errata():
    text = DOCUMENT.read_text()
    for theorem in THEOREMS:
        assert (theorem.truth is Truth.FALSE) == (
            re.search(
                rf"^\| [a-z ]+ \| {re.escape(theorem.source)} \| {re.escape(theorem.says)}",
                text,
                re.MULTILINE,
            )
            is not None
        )


def test_a_misprint_and_nothing_else_has_a_weight():
    with pytest.raises(ModelError, match="must have a weight"):
        Line(quantity="f(0)", printed="1", computed=2, verdict=Verdict.MISPRINT)
    with pytest.raises(ModelError, match="must have a weight"):
        Line(quantity="f(0)", printed="1", computed=1, verdict=Verdict.REPRODUCED, weight=Weight.SLIP)


@pytest.mark.slow
def test_consequences_are_those_of_false_theorems():
    false = {theorem.name for theorem in THEOREMS if theorem.truth is Truth.FALSE}
    named = {line.theorem for line in computed("kadam-formulas").lines} - {""}
    assert named
    assert named <= false


@pytest.mark.slow
def test_figures_and_numbers_of_an_item_come_out(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    folder, errata = tmp_path / "figures", tmp_path / "errata.md"
    command = [
        "sadeghi-fig-1",
        "croft-table-4",
        "--figures",
        str(folder),
        "--errata",
        str(errata),
    ]
    assert run([*command, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert set(content) == {"sadeghi-fig-1", "croft-table-4"}
    verdicts = {line["verdict"] for line in content["croft-table-4"]["lines"]}
    assert verdicts <= {"reproduced", "nothing printed"}
    assert (folder / "sadeghi-fig-1.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "sadeghi-fig-1.svg").read_text()
    assert "0.237027" in errata.read_text()


@pytest.mark.slow
def test_what_is_interrupted_has_drawn_nothing(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    drawn = []

    def interrupted(name, result):
        if drawn:
            raise KeyboardInterrupt
        drawn.append(name)
        return figure_files(name, result)

    monkeypatch.setattr("benchmarks.papers.figures.figure_files", interrupted)
    names = ["sadeghi-fig-1", "sadeghi-fig-2"]
    assert run([*names, "--figures", str(tmp_path / "drawn")]) == 130
    assert drawn == names[:1]
    assert not list((tmp_path / "drawn").iterdir())


def test_an_unknown_item_gets_a_sentence(capsys):
    assert run(["croft-table-9"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("benchmarks: `name` must be one of sadeghi-introduction, ")


def test_with_json_it_prints_one_object_and_with_quiet_nothing(capsys):
    assert run(["croft-table-3", "--json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)
    assert run(["list", "--json"]) == 0
    assert [item["name"] for item in json.loads(capsys.readouterr().out)["items"]] == [i.name for i in ITEMS]
    assert run(["croft-table-3", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_it_is_a_command_of_the_benchmarks(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["benchmarks", "papers", "list"])
    assert benchmarks.main() == 0
    assert "croft-table-4" in capsys.readouterr().out
