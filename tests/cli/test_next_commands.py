"""Commands that `tabulate` and `design` print run as printed; `--out` takes .csv and .json of both kinds."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.readers import checker
from tests.screen import joined, unbroken


def next_commands(text):
    """Return the commands that an output says are next."""
    lines = re.findall(r"^(?:next: |      )(optmech .*)$", unbroken(text), re.MULTILINE)
    return [shlex.split(line)[1:] for line in lines]


ROWS = ["pid,ward,age,income,one,all", *(f"p{n % 40},{'ABC'[n % 3]},{n},{n % 9 - 2},x,y" for n in range(60))]
LISTED = "--person pid --group ward --groups wards.csv --at-most 2"
TABULATED = {
    "counts": LISTED,
    "counts of few per group": f"{LISTED} --at-most-per-group 1",
    "bins": "--person pid --bins age=0,30,50,.. --at-most 3",
    "each row": "--each-row-a-person --bins age=0,30,.. --bins income=..,0,..",
    "people by group": f"{LISTED} --people --bins age=..,30,..",
    "people": "--person pid --people --most-people 900",
    "sums": f"{LISTED} --sum income --between=-2:5",
    "a sum": "--person pid --sum income --between 0:100 --most-people 2000000",
    "a mean": "--person pid --mean income --between 0:5 --sizes-are-public",
    "a mean of people": "--person pid --mean income --between 0:5",
    "groups that occur": "--person pid --group ward --groups-from-data --at-most 2",
    "people of groups": "--person pid --group ward --groups-from-data --at-most 1 --people --most-people 30",
    "parquet": f"{LISTED} --out counts.parquet",
    "a list with names": "--person pid --group ward --groups names.csv --at-most 2 --most-people 30",
    "a group of one level": "--person pid --group ward,one --groups one.csv --at-most 2 --most-people 30",
    "a group that is called all": "--person pid --group ward --groups all.csv --at-most 2 --most-people 30",
    "empty cells": f"{LISTED} --empty-as unknown --drop-others",
}
# A chain of commands that ends where numbers can be read.
ENDS = {"estimate", "report", "ledger", "verify"}


@each("name", TABULATED, every=17, slow_every=3)
def test_each_printed_command_runs_up_to_the_page(name, tmp_path, monkeypatch, capsys):
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.chdir(folder)
    for file, lines in {
        "t.csv": ROWS,
        "wards.csv": ["ward", *"ABC"],
        "names.csv": ["ward,name", "A,Aller", "B,Beck", "C,Cole"],
        "one.csv": ["ward,one", "A,x", "B,x", "C,x"],
        "all.csv": ["ward", *"ABC", "all"],
    }.items():
        (folder / file).write_text("\n".join(lines) + "\n")
    words = f"tabulate t.csv {TABULATED[name]}"
    waiting, done = [shlex.split(words if "--out" in words else f"{words} --out counts.csv")], []
    while waiting:
        command = waiting.pop(0)
        quicker = ["--no-compare"] if command[0] == "report" else []
        code = main([*(word.replace("LARGEST", "20") for word in command), *quicker])
        out, err = capsys.readouterr()
        assert code == 0, (command, err)
        done.append(command)
        waiting += [each for each in next_commands(out) if each not in (*done, *waiting)]
    kinds = [command[0] for command in done]
    assert kinds[-1] in ENDS
    assert "apply" in kinds
    assert "estimate" in kinds


@pytest.mark.parametrize(
    "largest",
    [
        pytest.param(300, marks=pytest.mark.slow),
        pytest.param(1_000, marks=pytest.mark.long),
        pytest.param(5_000, marks=pytest.mark.slow),
        pytest.param(100_000, marks=pytest.mark.long),
    ],
)
def test_a_design_for_a_table_leads_to_apply_whatever_the_largest_count(
    tmp_path, monkeypatch, capsys, largest
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("\n".join(ROWS) + "\n")
    words = "tabulate t.csv --person pid --group ward --groups-from-data --at-most 2 --out counts.csv"
    assert main(words.split()) == 0
    design, apply = next_commands(capsys.readouterr().out)
    assert main([word.replace("LARGEST", str(largest)) for word in design]) == 0
    assert next_commands(capsys.readouterr().out) == [apply]
    assert main(apply) == 0
    assert joined(capsys.readouterr().out).startswith("one person spends epsilon = 1")
    assert sum(path.stat().st_size for path in tmp_path.glob("*.json")) < 10_000_000


QUESTIONS = {
    "a matrix": "count --range 0:6 --epsilon 1",
    "categories": "categories --of red,green --epsilon 1 --loss zero-one",
    "noise": "count --range 0:6 --epsilon 1 --delta 0.01",
    "a distribution": "count --range 0:310 --epsilon 1",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_one_out_takes_csv_and_json(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    design = ["design", *QUESTIONS[name].split(), "--out"]
    assert main([*design, "m.json"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
    assert main([*design, "m.csv", "--certificate", "c.json"]) == 0
    assert main([*design, "m.csv"]) == 0
    files = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert {*files} == {"m.json", "m.csv", "c.json", "m.certificate.json"}
    certificate = om.read_certificate("m.json")
    mechanism = om.MatrixMechanism.from_csv("m.csv")
    drawn = om.design(certificate.problem).mechanism
    assert np.allclose(mechanism.matrix, drawn.matrix, rtol=1e-9, atol=0)
    capsys.readouterr()
    for path in ("m.json", "m.csv"):
        assert main(["verify", path]) == 0
        assert "proved again" in capsys.readouterr().out
    # A matrix that is not the one of the certificate is refused.
    (tmp_path / "m.csv").write_text(files["m.csv"].replace("0.2", "0.3").replace("0.1", "0.2"))
    assert main(["verify", "m.csv"]) != 0


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("count --range 0:5 --epsilon 1 --out m.txt", "`m.txt` must end in .csv or .json"),
        ("count --range 0:5 --epsilon 1 --out m.json --raw", "`m.json` must end in .csv"),
        (
            "count --range 0:5 --epsilon 1 --out m.json --certificate c.json",
            "`--certificate` must be left out",
        ),
        ("count --range 0:2000 --epsilon 1 --out m.csv", "`--out` must end in .json for count 0..2000"),
        ("count --range 0:5000 --epsilon 1 --delta 0.01 --out m.csv", "more than 4,000,000 entries"),
    ],
)
def test_an_out_that_cannot_be_written_is_refused_before_anything_is_designed(
    typed, words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["design", *typed.split()]) == 2
    assert words in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_the_check_that_a_report_of_a_distribution_names_is_one_that_passes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    design = "design count --range 0:310 --epsilon 1 --out m.csv -q"
    assert main(design.split()) == 0
    assert main(["report", "m.csv", "--no-compare", "-q"]) == 0
    (check,) = set(
        re.findall(r"python (check_certificate\.py [^<\n]*)", (tmp_path / "report.html").read_text())
    )
    assert check.split() == ["check_certificate.py", "m.certificate.json", "m.csv"]
    assert checker.main(check.split()[1:]) == 0


@pytest.mark.parametrize(
    ("options", "is_printed"),
    [
        ("--sum income --between 0:200000 --most-people 2000", True),
        ("--sum income --between=-50:50 --most-people 900", True),
        ("--mean income --between 0:9000", True),
        ("--people --most-people 5000000", True),
        ("--group w --groups-from-data --most-people 5000000 --at-most 1", False),
        ("--mean income --between 0:9000 --sizes-are-public", False),
        ("--group w --groups-from-data --most-people 300 --at-most 1", True),
    ],
)
def test_a_design_is_printed_that_runs_or_none_with_the_reason(
    tmp_path, monkeypatch, capsys, options, is_printed
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("pid,income,w\na,3,x\nb,4,y\n")
    assert main(f"tabulate t.csv --person pid {options} --out o.csv".split()) == 0
    shown = capsys.readouterr().out
    commands = next_commands(shown)
    assert bool(commands) == is_printed
    assert ("no command follows: " in joined(shown)) == (not is_printed)
    for command in commands:
        assert main(command) == 0


@pytest.mark.slow
def test_what_is_printed_after_means_of_people_runs_and_the_rest_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"p{place},{'ABC'[place % 3]},{place % 90}" for place in range(120))
    (tmp_path / "people.csv").write_text(f"person,ward,income\n{rows}\n")
    (tmp_path / "groups.csv").write_text("ward\nA\nB\nC\n")
    words = (
        "tabulate people.csv --person person --group ward --groups groups.csv --mean income --between 0:90"
    )
    assert main([*words.split(), "--at-most", "1", "--out", "sums.csv"]) == 0
    design, apply = next_commands(capsys.readouterr().out)
    assert main(design) == 0
    capsys.readouterr()
    assert main(apply) == 0
    printed = next_commands(capsys.readouterr().out)
    assert {command[0] for command in printed} == {"estimate", "ledger"}
    for command in printed:
        assert main(command) == 0
    capsys.readouterr()
    for refused, reason in {
        "report released.release.json": "no page of sums of people's records",
        "apply mean.json sums.csv --out more.csv --no-negative": "must be left out of sums of records",
    }.items():
        assert main(refused.split()) == 2
        assert reason in joined(capsys.readouterr().err)
    assert not [*tmp_path.glob("more*")]
    assert main(["card", "mean.json", "--format", "markdown"]) == 0
    assert "- each sum: standard error" in capsys.readouterr().out
