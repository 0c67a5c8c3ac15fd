"""Twenty million rows: within a gigabyte, and by the certified law."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import optmech as om

ROWS, STEP, LARGEST = 6_000_000, 1 << 20, 100
MOST_KILOBYTES = 1_000_000
# Runs the command and tells its largest memory.
MEASURED = """
import json, resource, subprocess, sys
words = [sys.executable, "-m", "optmech", "apply", *sys.argv[1:]]
done = subprocess.run(words, capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, done.stderr, used.ru_maxrss]))
"""


@pytest.fixture(scope="module")
def folder_and_certificate(tmp_path_factory):
    """Write a certificate and twenty million rows as Parquet."""
    folder = tmp_path_factory.mktemp("size")
    certificate = om.design(om.croft(om.count(LARGEST), epsilon="0.5")).certificate
    om.write_certificate(certificate, folder / "m.json")
    schema = pa.schema([("id", pa.int64()), ("region", pa.string()), ("n", pa.int64())])
    names, dice = pa.array([f"region {place}" for place in range(12)]), np.random.default_rng(9)
    with pq.ParquetWriter(folder / "t.parquet", schema) as packed:
        for start in range(0, ROWS, STEP):
            size = min(STEP, ROWS - start)
            columns = [
                pa.array(np.arange(start, start + size)),
                names.take(pa.array(dice.integers(0, len(names), size))),
                pa.array(dice.integers(0, LARGEST + 1, size)),
            ]
            packed.write_batch(pa.record_batch(columns, schema=schema))
    yield folder, certificate
    for path in folder.iterdir():
        path.unlink()


@pytest.mark.parametrize(
    "suffix",
    [pytest.param(".parquet", marks=pytest.mark.slow), pytest.param(".csv", marks=pytest.mark.long)],
)
def test_it_streams_in_little_memory_and_draws_by_the_certified_law(folder_and_certificate, fits, suffix):
    folder, certificate = folder_and_certificate
    if suffix == ".csv":
        rows = pq.ParquetFile(folder / "t.parquet")
        with pc.CSVWriter(folder / "t.csv", rows.schema_arrow) as text:
            for batch in rows.iter_batches(STEP):
                text.write_batch(batch)
    words = ["m.json", f"t{suffix}", "--column", "n", "--out", f"r-{suffix[1:]}{suffix}"]
    output = subprocess.run(
        [sys.executable, "-c", MEASURED, *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
    code, err, kilobytes = json.loads(output)
    assert code == 0, err
    assert kilobytes < MOST_KILOBYTES
    truths = pq.read_table(folder / "t.parquet", columns=["n"])["n"].to_numpy()
    if suffix == ".parquet":
        released = pq.read_table(folder / "r-parquet.parquet")
        assert released["id"].equals(pq.read_table(folder / "t.parquet", columns=["id"])["id"])
    else:
        released = pc.read_csv(folder / "r-csv.csv", convert_options=pc.ConvertOptions(include_columns=["n"]))
    assert fits(released["n"].to_numpy(), truths, certificate.matrix.nearest()) > 1e-7
