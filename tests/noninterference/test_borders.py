"""Rows that are left out show nowhere, however near to where reading or writing takes a new part."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.mechanisms.sampling import Sampler
from optmech.release.tables import csv_file, csv_rows, parquet_file
from tests.each import each

SEEN, READ, WRITTEN = 100, 8, 32
PLACES = [0, 7, 8, 9, 31, 32, 33, 64, 99, 100]
DOORS = [(before, after) for before in (".csv", ".parquet") for after in (".csv.gz", ".parquet")]
ONE = mock.patch.object(Sampler, "draw", lambda _, positions: np.minimum(positions, 1))


def write(path, keys, answers):
    """Write a table, as CSV or Parquet."""
    if path.suffix == ".parquet":
        pq.write_table(pa.table({"key": keys, "n": answers}), path)
    else:
        lines = [f"{key},{answer}\n" for key, answer in zip(keys, answers, strict=True)]
        path.write_text("".join(["key,n\n", *lines]))


def released(certificates, folder, door, hidden):
    """Return the bytes of a release in which these rows have the answer 0, and others are released as 1."""
    before, after = door
    keys = ["key" * (number % 7) + str(number) for number in range(SEEN)]
    answers = [1] * SEEN
    for place in sorted(hidden, reverse=True):
        keys.insert(place, "a key that nobody may see")
        answers.insert(place, 0)
    source, out = folder / f"true{before}", folder / f"released{after}"
    write(source, keys, answers)
    with ONE, mock.patch("os.fsync"):
        done = om.release_table(certificates["a"], source, out, column="n", drop_zero=True, again=True)
    done.log_path.unlink()
    return out.read_bytes()


@each("door", DOORS, every=2)
def test_rows_left_out_at_the_borders_of_parts_do_not_show(certificates, tmp_path, monkeypatch, door):
    monkeypatch.setattr(parquet_file, "_MOST_READ", READ)
    monkeypatch.setattr(parquet_file, "_MOST_ROWS", WRITTEN)
    monkeypatch.setattr(csv_rows, "_BLOCK", 256)
    monkeypatch.setattr(csv_file, "_EVEN", 64)
    nothing = released(certificates, tmp_path, door, [])
    for hidden in ([0], [8], [32], [SEEN], PLACES, [*range(40), *PLACES * 9]):
        assert released(certificates, tmp_path, door, hidden) == nothing, hidden
    if door[1] == ".parquet":
        metadata = pq.ParquetFile(tmp_path / "released.parquet").metadata
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        assert sizes == [32, 32, 32, 4]


def test_row_groups_end_by_the_bytes_of_what_is_written(certificates, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "_MOST_READ", READ)
    monkeypatch.setattr(parquet_file, "_FEW_ROWS", 4)
    monkeypatch.setattr(parquet_file, "_MOST_BYTES", 500)
    door = (".parquet", ".parquet")
    assert released(certificates, tmp_path, door, [3, 3, 3, 20, 99]) == released(
        certificates, tmp_path, door, []
    )
    assert pq.ParquetFile(tmp_path / "released.parquet").metadata.num_row_groups > SEEN * 10 // 500


@pytest.mark.slow
def test_of_more_than_a_million_rows_one_that_is_left_out_does_not_show(certificates, tmp_path):
    seen = 1_400_000
    digests = set()
    for place in (None, 0, 2**18 - 1, 2**18, 2**20 - 1, 2**20, seen):
        answers, keys = np.ones(seen, np.int64), np.arange(seen)
        if place is not None:
            answers, keys = np.insert(answers, place, 0), np.insert(keys, place, -1)
        pq.write_table(pa.table({"key": keys, "n": answers}), tmp_path / "true.parquet")
        with ONE:
            done = om.release_table(
                certificates["a"],
                tmp_path / "true.parquet",
                tmp_path / "released.parquet",
                column="n",
                drop_zero=True,
                again=True,
            )
        digests.add(done.log["output"]["sha256"])
        metadata = pq.ParquetFile(tmp_path / "released.parquet").metadata
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        assert sizes == [2**20, seen - 2**20], place
    assert len(digests) == 1
