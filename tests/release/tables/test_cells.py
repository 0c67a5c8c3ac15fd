"""CSV text is cut where its cells end, and all that is not replaced stays byte for byte."""

from __future__ import annotations

import csv
import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.release.tables import csv_rows
from optmech.release.tables.cells import cut
from optmech.release.tables.csv_file import CsvReader, CsvWriter
from tests.each import each

cells = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
rows = st.lists(st.tuples(cells, st.integers(0, 9).map(str), cells), max_size=6)


def written(rows, feed="\r\n", quoting=csv.QUOTE_MINIMAL):
    text = io.StringIO()
    csv.writer(text, lineterminator=feed, quoting=quoting).writerows(rows)
    return text.getvalue().encode()


def replaced(path, released):
    """Release `released` in the place of column x."""
    out, numbers = path.with_suffix(".out"), iter(released)
    with (
        CsvReader(path, "x") as reader,
        CsvWriter(out, reader.view({"x": pa.string()}), is_packed=False) as writer,
    ):
        for part in reader.parts():
            answers = pa.array([next(numbers) for _ in part.answers], pa.string())
            writer.write(part.public(), [answers])
    return out.read_bytes()


# The module leaves a carriage return without quotes where it ends no line of its own.
DIALECTS = [("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL)]


@pytest.mark.slow
@given(rows, st.sampled_from(DIALECTS))
def test_cells_are_those_of_the_csv_module(rows, dialect):
    feed, quoting = dialect
    text = written(rows, feed, quoting)
    cutting, length = cut(text, 3, 1, "t")
    assert length == len(text)
    for column in range(3):
        assert cutting.cells(column).to_pylist() == [row[column] for row in rows]


@pytest.mark.slow
@given(rows, st.sampled_from([7, 64]))
def test_what_is_written_reads_back_however_small_the_blocks(tmp_path_factory, rows, block):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(written([("a", "x", "b"), *rows]))
    released = [str(number) for number in range(len(rows))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(csv_rows, "_BLOCK", block)
        text = replaced(path, released)
    expected = [("a", "x", "b"), *((a, new, b) for (a, _, b), new in zip(rows, released, strict=True))]
    assert text == b"".join(written([row]).removesuffix(b"\r\n") + b"\n" for row in expected)


@each(
    ("before", "after"),
    [
        (b"x,b\n007,0010\n", b"N,0010\n"),
        (b'x,b\n1,""\n1,\n', b'N,""\nN,\n'),
        (b'x,b\n"1","say ""x"""\n', b'N,"say ""x"""\n'),
        (b'b,x\n"two\nlines",1\n', b'"two\nlines",N\n'),
        (b"x,b\r\n1,a\r\n2,b\r\n", b"N,a\nN,b\n"),
        (b"b,x\r\na,1\n", b"a,N\n"),
        (b"\xef\xbb\xbfx,b\n1,a\n", b"N,a\n"),
        (b"x,b\n\n1,a\n\n\n2,b\n\n", b"N,a\nN,b\n"),
        (b"x,b\n1,a\n2,b", b"N,a\nN,b\n"),
        (b"x\n1\n2", b"N\nN\n"),
        (b"x\n1\n\n2\n", b"N\nN\nN\n"),
        (b"x\r\n\r\n2\r\n", b"N\nN\n"),
        (b"\n\nx,b\n1,a\n", b"N,a\n"),
        (b"x,b\n1, spaced \n", b"N, spaced \n"),
        ("x,b\n1,ü€😀\n".encode(), "N,ü€😀\n".encode()),
        (b"x,b\n1,a\rb\n".replace(b"a\rb", b'"a\rb"'), b'N,"a\rb"\n'),
        (b"x,b\n", b""),
    ],
)
@each("block", [3, 4, 1 << 22])
def test_other_cells_stay_byte_for_byte_and_rows_end_alike(tmp_path, monkeypatch, before, after, block):
    path = tmp_path / "t.csv"
    path.write_bytes(before)
    monkeypatch.setattr(csv_rows, "_BLOCK", block)
    header = b"b,x\n" if b"b,x" in before else b"x,b\n" if b"x,b" in before else b"x\n"
    assert replaced(path, "N" * 9) == header + after


@each(
    ("text", "words"),
    [
        (b"", "it is empty"),
        (b"\n\n", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b"a,b\n1,2\n", "one column 'x'; it has a, b"),
        (b"x,x\n1,2\n", "one column 'x'"),
        (b"x,b\n1\n", "2 cells in each row; got 1 in line 2"),
        (b"x,b\n1,2\n1,2,3\n", "got 3 in line 3"),
        (b'x,b\n1,"a\nb"\n\n1\n', "got 1 in line 5"),
        (b'x\n"1\n', "quote that is not closed in the row that begins in line 2"),
        (b'x,"b\n1,2\n', "quote that is not closed"),
        (b'x\n"1"2\n', "a quote in the middle of a cell in line 2"),
        (b'x\n1"2\n', "a quote in the middle of a cell in line 2"),
        (b'x,b\n1,a\n1,5" wide\n1,"c"\n', "in the middle of a cell"),
        (b"x,b\n1,a\rb\n", r"a carriage return \(CR\) that ends no line in line 2"),
        (b"x\n\xff\xfe\n", "UTF-8; got .* in line 2"),
        (b"x,b\n1,a\n2,\xe9\n", "UTF-8; got .* in line 3"),
        ("x,b\n1,2\n".encode("utf-16"), "UTF-8"),
    ],
)
@each("block", [3, 1 << 22])
def test_what_is_no_table_is_refused(tmp_path, monkeypatch, text, words, block):
    path = tmp_path / "t.csv"
    path.write_bytes(text)
    monkeypatch.setattr(csv_rows, "_BLOCK", block)
    with pytest.raises(om.FileFormatError, match=words):
        replaced(path, "N" * 9)


def test_a_row_without_an_end_does_not_fill_memory(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b'x,b\n1,"' + b"a,\n" * 100_000)
    monkeypatch.setattr(csv_rows, "LONGEST_ROW", 1 << 14)
    monkeypatch.setattr(csv_rows, "_BLOCK", 1 << 12)
    with pytest.raises(om.FileFormatError, match="or a row of more than"):
        replaced(path, "N" * 9)


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(om.FileFormatError, match="must be a file that can be read"):
        CsvReader(tmp_path / "none.csv", "x")
    broken = tmp_path / "t.csv.gz"
    broken.write_bytes(b"x\n1\n")
    with pytest.raises(om.FileFormatError, match="must be a file that can be read"):
        CsvReader(broken, "x")


def test_labels_with_commas_are_quoted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('x,b\n"(0,1)",a\n')
    assert replaced(path, ['(1,"1")']) == b'x,b\n"(1,""1"")",a\n'
