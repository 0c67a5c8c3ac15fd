"""Cell keys are sums of record keys, and a frame that has them is not released."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import optmech as om
from tests.each import each
from tests.late import dask, pl

RECORDS = {"who": ["a", "b", "c", "d"], "place": ["N", "N", "S", "X"], "key": [200, 100, 5, 1]}
ASKED = {"person": "who", "group": "place", "groups": ["N", "S", "W"], "at_most": 1, "record_key": "key"}


def test_the_key_of_a_cell_is_the_sum_modulo_the_number_of_keys(tmp_path):
    (tmp_path / "r.csv").write_text("who,place,key\na,N,200\nb,N,100\nc,S,5\nd,X,1\n")
    for table in (tmp_path / "r.csv", pa.table(RECORDS).to_pandas()):
        counts = om.tabulate(table, **ASKED, drop_others=True)
        assert counts.table.to_pydict() == {
            "place": ["N", "S", "W"],
            "count": [2, 1, 0],
            "cell_key": [300 % 256, 5, 0],
        }
    assert (
        om.tabulate(pa.table(RECORDS), **ASKED, drop_others=True, keys=4096).table["cell_key"][0].as_py()
        == 300
    )


def test_groups_that_occur_have_keys(tmp_path):
    asked = {**ASKED, "groups": None, "groups_from_data": True, "out": tmp_path / "counts.parquet"}
    counts = om.tabulate(pa.table(RECORDS), **asked)
    assert counts.table["cell_key"].to_pylist() == [44, 5, 1]
    content = json.loads((tmp_path / "counts.parquet.json").read_text())
    assert content["table"]["keys"] == 256
    assert om.read_bound(tmp_path / "counts.parquet.json").num_keys == 256


def test_keys_are_not_released_with_a_frame_or_a_copy_of_the_table(tmp_path):
    counts = om.tabulate(pa.table(RECORDS), **ASKED, drop_others=True).table
    mechanism = om.design(om.croft(om.count(5), 1))
    pandas = counts.to_pandas()
    for frame in (counts, pandas, pl.from_arrow(counts), dask.from_pandas(pandas, 1)):
        with pytest.raises(om.ProblemError, match="column cell_key must not be released"):
            om.release_frame(frame, "count", mechanism)
    assert om.release_frame(counts.drop_columns("cell_key"), "count", mechanism).num_rows == 3
    pandas.to_csv(tmp_path / "copy.csv", index=False)
    counts = {"column": "count", "out": tmp_path / "out.csv"}
    with pytest.raises(om.ProblemError, match="column cell_key must not be released"):
        om.release_table(mechanism, tmp_path / "copy.csv", **counts)
    assert not (tmp_path / "out.csv").exists()


@each(
    ("changed", "sentence"),
    [
        ({"key": [256, 1, 2, 3]}, "`table` must have whole numbers 0..255 in column key, in each row"),
        ({"key": [1, 2, None, 3]}, "in row 3. Say by --keys how many"),
        ({"key": ["1", "x", "2", "3"]}, "in row 2"),
        ({"who": ["a", "a", "c", "d"]}, "`at_most` must be so large that all rows are counted"),
    ],
    every=2,
)
def test_keys_that_are_none_and_rows_that_are_not_counted_are_refused(changed, sentence):
    with pytest.raises(om.ProblemError) as error:
        om.tabulate(pa.table({**RECORDS, **changed}), **ASKED, drop_others=True)
    assert sentence in str(error.value)


@each(
    ("asked", "sentence"),
    [
        ({"keys": 1}, "`keys` must be a number of keys from 2 to 65,536"),
        ({"record_key": "place"}, "`record_key` must be another column"),
        ({"record_key": "none"}, "must have one column 'none'"),
    ],
)
def test_columns_that_leave_no_room_for_keys_are_refused(asked, sentence):
    with pytest.raises(om.ProblemError) as error:
        om.tabulate(pa.table(RECORDS), **{**ASKED, **asked}, drop_others=True)
    assert sentence in str(error.value)
