"""The drawn column follows from the mechanism, whatever column the true answers stood in."""

from __future__ import annotations

import gzip
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables.column_of_source import column_mechanism
from tests.each import each
from tests.noninterference.doors import scripted

WIDE, DRAWN = 200, 166
COLUMNS = {
    "int8": pa.array([3, 4], pa.int8()),
    "uint8": pa.array([3, 4], pa.uint8()),
    "uint64": pa.array([3, 4], pa.uint64()),
    "float16": pa.array([3.0, 4.0]).cast(pa.float16()),
    "float32": pa.array([3, 4], pa.float32()),
    "decimal": pa.array([Decimal(3), Decimal(4)], pa.decimal128(3, 1)),
    "text": pa.array(["3", "4.0"]),
    "categories": pa.array([3, 4]).dictionary_encode(),
    "categories of text": pa.array(["3", "4"]).dictionary_encode(),
}


@each("name", COLUMNS, every=3)
def test_a_response_that_no_true_answer_comes_near_is_released_as_it_is(tmp_path, wide, name):
    pq.write_table(pa.table({"n": COLUMNS[name]}), tmp_path / "t.parquet")
    with scripted({}, constant=DRAWN):
        frame = om.release_frame(pa.table({"n": COLUMNS[name]}), "n", wide)
        om.release_table(wide, tmp_path / "t.parquet", tmp_path / "r.parquet", column="n", again=True)
    for released in (frame, pq.read_table(tmp_path / "r.parquet")):
        assert released.schema.equals(pa.schema([("n", pa.int64())]), check_metadata=True)
        assert released["n"].to_pylist() == [DRAWN, DRAWN]


@pytest.fixture(scope="module")
def wide():
    """Design a count 0..200."""
    return column_mechanism(om.design(om.question(om.count(WIDE), "0.2")).certificate)


@each("case", [(39_900, pa.float16()), (2**24 - 100, pa.float32()), (2**24 - 100, pa.float64())])
def test_draws_are_not_rounded_to_the_floats_of_true_answers(tmp_path, case):
    first, kind = case
    design = om.design(om.question(om.count(first, first + 5000), 1))
    truths = pa.array([float(first + 96)] * 40).cast(kind)
    pq.write_table(pa.table({"n": truths}), tmp_path / "t.parquet")
    om.release_table(design, tmp_path / "t.parquet", tmp_path / "r.parquet", column="n", again=True)
    for released in (
        om.release_frame(pa.table({"n": truths}), "n", design),
        pq.read_table(tmp_path / "r.parquet"),
    ):
        drawn = released["n"].to_pylist()
        assert all(isinstance(number, int) for number in drawn)
        assert {number % 2 for number in drawn} == {0, 1}


HEADS = ["n\n", "n\r\n", "\ufeffn\r\n", '"n"\n', "\n\nn\n"]
ROWS = ["1\n2\n", "1\r\n2\r\n", "1\n2", '"1"\r\n 2\n']


@each("text", [head + rows for head in HEADS for rows in ROWS], every=4)
def test_a_file_of_one_column_shows_how_it_was_written_nowhere(certificates, tmp_path, text):
    written = []
    for suffix in (".csv", ".csv.gz"):
        source, out = tmp_path / f"t{suffix}", tmp_path / f"r{suffix}"
        source.write_bytes(gzip.compress(text.encode()) if suffix == ".csv.gz" else text.encode())
        with scripted({6: [3, 2]}):
            om.release_table(certificates["a"], source, out, column="n", again=True)
        written.append(gzip.decompress(out.read_bytes()) if suffix == ".csv.gz" else out.read_bytes())
    assert written == [b"n\n3\n2\n"] * 2


def test_an_empty_line_of_one_column_is_somebody_without_an_answer(certificates, tmp_path):
    (tmp_path / "t.csv").write_text("n\n1\n\n2\n")
    for drop_zero in (True, False):
        with pytest.raises(om.FileFormatError, match="in line 3"):
            om.release_table(
                certificates["a"], tmp_path / "t.csv", tmp_path / "r.csv", column="n", drop_zero=drop_zero
            )


def test_labels_are_released_as_text_whatever_the_column():
    design = om.design(om.question(om.categories(["red", "green"]), epsilon=1, loss="zero-one"))
    for answers in (pa.array(["red", "green"]), pa.array(["red", "green"]).dictionary_encode()):
        released = om.release_frame(pa.table({"n": answers}), "n", design)
        assert released.schema.field("n").type == pa.string()
        assert set(released["n"].to_pylist()) <= {"red", "green"}


def test_missing_sizes_are_not_designed_where_rows_are_left_out(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("size,n\n3,1\n")
    words = "apply count --epsilon 1 --delta 1e-3 --property zero-stays-zero"
    options = f"{tmp_path}/likert {tmp_path}/t.csv --column n --group size --drop-zero --out {tmp_path}/r.csv"
    assert main([*words.split(), *options.split()]) == 2
    assert "a question must be left out with `--drop-zero`" in capsys.readouterr().err
    assert not (tmp_path / "likert").exists()
