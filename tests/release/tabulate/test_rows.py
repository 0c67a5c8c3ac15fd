"""Public conditions, spellings of groups, groups of those without an answer, and all complaints at once."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main

VISITS = "id,ward,vaccinated,age\n1, Nord,yes,17\n2,Nord,no,30\n3,nord,Yes,40\n3,NORD ,yes,90+\n4,,yes,\n"


@pytest.fixture
def visits(tmp_path):
    (path := tmp_path / "visits.csv").write_text(VISITS)
    return path


def counted(table, **options):
    given = {"person": "id", "group": "ward", "groups": ["Nord", "Sued"], "at_most": 2, "empty_as": "none"}
    counts = om.tabulate(table, **(given | options))
    return counts.table["count"].to_pylist()


def test_spaces_and_capitals_tell_groups_apart_until_it_is_said(visits):
    with pytest.raises(om.FileFormatError) as refused:
        counted(visits)
    for remedy in ("pass --trim.", "pass --fold-case.", "pass --trim --fold-case."):
        assert remedy in str(refused.value)
    assert counted(visits, trim=True, fold_case=True) == [4, 0, 1]
    assert counted(visits, trim=True, fold_case=True, groups=[" NORD", "Sued"]) == [4, 0, 1]
    with pytest.raises(om.ProblemError, match="each group once"):
        counted(visits, fold_case=True, groups=["Nord", "nord"])
    free = {"groups": None, "groups_from_data": True}
    assert counted(visits, **free) == [1, 1, 1, 1, 1]
    found = om.tabulate(visits, person="id", group="ward", at_most=2, drop_empty=True, groups_from_data=True)
    assert "differ by spaces or capitals alone: --trim and --fold-case make them one" in found.caution
    assert counted(visits, trim=True, fold_case=True, **free) == [1, 4]


def test_a_number_is_of_its_group_however_it_is_written():
    table = pa.table({"id": ["a", "b", "c"], "ward": ["1.0", "1", "01"]})
    assert counted(table, groups=["1", "2"], empty_as=None) == [3, 0]
    assert counted(table, groups=["1", "1.0", "01"], empty_as=None) == [1, 1, 1]
    with pytest.raises(om.ProblemError, match="ward = 01 in row 3"):
        counted(table, groups=["1", "1.0"], empty_as=None)


def test_rows_are_those_where_public_conditions_hold(visits, tmp_path):
    def number(*where, **options):
        return sum(counted(visits, where=where, groups=None, groups_from_data=True, **options))

    assert number("vaccinated = yes") == 3
    assert number("vaccinated != 'yes'") == 2
    assert number("id >= 2", "id < 4") == 3
    assert number("vaccinated = yes", "ward=Nord") == 1
    with pytest.raises(om.FileFormatError, match=r'for `--where`; got "90\+" in line 5'):
        number("age >= 18")
    for wrong in ("vaccinated", "age > old", "= 3", ""):
        with pytest.raises(om.ProblemError, match="`where` must"):
            number(wrong)
    with pytest.raises(om.FileFormatError, match="Did you mean"):
        number("Vaccinated = yes")
    with pytest.raises(om.FileFormatError, match="in line 5"):
        counted(visits, where="id = 3", groups=["nord"])
    kept = om.tabulate(visits, person="id", people=True, where="vaccinated = yes")
    assert (kept.table["count"].to_pylist(), kept.rows) == ([3], 3)
    assert kept.bound.sentence.endswith("Only rows where vaccinated = yes are there.")
    frame = pa.table({"id": ["a", "b"], "ok": [True, False], "x": [1.5, 2.5]})
    pq.write_table(frame, tmp_path / "t.parquet")
    for table in (frame, tmp_path / "t.parquet", frame.to_pandas()):
        for where in ("ok = true", "x < 2"):
            assert om.tabulate(table, person="id", people=True, where=where).rows == 1


def test_no_answer_is_a_group_by_column(visits):
    options = {"bins": {"age": "0,18,.."}, "group": ["ward", "age"], "fold_case": True, "trim": True}
    counts = om.tabulate(
        visits, person="id", at_most=2, groups=["Nord"], empty_as={"ward": "?", "age": "unknown"}, **options
    )
    assert counts.table.num_rows == 6
    assert {"ward": "?", "age": "unknown", "count": 1} in counts.table.to_pylist()
    with pytest.raises(om.FileFormatError, match="an answer in each row of column age"):
        om.tabulate(visits, person="id", at_most=2, groups=["Nord"], empty_as={"ward": "?"}, **options)
    with pytest.raises(om.ProblemError, match="be of columns of groups"):
        counted(visits, empty_as={"id": "?"})


def test_all_complaints_come_at_once_with_their_rows_and_options(tmp_path):
    (path := tmp_path / "t.csv").write_text(
        "id,ward,age\n1,Nord,17\nNA,nord,<5\n,Ost,90+\n3,,q\n4,Nord,y\n5,Ost,200\n"
    )
    with pytest.raises(om.FileFormatError) as refused:
        om.tabulate(path, person="id", group=["ward"], groups=["Nord"], at_most=1, bins={"age": "18,65,90"})
    message = str(refused.value)
    assert refused.value.quotes_data
    for part in (
        'a person in each row of column id; got "NA", which marks nobody, in line 3 and 1 other row.',
        "an answer in each row of column ward; got none in line 5. Count such rows as a group, by --empty-as",
        'numbers in column age; got "q" in line 5 and 1 other row.',
        'numbers in bins, 18 or more and less than 90, in column age; got "17" in line 2 and 1 other row.',
        'numbers that are in one bin for certain in column age; got "<5" in line 3 and 1 other row.',
    ):
        assert part in message, part


def test_a_command_line_takes_them_all(visits, tmp_path, capsys):
    (tmp_path / "wards.csv").write_text("ward\nNord\n")
    command = ["tabulate", str(visits), "--person", "id", "--group", "ward,age", "--at-most", "2", "--trim"]
    command += ["--fold-case", "--groups", str(tmp_path / "wards.csv"), "--bins", "age=0,18,.."]
    command += ["--empty-as", "ward=?", "--empty-as", "age=unknown", "--where", "vaccinated != no"]
    assert main([*command, "--out", str(tmp_path / "o.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["confidential"]["rows"] == 4
    assert main([*command[:3], "ID", *command[4:], "--out", str(tmp_path / "p.csv")]) == 2
    assert 'Did you mean "id"?' in capsys.readouterr().err
