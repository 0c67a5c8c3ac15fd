"""Commands that `tabulate` and `design` print run as printed; `--out` takes .csv and .json of both kinds."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from tests.readers import checker
from tests.screen import joined, unbroken


@pytest.fixture
def visits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"p{place},{'ABC'[place % 3]}" for place in range(60))
    (tmp_path / "visits.csv").write_text(f"person,ward\n{rows}\n")
    (tmp_path / "groups.csv").write_text("ward\nA\nB\nC\n")
    return tmp_path


def next_commands(text):
    """Return the commands that an output says are next."""
    lines = re.findall(r"^(?:next: |      )(optmech .*)$", unbroken(text), re.MULTILINE)
    return [shlex.split(line)[1:] for line in lines]


def run_all(capsys, largest, *, of_data):
    """Run `tabulate` and whatever it, and the design that it names, say is next."""
    groups = "--groups-from-data" if of_data else "--groups groups.csv"
    words = f"tabulate visits.csv --person person --group ward {groups} --at-most 2 --out counts.csv"
    assert main(words.split()) == 0
    design, apply = next_commands(capsys.readouterr().out)
    assert main([word.replace("LARGEST", str(largest)) for word in design] + ["--explain"]) == 0
    further = next_commands(capsys.readouterr().out)
    assert main(apply) == 0
    assert joined(capsys.readouterr().out).startswith("one person spends epsilon = 1")
    assert [command[0] for command in further] == ["report", "verify", "apply"]
    for command in further:
        quicker = {"report": ["--no-compare"], "apply": ["--again"]}.get(command[0], [])
        assert main([*command, *quicker]) == 0, command
    capsys.readouterr()


@pytest.mark.parametrize("of_data", [False, True])
@pytest.mark.usefixtures("visits")
def test_what_tabulate_and_design_print_runs_as_printed(capsys, of_data):
    run_all(capsys, 20, of_data=of_data)


@pytest.mark.parametrize(
    "largest",
    [
        pytest.param(300, marks=pytest.mark.slow),
        pytest.param(1_000, marks=pytest.mark.long),
        pytest.param(5_000, marks=pytest.mark.slow),
        pytest.param(100_000, marks=pytest.mark.long),
    ],
)
def test_what_tabulate_and_design_print_runs_whatever_the_largest_count(visits, capsys, largest):
    run_all(capsys, largest, of_data=largest in (300, 5_000))
    assert sum(path.stat().st_size for path in visits.glob("*.json")) < 10_000_000


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
        ("--people --most-people 5000000", False),
        ("--mean income --between 0:9000 --sizes-are-public", False),
        ("--people --most-people 300", True),
        pytest.param("--sum income --between 0:1000 --most-people 100", True, marks=pytest.mark.slow),
        pytest.param("--people --most-people 1000000", True, marks=pytest.mark.long),
    ],
)
def test_a_design_is_printed_that_runs_or_none_with_the_reason(
    tmp_path, monkeypatch, capsys, options, is_printed
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("pid,income\na,3\nb,4\n")
    assert main(f"tabulate t.csv --person pid {options} --out o.csv".split()) == 0
    shown = capsys.readouterr().out
    commands = next_commands(shown)
    assert bool(commands) == is_printed
    assert ("no command follows: " in joined(shown)) == (not is_printed)
    for command in commands:
        assert main(command) == 0


def test_the_way_to_a_whole_table_runs_as_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"{place},{place % 9},{place % 40}" for place in range(200))
    (tmp_path / "people.csv").write_text(f"id,ward,age\n{rows}\n")
    words = "tabulate people.csv --each-row-a-person --bins ward=0,3,6,.. --bins age=0,20,.. --out cells.csv"
    assert main(words.split()) == 0
    *_, design = next_commands(capsys.readouterr().out)
    assert main(design) == 0
    apply, verify = next_commands(capsys.readouterr().out)
    assert main(apply) == 0
    estimate, ledger = next_commands(capsys.readouterr().out)
    for command in (verify, estimate, ledger):
        assert main(command) == 0, command
    assert "table" in design
    released = (tmp_path / "released.csv").read_text().splitlines()
    assert len(released) == 1 + 4 * 3
    capsys.readouterr()
