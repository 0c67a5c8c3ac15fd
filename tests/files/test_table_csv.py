"""Tables come in whole, go out with one column changed, and nothing odd is released."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.files.table_csv import Table, read_table, table_text

TRUTHS = tuple(Fraction(step, 2) for step in range(5))  # 0, 0.5, .., 2


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.csv"


def test_a_column_is_replaced_and_all_else_stays(path):
    path.write_text('name,count,note\n"A, B",1,"say ""x"""\nC,0.5,\n')
    table = read_table(path, "count")
    assert table.checked(TRUTHS) == [Fraction(1), Fraction(1, 2)]
    assert table_text(table, ["2", "0"]) == 'name,count,note\n"A, B",2,"say ""x"""\nC,0,\n'


cells = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r\n"), max_size=8)


@given(st.lists(st.tuples(cells, cells), max_size=6))
def test_what_is_written_reads_back(rows):
    table = Table(
        path="t",
        header=["a", "b", "c"],
        rows=[[a, "0", b] for a, b in rows],
        lines=[*range(len(rows))],
        column=1,
    )
    text = table_text(table, [str(n) for n in range(len(rows))])
    read = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert read == [["a", "b", "c"], *([a, str(n), b] for n, (a, b) in enumerate(rows))]


@pytest.mark.parametrize("text", ["1", " 1 ", "1.0", "1e0", "2/2", "+1"])
def test_a_number_may_be_written_in_any_way(path, text):
    path.write_text(f"x\n{text}\n")
    assert read_table(path, "x").checked(TRUTHS) == [1]


@pytest.mark.parametrize(
    "text",
    ["3", "-1", "0.25", "0.5000000000000001", "x", "nan", "inf", "1e400", "1e99999", "True", "0x1", "\uff11"],
)
def test_an_answer_that_is_none_is_refused_with_its_line(path, text):
    path.write_text(f'note,x\n"two\nlines",1\n\nb,{text}\n', encoding="utf-8")
    with pytest.raises(
        om.FileFormatError, match=r"among 0\.\.2 in column x; got .* in line 5\. Round or clamp"
    ):
        read_table(path, "x").checked(TRUTHS)


def test_an_answer_left_empty_is_refused(path):
    path.write_text("a,x\n1,\n")
    with pytest.raises(om.FileFormatError, match="got '' in line 2"):
        read_table(path, "x").checked(TRUTHS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("\n\n", "it is empty"),
        ("a,b\n1,2\n", "one column 'x'; it has a, b"),
        ("x,x\n1,2\n", "one column 'x'"),
        ("x,b\n1\n", "2 cells in each row; got 1 in line 2"),
        ("x,b\n1,2\n1,2,3\n", "got 3 in line 3"),
        ('x\n"1\n', "must be CSV text"),
        ('x\n"1"2\n', "must be CSV text"),
    ],
)
def test_what_is_no_table_is_refused(path, text, words):
    path.write_text(text)
    with pytest.raises(om.FileFormatError, match=words):
        read_table(path, "x")


def test_what_cannot_be_read_is_refused(path):
    with pytest.raises(om.FileFormatError, match="must be a file that can be read"):
        read_table(path, "x")
    path.write_bytes(b"x\n\xff\xfe\n")
    with pytest.raises(om.FileFormatError, match="UTF-8"):
        read_table(path, "x")


def test_a_byte_order_mark_is_no_part_of_a_name(path):
    path.write_bytes(b"\xef\xbb\xbfx\r\n1\r\n")
    assert read_table(path, "x").checked(TRUTHS) == [1]


def test_a_table_without_rows_is_released_as_it_is(path):
    path.write_text("a,x\n")
    table = read_table(path, "x")
    assert table.checked(TRUTHS) == []
    assert table_text(table, []) == "a,x\n"
