"""Labels are text: no door takes a number for one of them, or for a place in their list."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import optmech as om
from tests.each import each
from tests.late import dask, pl

LISTS = (
    ("1", "2", "3", "4", "5"),
    ("0", "1", "2", "3", "none"),
    ("1", "2", "3", "4", "none"),
    ("0", "1", "2"),
    ("01", "02", "03"),
    ("red", "green", "blue"),
    ("1.0", "2.0", "3.0"),
)
NUMBERS = (
    pa.array([1, 2]),
    pa.array([1.0, 2.0]),
    pa.array([1, 2], pa.uint64()),
    pa.array([1, 2], pa.int8()).dictionary_encode(),
    pa.array([Decimal(1), Decimal(2)]),
)


def of_text(values):
    return pa.array(values, pa.string())


def certain(labels):
    """Return the mechanism that says the truth."""
    place = range(len(labels))
    return om.MatrixMechanism(matrix=np.eye(len(labels)), responses=place, truths=place, labels=labels)


def doors(column, folder, *, csv=True):
    """Yield the released column by each way into a release, or what refuses it."""
    table = pa.table({"x": column})
    pq.write_table(table, folder / "t.parquet")
    if csv:
        pyarrow.csv.write_csv(table, folder / "t.csv")
    plain = table.to_pandas()
    frames = [table, plain, pl.from_arrow(table)]
    if not pa.types.is_decimal(column.type):  # of which Dask itself makes text
        frames.append(dask.from_pandas(plain, npartitions=1))
    yield from (lambda mechanism, frame=frame: _of_frame(mechanism, frame) for frame in frames)
    for name in ("t.parquet", "t.csv") if csv else ("t.parquet",):
        yield lambda mechanism, name=name: _of_file(mechanism, folder / name)


def _of_frame(mechanism, frame):
    released = om.release_frame(frame, "x", mechanism)
    released = released.compute() if hasattr(released, "compute") else released
    return list(map(str, released["x"].to_pylist() if isinstance(released, pa.Table) else released["x"]))


def _of_file(mechanism, path):
    out = path.with_name(f"out{path.suffix}")
    om.release_table(mechanism, path, out, column="x", again=True)
    texts = pyarrow.csv.ConvertOptions(column_types={"x": pa.string()})
    is_csv = path.suffix == ".csv"
    table = pyarrow.csv.read_csv(out, convert_options=texts) if is_csv else pq.read_table(out)
    return list(map(str, table["x"].to_pylist()))


@pytest.mark.parametrize("labels", LISTS, ids=str)
def test_labels_come_back_as_they_went_in(tmp_path, labels):
    for number, door in enumerate(doors(of_text(labels), tmp_path)):
        assert door(certain(labels)) == list(labels), number


@each("labels", LISTS, every=3)
def test_no_number_is_a_label_or_a_place(tmp_path, labels):
    for numbers in NUMBERS:
        # CSV has texts alone: there 1 is the label 1.
        for door in doors(numbers, tmp_path, csv=False):
            with pytest.raises((om.ProblemError, om.FileFormatError), match="letter by letter"):
                door(certain(labels))


@each("stray", ["0", "9", "01", "1.0", "+1", "1e0", "5 5", "None"])
def test_one_stray_number_does_not_turn_a_column(stray):
    for labels in LISTS:
        if stray in labels:
            continue
        for column in ([*labels, stray], [stray, *labels], [stray]):
            frame = pa.table({"x": of_text(column)})
            with pytest.raises(om.ProblemError, match="letter by letter"):
                om.release_frame(frame, "x", certain(labels))


def test_a_truth_to_sample_is_a_label():
    for labels in LISTS:
        assert certain(labels).sample(labels).tolist() == list(labels)
        for truth in (0, 1, 1.0, Decimal(1), np.array([0, 1]), [1], ["1", 1], "001"):
            with pytest.raises(om.ProblemError, match="`truths` must be"):
                certain(labels).sample(truth)
