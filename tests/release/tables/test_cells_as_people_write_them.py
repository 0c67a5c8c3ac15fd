"""Cells that are no numbers, and second rows of names: the sentence that fits each."""

from __future__ import annotations

import pytest

from optmech.cli import main
from optmech.release.tables.cell_numbers import reason_of_no_number
from tests.each import each

LIMIT, WITHHELD, NOTE = "That is a limit or a range", "That marks a number that is withheld", "mark of a note"
CELLS = {
    **dict.fromkeys(("<5", "n<6", "5+", "5 or more", "under 5", "1-5", "1\u20135", "1 to 5", ">9"), LIMIT),
    **dict.fromkeys(("*", "(D)", "~", "x", "[c]", "n.a.", ".a", "\u2026", "(missing)", "withheld"), WITHHELD),
    **dict.fromkeys(("3*", "3[1]", "3 (a)", "3\u2020", "3\u00b9"), NOTE),
    **dict.fromkeys(("3r", "3 p", "1,234e"), "It has a letter: a unit, or a flag, as r marks a revised"),
    "\u22123": "It begins with a dash: write the minus as -",
    "(3)": "It stands in brackets",
    "1,234": "Its digits are in groups: write 1234",
    "count": "That is the name of the column: is there a second row of names?",
    "3 kg": "It has a unit",
    "2020-01-05": "That is a date",
    "abc": "That is no finite number",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    design = ["design", "count", "--range", "0:3", "--epsilon", "1", "--out", "m.json", "-q"]
    assert main(design) == 0
    return tmp_path


@each("cell", CELLS)
def test_a_cell_that_is_no_number_is_told_by_its_kind(cell):
    assert CELLS[cell] in reason_of_no_number(cell, "count")


def test_an_answer_that_is_no_number_is_refused_with_its_line(folder, capsys):
    (folder / "t.csv").write_text("town,count\nAller,1\nBeck,<5\n")
    assert main(["apply", "m.json", "t.csv", "--column", "count", "--out", "r.csv"]) == 2
    assert f"got '<5' in line 3. {LIMIT}" in capsys.readouterr().err
    assert not (folder / "r.csv").exists()
