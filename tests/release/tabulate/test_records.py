"""Records as people have them: rows that are people, ids over columns, bins, empty answers, odd names."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.screen import unbroken

SURVEY = '''\
house,member,"district, old","say ""yes""",age,party
1,1,A,yes,17,
1,1,A,no,17,Left
1,2,B,yes,64.5,Right
12,1,B,,65,Left
1,12,A,yes,90,NA
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(SURVEY)
    (tmp_path / "districts.csv").write_text('name,"district, old"\nAller,A\nBeck,B\nCult,C\n')
    (tmp_path / "parties.csv").write_text("party\nLeft\nRight\n")
    return tmp_path


def tabulated(capsys, *words):
    """Run `tabulate` on the survey; return its code, the table that it wrote, and what it said."""
    code = main(["tabulate", "s.csv", *words, "--out", "c.csv"])
    shown = capsys.readouterr()
    return code, pd.read_csv("c.csv", dtype=str).fillna("").to_numpy().tolist() if not code else None, shown


EACH = ["--each-row-a-person"]
PERSON = ["--person", "house,member"]
OLD = ["--group", "district, old", "--groups", "districts.csv"]
PARTY = ["--group", "party", "--groups", "parties.csv"]
TABLES = {
    "each row is a person": ([*EACH, *OLD], [["A", "Aller", "3"], ["B", "Beck", "2"], ["C", "Cult", "0"]]),
    "ids over two columns": ([*PERSON, "--people"], [["4"]]),
    "ids over two columns, repeated": (["--person", "member", "--person", "house", "--people"], [["4"]]),
    "people in groups": (
        [*PERSON, "--people", *OLD, "--at-most", "2"],
        [["A", "Aller", "2"], ["B", "Beck", "2"], ["C", "Cult", "0"]],
    ),
    "all rows": ([*EACH, "--people"], [["5"]]),
    "open bins": (
        [*EACH, "--bins", "age=..,18,65,.."],
        [["under 18", "2"], ["18 to under 65", "1"], ["65 and over", "2"]],
    ),
    "a closed bin": ([*EACH, "--bins", "age=0,18,90]"], [["0 to under 18", "2"], ["18 to 90", "3"]]),
    "an empty answer is a group": (
        [*EACH, *PARTY, "--empty-as", "no answer", "--empty", "NA"],
        [["Left", "2"], ["Right", "1"], ["no answer", "2"]],
    ),
    "an empty answer is left out": (
        [*EACH, *PARTY, "--drop-empty", "--empty", "NA"],
        [["Left", "2"], ["Right", "1"]],
    ),
    "a name with quotes": (
        [*EACH, "--group", 'say "yes"', "--groups-from-data", "--empty-as", "-"],
        [["-", "1"], ["no", "1"], ["yes", "3"]],
    ),
    "bins of a list": (
        [*EACH, *OLD, "--bins", "age=0,65,.."],
        [
            ["A", "0 to under 65", "Aller", "2"],
            ["A", "65 and over", "Aller", "1"],
            ["B", "0 to under 65", "Beck", "1"],
            ["B", "65 and over", "Beck", "1"],
            ["C", "0 to under 65", "Cult", "0"],
            ["C", "65 and over", "Cult", "0"],
        ],
    ),
}


@pytest.mark.usefixtures("folder")
@each("case", TABLES)
def test_the_table_counts_what_was_asked(capsys, case):
    words, rows = TABLES[case]
    assert tabulated(capsys, *words)[:2] == (0, rows)


def test_what_is_said_of_rows_that_are_people_is_public_and_runs_on(folder, capsys):
    code, _, shown = tabulated(capsys, *EACH, *OLD, "--most-people", "9")
    assert (code, shown.err) == (0, "")
    lines = unbroken(shown.out).splitlines()
    assert lines == [
        "true counts of 3 groups written to c.csv, not to be published",
        "Each row is one person, and is counted once. c.csv.json says so",
        "next: optmech design count --range 0:9 --epsilon 1 --for c.csv.json --out mechanism.json",
        "      optmech apply mechanism.json c.csv --column count --clamp --out released.csv",
    ]
    for line in lines[2:]:
        assert main(line.split("optmech ")[1].split()) == 0
    log = json.loads((folder / "released.release.json").read_text())
    assert (log["person"]["epsilon"], log["person"]["column"]) == ("1", "each row")


REFUSED = {
    "nobody": ([*OLD], "`--person` or `--each-row-a-person` must be given"),
    "both": ([*EACH, *PERSON, *OLD], "must be left out with"),
    "more than one of a row": ([*EACH, *OLD, "--at-most", "2"], "be 1, or left out"),
    "no bound": (
        [*PERSON, *OLD],
        "`at_most` must be given, by --at-most: how many rows of one person are counted",
    ),
    "no groups": ([*EACH], "at least one column"),
    "groups of nothing": ([*EACH, "--people", "--groups", "parties.csv"], "no column says a group"),
    "an empty answer": (
        [*EACH, *PARTY],
        "answer in each row of column party; got none in line 2. Count such rows as a group, by --empty-as",
    ),
    "another answer": ([*EACH, *PARTY, "--drop-empty"], "got party = NA in line 6"),
    "texts that are empty": ([*EACH, *PARTY, "--empty", "NA"], "with --empty-as or --drop-empty"),
    "beyond the bins": ([*EACH, "--bins", "age=0,18,65"], 'got "65" in line 5. Write 65] to include it'),
    "below the bins": ([*EACH, "--bins", "age=18,65,.."], 'got "17" in line 2'),
    "bins that are none": ([*EACH, "--bins", "age=18"], "must have edges with commas"),
    "bins that fall": ([*EACH, "--bins", "age=18,0"], "edges that increase"),
    "bins of no column": ([*EACH, "--bins", "18,0"], "must be COLUMN=EDGES"),
    "bins of text": (
        [*EACH, "--bins", "party=0,1", "--drop-empty"],
        'got "Left" in line 3 and 2 other rows. That is no finite number',
    ),
    "a column that is not there": (
        [*EACH, "--group", "x", "--groups", "parties.csv"],
        "must have one column 'x'",
    ),
    "a name that is none": ([*EACH, *PARTY, "--empty-as", " "], "`empty_as` must be the name of a group"),
    "bins twice": ([*EACH, "--bins", "age=0,5", "--bins", "age=0,9"], "`--bins` must be given once for each"),
    "long edges": ([*EACH, "--bins", "age=0,1" + 15 * "0"], "must have edges with commas"),
    "sizes of counts": ([*EACH, *PARTY, "--sizes-are-public"], "left out without --mean"),
    "no people": ([*EACH, *OLD, "--most-people", "0"], "`--most-people` must be at least 1"),
}


@each("case", REFUSED, every=3)
def test_what_cannot_be_counted_is_refused_with_a_line_and_a_remedy(folder, capsys, case):
    words, sentence = REFUSED[case]
    before = sorted(path.name for path in folder.iterdir())
    code, _, shown = tabulated(capsys, *words)
    assert (code, shown.out) == (2, "")
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before


FILES = {
    "a second row of names": (
        "person,party\nperson,party\n1,Left\n",
        "one row of names; got person, party again in line 2. Leave the second one out",
    ),
    "a total beside its parts": ("person,party\n1,Left\nx,Total\n", "looks like a total beside its parts"),
    "semicolons": ("person;party;a, b\n1;Left;2\n", "Cells may be separated by semicolons: then pass `--sep"),
    "a title": ("Votes\nperson,party\n1,Left\n", "say it by `--header-line`"),
    "Latin-1": (
        "person,party\n1,Gr\u00fcn\n".encode("latin-1"),
        "in line 2. Save it as CSV UTF-8, or convert it",
    ),
    "UTF-16": ("person,party\n1,Left\n".encode("utf-16"), "iconv -f UTF-16 -t UTF-8"),
    "a row too short": ("person,party\n1\n", "2 cells in each row; got 1 in line 2"),
    "an open quote": (
        'person,party\n1,"Left\n',
        "a quote that is not closed in the row that begins in line 2",
    ),
}


@each("case", FILES)
def test_a_file_that_is_not_as_it_should_be_gets_the_sentence_that_fits(folder, capsys, case):
    text, sentence = FILES[case]
    (folder / "s.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    code, _, shown = tabulated(capsys, "--person", "person", *PARTY, "--at-most", "1")
    assert code == 2
    assert sentence in shown.err


def test_a_list_with_a_total_is_noticed(folder, capsys):
    (folder / "parties.csv").write_text("party\nLeft\nRight\nTotal\n")
    code, _, shown = tabulated(capsys, *EACH, *PARTY, "--drop-empty", "--drop-others")
    assert code == 0
    (folder / "s.csv").write_text("party\nLeft\nTotal\n")
    assert "Total is a group" in tabulated(capsys, *EACH, "--group", "party", "--groups-from-data")[2].err
    assert "Total is a group beside others" in shown.err


def test_two_people_without_an_id_are_never_one(folder, capsys):
    (folder / "s.csv").write_text("house,member,party\n1,,Left\n1,,Left\n2,1,Left\n2,1,Left\n")
    code, _, shown = tabulated(capsys, *PERSON, *PARTY, "--at-most", "2")
    assert code == 2
    assert "a person in each row of column member; got none in line 2" in shown.err
    assert "--drop-empty" in shown.err
    code, rows, shown = tabulated(capsys, *PERSON, *PARTY, "--at-most", "2", "--drop-empty")
    assert (code, rows) == (0, [["Left", "2"], ["Right", "0"]])
    assert "2 have an empty cell" in shown.err


def test_two_spellings_in_one_of_two_columns_are_refused(folder, capsys):
    (folder / "s.csv").write_text("house,member,party\n1,a,Left\n1,b,Left\n01,A,Left\n")
    code, _, shown = tabulated(capsys, *PERSON, *PARTY, "--at-most", "1")
    assert code == 2
    assert 'got "1", "a" in line 2 and "01", "A" in line 4' in shown.err


def test_a_column_without_a_name_is_no_column_of_persons(folder, capsys):
    (folder / "s.csv").write_text(",party\n1,Left\n")
    code, _, shown = tabulated(capsys, "--person", "", "--people")
    assert (code, "must be a column with a name" in shown.err) == (2, True)


def test_ids_and_names_that_join_alike_stay_apart():
    """The ids (1, 12) and (11, 2) have the same digits in a row."""
    table = pa.table({"a": ["1", "11", "1:1"], "b": ["12", "2", ""], "g": ["x", "x", "x"]})
    counts = om.tabulate(table, person=["a", "b"], people=True, drop_empty=True)
    assert (counts.table["count"].to_pylist(), counts.dropped, counts.beyond_bound) == ([2], 1, 0)


@pytest.mark.parametrize("door", ["pandas", "arrow", "dask", ".parquet"])
def test_frames_and_parquet_have_bins_of_numbers_with_fractions(tmp_path, door):
    frame = pd.DataFrame({"who": ["a", "b", "c", "c"], "age": [17.0, 64.5, 65.0, None]})
    table = {"pandas": frame, "arrow": pa.Table.from_pandas(frame)}.get(door)
    if door == ".parquet":
        pq.write_table(pa.Table.from_pandas(frame), table := tmp_path / "t.parquet")
    if door == "dask":
        table = pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=2)
    for whose in ({"each_row_a_person": True}, {"person": "who", "at_most": 2}):
        counts = om.tabulate(table, bins={"age": "0,18,65]"}, empty_as="unknown", **whose)
        assert counts.table["count"].to_pylist() == [1, 2, 1]
        assert counts.table["age"].to_pylist() == ["0 to under 18", "18 to 65", "unknown"]
