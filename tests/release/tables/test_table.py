"""A released file: the law of its draws is the certificate's, all else stays, and the log tells no truth."""

from __future__ import annotations

import gzip
import hashlib
import itertools
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.release.tables import csv_rows, parquet_file, read_log, release_table
from tests.each import each

# A law that fits misses it once in a million runs.
LEAST = 1e-7
DECIMALS = [Decimal("0.5"), Decimal(2), Decimal("1.5")]
SUFFIXES = (".csv", ".csv.gz", ".parquet")


def write(table, path):
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=10_000)
    else:
        with pa.output_stream(path) as stream:  # compressed by its name
            pc.write_csv(table, stream)
    return path


def column(path, name):
    if path.suffix == ".parquet":
        return pq.read_table(path)[name].to_numpy()
    return pc.read_csv(path)[name].to_numpy()


@pytest.mark.parametrize(("before", "after"), [*itertools.product(SUFFIXES, repeat=2)])
def test_the_law_of_what_is_released_is_the_certified_matrix_for_every_true_value(
    five, fits, tmp_path, before, after
):
    truths = np.random.default_rng(1).integers(0, 6, 30_000)
    table = pa.table({"id": np.arange(truths.size), "n": truths})
    source, out = write(table, tmp_path / f"t{before}"), tmp_path / f"r{after}"
    done = release_table(five, source, out, column="n")
    assert done.rows == truths.size
    assert (column(out, "id").astype(int) == np.arange(truths.size)).all()
    drawn = column(out, "n")
    matrix = five.matrix.nearest()
    assert fits(drawn, truths, matrix) > LEAST
    # The test can fail: the law of another matrix, and truths in another order, are seen.
    assert fits(drawn, truths, np.roll(matrix, 1, axis=0)) < LEAST
    assert fits(drawn, np.roll(truths, 1), matrix) < LEAST


def test_groups_are_drawn_from_the_law_of_their_own_mechanism(five, fits, tmp_path):
    sharp = om.design(om.croft(om.count(9), epsilon="2")).certificate
    dice = np.random.default_rng(2)
    regions = dice.integers(0, 3, 40_000)
    truths = np.where(regions == 1, dice.integers(0, 10, regions.size), dice.integers(0, 6, regions.size))
    source = write(pa.table({"region": regions, "n": truths}), tmp_path / "t.parquet")
    out = tmp_path / "r.parquet"
    release_table({"1": sharp, None: five}, source, out, column="n", by="region")
    drawn, sharply = pq.read_table(out)["n"].to_numpy(), regions == 1
    assert fits(drawn[sharply], truths[sharply], sharp.matrix.nearest()) > LEAST
    assert fits(drawn[~sharply], truths[~sharply], five.matrix.nearest()) > LEAST


def test_constant_time_and_distributions_are_released_as_well(five, large, fits, tmp_path):
    truths = np.random.default_rng(3).integers(0, 6, 3000)
    source = write(pa.table({"n": truths}), tmp_path / "t.parquet")
    release_table(five, source, tmp_path / "c.parquet", column="n", constant_time=True)
    assert fits(column(tmp_path / "c.parquet", "n"), truths, five.matrix.nearest()) > LEAST
    for suffix in (".csv", ".parquet"):
        release_table(large, source, tmp_path / f"i{suffix[1:]}{suffix}", column="n")
        drawn = column(tmp_path / f"i{suffix[1:]}{suffix}", "n")
        assert 5 < np.abs(drawn - truths).mean() < 15  # 1 / sinh(0.1), cut off at 0
    with pytest.raises(om.NotAcceptedError, match="`constant_time` must be left out"):
        release_table(large, source, tmp_path / "x.csv", column="n", constant_time=True)


RICH = pa.table(
    {
        "id": pa.array([3, None, 2**40], pa.int64()),
        "n": pa.array([1, 0, 5], pa.int16()),
        "kind": pa.array(["a", "b", None]).dictionary_encode(),
        "nested": pa.array([[{"x": 1, "y": [0.5]}], [], None]),
        "when": pa.array([1, 2, None], pa.timestamp("us", "Europe/Berlin")),
        "price": pa.array([Decimal("1.10"), None, Decimal("9.99")], pa.decimal128(9, 2)),
        "raw": pa.array([b"\x00\xff", b"", None]),
        "float": pa.array([float("nan"), -0.0, None], pa.float32()),
    }
).replace_schema_metadata({"owner": "office", "pandas": "{}"})


def test_parquet_keeps_types_and_values_of_other_columns_and_nothing_that_describes_them(five, tmp_path):
    schema = RICH.schema.set(1, RICH.schema.field("n").with_metadata({"unit": "people"}))
    schema = schema.set(1, schema.field(1).with_nullable(nullable=False))
    table = RICH.cast(schema)
    source, out = tmp_path / "t.parquet", tmp_path / "r.parquet"
    pq.write_table(pa.concat_tables([table] * 5), source, row_group_size=4, compression="zstd")
    release_table(five, source, out, column="n")
    before, after = pq.read_table(source), pq.read_table(out)
    plain = {"n": pa.int64(), "kind": pa.string()}
    expected = [pa.field(field.name, plain.get(field.name, field.type)) for field in before.schema]
    assert after.schema.equals(pa.schema(expected), check_metadata=True)
    assert before.drop_columns("n").to_pydict().__repr__() == after.drop_columns("n").to_pydict().__repr__()
    metadata = pq.ParquetFile(out).metadata
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [15]
    assert metadata.row_group(0).column(0).compression == "SNAPPY"


def test_row_groups_end_by_what_is_written(five, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "_MOST_READ", 3)
    monkeypatch.setattr(parquet_file, "_MOST_ROWS", 7)
    source, out = tmp_path / "t.parquet", tmp_path / "r.parquet"
    pq.write_table(pa.table({"i": range(50), "n": [1] * 50}), source, row_group_size=20)
    release_table(five, source, out, column="n")
    entry = pq.ParquetFile(out).metadata
    assert [entry.row_group(n).num_rows for n in range(entry.num_row_groups)] == [*[7] * 7, 1]
    assert pq.read_table(out)["i"].to_pylist() == [*range(50)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["category", "Int8"])
def test_what_pandas_keeps_of_a_column_says_nothing_of_its_true_answers(tmp_path, kind):
    pandas = pytest.importorskip("pandas")
    wide = om.design(om.question(om.count(200), "0.2")).certificate
    true = pandas.DataFrame({"n": pandas.Series([120, 125, 127] * 300, dtype=kind), "of": [*"abc"] * 300})
    true.to_parquet(tmp_path / "t.parquet")
    release_table(wide, tmp_path / "t.parquet", tmp_path / "r.parquet", column="n")
    frame = om.release_frame(pa.Table.from_pandas(true), "n", wide)
    pq.write_table(frame, tmp_path / "f.parquet")
    for path in (tmp_path / "r.parquet", tmp_path / "f.parquet"):
        assert pq.read_schema(path).metadata is None
        drawn = pandas.read_parquet(path)["n"]
        assert drawn.dtype == "int64"
        assert 127 < drawn.max() <= 200
        assert drawn.min() >= 0


def test_csv_becomes_parquet_as_text_and_comes_back_as_it_was(five, tmp_path):
    source = tmp_path / "t.csv"
    source.write_text('code,n,note\n007,1,""\n1e3,2,\n"a, b",3,"two\nlines"\n')
    release_table(five, source, tmp_path / "r.parquet", column="n")
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.schema.types == [pa.string(), pa.int64(), pa.string()]
    assert table["code"].to_pylist() == ["007", "1e3", "a, b"]
    assert table["note"].to_pylist() == ["", None, "two\nlines"]
    release_table(five, tmp_path / "r.parquet", tmp_path / "back.csv.gz", column="n")
    lines = gzip.decompress((tmp_path / "back.csv.gz").read_bytes()).decode().replace('"', "").splitlines()
    assert [line.split(",")[0] for line in lines] == ["code", "007", "1e3", "a", "lines"]


def test_what_csv_cannot_hold_is_refused(five, tmp_path):
    source = tmp_path / "t.parquet"
    pq.write_table(RICH, source)
    with pytest.raises(om.FileFormatError, match="must have one text in each cell to become CSV; got list"):
        release_table(five, source, tmp_path / "r.csv", column="n")
    (tmp_path / "t.csv").write_text("a,a,n\n1,2,3\n")
    with pytest.raises(om.FileFormatError, match="different names of columns"):
        release_table(five, tmp_path / "t.csv", tmp_path / "r.parquet", column="n")
    assert not [*tmp_path.glob("r.*")]


@pytest.mark.parametrize("after", SUFFIXES)
@pytest.mark.parametrize("values", [["0.5", "2.0", "3/2"], [0.5, 2.0, 1.5], DECIMALS])
def test_fractions_are_exact_in_and_out(halves, tmp_path, values, after):
    source, out = tmp_path / "t.parquet", tmp_path / f"r{after}"
    pq.write_table(pa.table({"n": values}), source)
    release_table(halves, source, out, column="n")
    drawn = pq.read_table(out)["n"] if after == ".parquet" else pc.read_csv(out)["n"]
    assert {float(value) for value in drawn.to_pylist()} <= {0.0, 0.5, 1.0, 1.5, 2.0}
    if after == ".parquet":
        assert drawn.type == pa.float64()


@pytest.mark.parametrize("after", SUFFIXES)
def test_labels_are_released_as_labels(colours, tmp_path, after):
    source, out = tmp_path / "t.csv", tmp_path / f"r{after}"
    source.write_text('who,n\n1,red\n2,"green, dark"\n3,blue\n')
    release_table(colours, source, out, column="n")
    drawn = pq.read_table(out)["n"] if after == ".parquet" else pc.read_csv(out)["n"]
    assert set(drawn.to_pylist()) <= {"red", "green, dark", "blue"}
    source.write_text("who,n\n1,red\n2,pink\n")
    with pytest.raises(
        om.FileFormatError, match=r"among red, green, dark, blue in column n; got 'pink' in line 3"
    ):
        release_table(colours, source, out, column="n", again=True)


@pytest.mark.slow
def test_the_type_of_a_column_follows_from_the_responses(five, tmp_path):
    wide = om.design(om.croft(om.count(130), epsilon="1")).certificate
    for certificate in (five, wide):
        source, out = tmp_path / "t.parquet", tmp_path / "r.parquet"
        pq.write_table(pa.table({"n": pa.array([1, 2], pa.int8())}), source)
        release_table(certificate, source, out, column="n", again=True)
        assert pq.read_schema(out).field("n").type == pa.int64()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_answer_far_down_is_refused_where_it_stands_and_leaves_nothing(
    five, tmp_path, monkeypatch, suffix
):
    monkeypatch.setattr(csv_rows, "_BLOCK", 1 << 12)
    numbers = [1] * 25_000
    numbers[23_456] = 6
    source = write(pa.table({"i": range(25_000), "n": numbers}), tmp_path / f"t{suffix}")
    place = "row 23457" if suffix == ".parquet" else "line 23458"
    with pytest.raises(
        om.FileFormatError, match=rf"got '?6'? in {place}\. It is beyond the range: `--clamp`"
    ):
        release_table(five, source, tmp_path / f"r{suffix}", column="n")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_a_null_is_refused(five, tmp_path):
    source = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": [1, None]}), source)
    for clamp in (False, True):
        with pytest.raises(om.FileFormatError, match=r"got null in row 2\. No answer is an answer too"):
            release_table(five, source, tmp_path / "r.parquet", column="n", clamp=clamp)


def test_clamping_counts_what_it_takes(five, colours, tmp_path):
    source = write(pa.table({"n": [8, 0, 5, 6, 7]}), tmp_path / "t.parquet")
    assert release_table(five, source, tmp_path / "r.parquet", column="n", clamp=True).clamped == 3
    circle = om.design(om.kadam(om.residues(5, [1]), epsilon="1", delta="0.1", cost="error-rate")).certificate
    for certificate, words in ((colours, "are no numbers"), (circle, "have neighbours farther off")):
        with pytest.raises(om.NotAcceptedError, match=f"`clamp` must be left out: answers that {words}"):
            release_table(certificate, source, tmp_path / "x.parquet", column="n", clamp=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_log_names_file_mechanism_and_privacy_by_what_can_be_checked(five, tmp_path, suffix):
    om.write_certificate(five, tmp_path / "m.certificate.json")
    source = write(pa.table({"i": [1, 2], "n": [1, 5]}), tmp_path / f"t{suffix}")
    done = release_table(tmp_path / "m.certificate.json", source, tmp_path / f"r{suffix}", column="n")
    log = read_log(tmp_path / "r.release.json")
    assert log == done.log
    assert done.log_path == tmp_path / "r.release.json"
    output = (tmp_path / f"r{suffix}").read_bytes()
    assert log["output"] == {"file": f"r{suffix}", "sha256": hashlib.sha256(output).hexdigest(), "rows": 2}
    (entry,) = log["mechanisms"]
    proof = (tmp_path / "m.certificate.json").read_bytes()
    assert entry["certificate_sha256"] == hashlib.sha256(proof).hexdigest()
    assert entry["matrix_sha256"] == five.matrix.sha256()
    assert (entry["file"], entry["epsilon"], entry["delta"]) == ("m.certificate.json", "0.5", "0")
    assert "proved" in entry["provenance"]


def test_two_tables_that_differ_in_true_answers_alone_leave_the_same_log(five, tmp_path):
    logs = []
    for name, numbers in (("one", [0, 1, 2, 8, 9]), ("two", [3, 4, 5, 3, 1])):
        folder = tmp_path / name
        folder.mkdir()
        source = write(pa.table({"n": numbers}), folder / "t.parquet")
        log = release_table(five, source, folder / "r.parquet", column="n", clamp=True).log
        del log["id"], log["made"], log["output"]["sha256"]  # a coin, the clock, and what was drawn
        logs.append(log)
    assert logs[0] == logs[1]


def test_a_table_in_the_order_of_its_true_answers_is_pointed_out(five, tmp_path):
    orders = {"up": [0, 0, 1, 2, 3, 3, 4, 5, 5], "down": [5, 4, 4, 3, 2, 2, 1, 1, 0]}
    mixed = {
        "mixed": [0, 1, 2, 3, 2, 3, 4, 5, 5],
        "few": [0, 1, 2, 3],
        "constant": [2] * 50,
        "rare": [0] * 9 + [1],
    }
    for name, numbers in (orders | mixed).items():
        source = write(pa.table({"n": numbers}), tmp_path / f"{name}.parquet")
        done = release_table(five, source, tmp_path / f"{name}-r.parquet", column="n")
        assert any("in the order of their true answers" in entry for entry in done.cautions) == (
            name in orders
        )


def test_one_sided_privacy_is_said_to_be_none(tmp_path):
    query = om.residues(5, [1], symmetric=False)
    certificate = om.design(om.kadam(query, epsilon="1", delta="0.1", cost="error-rate")).certificate
    source = write(pa.table({"n": [0, 1]}), tmp_path / "t.parquet")
    done = release_table(certificate, source, tmp_path / "r.parquet", column="n")
    assert any("not differential privacy" in entry for entry in done.cautions)


@pytest.mark.parametrize(
    "problem",
    [
        om.question(om.Query.from_data([1, 0], sum, change="replace", domain=[0, 1]), 1),
        om.question(om.Query(range(3), neighbours=[(0, 1, 1), (1, 2, 3)]), 1),
        om.sadeghi(1, "0.5", 2, counts=(1, 2)),
    ],
    ids=["near one table", "weights", "each outcome"],
)
def test_what_is_no_differential_privacy_is_not_released_without_a_word(problem, tmp_path):
    certificate = om.design(problem).certificate
    source = write(pa.table({"n": [1, 2]}), tmp_path / "t.parquet")
    done = release_table(certificate, source, tmp_path / "r.parquet", column="n")
    *allows, caution = done.cautions
    assert all(sentence.startswith("Caution: ") for sentence in allows)
    assert caution.startswith("not differential privacy at this epsilon and delta: ")
    entry = done.log["mechanisms"][0]
    assert entry["caution"] == caution
    if certificate.problem.query.heaviest == 1:
        assert float(Fraction(entry["delta_of_sets"])) == pytest.approx(
            om.analysis.privacy_curve(certificate).delta(1)
        )


@each(
    ("arguments", "words"),
    [
        ({"mechanism": {}, "by": "n"}, "at least one group"),
        ({"mechanism": {}}, "`by` must name the column"),
        ({"by": "n"}, "`by` must name the column"),
        ({"mechanism": 3}, "must be a design, a certificate or a mechanism; got 3"),
        ({"column": "x"}, "one column 'x'; it has i, n"),
        ({"table": "none.parquet"}, "must be a file that can be read; got no such file"),
        ({"table": "broken.parquet"}, "must be a Parquet file that can be read"),
        ({"log": "t.parquet"}, "must be another file"),
        ({"log": "r.parquet"}, "must be another file"),
        ({"log": "other.json"}, "must be a release log of optmech"),
        ({"out": "no/such/r.parquet"}, "must be writable"),
        ({"seed": -1}, "`seed` must be"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_and_leave_nothing(five, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    write(pa.table({"i": [1, 2], "n": [1, 5]}), Path("t.parquet"))
    Path("broken.parquet").write_bytes(Path("t.parquet").read_bytes()[:-20])
    Path("other.json").write_text("{}")
    before = sorted(tmp_path.iterdir())
    options = {"mechanism": five, "table": "t.parquet", "out": "r.parquet", "column": "n"} | arguments
    with pytest.raises(om.OptmechError, match=words):
        release_table(**options)
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_breaks_off_in_the_middle_leaves_nothing(five, tmp_path):
    write(pa.table({"n": np.random.default_rng(4).integers(0, 6, 50_000)}), tmp_path / "t.csv.gz")
    whole = (tmp_path / "t.csv.gz").read_bytes()
    (tmp_path / "t.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(om.FileFormatError, match="must be a file that can be read"):
        release_table(five, tmp_path / "t.csv.gz", tmp_path / "r.csv", column="n")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv.gz"]


def test_a_table_without_rows_is_released_as_it_is(five, tmp_path):
    (tmp_path / "t.csv").write_text("id,n\n")
    pq.write_table(
        pa.table({"id": pa.array([], pa.string()), "n": pa.array([], pa.int8())}), tmp_path / "t.parquet"
    )
    for before, after in itertools.product((".csv", ".parquet"), repeat=2):
        out = tmp_path / f"from-{before[1:]}{after}"
        assert release_table(five, tmp_path / f"t{before}", out, column="n", again=True).rows == 0
        names = pq.read_schema(out).names if after == ".parquet" else out.read_text().strip().split(",")
        assert names == ["id", "n"]
