"""A histogram and a table of `tabulate` mean the same people: one is there with their records, or is not."""

from __future__ import annotations

import json

import pytest

from optmech.cli import main


def printed(capsys, line):
    assert main(line.split()) == 0
    return capsys.readouterr().out


@pytest.fixture
def counts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text("who,g\na,x\nb,x\nb,y\n")
    (tmp_path / "groups.csv").write_text("g\nx\ny\n")
    line = "tabulate visits.csv --person who --group g --groups groups.csv --out counts.csv --at-most"
    return lambda at_most: printed(capsys, f"{line} {at_most}")


APPLY = "apply m.certificate.json counts.csv --column count --out noisy.csv"


@pytest.mark.parametrize(
    ("at_most", "for_table"), [(1, ""), (1, "--for counts.csv.json"), (2, "--for counts.csv.json")]
)
def test_an_epsilon_of_1_spends_1_of_one_person_and_the_ledger_books_1(counts, capsys, at_most, for_table):
    counts(at_most)
    printed(capsys, f"design histogram --range 0:4 --epsilon 1 --out m.csv {for_table}")
    assert printed(capsys, APPLY).startswith("one person spends epsilon = 1:")
    (account,) = json.loads(printed(capsys, "ledger . --json"))["accounts"]
    assert (account["simple_composition"], account["unit"]) == (1, "one person, by the bound in the log")
    assert account["epsilon"] == pytest.approx(1)


def test_for_divides_a_histogram_as_it_divides_a_count(counts, capsys):
    counts(2)
    typed = "--range 0:4 --epsilon 1 --delta 1e-3 --for counts.csv.json --json"
    histogram, count = (
        json.loads(printed(capsys, f"design {kind} {typed}")) for kind in ("histogram", "count")
    )
    assert histogram["person"] == count["person"]
    assert histogram["problem"] == count["problem"]
    same = json.loads(printed(capsys, f"design histogram {typed} --adjacency add-remove"))
    assert same["person"] == count["person"]


@pytest.mark.parametrize("options", ["--adjacency change", "--records-per-person 2"])
def test_people_of_another_kind_than_those_of_the_table_are_refused(counts, capsys, options):
    counts(1)
    line = f"design histogram --range 0:4 --epsilon 1 --for counts.csv.json --out m.csv {options}"
    assert main(line.split()) == 2
    assert f"`{options.split()[0]}` must be" in capsys.readouterr().err
