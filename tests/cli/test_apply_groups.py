"""Means of groups of different sizes in one command, and what is refused before anything is designed."""

from __future__ import annotations

import csv
import json

import pytest

from optmech.cli import main
from tests.each import each

TABLE = "ward,size,mean\nNorth,7,3.57\nEast,12,2.0833333333333335\nSouth,7,1\nWest,3,4.333\n"
ASKED = "mean --range 1:5 --epsilon 1"
TYPED = f"{ASKED} likert wards.csv --column mean --group size --out released.csv"


@pytest.fixture
def wards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wards.csv").write_text(TABLE)
    return tmp_path


def apply(words):
    return main(["apply", *words.split()])


def test_means_by_ward_of_a_likert_item_in_one_command(wards, capsys):
    assert apply(TYPED) == 0
    assert "3 mechanisms designed in likert" in capsys.readouterr().out
    assert sorted(path.name for path in (wards / "likert").iterdir()) == [
        f"{size}.certificate.json" for size in (12, 3, 7)
    ]
    rows = list(csv.DictReader((wards / "released.csv").read_text().splitlines()))
    assert [row["ward"] for row in rows] == ["North", "East", "South", "West"]
    for row in rows:
        total = float(row["mean"]) * int(row["size"])
        assert abs(total - round(total)) < 1e-9
    log = json.loads((wards / "released.release.json").read_text())
    assert {entry["group"]: entry["query"] for entry in log["mechanisms"]} == {
        f"{size}": f"mean of {size} records 1..5" for size in (3, 7, 12)
    }


@pytest.mark.slow
def test_a_released_table_can_be_released_again_and_designs_are_kept(wards, capsys):
    assert apply(TYPED) == 0
    before = {path: path.stat().st_mtime_ns for path in (wards / "likert").iterdir()}
    assert apply("likert released.csv --column mean --group size --out twice.csv") == 0
    assert apply(TYPED.replace("released", "other")) == 0
    assert {path: path.stat().st_mtime_ns for path in (wards / "likert").iterdir()} == before
    assert "designed" not in capsys.readouterr().out.partition("twice.csv")[2]


def test_a_count_of_each_size(wards):
    (wards / "wards.csv").write_text("ward,size,mean\nNorth,7,7\nEast,2,0\n")
    assert apply(TYPED.replace("mean --range 1:5", "count")) == 0
    log = json.loads((wards / "released.release.json").read_text())
    assert sorted(entry["query"] for entry in log["mechanisms"]) == ["count 0..2", "count 0..7"]


@each(
    ("words", "table", "refusal"),
    [
        (TYPED, TABLE.replace("3.57", "3.5"), "got '3.5' in line 2. That lies between"),
        (TYPED, TABLE.replace("4.333", "6"), "beyond the range"),
        (TYPED, TABLE.replace(",12,", ",,"), "must have a group in each row"),
        (TYPED, TABLE.replace(",12,", ",0,"), "got '0' in column size"),
        (TYPED, TABLE.replace(",12,", ",-3,"), "got '-3' in column size"),
        (TYPED.replace("size", "ward"), TABLE, "got 'North' in column ward"),
        (TYPED.replace("size", "none"), TABLE, "one column 'none'"),
        (TYPED.replace("--group size", ""), TABLE, "`--group` must be given with a question"),
        (TYPED.replace("--epsilon 1", ""), TABLE, "`epsilon` must be given for mean"),
        (TYPED.replace("--range 1:5", ""), TABLE, "`range` must be given"),
        (TYPED.replace(ASKED, "") + " --range 1:5", TABLE, "`--range` must be an option of optmech apply"),
        (TYPED.replace(ASKED, "extremum"), TABLE, "must be one of mean, count, certificate; got 'extremum'"),
        (TYPED.replace("mean --range", "count --range"), TABLE, "`--range` must be an option of"),
    ],
)
def test_what_is_refused_writes_nothing(wards, capsys, words, table, refusal):
    (wards / "wards.csv").write_text(table)
    assert apply(words) == 2
    assert refusal in capsys.readouterr().err
    assert [path.name for path in wards.iterdir()] == ["wards.csv"]


def test_a_certificate_of_another_question_is_refused(wards, capsys):
    assert apply(TYPED) == 0
    (wards / "released.csv").unlink()
    assert apply(TYPED.replace("1:5", "0:5").replace("released", "other")) == 2
    assert "must answer what is asked here" in capsys.readouterr().err
    assert not (wards / "other.csv").exists()


def test_a_folder_without_certificates_of_the_groups_is_refused(wards, capsys):
    (wards / "likert").mkdir()
    words = "likert wards.csv --column mean --group size --out released.csv"
    assert apply(words) == 2
    assert "With a question in front they are designed" in capsys.readouterr().err
    (wards / "wards.csv").write_text("ward,size,mean\nNorth,7,3\n")
    assert apply(TYPED) == 0
    (wards / "wards.csv").write_text(TABLE)
    assert apply(words.replace("released", "other")) == 2
    assert "must hold groups among 7 in column size; got '12' in line 3" in capsys.readouterr().err
