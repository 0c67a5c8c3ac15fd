"""Files of other programs: read, or refused with the cause and a remedy that works."""

from __future__ import annotations

import datetime as dt
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
from optmech.release.tables import CsvFile
from optmech.release.tables.dialect import CommaText
from optmech.release.tables.files import dialect_of
from optmech.release.tables.table import release_table
from tests.each import each

DIALECTS = {
    "Casenr;g\n1;A\n2;B, C\n": "Cells are separated by semicolons.",
    "Casenr\tg\n1\tA\n2\tB, C\n": "Cells are separated by tabs.",
    "Casenr|g\r\n1|A\r\n2|B, C\r\n": "Cells are separated by bars.",
    'sep=,\nCasenr,g\n1,A\n2,"B, C"\n': "Line 1 is the line `sep=` of Excel.",
    'sep=;\r\nCasenr;g\r\n1;A\r\n2;"B, C"\r\n': "Line 1 is the line `sep=` of Excel.",
    "\ufeffsep=\t\nCasenr\tg\n1\tA\n2\tB, C\n": "Line 1 is the line `sep=` of Excel.",
    'Casenr,g\r1,A\r2,"B, C"\r': "Lines end with CR alone.",
    'Casenr,g\n1,A\n2,"B, C"\n\x1a': "",
    '"Casenr";"g"\r1;"A"\r2;B, C\r\x1a': "Lines end with CR alone. Cells are separated by semicolons.",
}


@each("text", DIALECTS)
def test_a_dialect_of_csv_is_read_and_said(text, tmp_path):
    (file := tmp_path / "t.csv").write_bytes(text.encode())
    counts = om.tabulate(file, person="Casenr", group="g", groups=["A", "B, C"], at_most=1)
    assert counts.table["count"].to_pylist() == [1, 1]
    assert " ".join(dialect_of(file)) == DIALECTS[text]
    (tmp_path / "n.csv").write_bytes(text.replace("1", "3").encode())
    design = om.design(om.question(om.count(3), 12))
    release_table(design, tmp_path / "n.csv", tmp_path / "r.csv", column="Casenr", again=True)
    assert pyarrow.csv.read_csv(tmp_path / "r.csv")["g"].to_pylist() == ["A", "B, C"]


def test_the_dialect_that_is_asked_for_is_taken(tmp_path):
    (file := tmp_path / "t.csv").write_text("Visits; all\n\nid;g;size, cm\n1;A;3\n2;A, B;4\n\n")
    asked = {"person": "id", "group": "g", "groups": ["A", "A, B"], "at_most": 1}
    with pytest.raises(om.FileFormatError, match="cells in each row"):
        om.tabulate(file, **asked)
    whole = om.tabulate(CsvFile(file, sep=";", header_line=3), **asked)
    assert whole.table["count"].to_pylist() == [1, 1]
    said = "counted. Cells are separated by semicolons. Line 3 has the names of the columns."
    assert whole.bound.sentence.endswith(said)
    with pytest.raises(om.FileFormatError, match="must have its names of columns in line 9"):
        om.tabulate(CsvFile(file, header_line=9), **asked)
    with pytest.raises(om.FileFormatError, match="in line 4"):
        om.tabulate(CsvFile(file, sep=";", header_line=3), **{**asked, "groups": ["B"]})
    for wrong in ({"sep": "x"}, {"decimal": ";"}, {"header_line": 0}):
        with pytest.raises(om.ProblemError, match="must be"):
            CsvFile(file, **wrong)


def test_decimals_are_read_by_their_mark_and_refused_where_it_is_unknown(tmp_path):
    file = tmp_path / "t.csv"

    def heights(cell, decimal=None):
        file.write_text(f"h;g\n{cell};A\n20;A\n")
        table = CsvFile(file, decimal=decimal)
        bins = {"h": "0,24.6,100,.."}
        return om.tabulate(table, each_row_a_person=True, bins=bins).table["count"].to_pylist()

    for cell, decimal in (("24,6", None), ("24.6", None), ("24,600", ","), ("24.600", ".")):
        assert heights(cell, decimal) == [1, 1, 0]
    for cell, decimal, remedy in (
        ("1,234", None, "say it by `--decimal .` or `--decimal ,`"),
        ("1.234", None, "say it by `--decimal .` or `--decimal ,`"),
        ("24.6", ",", "`--decimal .` says so"),
        ("24,6", ".", "pass `--decimal ,`"),
        ("1.234,5", None, "write 1234.5"),
    ):
        with pytest.raises(om.FileFormatError, match=remedy):
            heights(cell, decimal)
    design = om.design(om.question(om.count(3), 1))
    file.write_text("g;n\nA;2,0\n")
    assert release_table(design, file, tmp_path / "r.csv", column="n").rows == 1
    file.write_text("g;n\nA;3.000\n")
    with pytest.raises(om.FileFormatError, match=r"line 2\. Its mark may be of decimals or of thousands"):
        release_table(design, file, tmp_path / "r.csv", column="n", again=True)


OTHERS = {
    "workbook.csv": (b"PK\x03\x04", "must end in .xlsx"),
    "old.csv": (b"\xd0\xcf\x11\xe0", "old Excel"),
    "spss.csv": (b"$FL2@(#) SPSS DATA FILE", "pandas.read_spss"),
    "spss.sav": (b"$FL2@(#) SPSS DATA FILE", "pandas.read_spss"),
    "sas.sas7bdat": (bytes(12) + b"\xc2\xea\x81\x60", "pandas.read_sas"),
    "arrow.csv": (b"PAR1", "let its name end in .parquet"),
    "zipped.csv": (b"\x1f\x8b", "let its name end in .csv.gz"),
}


@each("name", OTHERS)
def test_a_file_of_another_program_is_known_by_its_first_bytes(tmp_path, name):
    first, sentence = OTHERS[name]
    (tmp_path / name).write_bytes(first + bytes(range(256)))
    with pytest.raises(om.FileFormatError, match=sentence):
        om.tabulate(tmp_path / name, person="id", people=True)


def test_a_file_of_stata_is_refused_with_a_command_that_converts_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pa.table({"pid": ["a", "b", "b"]}).to_pandas()
    for version in (114, 118):
        frame.to_stata(f"s {version}.dta", write_index=False, version=version)
        with pytest.raises(om.FileFormatError, match=r"of Stata\. Convert it") as refused:
            om.tabulate(f"s {version}.dta", person="pid", people=True)
        program = shlex.split(re.search(r"Convert it: (python .*) \(it", str(refused.value))[1])
        exec(program[2], {})  # noqa: S102 - as it is printed
        whole = om.tabulate(f"s {version}.converted.csv", person="pid", people=True)
        assert whole.table["count"].to_pylist() == [2]


def test_lines_with_two_kinds_of_ends_are_refused(tmp_path):
    (file := tmp_path / "t.csv").write_bytes(b"Casenr,g\r\n1,A\r2,B\r\n")
    with pytest.raises(om.FileFormatError, match="If lines end with CR alone, save it with LF"):
        om.tabulate(file, person="Casenr", people=True)


def test_rows_are_the_same_wherever_a_block_ends():
    text = b'a;b\r\n1;x, y\r\n2;"z;""\r\n"\r\n3;,\r\n\x1a'
    whole = CommaText(iter([text, b"", b""]).__next__, CsvFile("t.csv")).read()
    assert whole == b'a,b\r\n1,"x, y"\r\n2,"z;""\r\n"\r\n3,","\r\n'
    for cut in range(4, len(text)):
        parts = CommaText(iter([text[:cut], text[cut:], b"", b""]).__next__, CsvFile("t.csv"))
        assert parts.read() + parts.read() == whole


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_folder_of_parts_is_read_as_one_table(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    write = pq.write_table if kind == "parquet" else pyarrow.csv.write_csv
    parts = [(["a", "b"], ["A", "B"]), (["c"], ["A"])]
    for folder in ("parts", "hive/year=2024"):
        (tmp_path / folder).mkdir(parents=True)
        for number, (people, groups) in enumerate(parts):
            write(pa.table({"pid": people, "g": groups}), tmp_path / folder / f"part-{number}.{kind}")
    for note in ("_SUCCESS", ".part-0.crc", "README"):
        (tmp_path / "parts" / note).write_text("?")
    command = "tabulate {} --person pid --group g --groups-from-data --at-most 1 --out o.csv"
    assert main(command.format("parts").split()) == 0
    assert (tmp_path / "o.csv").read_text() == "g,count\nA,2\nB,1\n"
    with pytest.raises(om.FileFormatError, match=r"g = B in (row|line) \d of part-0"):
        om.tabulate("parts", person="pid", group="g", groups=["A"], at_most=1)
    capsys.readouterr()
    assert main(command.format("hive").split()) == 2
    program = shlex.split(re.search(r"Join its parts: (python .*)", capsys.readouterr().err)[1])
    subprocess.run([sys.executable, *program[1:]], check=True)
    assert main(command.format(f"hive-whole.{kind}").split()) == 0
    assert (tmp_path / "o.csv").read_text() == "g,count\nA,2\nB,1\n"
    design = om.design(om.question(om.count(3), 1))
    with pytest.raises(om.FileFormatError, match="got a folder"):
        release_table(design, "parts", "r.csv", column="count")


def test_workbooks_are_read_and_written(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["Visits", None, None],
        ["id", "day", "g;h"],
        [1, dt.date(2024, 1, 5), "A, B"],
        [2.0, None, "=x"],
    ):
        book.active.append(row)
    book.active["C4"].data_type = "s"
    book.save(tmp_path / "t.xlsx")
    file = CsvFile(tmp_path / "t.xlsx", header_line=2)
    asked = {"person": "id", "group": "g;h", "groups": ["A, B", "=x"], "at_most": 1}
    assert om.tabulate(file, **asked).table["count"].to_pylist() == [1, 1]
    days = om.tabulate(
        file, each_row_a_person=True, bins={"day": "month"}, groups_from_data=True, drop_empty=True
    )
    assert days.table.to_pylist() == [{"day": "2024-01", "count": 1}]
    with pytest.raises(om.FileFormatError, match="in line 4"):
        om.tabulate(file, **(asked | {"groups": ["A, B"]}))
    with pytest.raises(om.ProblemError, match="is a workbook"):
        om.tabulate(CsvFile(tmp_path / "t.xlsx", sep=";"), **asked)
    design = om.design(om.question(om.count(3), 20))
    (tmp_path / "n.csv").write_text("code;g;n\n007;=x;2\n1.5;A, B;3\n")
    release_table(design, tmp_path / "n.csv", tmp_path / "r.xlsx", column="n")
    rows = [*openpyxl.load_workbook(tmp_path / "r.xlsx").active.iter_rows(values_only=True)]
    assert rows == [("code", "g", "n"), ("007", "=x", 2), (1.5, "A, B", 3)]
    assert (tmp_path / "r.release.json").is_file()
    before = (tmp_path / "r.xlsx").read_bytes()
    release_table(design, tmp_path / "r.xlsx", tmp_path / "again.xlsx", column="n")
    assert (tmp_path / "again.xlsx").read_bytes() == before
    book.create_sheet("More")["A1"] = 1
    book.save(tmp_path / "two.xlsx")
    (tmp_path / "none.xlsx").write_bytes(b"PK")
    for name, reason in (("two", "must have one sheet; it has Sheet, More"), ("none", "can be read")):
        with pytest.raises(om.FileFormatError, match=reason):
            om.tabulate(tmp_path / f"{name}.xlsx", **asked)


def ages(cell, edges):
    table = pa.table({"age": ["17", cell, "65"]})
    return om.tabulate(table, each_row_a_person=True, bins={"age": edges}).table["count"].to_pylist()


def test_an_age_that_is_cut_off_falls_into_the_one_bin_that_has_it():
    for cell in ("90+", "90 and over", ">= 90", "\u226590", "over 65"):
        assert ages(cell, "0,18,65,..") == [1, 0, 2]
    for cell in ("<18", "under 5", "17 or less"):
        assert ages(cell, "..,18,65,..") == [2, 0, 1]
    assert ages("30-39", "..,18,65,..") == [1, 1, 1]
    with pytest.raises(om.ProblemError, match=r"month:2024-01\.\.2024-12"):
        ages("2020-01-05", "0,18,..")
    for cell, edges in (
        ("90+", "0,18,95,.."),
        ("90+", "0,18,65,70]"),
        ("15-20", "0,18,66"),
        ("<=18", "..,18,.."),
    ):
        with pytest.raises(om.ProblemError, match="in one bin for certain"):
            ages(cell, edges)


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
