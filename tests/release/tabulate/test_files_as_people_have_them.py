"""Files of other programs: read, or refused with the cause and a remedy that works."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables.table import release_table
from tests.each import each

FILES = {
    "Casenr;Age;BMI\n1;35;24,6\n": "separated by semicolons",
    "Casenr;Age\n1;35\n": "separated by semicolons",
    "Casenr\tAge\n1\t35\n": "separated by tabs",
    "Casenr|Age, years|Sex\n1|35|f\n": "separated by bars",
    "sep=,\nCasenr,g\n1,A\n": "line 1 is the line `sep=` of Excel",
    "sep=;\r\nCasenr;g\r\n1;A\r\n": "line 1 is the line `sep=` of Excel",
    "\ufeffsep=\t\nCasenr\tg\n": "line 1 is the line `sep=` of Excel",
    "Casenr,g\r1,A\r2,B\r": "If lines end with CR alone, save it with LF",
    "Casenr,g\r\n1,A\r2,B\r\n": "If lines end with CR alone, save it with LF",
}


@each("text", FILES)
def test_another_dialect_of_csv_is_named(text, tmp_path):
    (file := tmp_path / "t.csv").write_bytes(text.encode())
    with pytest.raises(om.FileFormatError, match=FILES[text]):
        om.tabulate(file, person="Casenr", people=True)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_folder_of_parts_is_refused_with_a_command_that_joins_them(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts").mkdir()
    write = pq.write_table if kind == "parquet" else pyarrow.csv.write_csv
    for number, (people, groups) in enumerate([(["a", "b"], ["A", "B"]), (["c"], ["A"])]):
        write(pa.table({"pid": people, "g": groups}), tmp_path / "parts" / f"part-{number}.{kind}")
    command = "tabulate {} --person pid --group g --groups-from-data --at-most 1 --out o.csv"
    assert main(command.format("parts").split()) == 2
    message = capsys.readouterr().err
    program = shlex.split(re.search(r"Join its parts: (python .*)", message)[1])
    subprocess.run([sys.executable, *program[1:]], check=True)
    assert main(command.format(f"parts-whole.{kind}").split()) == 0
    assert (tmp_path / "o.csv").read_text() == "g,count\nA,2\nB,1\n"
    design = om.design(om.question(om.count(3), 1))
    with pytest.raises(om.FileFormatError, match="got a folder"):
        release_table(design, "parts", "r.csv", column="count")


def ages(cell, edges):
    table = pa.table({"age": ["17", cell, "65"]})
    return om.tabulate(table, each_row_a_person=True, bins={"age": edges}).table["count"].to_pylist()


def test_an_age_that_is_cut_off_falls_into_the_one_bin_that_has_it():
    for cell in ("90+", "90 and over", ">= 90", "\u226590", "over 65"):
        assert ages(cell, "0,18,65,..") == [1, 0, 2]
    for cell in ("<18", "under 5", "17 or less"):
        assert ages(cell, "..,18,65,..") == [2, 0, 1]
    assert ages("30-39", "..,18,65,..") == [1, 1, 1]
    for cell, edges in (
        ("90+", "0,18,95,.."),
        ("90+", "0,18,65,70]"),
        ("15-20", "0,18,66"),
        ("<=18", "..,18,.."),
    ):
        with pytest.raises(om.ProblemError, match="in one bin for certain"):
            ages(cell, edges)


def test_bins_are_of_numbers_and_dates_are_told_so():
    for edges in ("2020-01-01,2020-02-01", "1.1.2020,1.2.2020", "1/2/20,2/2/20"):
        with pytest.raises(om.ProblemError, match=r"That is a date, and bins are of numbers"):
            ages("3", edges)
    with pytest.raises(om.ProblemError, match=r"That is a date, and bins are of numbers"):
        ages("2020-01-05", "0,18,..")


def test_views_of_text_are_text_at_every_door(tmp_path):
    design = om.design(om.question(om.count(3), 1))
    table = pa.table(
        {"n": pa.array(["1", "2"], pa.string_view()), "g": pa.array(["a", "b"], pa.string_view())}
    )
    for by, mechanism in ((None, design), ("g", {"a": design, None: design})):
        assert om.release_frame(table, "n", mechanism, by=by)["n"].type == pa.int64()
        pq.write_table(table, tmp_path / "t.parquet")
        out = tmp_path / f"{by}.csv"
        assert release_table(mechanism, tmp_path / "t.parquet", out, column="n", by=by).rows == 2


def test_a_byte_order_mark_in_the_first_cell_of_a_part_stays(tmp_path):
    (tmp_path / "t.csv").write_text("g,n\n\ufeffa,1\n\ufeffb,2\n", encoding="utf-8")
    design = om.design(om.question(om.count(3), 1))
    release_table(design, tmp_path / "t.csv", tmp_path / "r.parquet", column="n")
    assert pq.read_table(tmp_path / "r.parquet")["g"].to_pylist() == ["\ufeffa", "\ufeffb"]
