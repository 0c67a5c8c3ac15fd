"""Rows released as 0 left out: what is written follows from the rows that are seen, and from nothing else."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables import csv_rows, parquet_file, release_table
from optmech.release.tables.log import draws_of, read_log
from tests.each import each

SUFFIXES = (".csv", ".csv.gz", ".parquet")


@pytest.fixture(scope="module")
def keys():
    problem = om.question(om.count(12), 1, delta="1e-3", properties=["zero-stays-zero"])
    return om.design(problem).certificate


@pytest.fixture(scope="module")
def sure():
    """A count of 12 is released as it is, but for once in e^60 times."""
    problem = om.question(om.count(12), 60, delta="1e-3", properties=["zero-stays-zero"])
    return om.design(problem).certificate


def names_in(path):
    table = pq.read_table(path) if path.suffix == ".parquet" else pc.read_csv(path)
    return table["key"].to_pylist(), [int(value) for value in table["n"].to_pylist()]


def content(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.mark.parametrize("before", SUFFIXES)
@pytest.mark.parametrize("after", SUFFIXES)
def test_the_law_of_what_is_seen_is_the_certified_one(keys, tmp_path, before, after):
    truths = np.repeat(np.arange(13), 2000)
    table = pa.table({"key": [f"g{place}" for place in range(truths.size)], "n": truths})
    source, out = tmp_path / f"t{before}", tmp_path / f"r{after}"
    if before == ".parquet":
        pq.write_table(table, source, row_group_size=5000)
    else:
        with pa.output_stream(source) as stream:
            pc.write_csv(table, stream)
    done = release_table(keys, source, out, column="n", drop_zero=True)
    groups, answers = names_in(out)
    assert 0 not in answers
    assert done.rows == len(groups) == done.log["output"]["rows"]
    places = np.array([int(name.removeprefix("g")) for name in groups])
    assert (np.diff(places) > 0).all()
    matrix = np.array(keys.matrix.nearest())
    for truth in range(13):
        drawn = np.bincount(np.array(answers)[truths[places] == truth], minlength=13)
        expected = 2000 * matrix[:, truth]
        assert (np.abs(drawn[1:] - expected[1:]) <= 6 * np.sqrt(expected[1:]) + 6).all(), truth
    if after == ".parquet":
        assert pq.ParquetFile(out).metadata.num_row_groups == 1


@each("after", SUFFIXES, every=2)
@each("before", SUFFIXES)
def test_a_file_says_nothing_of_a_group_that_is_not_seen(sure, tmp_path, before, after):
    """The same answers with a group more, which is released as 0: not a byte differs."""
    written = []
    for more in ([], ["secret"], ["secret", "other secret"]):
        names, counts = ["a", "b,c", *more], [12, 12, *[0] * len(more)]
        folder = tmp_path / f"{before}{after}{len(more)}"
        folder.mkdir()
        source, out = folder / f"t{before}", folder / f"r{after}"
        if before == ".parquet":
            table = pa.table({"key": pa.array(names).dictionary_encode(), "n": counts})
            metadata = {"pandas": json.dumps({"index_columns": [{"kind": "range", "stop": len(names)}]})}
            pq.write_table(table.replace_schema_metadata(metadata), source, row_group_size=1)
        else:  # the last line is not closed, and empty lines stand between
            lines = [f'"{name}",{count}' for name, count in zip(names, counts, strict=True)]
            text = "\r\n\r\n".join(["key,n", *lines]).encode()
            source.write_bytes(gzip.compress(text) if before == ".csv.gz" else text)
        release_table(sure, source, out, column="n", drop_zero=True)
        assert b"secret" not in content(out)
        written.append((content(out), names_in(out)))
    assert written[0] == written[1] == written[2]
    assert written[0][1][0] == ["a", "b,c"]


@pytest.mark.parametrize("after", [".csv.gz", ".parquet"])
@pytest.mark.parametrize("before", [".csv", ".parquet"])
def test_a_file_written_in_parts_does_not_say_how_many_rows_each_part_lost(
    sure, tmp_path, monkeypatch, before, after
):
    monkeypatch.setattr(csv_rows, "_BLOCK", 1 << 12)
    monkeypatch.setattr(parquet_file, "_MOST_READ", 500)
    monkeypatch.setattr(parquet_file, "_MOST_ROWS", 1200)
    names = [f"g{place * place % 7919}" for place in range(5000)]
    written = []
    for unseen in (0, 1700):
        source, out = tmp_path / f"t{unseen}{before}", tmp_path / f"r{unseen}{after}"
        table = pa.table({"key": [*names[:900], *["u"] * unseen, *names[900:]]})
        answers = [*[12] * 900, *[0] * unseen, *[12] * 4100]
        table = table.append_column("n", pa.array(answers))
        (pq.write_table if before == ".parquet" else pc.write_csv)(table, source)
        release_table(sure, source, out, column="n", drop_zero=True)
        assert names_in(out)[0] == names
        written.append(out.read_bytes())
    assert written[0] == written[1]
    if after == ".parquet":
        metadata = pq.ParquetFile(out).metadata
        sizes = [metadata.row_group(place).num_rows for place in range(metadata.num_row_groups)]
        assert sizes == [1200, 1200, 1200, 1200, 200]


def test_a_release_of_which_nothing_is_seen_is_a_draw_all_the_same(keys, tmp_path):
    (tmp_path / "t.csv").write_text("key,n\na,0\n")
    (tmp_path / "none.csv").write_text("key,n\n")
    logs = []
    for name in ("t", "none"):
        done = release_table(
            keys, tmp_path / f"{name}.csv", tmp_path / f"{name}-out.csv", column="n", drop_zero=True, data="d"
        )
        assert (tmp_path / f"{name}-out.csv").read_text() == "key,n\n"
        assert done.rows == 0
        log = read_log(done.log_path)
        assert log["draws"] == len(draws_of(log)) == 1
        assert log["left_out"] == "rows with the answer 0"
        assert "a group that nobody is in and one that is not seen look alike" in log["unit_of_privacy"]
        assert "how many rows there are" not in log["unit_of_privacy"]
        logs.append({**log, "id": 0, "made": 0, "table": 0, "output": {**log["output"], "file": 0}})
    assert logs[0] == logs[1]


def test_intervals_stand_beside_what_is_seen(sure, tmp_path):
    (tmp_path / "t.csv").write_text("key,n\na,0\nb,12\nc,0\nd,12\n")
    release_table(sure, tmp_path / "t.csv", tmp_path / "r.csv", column="n", drop_zero=True, interval="0.9")
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[0] == "key,n,n_low,n_high"
    assert [line[0] for line in lines[1:]] == ["b", "d"]
    assert all(int(line.split(",")[2]) <= int(line.split(",")[1]) for line in lines[1:])


def test_only_a_mechanism_that_keeps_zero_may_leave_rows_out(tmp_path, keys):
    (tmp_path / "t.csv").write_text("key,n\na,3\n")
    other = om.design(om.question(om.count(12), 1)).certificate
    for mechanism in (other, om.design(om.question(om.count(12), 1)).mechanism, {"a": keys, None: other}):
        by = "key" if isinstance(mechanism, dict) else None
        with pytest.raises(om.OptmechError, match="must come with certificates that say zero-stays-zero"):
            release_table(
                mechanism, tmp_path / "t.csv", tmp_path / "r.csv", column="n", by=by, drop_zero=True
            )
    assert not (tmp_path / "r.csv").exists()
    nested = pa.table({"key": [{"x": 1}], "n": [3]})
    pq.write_table(nested, tmp_path / "t.parquet")
    with pytest.raises(om.OptmechError, match="columns of plain values; got struct<x: int64> in column key"):
        release_table(keys, tmp_path / "t.parquet", tmp_path / "r.parquet", column="n", drop_zero=True)
    assert not (tmp_path / "r.parquet").exists()


def test_the_command_leaves_rows_out_and_warns_where_it_does_not(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("key,n\na,0\nb,12\nc,12\n")
    design = (
        "design count --range 0:12 --epsilon 60 --delta 1e-3 --property zero-stays-zero --out m.csv --quiet"
    )
    assert main(design.split()) == 0
    apply = ["apply", "m.certificate.json", "t.csv", "--column", "n", "--out"]
    assert main([*apply, "r.csv", "--drop-zero"]) == 0
    output = capsys.readouterr()
    assert "epsilon = 60, delta = 0.001 for each row" in output.out
    assert re.search(r"^2 answers of column n released to r\.csv$", output.out, re.MULTILINE)
    assert "--drop-zero" not in output.err
    assert (tmp_path / "r.csv").read_text().splitlines()[0] == "key,n"
    assert "a," not in (tmp_path / "r.csv").read_text()
    assert main([*apply, "all.csv"]) == 0
    output = capsys.readouterr()
    assert "Leave them out with --drop-zero, unless all that could be are listed." in output.err
    assert "a,0" in (tmp_path / "all.csv").read_text()
