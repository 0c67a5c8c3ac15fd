"""Cells that are no numbers, second rows of names and totals beside parts: the sentence that fits each."""

from __future__ import annotations

import pytest

from optmech.cli import main
from tests.each import each

CELLS = {
    "<5": "got '<5' in line 3. That is a limit: the number was withheld before",
    "*": "got '*' in line 3. That marks a number that is withheld or missing",
    '"1,234"': "got '1,234' in line 3. Its digits are in groups: write 1234",
    "count": "got 'count' in line 3. That is the name of the column: is there a second row of names?",
    "3 kg": "got '3 kg' in line 3. It has a unit",
    "abc": "got 'abc' in line 3. That is no finite number",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    design = ["design", "count", "--range", "0:3", "--epsilon", "1", "--out", "m.json", "-q"]
    assert main(design) == 0
    return tmp_path


@each("cell", CELLS)
def test_an_answer_that_is_no_number_is_refused_with_its_line(folder, capsys, cell):
    (folder / "t.csv").write_text(f"town,count\nAller,1\nBeck,{cell}\n")
    assert main(["apply", "m.json", "t.csv", "--column", "count", "--out", "r.csv"]) == 2
    assert CELLS[cell] in capsys.readouterr().err
    assert not (folder / "r.csv").exists()


@pytest.mark.parametrize(("name", "is_noticed"), [("Total", True), ("gesamt ", True), ("Totalville", False)])
def test_a_total_beside_its_parts_is_noticed(folder, capsys, name, is_noticed):
    (folder / "t.csv").write_text(f"town,count\nAller,1\nBeck,2\n{name},3\n")
    assert main(["apply", "m.json", "t.csv", "--column", "count", "--out", "r.csv"]) == 0
    shown = capsys.readouterr()
    assert ("looks like the sum of other rows" in shown.err) == is_noticed
    assert ("Do not sum the released answers: each is off by" in shown.err) == is_noticed
    assert "looks like" not in (folder / "r.release.json").read_text()
