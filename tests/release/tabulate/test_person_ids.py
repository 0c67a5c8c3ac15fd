"""Texts that mark nobody are no ids, and an id in two spellings is refused, with rows and remedies."""

from __future__ import annotations

import gzip
import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables.missing_marks import WORDS
from optmech.release.tabulate import person_rows
from optmech.release.tabulate.person_ids import PersonIds, spellings
from tests.each import each
from tests.late import dask

PANDAS = "#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null"
MARKS = [
    *PANDAS.split(","),
    *(f".{letter}" for letter in "abcdefghijklmnopqrstuvwxyz_"),
    *("?", "??", ".", "..", "-", "--", "\u2014", "\u2026", "*", ":", "#", "_", "/", "()"),
    *("nil", "n.a.", "(missing)", "[missing]", "(blank)", "#NULL!", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?"),
    *("NaT", "\\N", "(null)", "n.d.", "k.A.", "Unknown.", "1.#INF00"),
    *WORDS,
]
"""Those of pandas, Stata, SAS, SPSS, R, spreadsheets, databases, and people."""
WAYS = ("{}", " {}", "{}\u00a0", "\u200b{}", "{}\u200d\ufeff", "\t{}\u3000")
ONE_ID = [
    ("101", "101.0", "0101", "+101", " 101", "\uff11\uff10\uff11", "1.01e+2", "101.", "00101.000"),
    ("A-17", "a-17", "A-17 ", "\u200bA-17", "\uff21-17"),
    ("Stra\u00dfe", "STRASSE", "stra\u017fse", "strasse\ufe0f"),
    ("Zo\u00eb", "Zoe\u0308", "ZO\u00cb"),
    ("\ufb01x", "FIX"),
    ("10000000000000000", "1e+16"),
    ("0", "-0", "0.0", "000"),
    ("-.50", "-0.5"),
    ("1e3", "1000", "1E+03", "1.0e3", "10e2", "0.1e4", "1e03"),
    ("12e4", "120000"),
    ("1e-3", "0.001"),
]
SEVERAL = [
    "A1",
    "A2",
    "A 1",
    "A-1",
    "1",
    "10",
    "1.5",
    "15",
    "-1",
    "0e12",
    "0e13",
    "1,5",
    "Zoe",
    "Zo\u00eb",
    "0x1",
]


def refused(people, **options):
    table = pa.table({"who": people, "g": ["a"] * len(people)})
    with pytest.raises(om.ProblemError) as caught:
        om.tabulate(table, person="who", group="g", groups=["a"], at_most=1, **options)
    return str(caught.value)


@each("mark", [*MARKS, ""], every=3)
def test_a_text_that_marks_nobody_is_none_in_whatever_case_and_however_it_is_padded(mark):
    for text in (mark, mark.upper(), mark.lower(), mark.title()):
        for way in WAYS:
            people = pa.array(["x", way.format(text), "y"])
            assert PersonIds().is_nobody(people).tolist() == [False, True, False]
            if mark:
                assert PersonIds(may_be=[mark]).is_nobody(people) is None


def test_other_texts_are_ids_unless_they_are_said_to_mark_nobody():
    people = pa.array(
        ["Nana", "N", "x", "-9", "0", "Nobody", "unknowns", "nan0", ".5", "a-", "Nil Nana", ".ab"]
    )
    assert PersonIds().is_nobody(people) is None
    assert PersonIds(["nobody "]).is_nobody(people).nonzero()[0].tolist() == [5]
    assert PersonIds(["0.0"]).is_nobody(people).nonzero()[0].tolist() == [4]


def test_the_row_and_the_remedy_are_named():
    message = refused(["x", "y", " na"])
    assert "in row 3" in message
    assert "--id-may-be na" in message
    assert "--id-may-be" not in refused(["x", "Y"], missing=["y"])
    assert "in row 2" in refused(["x", "\u200b"])


@each("ids", ONE_ID)
def test_all_spellings_of_an_id_are_one(ids):
    assert len({*spellings(pa.array(ids)).to_pylist()}) == 1


def test_ids_that_differ_are_several():
    assert len({*spellings(pa.array(SEVERAL)).to_pylist()}) == len(SEVERAL)
    assert spellings(pa.array([None, "a"])).to_pylist() == [None, "a"]


def test_two_spellings_are_refused_with_the_first_row_of_each_and_counted_apart_if_asked():
    people = ["x", "101", "101", "y", "0101", "0101"]
    message = refused(people)
    assert '"101" in row 2' in message
    assert '"0101" in row 5' in message
    assert "--ids-as-written" in message
    table = pa.table({"who": people, "g": ["a"] * 6})
    counts = om.tabulate(table, person="who", group="g", groups=["a"], at_most=1, ids_as_written=True)
    assert counts.counted == 4
    assert counts.bound.ids_as_written
    assert "as written" in counts.bound.sentence


def test_rows_far_apart_are_of_one_table(monkeypatch):
    monkeypatch.setattr(person_rows, "_ROWS", 3)
    people = ["a", *"bcdefg", "\uff21", "h"]
    assert '"a" in row 1 and "\uff21" in row 8' in refused(people)
    assert "in row 8" in refused([*"abcdefg", "nan"])


PEOPLE = {
    "NA": "in (row 4|line 5)",
    "0101": '"101" in (row 1|line 2) and "0101" in (row 4|line 5)',
}


@pytest.mark.parametrize("door", ["pandas", "dask", ".csv", ".csv.gz", ".parquet"])
def test_through_every_door_the_rows_are_those_of_the_whole_table(tmp_path, door):
    for last, words in PEOPLE.items():
        frame = pd.DataFrame({"who": ["101", "x", "y", last, "z", last], "g": "a"})
        table = frame
        if door == "dask":
            table = dask.from_pandas(frame, npartitions=3)
        elif door == ".csv":
            frame.to_csv(table := tmp_path / "t.csv", index=False)
        elif door == ".csv.gz":
            (table := tmp_path / "t.csv.gz").write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
        elif door == ".parquet":
            pq.write_table(pa.Table.from_pandas(frame), table := tmp_path / "t.parquet")
        with pytest.raises((om.ProblemError, om.FileFormatError), match=words):
            om.tabulate(table, person="who", group="g", groups=["a"], at_most=1)


@each(
    "options",
    [
        {"missing": "NA"},
        {"missing": [None]},
        {"id_may_be": ["x"]},
        {"id_may_be": [""]},
        {"id_may_be": 3},
        {"missing": ["n/a"], "id_may_be": ["N/A"]},
        {"ids_as_written": "yes"},
    ],
)
def test_what_ids_may_be_is_said_in_texts_that_mean_something(options):
    assert refused(["x"], **options).startswith(f"`{[*options][-1]}` must be ")


TABULATE = "tabulate v.csv --person who --group g --groups g.csv --at-most 1 --out counts.csv"
DESIGN = "design count --range 0:9 --epsilon 1 --for counts.csv.json --out m.csv"
APPLY = "apply m.certificate.json counts.csv --column count --out r.csv"


def test_the_command_line_says_it_to_the_bound_and_the_log(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.csv").write_text("who,g\nNA,a\n7,a\n07,a\n-,a\nQ,a\n")
    (tmp_path / "g.csv").write_text("g\na\n")
    for options, words in (
        ([], '"NA", which marks nobody, in line 2'),
        (["--id-may-be", "na"], '"-", which marks nobody, in line 5'),
        (["--id-may-be", "na", "--id-may-be", "-"], "--ids-as-written"),
        (["--id-may-be", "na", "--id-may-be", "-", "--missing", "7"], '"7", which marks nobody, in line 3'),
    ):
        assert main([*TABULATE.split(), *options]) == 2
        assert words in capsys.readouterr().err
        assert not (tmp_path / "counts.csv").exists()
    assert main([*TABULATE.split(), "--id-may-be", "na", "--id-may-be", "-", "--ids-as-written"]) == 0
    said = "Ids are taken as written"
    assert said in capsys.readouterr().out
    bound = om.read_bound("counts.csv.json")
    assert (bound.ids_as_written, bound.num_marks_as_ids) == (True, 2)
    assert main(DESIGN.split()) == 0
    assert said in capsys.readouterr().out
    assert main(APPLY.split()) == 0
    log = json.loads((tmp_path / "r.release.json").read_text())
    assert log["person"]["ids_as_written"] is True
    assert said in log["unit_of_privacy"]
    assert said in om.reports.card_markdown(
        om.card_of(om.read_certificate("m.certificate.json"), bound=bound)
    )


def test_a_bound_of_counts_whose_ids_nobody_looked_at_is_refused(tmp_path):
    table = pa.table({"who": ["x"], "g": ["a"]})
    out = tmp_path / "counts.csv"
    om.tabulate(table, person="who", group="g", groups=["a"], at_most=1, out=out)
    beside = tmp_path / "counts.csv.json"
    content = json.loads(beside.read_text())
    for change in ({"version": 1}, {"ids_as_written": None}, {"marks_as_ids": -1}):
        beside.write_text(json.dumps(content | change))
        with pytest.raises(om.FileFormatError):
            om.read_bound(beside)
