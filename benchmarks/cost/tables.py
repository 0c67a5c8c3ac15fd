"""Releasing a column of a file, beside copying the file with the same packages and nothing else done."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

import optmech as om
from benchmarks.cost.measure import interleaved, ratio
from benchmarks.table import Table, figure

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["table"]

ROWS, FEW, LARGEST, EPSILON = 4_000_000, 20_000, 100, "0.5"
GROUP = 1 << 20
RUNS = 3


def table(*, smoke: bool) -> Table:
    """Return rows a second of `release_table` and of a copy, for Parquet and for CSV."""
    rows, runs = (FEW, 1) if smoke else (ROWS, RUNS)
    certificate = om.design(om.croft(om.count(LARGEST), epsilon=EPSILON)).certificate
    assert certificate is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, rows)
        works: dict[str, Callable[[], object]] = {}
        for kind, copy in (("parquet", copy_parquet), ("csv", copy_csv)):
            source, out = folder / f"t.{kind}", folder / f"{kind}-released.{kind}"
            works[f"{kind}, copied"] = lambda source=source, copy=copy: copy(source)  # type: ignore[misc]
            works[f"{kind}, released"] = lambda source=source, out=out: om.release_table(  # type: ignore[misc]
                certificate, source, out, column="n", again=True
            )
        seconds = interleaved(works, runs)
    made = []
    for work, result in seconds.items():
        kind, _, what = work.partition(", ")
        times = ratio(result, seconds[f"{kind}, copied"])
        made.append((kind, what, figure(result, 3), figure(rows / result, 3), times))
    return Table(
        title=f"Releasing a count 0..{LARGEST} in {rows} rows, two more columns",
        header=("file", "what", "seconds", "rows a second", "as long as a copy, times"),
        rows=tuple(made),
        notes=(
            f"Medians of {runs} turns in one process, with as many threads as Arrow takes.",
            "A copy reads and writes with Arrow, a row group or a block at a time; CSV is read as text.",
        ),
    )


def write(folder: Path, rows: int) -> None:
    """Write the same table as Parquet and as CSV."""
    dice = np.random.default_rng(1)
    regions = pa.array([f"region {place}" for place in range(12)])
    columns = {
        "id": pa.array(np.arange(rows)),
        "region": regions.take(pa.array(dice.integers(0, len(regions), rows))),
        "n": pa.array(dice.integers(0, LARGEST + 1, rows)),
    }
    pq.write_table(pa.table(columns), folder / "t.parquet", row_group_size=GROUP)
    pc.write_csv(pa.table(columns), folder / "t.csv")


def copy_parquet(source: Path) -> None:
    """Read and write each row group."""
    file = pq.ParquetFile(source, pre_buffer=False)
    with file, pq.ParquetWriter(source.with_name("copy.parquet"), file.schema_arrow) as copy:
        for group in range(file.num_row_groups):
            copy.write_table(file.read_row_group(group), row_group_size=GROUP)


def copy_csv(source: Path) -> None:
    """Read and write each block, all cells as text."""
    with pc.open_csv(source) as first:
        kinds = dict.fromkeys(first.schema.names, pa.string())
    options = pc.ConvertOptions(column_types=kinds)
    with (
        pc.open_csv(source, convert_options=options) as file,
        pc.CSVWriter(source.with_name("copy.csv"), file.schema) as copy,
    ):
        for batch in file:
            copy.write_batch(batch)
