"""Means and totals of people on the command line: from design to estimate as printed, and what is refused."""

from __future__ import annotations

import json

import pytest

from optmech.cli import main
from tests.each import each
from tests.screen import unbroken

PEOPLE = "--people private --range 0:100"


def next_commands(shown):
    """Return the commands of a screen, as words."""
    lines = [text.partition("optmech ")[2] for text in unbroken(shown).splitlines() if "optmech " in text]
    return [line.split() for line in lines]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{place},{'ab'[place % 2]},{place % 90}.25" for place in range(300)]
    (tmp_path / "people.csv").write_text("\n".join(["id,region,age", *rows, ""]))
    (tmp_path / "groups.csv").write_text("region\na\nb\nc\n")
    return tmp_path


WAYS = (
    f"mean {PEOPLE} --epsilon 1",
    "mean --people=private --range -5:5.5 --unit 0.5 --spread --zcdp 0.1 --at-most 3 --at-most-per-group 2",
    f"total {PEOPLE} --unit 0.01 --zcdp 0.1",
)


@each("way", WAYS, every=3)
def test_a_mean_goes_from_design_to_estimate_as_printed(folder, capsys, way):
    assert main(["design", *way.split(), "--out", "m.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == "m.json"
    assert main(["verify", "m.json"]) == 0
    for groups in ("", "--group region --groups groups.csv"):
        words = f"apply m.json people.csv --column age {groups} --again --out released.csv"
        capsys.readouterr()
        assert main(words.split()) == 0
        estimate, ledger = next_commands(capsys.readouterr().out)
        for command in (
            estimate,
            [*estimate, "--out", "estimates.csv"],
            [*estimate, "--level", "99"],
            ledger,
        ):
            assert main(command) == 0, command
    capsys.readouterr()
    assert main([*estimate, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["group"] for one in found["means"]] == ["region=a", "region=b", "region=c"]
    assert len((folder / "estimates.csv").read_text().splitlines()) == 4


REFUSED = {
    f"design mean {PEOPLE}": "`zcdp` or `epsilon` must be given",
    "design mean --people private --epsilon 1": "`--range` must be given",
    "design mean --people public --range 0:4 --epsilon 1": "must be one of private",
    "design mean --people private --range 4:0 --epsilon 1": "LOW below HIGH",
    "design mean --people private --range 0:1.5 --epsilon 1": "whole multiples of 1",
    "design mean --people private --range 0 --epsilon 1": "be LOW:HIGH",
    f"design mean {PEOPLE} --unit 0 --epsilon 1": "`unit` must be positive",
    f"design mean {PEOPLE} --at-most 2 --at-most-per-group 3 --epsilon 1": "from 1 to 2",
    "design mean --people private --range 0:1000000000 --spread --epsilon 1": "Ask for a larger unit",
    f"design mean {PEOPLE} --for people.csv.json --epsilon 1": "people.csv.json",
}


@pytest.mark.usefixtures("folder")
@each("words", REFUSED, every=5)
def test_what_has_no_design_is_refused_in_a_sentence(capsys, words):
    assert main(words.split()) == 2
    assert REFUSED[words] in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_records_and_tables_take_their_own_options_alone(capsys):
    assert main(["design", *WAYS[0].split(), "--out", "m.json", "-q"]) == 0
    assert main(["design", "table", "--by", "region:3", "--epsilon", "1", "--out", "t.json", "-q"]) == 0
    refused = {
        "apply m.json people.csv --out r.csv": "`column` must be given",
        "apply m.json people.csv --column age --group region --out r.csv": "`groups` must list all groups",
        "apply m.json people.csv --column age --group id --groups groups.csv --out r.csv": "the columns id",
        "apply m.json people.csv --column region --out r.csv": "must have a number in each row",
        "apply m.json people.csv --column age --clamp --out r.csv": "`--clamp` must be left out",
        "apply t.json people.csv --group region --out r.csv": "must be left out of a table",
    }
    for words, sentence in refused.items():
        assert main(words.split()) == 2, words
        assert sentence in " ".join(capsys.readouterr().err.split()), words
    assert main(["apply", "m.json", "people.csv", "--column", "age", "--out", "r.csv", "-q"]) == 0
    for option in ("--sum age=3", "--group region", "--shares"):
        assert main(f"estimate r.csv {option}".split()) == 2
